package host_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// entitled deploys testdata/name.py with a manifest and its init handler.
func (w *world) entitled(from byte, name, manifest string) *block.Receipt {
	w.t.Helper()
	in := &tx.Deploy{Code: source(w.t, name), Salt: []byte{byte(w.tip.Header.Height)}, InitHandler: []byte("init"), Manifest: []byte(manifest)}
	return w.mine(w.sign(person(from), in))[0]
}

// A deployment's manifest is held against the registry, and kept in its canonical form.
//
// Spec: ENT §6 (deployment-time check), §9.2, §10, §11.
func TestDeployManifest(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		manifest string
		code     uint16
		trap     string
	}{
		"unknown":    {`[{"id":"custom.x"}]`, 1202, "ERR_ENTITLEMENT_PARAM_INVALID: "},
		"unsorted":   {`[{"id":"storage.kv","params":{"max_bytes":1}},{"id":"econ.hold_balance"}]`, 1202, "ERR_ENTITLEMENT_PARAM_INVALID: "},
		"parameter":  {`[{"id":"storage.kv","params":{"max_bytes":"lots"}}]`, 1202, "ERR_ENTITLEMENT_PARAM_INVALID: "},
		"incomplete": {`[{"id":"storage.kv"}]`, 1202, "ERR_ENTITLEMENT_PARAM_INVALID: "},
		"no system":  {`[{"id":"sys.upgrade"}]`, 1207, "ERR_SYSTEM_ENTITLEMENT_UNAUTHORIZED: "},
		"not a list": {`7`, 1202, "ERR_ENTITLEMENT_PARAM_INVALID: "},
	} {
		t.Run(name, func(t *testing.T) {
			if x := w.entitled(1, "upgradable", c.manifest); x.Fault.Code != c.code || x.Created != nil || !strings.HasPrefix(x.Fault.Text, c.trap) {
				t.Errorf("%s: %d %s", name, x.Fault.Code, x.Fault.Text)
			}
		})
	}
	text := `{"entitlements":[{"id":"storage.kv","params":{"max_bytes":"4096"}}]}`
	x := w.entitled(1, "upgradable", text)
	if x.Status != block.Success {
		t.Fatal(x.Fault.Text)
	}
	m, err := entitle.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if kept, _, _ := w.tip.State.Lookup(host.ManifestKey(*x.Created)); !bytes.Equal(kept, m.Encode()) {
		t.Errorf("kept %x", kept)
	}
	// Without storage.kv init cannot write, and the deployment is undone.
	if x := w.entitled(1, "upgradable", `[]`); x.Fault.Code != 1207 || x.Created != nil {
		t.Errorf("without storage.kv: %d %s", x.Fault.Code, x.Fault.Text)
	}
}

const upgradable = `{"entitlements":[{"id":"storage.kv","params":{"max_bytes":4096}},{"id":"sys.upgrade"}]}`

// An actor that holds sys.upgrade replaces its code in place: what runs goes on as it is, the next invocation is the new code, storage stays, a failure
// takes it back, and the new manifest asks for no more than the old.
//
// Spec: ENT §7.1, §9.2; sdk §8 (upgrade_self), §19.1.
func TestUpgradeSelf(t *testing.T) {
	w := newWorld(t)
	x := w.entitled(8, "upgradable", upgradable)
	if x.Status != block.Success {
		t.Fatal(x.Fault.Text)
	}
	a := *x.Created
	text := string(source(t, "upgradable"))
	version := func(n string) []byte { return []byte(strings.Replace(text, "VERSION = 1", "VERSION = "+n, 1)) }

	if got := w.ok(1, a, "upgrade", version("2")); got != "1" {
		t.Errorf("the running code became %s", got)
	}
	if got := w.ok(1, a, "version", nil); got != "2" {
		t.Errorf("version %s", got)
	}
	if got := w.ok(1, a, "kept", nil); got != "7" {
		t.Errorf("storage %s", got)
	}
	w.faults(1210, 1, a, "upgrade_and_fail", version("3"))
	if got := w.ok(1, a, "version", nil); got != "2" {
		t.Errorf("after a failure version %s", got)
	}
	if got := w.ok(1, a, "upgrade_and_call", version("4")); got != "4" {
		t.Errorf("a later frame of the same transaction: version %s", got)
	}
	w.faults(1202, 1, a, "upgrade", []byte("def f(:\n"))
	w.faults(1202, 1, a, "upgrade", []byte("import cowboy_sdk.testing\n"))
	with := func(manifest string) []byte { return append(append(version("5"), 0), manifest...) }
	w.faults(1207, 1, a, "upgrade_with", with(`[{"id":"econ.transfer","params":{"max_amount":1000000000}},`+
		`{"id":"storage.kv","params":{"max_bytes":4096}},{"id":"sys.upgrade"}]`))
	w.faults(1207, 1, a, "upgrade_with", with(`[{"id":"storage.kv","params":{"max_bytes":4097}},{"id":"sys.upgrade"}]`))
	w.faults(1202, 1, a, "upgrade_with", with(`[{"id":"nothing"}]`))
	w.faults(1202, 1, a, "upgrade_with", with(`[{"id":"storage.kv","params":{"max_bytes":4095}}]`)) // sys.upgrade cannot be revoked
	w.ok(1, a, "upgrade_with", with(`[{"id":"storage.kv","params":{"max_bytes":4095}},{"id":"sys.upgrade"}]`))
	if got := w.ok(1, a, "version", nil); got != "5" {
		t.Errorf("version %s", got)
	}

	// Neither an actor without a manifest nor one without the entitlement upgrades itself.
	w.faults(1207, 1, w.deploy("upgradable", "init"), "upgrade", version("2"))
	without := w.entitled(1, "upgradable", `[{"id":"storage.kv","params":{"max_bytes":1048576}}]`)
	w.faults(1207, 1, *without.Created, "upgrade", version("2"))
}

// The transaction that upgrades: from the deployer or an administrator, to an actor that holds the entitlement.
//
// Spec: ENT §9.2; entitlement-extras §4.
func TestUpgradeTransaction(t *testing.T) {
	w := newWorld(t)
	a := *w.entitled(8, "upgradable", upgradable).Created
	text := string(source(t, "upgradable"))
	code := []byte(strings.Replace(text, "VERSION = 1", "VERSION = 2", 1))
	send := func(from byte, to account.Address, code []byte, manifest string) *block.Receipt {
		return w.mine(w.sign(person(from), &tx.UpgradeActor{Actor: to, Code: code, Manifest: []byte(manifest)}))[0]
	}
	plain := w.deploy("upgradable", "init")
	for name, c := range map[string]struct {
		from byte
		to   account.Address
		code []byte
		want uint16
	}{
		"stranger": {1, a, code, 1230}, "no actor": {8, person(3), code, 1220}, "no manifest": {1, plain, code, 1207}, "bad code": {8, a, []byte("1 +"), 1202},
	} {
		t.Run(name, func(t *testing.T) {
			if x := send(c.from, c.to, c.code, ""); x.Fault.Code != c.want {
				t.Errorf("%s: %d %s", name, x.Fault.Code, x.Fault.Text)
			}
		})
	}
	if x := send(8, a, code, `[{"id":"econ.transfer","params":{"max_amount":1000000000}},{"id":"sys.upgrade"}]`); x.Fault.Code != 1207 {
		t.Errorf("a wider manifest: %d %s", x.Fault.Code, x.Fault.Text)
	}
	if got := w.ok(1, a, "version", nil); got != "1" {
		t.Errorf("version %s", got)
	}
	if x := send(8, a, code, ""); x.Status != block.Success {
		t.Fatal(x.Fault.Text)
	}
	if got := w.ok(1, a, "version", nil) + w.ok(1, a, "kept", nil); got != "27" {
		t.Errorf("version and storage %s", got)
	}
}

// storage.kv is access to the store, not writing alone: reads, scans, removals, records and the owner's slot ask for it too, in a transaction, a
// message, a timer and a nested call. Reading the owner is a question to the host, whose own the slot is.
//
// Spec: ENT §9.4 (access of the actor's key-value store), §6.
func TestStorageEntitlement(t *testing.T) {
	w := newWorld(t)
	calls := []string{"read", "write", "delete", "scan", "record_read", "record_write", "record_delete", "record_scan", "assume", "give"}
	deploy := func(manifest string) account.Address {
		x := w.entitled(1, "shelf", manifest)
		if x.Status != block.Success {
			t.Fatal(x.Fault.Text)
		}
		w.mine(w.sign(person(1), &tx.FundActor{Actor: *x.Created, Amount: 1_000 * unit.CBY}))
		return *x.Created
	}
	without := deploy(`[{"id":"econ.hold_balance"},{"id":"timer.schedule","params":{"max_timers":9}}]`)
	with := deploy(`[{"id":"econ.hold_balance"},{"id":"storage.kv","params":{"max_bytes":4096}}]`)
	asking := w.deploy("shelf", "init")
	last := func() *block.Receipt {
		list := w.mine()
		return list[len(list)-1]
	}
	for _, call := range calls {
		w.faults(1207, 1, without, call, nil)
		w.ok(1, without, "later", []byte(call))
		if x := last(); x.Kind != block.Timer || x.Fault.Code != 1207 {
			t.Errorf("timer %s: %d %s", call, x.Fault.Code, x.Fault.Text)
		}
		w.ok(1, asking, "send", append(without[:], call...))
		if x := last(); x.Kind != block.Message || x.Fault.Code != 1207 {
			t.Errorf("message %s: %d %s", call, x.Fault.Code, x.Fault.Text)
		}
		if got := w.ok(1, asking, "ask", append(without[:], call...)); !strings.Contains(got, "storage.kv") {
			t.Errorf("nested %s: %s", call, got)
		}
		w.ok(1, with, call, nil)
	}
	w.ok(1, without, "owner", nil)
}

// Coins that lay at an address before an actor was there: the actor has them if it may keep coins, else its deployer gets them back.
//
// Spec: ENT §9.7 (econ.hold_balance).
func TestDeployOntoCoins(t *testing.T) {
	for i, x := range []struct {
		manifest string
		keeps    unit.Amount
	}{{"", 7}, {`[{"id":"econ.hold_balance"}]`, 7}, {"[]", 0}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w := newWorld(t)
			code, err := pvm.CanonicalSource(source(t, "shelf"))
			if err != nil {
				t.Fatal(err)
			}
			salt, err := account.PadSalt([]byte{1})
			if err != nil {
				t.Fatal(err)
			}
			at := account.DeriveActor(person(1), salt, account.CodeHash(code))
			w.mine(w.sign(person(2), &tx.Transfer{To: at, Amount: 7}))
			before := w.account(person(1)).Balance
			r := w.mine(w.sign(person(1), &tx.Deploy{Code: code, Salt: []byte{1}, Manifest: []byte(x.manifest)}))[0]
			if r.Status != block.Success || *r.Created != at {
				t.Fatal(r.Fault.Text)
			}
			if got := w.account(at).Balance; got != x.keeps {
				t.Errorf("%s: the actor has %d", x.manifest, got)
			}
			if got := w.account(person(1)).Balance; got != before-r.FeeBurned-r.FeeTipped+7-x.keeps {
				t.Errorf("%s: the deployer has %d of %d", x.manifest, got, before)
			}
		})
	}
}

// What a receipt says of a source or an exception is short, however long the names in it are.
//
// Spec: node-rpc-cli §2.2 (receipt errors).
func TestShortFaults(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("n", 20_000)
	for name, code := range map[string]string{
		"a name twice": "def f(" + long + ", " + long + "):\n    pass\n",
		"a class":      "class " + long + "(Exception):\n    pass\ndef init(payload):\n    raise " + long + "('x')\n",
		"a text":       "def init(payload):\n    raise ValueError('" + long + "')\n",
	} {
		t.Run(name, func(t *testing.T) {
			x := w.run(1, &tx.Deploy{Code: []byte(code), Salt: []byte(name), InitHandler: []byte("init")})
			if x.Status == block.Success || len(x.Fault.Text) > 1_100 || len(x.Fault.Text) < 100 {
				t.Errorf("%s: fault %d of %d bytes: %.200s", name, x.Fault.Code, len(x.Fault.Text), x.Fault.Text)
			}
		})
	}
}
