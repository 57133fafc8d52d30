package rpc

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A reader is told what an actor may do, and which of it is deprecated or gone in the next block.
//
// Spec: ENT §9.11 (flagged in on-chain queries and explorer UIs).
func TestManifestIsShown(t *testing.T) {
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	p := params.Genesis()
	p.Entitlements.Deprecated = []params.Deprecation{{ID: "storage.kv", From: 20, Until: 30}}
	p.Save(overlay)
	m, err := entitle.Parse([]byte(`[{"id":"bridge.subscribe_event","params":{"allowlist_contracts":["0x1111111111111111111111111111111111111111"]}},
		{"id":"econ.hold_balance"},{"id":"storage.kv","params":{"max_bytes":18446744073709551615}}]`))
	if err != nil {
		t.Fatal(err)
	}
	actor, bare := account.Address{7}, account.Address{8}
	overlay.Set(entitle.Key(actor), m.Encode())
	const others = `{"id":"bridge.subscribe_event","params":{"allowlist_contracts":["0x1111111111111111111111111111111111111111"]},"state":"active"},` +
		`{"id":"econ.hold_balance","state":"active"},`
	const kv = `{"id":"storage.kv","params":{"max_bytes":18446744073709551615},`
	for i, c := range []struct {
		height     int
		want       string
		executable bool
	}{
		{18, others + kv + `"state":"active"}`, true},
		{19, others + kv + `"state":"deprecated","removed_at":31}`, true},
		{29, others + kv + `"state":"deprecated","removed_at":31}`, true},
		{30, others + kv + `"state":"removed","removed_at":31}`, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var w wire.Actor
			if err := viewManifest(&w, overlay, actor, unit.Height(c.height)); err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(w.Entitlements)
			if err != nil || string(got) != "["+c.want+"]" || w.Executable != c.executable {
				t.Errorf("height %d: %s %v %v", c.height, got, w.Executable, err)
			}
		})
	}
	var w wire.Actor
	if err := viewManifest(&w, overlay, bare, 40); err != nil || w.Entitlements != nil || !w.Executable {
		t.Errorf("without a manifest: %+v %v", w, err)
	}
}
