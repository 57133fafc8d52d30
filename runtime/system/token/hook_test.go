package token_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	chapter "github.com/cowboyinc/cowboy-go/runtime/system/token"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// source is a hook that does in either phase what was put into its storage for it.
const source = `from pvm_host import *

REGISTRY = b"\x00" * 19 + b"\x06"

def init(p):
    pass

def plan(p):
    phase, what = p.decode().split(" ", 1)
    set_state(phase, what.encode())

def can_transfer(token_id, source, target, amount):
    return act("can", token_id, source, target, amount)

def on_transfer(token_id, source, target, amount):
    return act("on", token_id, source, target, amount)

def act(phase, token_id, source, target, amount):
    words = (get_state(phase) or b"yes").decode().split(" ")
    if words[0] == "yes":
        return True
    if words[0] == "no":
        return False
    if words[0] == "one":
        return 1
    if words[0] == "none":
        return None
    if words[0] == "raise":
        set_state("dirt", b"1")
        raise ValueError("not today")
    if words[0] == "loop":
        while True: pass
    if words[0] == "charge":
        charge_gas(int(words[1]))
        return True
    if words[0] == "store":
        set_state("x", b"y" * int(words[1]))
        return True
    if words[0] == "note":
        seen = "%s %d %d %s %s" % (get_sender() == REGISTRY, amount, token_balance_of(token_id, source), len(token_id), source.hex() < target.hex())
        set_state("seen " + phase, seen.encode())
        emit_event("noted", phase)
        return True
    if words[0] == "again":
        try:
            token_transfer(token_id, target, 0)
        except HostError as e:
            set_state("again " + phase, (e.name + " " + e.slug).encode())
        return True
    if words[0] == "uncaught":
        token_burn(token_id, 0)
        return True
    if words[0] == "through":
        call(bytes.fromhex(words[1]), "move", [token_id, target, 0])
        return True
    if words[0] == "other":
        token_transfer(bytes.fromhex(words[1]), target, 1)
        return True

def move(token_id, to, amount):
    return token_transfer(token_id, to, amount)

def caught(p):
    id, to = p[:32], p[32:52]
    try:
        token_transfer(id, to, 1)
    except HostError as e:
        return ("%s %s %d" % (e.name, e.slug, e.code)).encode()
    return b"moved"

def make(p):
    return token_create(b"Other", b"OTH", 0, 10)
`

// world is a chain with a token of ann's, whose hook is an actor.
type world struct {
	*testing.T
	chain    *testkit.Chain
	ann, bob *testkit.Account
	hook     account.Address
	id       token.ID
}

func newWorld(t *testing.T) *world {
	c := testkit.NewChain(t)
	w := &world{T: t, chain: c, ann: c.Account("ann"), bob: c.Account("bob")}
	w.hook = w.ann.Deploy(source, []byte{})
	w.id = w.create("HAY", &w.hook)
	return w
}

func (w *world) create(symbol string, hook *account.Address) token.ID {
	w.Helper()
	r := w.ann.Do(&tx.TokenCreate{Name: []byte("n"), Symbol: []byte(symbol), InitialSupply: unit.Wide(1000), TransferHook: hook}, 100_000, 1_000)
	if r.Status != block.Success || len(r.ReturnData) != 32 {
		w.Fatal(testkit.Describe(r))
	}
	return token.ID(r.ReturnData)
}

// plan says what the hook does; what it does not say, it allows.
func (w *world) plan(can, on string) {
	w.Helper()
	w.ann.Call(w.hook, "plan", "can "+can)
	w.ann.Call(w.hook, "plan", "on "+on)
}

const (
	limitCycles = 400_000
	limitCells  = 200_000
)

func (w *world) transfer(amount uint64) *block.Receipt {
	w.Helper()
	return w.ann.Do(&tx.TokenTransfer{TokenID: w.id, To: w.bob.Address(), Amount: unit.Wide(amount)}, limitCycles, limitCells)
}

func (w *world) has(who account.Address, want uint64) {
	w.Helper()
	if got, err := token.Balance(w.chain.State(), w.id, who); err != nil || got != unit.Wide(want) {
		w.Errorf("%v has %v, want %d, %v", who, got, want, err)
	}
}

// topics are what a receipt's events are called.
func topics(r *block.Receipt) string {
	var list []string
	for _, e := range r.Events {
		list = append(list, string(e.Topic))
	}
	return strings.Join(list, " ")
}

// What can_transfer answers but True rejects, however it does so; nothing it did stays, and the work is paid.
//
// Spec: tokens §5 (4), §6.
func TestRejected(t *testing.T) {
	w := newWorld(t)
	for plan, want := range map[string]uint16{
		"no": chapter.FaultRejected, "one": chapter.FaultRejected, "none": chapter.FaultRejected, "raise": chapter.FaultRejected,
		"loop": chapter.FaultHookCycles, "store 60000": chapter.FaultHookCells, "uncaught": chapter.FaultRejected,
		"through " + strings.TrimPrefix(w.hook.Hex(), "0x"): chapter.FaultRejected,
	} {
		t.Run(plan, func(t *testing.T) {
			w.plan(plan, "yes")
			r := w.transfer(10)
			if r.Status != block.Faulted || r.Fault.Code != want || len(r.Events) != 0 || r.CyclesUsed <= 22_000 {
				t.Error(testkit.Describe(r))
			}
			if w.chain.Storage(w.hook, "dirt") != nil {
				t.Error("it left something")
			}
		})
	}
	w.has(w.ann.Address(), 1000)
	w.plan("yes", "yes")
	if r := w.transfer(10); r.Status != block.Success || topics(r) != token.TopicTransfer {
		t.Error(testkit.Describe(r))
	}
	w.has(w.bob.Address(), 10)
}

// A hook that is no actor, or has no such handler, rejects.
//
// Spec: tokens §6 (missing or dormant).
func TestMissingHook(t *testing.T) {
	w := newWorld(t)
	empty := w.ann.Deploy("def init(p):\n    pass\n", []byte{})
	for _, hook := range []account.Address{{7}, w.bob.Address(), empty, token.Home()} {
		w.id = w.create("T"+hook.Hex()[2:8], &hook)
		if r := w.transfer(1); r.Status != block.Faulted || r.Fault.Code != chapter.FaultRejected {
			t.Errorf("hook %v: %s", hook, testkit.Describe(r))
		}
	}
}

// Whatever on_transfer ends with, the transfer stands: what it did is undone, and its failure is an event before the transfer's.
//
// Spec: tokens §5 (6), §6.
func TestFailingOnTransfer(t *testing.T) {
	w := newWorld(t)
	moved := uint64(0)
	for plan, code := range map[string]uint16{
		"raise": drain.FaultException, "loop": drain.FaultCycles, "store 60000": drain.FaultCells, "uncaught": chapter.FaultBusy,
	} {
		t.Run(plan, func(t *testing.T) {
			w.plan("yes", plan)
			r := w.transfer(10)
			moved += 10
			if r.Status != block.Success || topics(r) != token.TopicHookFailed+" "+token.TopicTransfer {
				t.Fatal(testkit.Describe(r), topics(r))
			}
			if got := r.Events[0].Data; string(got) != string(token.HookFailed(w.id, w.hook, code)) {
				t.Errorf("%x, want code %d", got, code)
			}
			if w.chain.Storage(w.hook, "dirt") != nil || w.chain.Storage(w.hook, "x") != nil {
				t.Error("it left something")
			}
			w.has(w.bob.Address(), moved)
		})
	}
	for _, plan := range []string{"no", "none"} { // what it returns does not matter
		w.plan("yes", plan)
		if r := w.transfer(10); r.Status != block.Success || topics(r) != token.TopicTransfer {
			t.Errorf("%s: %s, %s", plan, testkit.Describe(r), topics(r))
		}
	}
}

// The hook sees the registry as its sender and the balances before and after; its own writes and events stay, the events before the transfer's.
//
// Spec: tokens §5, §6.
func TestHookSees(t *testing.T) {
	w := newWorld(t)
	w.plan("note", "note")
	r := w.transfer(10)
	if r.Status != block.Success || topics(r) != "noted noted "+token.TopicTransfer {
		t.Fatal(testkit.Describe(r), topics(r))
	}
	order := fmt.Sprint(strings.ToLower(w.ann.Hex()) < strings.ToLower(w.bob.Hex()))
	order = strings.ToUpper(order[:1]) + order[1:]
	if got, want := string(w.chain.Storage(w.hook, "seen can")), "True 10 1000 32 "+order; got != want {
		t.Errorf("before: %s, want %s", got, want)
	}
	if got, want := string(w.chain.Storage(w.hook, "seen on")), "True 10 990 32 "+order; got != want {
		t.Errorf("after: %s, want %s", got, want)
	}
}

// A hook that calls back into its token is refused in both phases, directly and through another actor; it may move other tokens.
//
// Spec: tokens §6, §12.
func TestReentry(t *testing.T) {
	w := newWorld(t)
	w.plan("again", "again")
	if r := w.transfer(10); r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}
	for _, phase := range []string{"can", "on"} {
		if got := string(w.chain.Storage(w.hook, "again "+phase)); got != "TokenReentrancyError E1410" {
			t.Errorf("%s: %s", phase, got)
		}
	}
	other := token.ID([]byte(w.ann.Call(w.hook, "make", "")))
	w.plan("other "+other.Hex(), "other "+other.Hex())
	if r := w.transfer(10); r.Status != block.Success || topics(r) != strings.Repeat(token.TopicTransfer+" ", 3)[:41] {
		t.Fatal(testkit.Describe(r), topics(r))
	}
	if got, err := token.Balance(w.chain.State(), other, w.bob.Address()); err != nil || got != unit.Wide(2) {
		t.Errorf("the other token: %v, %v", got, err)
	}
}

// largest is the largest number from low on for which a plan's transfer ends well.
func (w *world) largest(plan string, low, high int, on bool) int {
	for low+1 < high {
		middle := (low + high) / 2
		text := fmt.Sprintf(plan, middle)
		if on {
			w.plan("yes", text)
		} else {
			w.plan(text, "yes")
		}
		r := w.transfer(0)
		if r.Status == block.Success && topics(r) == token.TopicTransfer {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// Each phase has 50,000 cycles and 50,000 cells, to the last one, which the sender pays.
//
// Spec: tokens §6; WP §17.3 (50,000 cycles a transfer).
func TestBudgets(t *testing.T) {
	w := newWorld(t)
	w.plan("yes", "yes")
	w.transfer(0)
	base := w.transfer(0) // both hooks, doing nothing
	for _, on := range []bool{false, true} {
		run := func(plan string) *block.Receipt {
			if on {
				w.plan("yes", plan)
			} else {
				w.plan(plan, "yes")
			}
			return w.transfer(0)
		}
		n := w.largest("charge %d", 10_000, 50_000, on)
		most, more := run(fmt.Sprintf("charge %d", n)), run(fmt.Sprintf("charge %d", n+1))
		// the other phase costs what half of base's hooks do
		other := uint64(base.CyclesUsed-22_000) / 2
		if used := uint64(most.CyclesUsed) - 22_000 - other; used < 49_900 || used > 50_100 {
			t.Errorf("on %v: the most takes %d cycles", on, used)
		}
		if on {
			if topics(more) != token.TopicHookFailed+" "+token.TopicTransfer || more.CyclesUsed != most.CyclesUsed && more.CyclesUsed > most.CyclesUsed+1 {
				t.Errorf("one more: %s, %s", testkit.Describe(more), topics(more))
			}
		} else if more.Status != block.Faulted || more.Fault.Code != chapter.FaultHookCycles || more.CyclesUsed != 22_000+50_000 {
			t.Errorf("one more: %s", testkit.Describe(more))
		}
		// cells: the 64 of the transfer, the bytes that are written, and less than two for what both phases read
		n = w.largest("store %d", 40_000, 60_000, on)
		most, more = run(fmt.Sprintf("store %d", n)), run(fmt.Sprintf("store %d", n+1))
		if topics(most) != token.TopicTransfer || most.CellsUsed < 64+49_000 || most.CellsUsed > 64+50_002 {
			t.Errorf("on %v: %d bytes cost %s", on, n, testkit.Describe(most))
		}
		stands := topics(more) == token.TopicHookFailed+" "+token.TopicTransfer
		if on != stands || !on && (more.Status != block.Faulted || more.Fault.Code != chapter.FaultHookCells) {
			t.Errorf("on %v: one more: %s, %s", on, testkit.Describe(more), topics(more))
		}
	}
}

// Who has less left than the hook needs within its budget runs out himself: nobody keeps on_transfer from running by paying for little.
//
// Spec: tokens §6 (the caller of the transfer pays).
func TestSenderRunsOut(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		can, on       string
		cycles, cells uint64
		want          uint16
	}{
		{"loop", "yes", 60_000, limitCells, drain.FaultCycles},
		{"yes", "loop", 60_000, limitCells, drain.FaultCycles},
		{"store 40000", "yes", limitCycles, 30_000, drain.FaultCells},
		{"yes", "store 40000", limitCycles, 30_000, drain.FaultCells},
		{"loop", "yes", 22_000 + 50_000, limitCells, chapter.FaultHookCycles},
		{"loop", "yes", 22_000 + 49_999, limitCells, drain.FaultCycles},
	} {
		t.Run(fmt.Sprintf("%s, %s with %d cycles, %d cells", c.can, c.on, c.cycles, c.cells), func(t *testing.T) {
			w.plan(c.can, c.on)
			in := &tx.TokenTransfer{TokenID: w.id, To: w.bob.Address(), Amount: unit.Wide(1)}
			if r := w.ann.Do(in, unit.Cycles(c.cycles), unit.Cells(c.cells)); r.Status != block.Faulted || r.Fault.Code != c.want {
				t.Error(testkit.Describe(r))
			}
			w.has(w.bob.Address(), 0)
		})
	}
}

// An actor that moves a token meets the hook's faults as exceptions, and goes on.
//
// Spec: tokens §3, §6; sdk §18.
func TestActorMeetsHook(t *testing.T) {
	w := newWorld(t)
	holder := w.ann.Deploy(source, []byte{})
	if r := w.ann.Do(&tx.TokenTransfer{TokenID: w.id, To: holder, Amount: unit.Wide(5)}, limitCycles, limitCells); r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}
	bob := w.bob.Address()
	payload := string(w.id[:]) + string(bob[:])
	for _, c := range [][2]string{
		{"no", "TokenHookRejectedError E1408 5"}, {"loop", "TokenHookCyclesError E1411 8"}, {"store 60000", "TokenHookCellsError E1412 8"}, {"yes", "moved"},
	} {
		w.plan(c[0], "yes")
		if got := w.ann.Call(holder, "caught", payload); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
	w.has(bob, 1)
	if got := w.ann.Call(holder, "caught", strings.Repeat("x", 32)+string(bob[:])); got != "TokenNotFoundError E1401 3" {
		t.Errorf("unknown token: %s", got)
	}
}
