package entitle

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// inheritable is the column of the registry's tables, written out a second time.
var inheritable = map[string]bool{
	"exec.spawn": true, "sys.upgrade": false, "http.fetch": true, "storage.kv": true, "storage.blob": true, "oracle.llm": false, "accel.gpu": false,
	"sec.tee_required": true, "sec.data_residency": true, "econ.hold_balance": true, "econ.transfer": false, "timer.schedule": true,
	"bridge.asset": false, "bridge.subscribe_event": false, "ingress.http": false, "ingress.mcp": false, "ingress.static": false, "dns.attach_external": false,
	"secrets.read": false, "token.create": false, "token.transfer": false, "token.mint": false, "token.burn": false,
}

// The registry's column "inheritable", and what of a manifest a child may have.
//
// Spec: ENT §7, §9.1–§9.9; entitlement-extras §3.
func TestInheritance(t *testing.T) {
	for id, want := range inheritable {
		if !Known(id) || Inheritable(id) != want {
			t.Errorf("%s: known %v, inheritable %v", id, Known(id), Inheritable(id))
		}
	}
	if Known("custom.x") || Inheritable("custom.x") {
		t.Error("custom.x is known")
	}
	m := parse(t, published)
	child := m.Inheritance()
	var ids []string
	for _, g := range child.Grants {
		ids = append(ids, g.ID)
	}
	if got := strings.Join(ids, " "); got != "http.fetch storage.kv timer.schedule" {
		t.Errorf("a child of the trading bot inherits %s", got)
	}
	if g, _ := child.Grant(KV); !child.Within(m, GenesisSets()) || m.Within(child, GenesisSets()) || g.Params[0].Value.Number != 1_048_576 {
		t.Error("the inheritance is not the manifest's own part")
	}
}

// A grant states at least one of the parameters the registry lists; the manifest the specification prints does, and so does each of these by
// itself.
//
// Spec: ENT §10 (mandatory parameters), §3.3, §12.1.
func TestComplete(t *testing.T) {
	for _, text := range []string{
		`[]`, published, `[{"id":"sys.upgrade"}]`, `[{"id":"econ.hold_balance"}]`, `[{"id":"token.mint"}]`, `[{"id":"ingress.http"}]`,
		`[{"id":"ingress.http"},{"id":"ingress.mcp"}]`,
		`[{"id":"exec.spawn","params":{"max_children":0}}]`, `[{"id":"http.fetch","params":{"domain_set":"price_feeds"}}]`,
		`[{"id":"http.fetch","params":{"allowlist_domains":[]}}]`, `[{"id":"econ.transfer","params":{"max_per_block":1}}]`,
		`[{"id":"oracle.llm","params":{"max_requests":1}}]`, `[{"id":"ingress.static","params":{"static_volume_names":["1","2","3","4","5","6","7","8"]}}]`,
	} {
		if err := parse(t, text).Complete(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		`[{"id":"accel.gpu"}]`, `[{"id":"bridge.asset"}]`, `[{"id":"bridge.subscribe_event","params":{}}]`, `[{"id":"dns.attach_external"}]`,
		`[{"id":"econ.transfer"}]`, `[{"id":"exec.spawn"}]`, `[{"id":"http.fetch"}]`, `[{"id":"http.fetch","params":{"max_requests":5}}]`,
		`[{"id":"ingress.static","params":{"max_cache_bytes_total":5}}]`, `[{"id":"oracle.llm"}]`, `[{"id":"sec.data_residency"}]`,
		`[{"id":"sec.tee_required"}]`, `[{"id":"secrets.read"}]`, `[{"id":"storage.blob"}]`, `[{"id":"storage.kv"}]`, `[{"id":"timer.schedule"}]`,
		`[{"id":"econ.hold_balance"},{"id":"storage.kv"}]`, `[{"id":"ingress.mcp"}]`,
	} {
		if err := parse(t, text).Complete(); !errors.Is(err, ErrManifest) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The first and the last height of each state of an entitlement.
//
// Spec: ENT §9.11.
func TestRemoved(t *testing.T) {
	c := &params.EntitlementConfig{WindowBlocks: 10, Deprecated: []params.Deprecation{{ID: "storage.kv", From: 20, Until: 30}}}
	m := parse(t, published)
	for i, s := range []struct {
		height         int
		warns, removed bool
	}{{19, false, false}, {20, true, false}, {30, true, false}, {31, false, true}, {1_000, false, true}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			height := unit.Height(s.height)
			_, warns := c.Warns(KV, height)
			id, removed := m.Removed(c, height)
			if warns != s.warns || removed != s.removed || c.AnyRemoved(height) != s.removed || removed && id != KV {
				t.Errorf("height %d: warns %v, removed %v %s", s.height, warns, removed, id)
			}
			if c.Removed(Fetch, height) {
				t.Errorf("height %d: http.fetch is removed", s.height)
			}
		})
	}
	if _, removed := m.Inheritance().Removed(&params.EntitlementConfig{}, 1_000); removed {
		t.Error("removed without a deprecation")
	}
}
