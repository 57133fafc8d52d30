package system

import (
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/supervision"
)

func turn(target account.Address, in tx.Instruction) *drain.Turn {
	return &drain.Turn{
		Number: 3, Kind: block.Transaction, Native: true, Target: target, Payload: drain.Payload{Instruction: in},
		Block: &drain.Block{Height: 7, Params: params.Genesis()}, Overlay: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(),
	}
}

// One system actor per address of the table, and one for all others; each name and inbox once.
//
// Spec: WP §9.
func TestOneActorPerAddress(t *testing.T) {
	table, reserved := NewHandles()
	if len(table) != len(account.SystemTable()) || reserved.Name != "reserved" {
		t.Fatalf("%d system actors for %d addresses", len(table), len(account.SystemTable()))
	}
	seen := map[string]bool{}
	for i, e := range account.SystemTable() {
		h := table[i]
		if h.Address != account.System(e.Number) || seen[h.Name] || seen[h.Inbox().Name()] {
			t.Errorf("address %d has %q at %v", e.Number, h.Name, h.Address)
		}
		seen[h.Name], seen[h.Inbox().Name()] = true, true
	}
}

// An address whose chapter is not built answers a fault that says so, names the chapter, and leaves nothing.
//
// Spec: WP §9; node-rpc-cli §2.2 (E1299).
func TestNotAvailableYet(t *testing.T) {
	for _, a := range append(addresses(), account.System(0x77)) {
		x := turn(a, &tx.Execute{To: a, Handler: []byte("anything")})
		o, err := New().runner.Run(x)
		if err != nil || o.Turn != 3 || o.Fault == nil || o.Fault.Code != drain.FaultUnavailable || o.Fault.Text == "" {
			t.Errorf("%v: %+v, %v", a, o, err)
		}
		x.Overlay.Changes(func(c state.Change) bool {
			t.Errorf("%v wrote %x", a, c.Key)
			return true
		})
	}
	o, _ := New().runner.Run(turn(account.System(account.JobDispatcher), &tx.Execute{}))
	if !strings.Contains(o.Fault.Text, "job") {
		t.Errorf("the fault does not name the chapter: %q", o.Fault.Text)
	}
}

// Instructions that are built run. Spec: scheduler-timers §8 (49).
func TestGovernanceRuns(t *testing.T) {
	config := params.Genesis().Timer
	config.MaxTimersPerActor = 5
	x := turn(account.System(account.Governance), &tx.UpdateTimerConfig{Config: config})
	o, err := New().runner.Run(x)
	if err != nil || o.Fault != nil || len(o.Events) != 2 {
		t.Fatalf("%+v, %v", o, err)
	}
	value, ok, err := x.Overlay.Lookup(params.StateKey(params.KeyTimer))
	if err != nil || !ok || string(value) != string(config.Append(nil)) {
		t.Errorf("stored %x %v %v", value, ok, err)
	}
}

// The actors of the table come up and go down as one group.
func TestSubsystemIsSupervised(t *testing.T) {
	table, _ := NewHandles()
	spec := supervision.Spec{Name: "system"}
	for _, h := range table {
		spec.Children = append(spec.Children, supervision.Spec{Name: h.Name, Inbox: h.Inbox(), New: func() actor.Actor { return New() }})
	}
	tree, err := supervision.New(spec, supervision.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(tree.Status().Text(), "running"); got != len(table)+1 {
		t.Errorf("%d running", got)
	}
	if err := tree.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}
