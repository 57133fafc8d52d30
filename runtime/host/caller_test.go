package host

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

func person(n byte) account.Address  { return account.Address{0: 0xaa, 19: n} }
func actorAt(n byte) account.Address { return account.Address{0: 0xcc, 19: n} }

// testTurn is an actor transaction of person 1 to actor 1 at height 10, on a state with actors 1…4 holding 100 CBY each.
func testTurn(t testing.TB) *drain.Turn {
	t.Helper()
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	for n := byte(1); n < 5; n++ {
		a := account.Account{Kind: account.Actor, Balance: 100 * unit.CBY}
		overlay.Set(actorAt(n).Key(), a.Encode())
	}
	signer := person(1)
	return &drain.Turn{
		Kind: block.Transaction, Target: actorAt(1), Sender: signer, Signer: &signer, Nonce: 3,
		ID: digest.Hash{1}, TxHash: digest.Hash{1}, Origin: digest.Hash{1}, Limit: fee.Use{Cycles: 10_000_000, Cells: 10_000_000},
		Block: &drain.Block{
			ChainID: 1, Height: 10, TimestampMs: 1_234_567, ParentHash: digest.Hash{7}, Beacon: []byte("beacon"), Params: params.Genesis(),
			Limits: mailbox.Limits{
				Capacity: params.MailboxBytes, Depth: 32, DedupBlocks: 10_000, FinalityBlocks: 2, DeferredActor: 64,
				DeferredList: 16_384, DeferredAge: 1_000,
			},
		},
		Overlay: overlay,
	}
}

// caller calls syscalls directly, on a machine without Python.
type caller struct {
	t     testing.TB
	m     *object.Machine
	f     *Invocation
	mod   *object.Module
	meter *object.Meter
}

func newCaller(t testing.TB, edit ...func(*Invocation)) *caller {
	t.Helper()
	turn := testTurn(t)
	w, err := newWork(turn)
	if err != nil {
		t.Fatal(err)
	}
	meter := object.NewMeter(uint64(turn.Limit.Cycles), uint64(turn.Limit.Cells))
	m := object.NewMachine(object.Settings{Meter: meter, MemoryLimit: params.MemoryPerCallBytes, RecursionLimit: 256})
	f := &Invocation{work: w, self: turn.Target, sender: &turn.Sender, mode: Deferred}
	f.meter = machineMeter{m}
	m.Host = f
	for _, e := range edit {
		e(f)
	}
	mod := m.NewModule(moduleName)
	if e := fillModule(m, mod); e != nil {
		t.Fatal(e.Type().Name)
	}
	return &caller{t, m, f, mod, meter}
}

// value makes a Python value of a Go one.
func (d *caller) value(v any) object.Value {
	switch v := v.(type) {
	case nil:
		return object.None
	case bool:
		return object.Bool(v)
	case int:
		return object.Int(int64(v))
	case uint64:
		return uintValue(d.m, v)
	case string:
		return d.m.Str(v)
	case []byte:
		return d.m.Bytes(v)
	case account.Address:
		return d.m.Bytes(v[:])
	case digest.Hash:
		return d.m.Bytes(v[:])
	case []any:
		list := d.m.NewList(nil)
		for _, x := range v {
			list.Append(d.m, d.value(x))
		}
		return list.Value()
	case map[string]any:
		dict := d.m.NewDict()
		for key, x := range v {
			if e := dict.Set(d.m, d.m.Str(key), d.value(x)); e != nil {
				d.t.Fatal(e)
			}
		}
		return dict.Value()
	case object.Value:
		return v
	}
	d.t.Fatalf("no value of %T", v)
	return object.Value{}
}

// show writes a Python value down.
func (d *caller) show(v object.Value) string {
	if b, ok := v.AsBytes(); ok {
		return fmt.Sprintf("b%q", b.Data())
	}
	text, e := d.m.ReprText(v)
	if e != nil {
		d.t.Fatal(e.Type().Name)
	}
	return text
}

// call calls a syscall and writes down what it gave: a value, or the class and slug of what it raised.
func (d *caller) call(name string, args ...any) string {
	d.t.Helper()
	v, e := d.raw(name, args...)
	if e == nil {
		return d.show(v)
	}
	switch e.Fatal {
	case object.OutOfCycles:
		return "out of cycles"
	case object.OutOfCells:
		return "out of cells"
	case object.HostFailure:
		d.t.Fatal(e.Err)
	}
	if !e.Is(&typeHostError) {
		return e.Type().Name
	}
	name1, _ := d.m.Attr(e.Value(), "name")
	slug, _ := d.m.Attr(e.Value(), "slug")
	return strings.Trim(d.show(name1), "'") + " " + strings.Trim(d.show(slug), "'")
}

func (d *caller) raw(name string, args ...any) (object.Value, *object.Exception) {
	d.t.Helper()
	fn, e := d.m.Attr(d.mod.Value(), name)
	if e != nil {
		d.t.Fatalf("pvm_host has no %s", name)
	}
	var values []object.Value
	for _, a := range args {
		values = append(values, d.value(a))
	}
	return d.m.Apply(fn, object.Positional(values...)) // as from a program, which pays for the call
}

// cost is what a syscall takes of both meters.
func (d *caller) cost(name string, args ...any) (cycles, cells uint64) {
	d.t.Helper()
	c, b := d.meter.Used(), d.meter.CellsUsed()
	if _, e := d.raw(name, args...); e != nil {
		d.t.Fatalf("%s raised %s", name, e.Type().Name)
	}
	return d.meter.Used() - c, d.meter.CellsUsed() - b
}

func (d *caller) want(want, name string, args ...any) {
	d.t.Helper()
	if got := d.call(name, args...); got != want {
		d.t.Errorf("%s%.60s: %s, want %s", name, fmt.Sprint(args...), got, want)
	}
}

func (d *caller) wantCost(cycles, cells uint64, name string, args ...any) {
	d.t.Helper()
	if c, b := d.cost(name, args...); c != cycles || b != cells {
		d.t.Errorf("%s costs %d/%d, want %d/%d", name, c, b, cycles, cells)
	}
}
