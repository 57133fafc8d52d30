package govern_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

var store = account.System(account.StorageManager)

// keeper is a program for a system actor. It counts in its own storage.
const keeper = `from pvm_host import get_state, set_state, emit_event, send_message, is_initialized

def take_over(p):
    set_state(b"n", b"5")
    emit_event("took.over", b"")

def fails(p):
    set_state(b"n", b"9")
    raise ValueError("no")

def endless(p):
    while True:
        pass

def sends(p):
    send_message(b"\x07" * 20, {"handler": "x"})

def ready(p):
    return str(is_initialized()).encode()

def add(p):
    n = int(get_state(b"n") or b"0") + 1
    set_state(b"n", str(n).encode())
    return str(n).encode()

def keep(p):
    return b"kept"

def refuse(p):
    raise ValueError("refused")
`

// other calls a system actor and sends to it, with coins.
const other = `from pvm_host import call_actor, send_message

STORE = b"\x00" * 19 + b"\x0a"

def call(p):
    try:
        return call_actor(STORE, p.decode(), b"")
    except Exception as e:
        return (type(e).__name__ + " " + str(e)).encode()

def send(p):
    send_message(STORE, {"handler": p.decode()})

def pay(p):
    send_message(STORE, {"handler": p.decode()}, value=7)
`

func (c *chain) uploads(source string) digest.Hash {
	c.t.Helper()
	x := c.rich.Do(&tx.DeployCode{Code: []byte(source)}, 2_000_000, 1_000_000)
	if x.Status != block.Success || len(x.ReturnData) != digest.Size {
		c.t.Fatalf("%+v", x.Fault)
	}
	return digest.Hash(x.ReturnData)
}

// upgrades has an administrator give the store a code, from the next block on.
func (c *chain) upgrades(code govern.Code, handler string, cycles uint64) *block.Receipt {
	c.t.Helper()
	return c.do(c.rich, &tx.UpgradeSystemActor{Actor: store, Code: code.Append(nil), Window: 168, Handler: []byte(handler), Cycles: cycles})
}

func (c *chain) pointer() govern.Pointer {
	c.t.Helper()
	all, err := govern.LoadPointers(c.State())
	if err != nil {
		c.t.Fatal(err)
	}
	return all.Of(store)
}

func (c *chain) is(what, got, want string) {
	c.t.Helper()
	if got != want {
		c.t.Errorf("block %d: %s: %q, want %q", c.Height(), what, got, want)
	}
}

// A system actor runs Python from its height on: it gets Execute transactions, messages and calls, keeps storage under its own address and coins it is sent;
// nobody can initialize it. Rolled back, it is native again and finds its state as it left it, and what the program kept stays where it is.
//
// Spec: governance-staking B8.
func TestUpgradeToPython(t *testing.T) {
	c := newChain(t)
	actor := c.rich.Deploy(other, nil)
	c.rich.Fund(actor, 100)
	if said := c.rich.Call(actor, "call", "add"); !strings.Contains(said, "does not answer this") {
		t.Errorf("before: %s", said)
	}
	hash := c.uploads(keeper)
	if x := c.upgrades(govern.Python(hash), "take_over", 1_000_000); x.Status != block.Success {
		t.Fatalf("%+v", x.Fault)
	}
	x := c.rich.Try(store, "add", "") // in the block of the migration
	if x.Status == block.Success || x.Fault.Code != drain.FaultPaused || !strings.Contains(x.Fault.Text, "being upgraded") {
		t.Errorf("during the migration: %+v", x.Fault)
	}
	for _, topic := range []string{govern.TopicMigrated, govern.TopicUpgraded, govern.TopicScheduled, govern.TopicUploaded} {
		if len(c.Events(nine, topic)) != 1 {
			t.Errorf("%s is not announced", topic)
		}
	}
	if len(c.Events(store, "took.over")) != 1 {
		t.Error("what the migration announced is lost")
	}
	c.is("an Execute", c.rich.Call(store, "add", ""), "6")
	c.is("a call", c.rich.Call(actor, "call", "add"), "7")
	c.rich.Call(actor, "send", "add")
	c.Mine()
	c.is("after a message", string(c.Storage(store, "n")), "8")
	c.rich.Call(actor, "pay", "keep")
	c.Mine()
	c.rich.Call(actor, "pay", "refuse")
	c.Mine()
	if got, left := c.Balance(store), c.Balance(actor); got != 7 || left != 93 {
		t.Errorf("the store has %d and the actor %d", got, left)
	}
	c.is("nobody can initialize it", c.rich.Call(store, "ready", ""), "True")
	c.is("a query", string(c.Query(store, "keep", nil, nil).Return), "kept")
	c.pause(store)
	if said := c.rich.Call(actor, "call", "add"); !strings.Contains(said, "ActorPaused") {
		t.Errorf("paused: %s", said)
	}
	if out := c.Query(store, "keep", nil, nil); out.Fault == nil || out.Fault.Code != drain.FaultPaused {
		t.Errorf("a query of a paused actor: %+v", out)
	}
}

// The window of a rollback, its last block and the one after.
//
// Spec: governance-staking B8 (rollback_deadline).
func TestRollback(t *testing.T) {
	for name, late := range map[string]unit.Height{"the last block": 0, "the block after": 1} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t)
			c.upgrades(govern.Python(c.uploads(keeper)), "", 0)
			c.is("an Execute", c.rich.Call(store, "add", ""), "1") // no migration: it answers in the block that switched
			c.AdvanceTo(c.pointer().Until - 1 + late)
			x := c.do(c.rich, &tx.UpgradeSystemActor{Act: tx.ActRollback, Actor: store})
			if (x.Status == block.Success) != (late == 0) {
				t.Fatalf("%+v", x.Fault)
			}
			x = c.rich.Try(store, "add", "")
			if late == 0 && (x.Fault.Code != drain.FaultUnavailable || len(c.Events(nine, govern.TopicRolledBack)) != 1) {
				t.Errorf("after the rollback: %+v", x.Fault)
			}
			if want := string(rune('1' + late)); string(c.Storage(store, "n")) != want {
				t.Errorf("the program's storage is %q", c.Storage(store, "n"))
			}
		})
	}
}

// A migration that raises, that is out of cycles, that leaves work for later, or whose handler there is not, ends the upgrade: the old code stays, what the
// migration wrote is undone, and the chain goes on.
//
// Spec: governance-staking B8 (MigrationFailed).
func TestMigrationFails(t *testing.T) {
	for handler, code := range map[string]uint16{
		"fails": drain.FaultException, "endless": drain.FaultCycles, "sends": drain.FaultLimit, "nothing": drain.FaultCall,
	} {
		t.Run(handler, func(t *testing.T) {
			c := newChain(t)
			hash := c.uploads(keeper)
			c.upgrades(govern.Python(hash), handler, 200_000)
			c.Mine()
			said := c.Events(nine, govern.TopicUnmigrated)
			if len(said) != 1 {
				t.Fatalf("events %q", said)
			}
			p := c.pointer()
			if p.Active != govern.Native(1) || p.Next != nil || p.Until != 0 || p.Upgrades != 0 || c.Storage(store, "n") != nil {
				t.Errorf("%+v, storage %q", p, c.Storage(store, "n"))
			}
			if x := c.rich.Try(store, "add", ""); x.Fault.Code != drain.FaultUnavailable {
				t.Errorf("%+v", x.Fault)
			}
			if want := govern.TopicUnmigrated; !strings.Contains(said[0], string(append(store[:], byte(code&0x7f|0x80), byte(code>>7)))) {
				t.Errorf("%s says %x, want code %d", want, said[0], code)
			}
			if x := c.upgrades(govern.Python(hash), "take_over", 200_000); x.Status != block.Success {
				t.Errorf("it cannot be tried again: %+v", x.Fault)
			}
		})
	}
}

// A source that could not be deployed cannot be uploaded, and who has not the year's rent uploads nothing. The rent is burned exactly.
//
// Spec: governance-staking B8 (the whitelist of determinism is kept), B10 (51); WP §13 (rent_rate: 0.001 CBY a byte and year).
func TestDeployCode(t *testing.T) {
	c := newChain(t)
	for source, code := range map[string]uint16{
		"def f(:":     drain.FaultSource,
		"import os\n": drain.FaultSource,
		"x = 1\n":     0,
	} {
		t.Run(source, func(t *testing.T) {
			x := c.rich.Do(&tx.DeployCode{Code: []byte(source)}, 2_000_000, 100_000)
			if got := x.Fault.Code; got != code {
				t.Errorf("%+v, want %d", x.Fault, code)
			}
		})
	}
	burned := func() unit.Amount { return c.Blocks()[len(c.Blocks())-1].Supply.Burned }
	sheet := func() unit.Amount { return c.Blocks()[len(c.Blocks())-1].Flows.Of(flow.Burned, flow.Uploads) }
	before, poor := burned(), c.Account("poor")
	if x := c.rich.Do(&tx.DeployCode{Code: []byte("y = 1\n")}, 2_000_000, 100_000); x.Status != block.Success {
		t.Fatalf("%+v", x.Fault)
	}
	if got, of := burned()-before, sheet(); of != 6_000_000 || got <= of { // 6 bytes of 1,000,000 base units, and the fee
		t.Errorf("%d base units were burned, of which %d for the upload", got, of)
	}
	big := strings.Repeat("z = 1\n", 10_000) // 60,000 bytes are 60 CBY
	c.SetBalance(poor.Address(), 210*unit.CBY)
	if x := poor.Do(&tx.DeployCode{Code: []byte(big)}, 10_000_000, 100_000); x.Status == block.Success || x.Fault.Code != drain.FaultValue {
		t.Errorf("%+v of %d", x.Fault, c.Balance(poor.Address()))
	}
}

// A native edition that a program is without is a failure of the machine at its height, in building and in verifying, and no verdict; below that height the
// chain goes on. Recalled in time, nothing happens.
//
// Spec: governance-staking B8; ARCHITECTURE "Errors".
func TestLackingEdition(t *testing.T) {
	for name, recalled := range map[string]bool{"stays": false, "recalled": true} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t)
			c.must(c.rich, &tx.UpgradeSystemActor{Actor: store, Code: govern.Native(900).Append(nil), Window: 168, Delay: 4})
			at := c.pointer().Next.At
			all, err := govern.LoadPointers(c.State())
			lacking := system.Lacking(all)
			if err != nil || len(lacking) != 1 || *lacking[0] != (system.LackingError{Address: store, Edition: 900, Height: at}) {
				t.Fatalf("%+v %v", lacking, err)
			}
			c.Mine()
			if recalled {
				c.must(c.rich, &tx.UpgradeSystemActor{Act: tx.ActRollback, Actor: store})
				c.AdvanceTo(at + 1)
				return
			}
			c.AdvanceTo(at - 1)
			tip, _ := c.Tip()
			header := *tip.Header
			header.Height, header.ParentView, header.View = at, header.View, header.View+1
			header.ParentHash, header.TimestampMs = tip.Hash, header.TimestampMs+1
			header.ParentSeed = &sig.Seed{Round: tip.Header.Round()}
			_, err = transition.Begin(tip, transition.Job{Mode: transition.Build, Header: header})
			var lacks *system.LackingError
			var invalid *transition.Invalid
			if !errors.As(err, &lacks) || errors.As(err, &invalid) || lacks.Height != at || lacks.Edition != 900 {
				t.Errorf("%v", err)
			}
		})
	}
}

// Only an administrator sends what replaces code at once, or a pool's split.
//
// Spec: governance-staking B10.
func TestDirectInstructionsArePrivileged(t *testing.T) {
	c := newChain(t)
	for _, op := range []tx.Opcode{tx.OpUpgradeSystemActor, tx.OpUpdateSettlementConfig} {
		if row, ok := tx.RowOf(op); !ok || !row.Privileged {
			t.Errorf("anybody may send %s", row.Name)
		}
	}
	c.refused(c.rich, &tx.UpgradeSystemActor{Actor: store, Code: []byte{0, 0}, Window: 168}, drain.FaultInput)
	c.refused(c.rich, &tx.UpgradeSystemActor{Actor: nine, Code: []byte{0, 2}, Window: 168}, drain.FaultInput)
}

// Each pool has a split under its own key, of which a proposal of tier 3 may change each; a seventh pool there is not.
//
// Spec: runner-marketplace §3 (40: ERR_UNKNOWN_POOL; basis points that sum to 10,000); governance-staking B9.
func TestSettlementPools(t *testing.T) {
	c := newChain(t)
	split := params.Split{RunnerBPS: 9_000, BurnBPS: 600, TreasuryBPS: 400}
	for pool, key := range map[uint64]string{
		0: "system:settlement_config", 1: "system:registry_settlement_config", 2: "system:gateway_pool_settlement_config",
		3: "system:container_settlement_config", 4: "system:registry_tld_cow_settlement_config", 5: "system:registry_tld_cowboy_settlement_config",
	} {
		t.Run(key, func(t *testing.T) {
			c.must(c.rich, &tx.UpdateSettlementConfig{TargetPool: pool, Split: split})
			if value, ok, err := c.State().Lookup(params.StateKey(key)); !ok || err != nil || string(value) != string(split.Append(nil)) {
				t.Errorf("%x %v %v", value, ok, err)
			}
			c.refused(c.rich, c.motion(2, &govern.ParamUpdate{Key: key, Value: split.Append(nil)}), drain.FaultForbidden)
			bad := params.Split{RunnerBPS: 9_000, BurnBPS: 600, TreasuryBPS: 401}
			c.refused(c.rich, c.motion(3, &govern.ParamUpdate{Key: key, Value: bad.Append(nil)}), drain.FaultInput)
		})
	}
	for _, pool := range []uint64{6, 1 << 40} {
		x := c.do(c.rich, &tx.UpdateSettlementConfig{TargetPool: pool, Split: split})
		if x.Status == block.Success || x.Fault.Code != drain.FaultInput || !strings.Contains(x.Fault.Text, "ERR_UNKNOWN_POOL") {
			t.Errorf("pool %d: %+v", pool, x.Fault)
		}
	}
	p, err := params.Load(c.State())
	if err != nil || p.Settlement != split {
		t.Errorf("%+v %v", p.Settlement, err)
	}
}
