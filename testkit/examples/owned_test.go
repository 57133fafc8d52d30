package examples

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// TestCoin mints for its owner alone, pauses, changes hands and has nobody's hand on it in the end. Spec: sdk §5, §10.8, §12.
func TestCoin(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob := c.Account("alice"), c.Account("bob")
	coin := alice.Deploy(source(t, "coin.py"), []byte(`{"name":"Hay","cap":100}`))
	to := func(who *testkit.Account, amount int) string {
		return fmt.Sprintf(`{"to":"%s","amount":%d}`, who.Hex(), amount)
	}
	refused(t, bob.Try(coin, "mint", to(bob, 1)), "may not call")
	alice.Call(coin, "mint", to(alice, 60))
	refused(t, alice.Try(coin, "mint", to(alice, 41)), "more than the cap")
	refused(t, alice.Try(coin, "mint", to(alice, 0)), "positive")
	alice.Call(coin, "transfer", to(bob, 25))
	refused(t, bob.Try(coin, "transfer", to(alice, 26)), "too small")
	bob.Call(coin, "burn", `{"amount":5}`)
	refused(t, bob.Try(coin, "burn", `{"amount":-5}`), "positive")
	expect(t, "bob", alice.Call(coin, "balance", bob.Hex()), "20")
	expect(t, "alice", alice.Call(coin, "balance", alice.Hex()), "35")
	refused(t, bob.Try(coin, "pause", ""), "may not call")
	alice.Call(coin, "pause", "")
	refused(t, bob.Try(coin, "transfer", to(alice, 1)), "paused")
	alice.Call(coin, "resume", "")
	bob.Call(coin, "transfer", to(alice, 1))
	alice.Call(coin, "hand_over", bob.Hex())
	refused(t, alice.Try(coin, "mint", to(alice, 1)), "may not call")
	bob.Call(coin, "mint", to(bob, 45))
	b := bob.Address()
	expect(t, "info", alice.Call(coin, "info", ""), fmt.Sprintf(`{"cap":100,"name":"Hay","owner":"%x","paused":false,"supply":100}`, b[:]))
	bob.Call(coin, "renounce", "")
	refused(t, bob.Try(coin, "mint", to(bob, 1)), "may not call")
	expect(t, "info", alice.Call(coin, "info", ""), `{"cap":100,"name":"Hay","owner":null,"paused":false,"supply":100}`)
}

// TestLedger moves its entries to a successor in batches while the old address goes on answering. Spec: ENT §7.1; sdk §7.
func TestLedger(t *testing.T) {
	c := testkit.NewChain(t)
	alice, eve := c.Account("alice"), c.Account("eve")
	code := source(t, "ledger.py")
	old, next := alice.Deploy(code, []byte{}), alice.Deploy(code, []byte{})
	alice.Fund(old, 50*unit.CBY)
	for i := range 40 {
		alice.Call(old, "put", fmt.Sprintf(`{"key":"k%02d","value":%d}`, i, i*i))
	}
	refused(t, alice.Try(old, "put", `{"key":"a key that is longer than thirty bytes","value":1}`), "at most 30 bytes")
	get := func(key string) any {
		data := alice.Call(old, "get", key)
		if data == "" {
			return nil
		}
		v, err := cbor.Parse([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if got := get("k07"); got != int64(49) {
		t.Errorf("k07 is %v", got)
	}
	refused(t, eve.Try(old, "move", eve.Hex()), "may not call")
	refused(t, eve.Try(next, "adopt", eve.Hex()), "may not call")
	refused(t, eve.Try(next, "receive", `{"entries":[]}`), "from the predecessor")
	refused(t, eve.Try(old, "go_on", ""), "may not call")
	alice.Call(next, "adopt", old.String())
	alice.Call(old, "move", next.String())
	refused(t, alice.Try(old, "put", `{"key":"late","value":1}`), "has moved")
	alice.Call(next, "put", `{"key":"new","value":1}`)
	c.AdvanceTo(c.Height() + 6)
	if moved := c.Events(old, "ledger.moved"); len(moved) != 1 {
		t.Errorf("moved: %v", moved)
	}
	if got := c.Events(next, "ledger.received"); strings.Join(got, " ") != `{"entries":16} {"entries":16} {"entries":8}` {
		t.Errorf("received: %v", got)
	}
	for key, want := range map[string]any{"k00": int64(0), "k39": int64(1521), "new": int64(1), "none": nil} {
		t.Run(key, func(t *testing.T) {
			if got := get(key); got != want {
				t.Errorf("%s is %v through the old address, want %v", key, got, want)
			}
		})
	}
	if c.Storage(old, "e:k00") != nil || c.Storage(next, "e:k00") == nil {
		t.Error("an entry is not where it belongs")
	}
}

// TestSettings is upgraded in place and brings its storage along. Spec: ENT §9.2; sdk §8 (upgrade_self).
func TestSettings(t *testing.T) {
	c := testkit.NewChain(t)
	alice, system := c.Account("alice"), c.Impersonate(genesis.DevFaucet().Address())
	code := source(t, "settings.py")
	deploy := func(by *testkit.Account, manifest string) *block.Receipt {
		return by.Do(&tx.Deploy{
			Code: []byte(code), Salt: []byte{byte(c.Height())}, InitHandler: []byte("init"), Manifest: []byte(manifest),
		}, testkit.DeployCycles, testkit.DeployCells)
	}
	const manifest = `{"entitlements":[{"id":"storage.kv","params":{"max_bytes":1048576}},{"id":"sys.upgrade"}]}`
	if x := deploy(alice, manifest); x.Fault.Code != 1207 {
		t.Errorf("anybody's deployment: %s", testkit.Describe(x))
	}
	x := deploy(system, manifest)
	if x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	settings := *x.Created
	refused(t, alice.Try(settings, "set", `{"name":"n","value":1}`), "may not call")
	system.Call(settings, "set", `{"name":"limit","value":40}`)
	expect(t, "limit", alice.Call(settings, "get", "limit"), "40")
	expect(t, "migrate", system.Call(settings, "migrate", ""), "nothing to do")

	next := strings.NewReplacer("FORM = 1", "FORM = 2", `        self.storage["form"] = FORM
        return b"migrated`, `        self.storage["settings"] = {name: value * 10 for name, value in self.storage["settings"].items()}
        self.storage["form"] = FORM
        return b"migrated`).Replace(code)
	refused(t, alice.Try(settings, "upgrade", next), "may not call")
	refused(t, system.Try(settings, "upgrade", "def broken(:\n"), "invalid syntax")
	system.Call(settings, "upgrade", next)
	refused(t, alice.Try(settings, "get", "limit"), "migrate first")
	expect(t, "migrate", system.Call(settings, "migrate", ""), "migrated from 1")
	expect(t, "limit in tenths", alice.Call(settings, "get", "limit"), "400")

	plain := alice.Deploy(code, []byte{})
	refused(t, alice.Try(plain, "upgrade", next), "sys.upgrade")
}
