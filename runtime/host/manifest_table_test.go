package host_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// programs is all code, manifests, storage and other facts of actors that the state has: what a refused manifest must leave alone.
func (w *world) programs() []byte {
	w.t.Helper()
	var all []byte
	for _, kind := range []account.Kind{account.KindActorMeta, account.KindStorage, account.KindCode} {
		err := w.tip.State.Scan(account.Key(kind, account.Address{})[:2], nil, 0, func(key, value []byte) bool {
			all = append(append(append(all, key...), 0), value...)
			return true
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	if len(all) == 0 {
		w.t.Fatal("the state has no actors")
	}
	return all
}

// Manifests that are refused, at a deployment and at an upgrade alike: each with its error, a fee and nothing else changed, not a byte of any actor's.
//
// Spec: ENT §3.2, §6, §10, §11; entitlement-extras §2.3, §6.
func TestBadManifests(t *testing.T) {
	const invalid, forbidden, both = "ERR_ENTITLEMENT_PARAM_INVALID: ", "ERR_MISSING_ENTITLEMENT: ", uint16(0)
	kept := `{"id":"storage.kv","params":{"max_bytes":4096}}`
	for name, c := range map[string]struct {
		manifest string
		deploy   uint16 // the code of the deployment's fault; 0: it is deployed
		upgrade  uint16
		trap     string
	}{
		"unsorted":              {`[{"id":"sys.upgrade"},` + kept + `]`, 1202, 1202, invalid},
		"unknown id":            {`[` + kept + `,{"id":"storage.xyz"},{"id":"sys.upgrade"}]`, 1202, 1202, invalid},
		"a name of drafts":      {`[{"id":"bank.transfer"},` + kept + `]`, 1202, 1202, invalid},
		"twice":                 {`[` + kept + `,` + kept + `,{"id":"sys.upgrade"}]`, 1202, 1202, invalid},
		"twice, other bounds":   {`[` + kept + `,{"id":"storage.kv","params":{"max_bytes":1}}]`, 1202, 1202, invalid},
		"no object":             {`[["storage.kv"]]`, 1202, 1202, invalid},
		"a map of ids":          {`{"storage.kv":{"max_bytes":4096}}`, 1202, 1202, invalid},
		"a number for an id":    {`[{"id":7}]`, 1202, 1202, invalid},
		"params as a list":      {`[{"id":"storage.kv","params":["max_bytes"]}]`, 1202, 1202, invalid},
		"a nested parameter":    {`[{"id":"storage.kv","params":{"max_bytes":{"n":1}}}]`, 1202, 1202, invalid},
		"a truth value":         {`[{"id":"storage.kv","params":{"max_bytes":true}}]`, 1202, 1202, invalid},
		"a fraction":            {`[{"id":"storage.kv","params":{"max_bytes":1.5}}]`, 1202, 1202, invalid},
		"65 bits":               {`[{"id":"storage.kv","params":{"max_bytes":"18446744073709551616"}}]`, 1202, 1202, invalid},
		"another's parameter":   {`[{"id":"storage.kv","params":{"max_amount":1}}]`, 1202, 1202, invalid},
		"params where none are": {`[` + kept + `,{"id":"sys.upgrade","params":{"max_bytes":1}}]`, 1202, 1202, invalid},
		"without its params":    {`[{"id":"storage.kv"},{"id":"sys.upgrade"}]`, 1202, 1202, invalid},
		"an unknown set":        {`[{"id":"http.fetch","params":{"domain_set":"everything"}},` + kept + `]`, 1202, 1202, invalid},
		"hosts out of ASCII":    {`[{"id":"http.fetch","params":{"allowlist_domains":["bücher.de"]}}]`, 1202, 1202, invalid},
		"broken off":            {`[` + kept + `,{"id":"sys.upgr`, 1202, 1202, invalid},
		"an id more":            {`[{"id":"econ.hold_balance"},` + kept + `,{"id":"sys.upgrade"}]`, both, 1207, forbidden},
		"a bound more":          {`[{"id":"storage.kv","params":{"max_bytes":4097}},{"id":"sys.upgrade"}]`, both, 1207, forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			a := *w.entitled(8, "upgradable", upgradable).Created
			before, record := w.programs(), w.account(a)
			check := func(x *block.Receipt, code uint16) {
				t.Helper()
				if x.Status != block.Faulted || x.Fault.Code != code || !strings.HasPrefix(x.Fault.Text, c.trap) || x.Created != nil || len(x.Events) > 0 {
					t.Errorf("%v %+v, want %d %s", x.Status, x.Fault, code, c.trap)
				}
				if !bytes.Equal(w.programs(), before) || w.account(a) != record {
					t.Error("something of an actor has changed")
				}
				if x.FeeBurned == 0 {
					t.Error("it cost nothing")
				}
			}
			up := &tx.UpgradeActor{Actor: a, Code: source(t, "upgradable"), Manifest: []byte(c.manifest)}
			check(w.mine(w.sign(person(8), up))[0], c.upgrade)
			if c.deploy != both {
				check(w.entitled(8, "upgradable", c.manifest), c.deploy)
			} else if x := w.entitled(8, "upgradable", c.manifest); x.Status != block.Success {
				t.Errorf("as a deployment's: %+v", x.Fault)
			}
		})
	}
}
