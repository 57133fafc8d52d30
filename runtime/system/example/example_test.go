//go:build examplechapter

package example_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/keyspace"
	"github.com/cowboyinc/cowboy-go/runtime/system/example"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const source = `from pvm_host import (example_pledged, call, call_actor, emit_event, set_state, get_state, HostError)

HOME = b"\x00" * 19 + b"\x1e"

def init(p):
    set_state(b"n", b"0")

def on_pledge(amount):
    n = int(get_state(b"n")) + amount
    set_state(b"n", str(n).encode())
    emit_event("hooked", str(n))
    if amount == 13:
        raise ValueError("not thirteen")
    if amount == 14:
        while True: pass
    return {"so": n}

def read(p):
    return str([example_pledged(), call(HOME, "pledged"), get_state(b"n").decode()]).encode()

def catch(p):
    try:
        call(HOME, "raise")
    except HostError as e:
        return ("%s %s %s %d" % (e.name, e.slug, e.code, example_pledged())).encode()

def fail(p):
    call(HOME, "raise")

def nobody(p):
    call(HOME, "fly")

def short(p):
    try:
        call(HOME, "pledged", None, 100)
    except HostError as e:
        return e.name.encode()
`

// world is a chain with an actor, and somebody to pledge.
type world struct {
	*testkit.Account
	actor account.Address
}

func newWorld(t *testing.T) *world {
	a := testkit.NewChain(t).Account("ann")
	return &world{a, a.Deploy(source, []byte{})}
}

func (w *world) pledge(amount unit.Amount) *block.Receipt {
	return w.Do(&tx.Pledge{Actor: w.actor, Amount: amount}, 1_000_000, 10_000)
}

func (w *world) read() string { return w.Call(w.actor, "read", "") }

// A chapter that is a package and a line has an instruction that calls a Python hook, both answers to Python, block end, escrow, genesis and parameter; the
// kit's own check of the supply and of the keys runs behind every block.
//
// Spec: WP §8, §9.
func TestChapter(t *testing.T) {
	w := newWorld(t)
	before := w.Chain().Balance(w.Address())
	r := w.pledge(5)
	if r.Status != block.Success || string(r.ReturnData) != "\xa1\x62so\x05" {
		t.Fatalf("%s %x", testkit.Describe(r), r.ReturnData)
	}
	if paid := before - w.Chain().Balance(w.Address()); paid != 5+r.FeeBurned+r.FeeTipped {
		t.Errorf("the pledger paid %d", paid)
	}
	if got := fmt.Sprint(w.Chain().Events(account.System(tx.ExampleHome), example.TopicPledged)); len(got) < 10 {
		t.Errorf("events: %s", got)
	}
	w.pledge(7)
	home := account.System(tx.ExampleHome)
	if opened, closed := w.Chain().Events(home, example.TopicOpened), w.Chain().Events(home, example.TopicBlock); len(opened) != 1 || len(closed) != 2 {
		t.Errorf("two blocks of pledges announced %q and %q", opened, closed)
	}
	ids := map[digest.Hash]bool{}
	for _, b := range w.Chain().Blocks() {
		for _, r := range b.Receipts {
			if ids[r.ID] {
				t.Errorf("two receipts are called %v", r.ID)
			}
			ids[r.ID] = true
		}
	}
	if got := w.read(); got != "[12, 12, '12']" {
		t.Errorf("the actor reads %s", got)
	}
	blocks := w.Chain().Events(account.System(tx.ExampleHome), example.TopicBlock)
	if len(blocks) != 2 {
		t.Errorf("the ends of two blocks announced %q", blocks)
	}
	if c, ok := keyspace.Find(account.KeyString(account.KindRecord, account.System(tx.ExampleHome), "total")); !ok || c.Chapter != "example" {
		t.Errorf("the total is claimed by %q", c.Chapter)
	}
	// a message is answered by a message
	w.Do(&tx.Execute{To: account.System(tx.ExampleHome), Handler: []byte("tell"), Payload: []byte("x")}, 100_000, 1_000)
}

// A hook that raises, and one that does not end, leave nothing behind: not the coins, not what the hook wrote, not its event. What it used is paid.
//
// Spec: WP §3.3, §8.
func TestHookFaults(t *testing.T) {
	w := newWorld(t)
	for amount, used := range map[unit.Amount]unit.Cycles{13: 30_000, 14: 130_000} {
		t.Run(fmt.Sprint(amount), func(t *testing.T) {
			before := w.Chain().Balance(w.Address())
			r := w.pledge(amount)
			if r.Status != block.Faulted || r.Fault.Code != drain.FaultCall || r.CyclesUsed < used || len(r.Events) != 0 {
				t.Errorf("%d: %s", amount, testkit.Describe(r))
			}
			if paid := before - w.Chain().Balance(w.Address()); paid != r.FeeBurned+r.FeeTipped {
				t.Errorf("%d: the pledger paid %d", amount, paid)
			}
		})
	}
	if got := w.read(); got != "[0, 0, '0']" {
		t.Errorf("the hooks left %s", got)
	}
	if r := w.pledge(0); r.Fault.Code != drain.FaultValue {
		t.Errorf("below the minimum: %s", testkit.Describe(r))
	}
	if r := w.Do(&tx.Pledge{Actor: account.Address{7}, Amount: 3}, 1_000_000, 10_000); r.Fault.Code != drain.FaultCall {
		t.Errorf("in nobody's name: %s", testkit.Describe(r))
	}
}

// A Python actor that calls a system actor sees its faults as exceptions with name, slug and number; what it did is undone whether the exception is caught or
// not, and its cycles come out of the call's.
//
// Spec: WP §3.3; sdk §7, §18.
func TestCallsOfTheChapter(t *testing.T) {
	w := newWorld(t)
	if got := w.Call(w.actor, "catch", ""); got != "PledgeError E1003 2 0" {
		t.Errorf("caught %s", got)
	}
	for handler, code := range map[string]uint16{"fail": drain.FaultValue, "nobody": drain.FaultUnavailable} {
		t.Run(handler, func(t *testing.T) {
			if r := w.Try(w.actor, handler, ""); r.Fault.Code != code {
				t.Errorf("%s: %s", handler, testkit.Describe(r))
			}
		})
	}
	if got := w.Call(w.actor, "short", ""); got != "CycleLimitExceeded" {
		t.Errorf("out of cycles: %s", got)
	}
	if got := w.read(); got != "[0, 0, '0']" {
		t.Errorf("the calls left %s", got)
	}
}

// raised is an interrupt that says from its so many-th question on that the turn is to end.
type raised struct{ after int }

func (r *raised) Raised() bool {
	r.after--
	return r.after < 0
}

// A hook that does not end is ended by the interrupt of the turn it runs in, which then has no outcome.
//
// Spec: WP §3.3.
func TestInterruptedHook(t *testing.T) {
	w := newWorld(t)
	parent, _ := w.Chain().Tip()
	in := &tx.Pledge{Actor: w.actor, Amount: 14}
	overlay := parent.State.Overlay()
	if err := account.Credit(overlay, account.System(tx.ExampleHome), 14); err != nil {
		t.Fatal(err)
	}
	p, err := params.Load(overlay)
	if err != nil {
		t.Fatal(err)
	}
	turn := &drain.Turn{
		Native: true, Kind: block.Transaction, Target: account.System(tx.ExampleHome), Sender: w.Address(), Overlay: overlay,
		Limit: fee.Use{Cycles: 1_000_000, Cells: 10_000}, Payload: drain.Payload{Instruction: in}, Interrupt: &raised{after: 1},
		Block: &drain.Block{Height: w.Chain().Height() + 1, Params: p},
	}
	if _, err := host.New(host.NewPrograms()).Run(turn); !errors.Is(err, drain.ErrInterrupted) {
		t.Errorf("ended with %v", err)
	}
}

// The interface for clients shows the instruction from its row, describes it in OpenAPI, and reads it back from what it shows.
//
// Spec: node-rpc-cli §1.
func TestForm(t *testing.T) {
	in := &tx.Pledge{Actor: account.Address{1}, Amount: 5}
	shown := wire.FromInstruction(in)
	text := fmt.Sprint(shown)
	if !strings.Contains(text, "Pledge") || !strings.Contains(text, "5") || !strings.Contains(text, in.Actor.String()) {
		t.Errorf("shown as %s", text)
	}
	row, ok := tx.RowNamed("Pledge")
	if !ok || row.Chapter != tx.ChapterExample {
		t.Fatalf("%+v", row)
	}
	back, err := wire.ToInstruction(row, shown)
	if p, ok := back.(*tx.Pledge); err != nil || !ok || *p != *in {
		t.Errorf("read back as %+v, %v", back, err)
	}
	properties := fmt.Sprint(wire.InstructionSchema(row)["properties"])
	for _, field := range []string{"actor:", "amount:", "base units"} {
		if !strings.Contains(properties, field) {
			t.Errorf("the description has no %s in %s", field, properties)
		}
	}
}
