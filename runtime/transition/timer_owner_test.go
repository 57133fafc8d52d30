package transition

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// A transaction schedules for its sender: the fire has the sender's authority, is paid by it, and takes no slot of the actor.
//
// Spec: WP §17.2 (TimerSchedule: 5,000 cycles, 64 cells); scheduler-timers §4.
func TestTimerScheduleTransaction(t *testing.T) {
	c := newChain(t, script{"wake": func(c *call) *block.Fault {
		if c.turn.Sender != person(1) {
			t.Errorf("sender %v", c.turn.Sender)
		}
		return wake(c)
	}})
	limit := uint64(20_000)
	r := c.mine(c.sign(person(1), &tx.TimerSchedule{Actor: actorAt(1), Height: 2, Handler: []byte("wake"), CyclesPerFire: &limit}))
	x := r.wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if x.CyclesUsed != 5_000 || x.CellsUsed != 64+4 || len(x.ReturnData) != 32 {
		t.Errorf("receipt %+v", x)
	}
	if c.account(actorAt(1)).Timers != 0 {
		t.Error("took a slot of the actor")
	}
	before := c.account(person(1)).Balance
	fire := c.mine().wantReceipt(t, 0, block.Timer, block.Success, 0)
	if string(x.ReturnData) != string(fire.ID[:]) {
		t.Error("another identifier")
	}
	if got := before - c.account(person(1)).Balance; got != 6_010*10_000 {
		t.Errorf("paid %d", got)
	}
	bad := c.sign(person(1), &tx.TimerSchedule{Actor: person(2), Height: 9, Handler: []byte("wake")})
	c.mine(bad).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultActor)
}

// Governance cancels, extends and configures; nobody else does. A new configuration counts from the next block.
//
// Spec: scheduler-timers §5, §8 (48, 49, 50); WP §13.1.
func TestTimerGovernance(t *testing.T) {
	var id timer.ID
	c := newChain(t, script{
		"set": func(c *call) *block.Fault {
			var err error
			id, err = c.schedule(timer.Request{Height: 20, Handler: "wake", ExpiresAt: until(30)})
			return must(c, err)
		},
		"wake": wake,
	})
	c.mine(c.execute(person(1), actorAt(1), "set"))
	x := c.mine(c.sign(admin, &tx.ExtendTimer{TimerID: id, ExpiresAt: 50})).wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if string(x.Events[0].Topic) != timer.TopicExtended || string(x.Events[0].Data) != string(timer.EventExtended(id, 50)) {
		t.Errorf("event %+v", x.Events)
	}
	x = c.mine(c.sign(admin, &tx.ExtendTimer{TimerID: id, ExpiresAt: 1 << 40})).wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if string(x.Events[0].Data) != string(timer.EventExtended(id, 3+30*params.BlocksPerDay)) {
		t.Error("not clamped to the longest lifetime")
	}
	c.mine(c.sign(admin, &tx.ExtendTimer{TimerID: id, ExpiresAt: 4})).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultTimer)
	c.mine(c.sign(admin, &tx.ExtendTimer{ExpiresAt: 90})).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultTimerMissing)
	x = c.mine(c.sign(admin, &tx.CancelTimer{TimerID: id})).wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if len(x.Events) != 1 || string(x.Events[0].Topic) != timer.TopicCancelled || c.account(actorAt(1)).Timers != 0 {
		t.Errorf("cancel %+v", x.Events)
	}
	x = c.mine(c.sign(admin, &tx.CancelTimer{TimerID: id})).wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if len(x.Events) != 0 {
		t.Error("cancelling nothing emitted an event")
	}
	config := params.Genesis().Timer
	config.MaxTTLBlocks = 5
	r := c.mine(c.sign(admin, &tx.UpdateTimerConfig{Config: config}), c.execute(person(1), actorAt(1), "set"))
	for _, x := range r.Receipts {
		if x.Status != block.Success {
			t.Errorf("in the block of the update: %+v", x.Fault)
		}
	}
	c.mine(c.execute(person(1), actorAt(1), "set")).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultTimer)
}

// Two equal calls in one turn give two timers; so do equal calls by two transactions with the same nonce.
//
// Spec: scheduler-timers §3 (caution).
func TestTimerIdentity(t *testing.T) {
	ids := map[timer.ID]bool{}
	c := newChain(t, script{"twice": func(c *call) *block.Fault {
		for range 2 {
			id, err := c.schedule(timer.Request{Height: 100, Payload: []byte("same")})
			if err != nil {
				return must(c, err)
			}
			ids[id] = true
		}
		return nil
	}})
	first := timer.Identify(actorAt(1), 100, []byte("same"), 0, 0)
	c.mine(c.execute(person(1), actorAt(1), "twice"), c.execute(person(2), actorAt(1), "twice"))
	if len(ids) != 4 || !ids[first] || c.account(actorAt(1)).Timers != 4 {
		t.Errorf("%d identifiers, %d timers", len(ids), c.account(actorAt(1)).Timers)
	}
}

// Owners extend and cancel; others do not; a missing timer is nothing to cancel.
//
// Spec: scheduler-timers §4 (extend_timer, cancel_timer).
func TestTimerOwner(t *testing.T) {
	c := newChain(t, nil)
	c.edit(func(s state.Store) {
		config := params.Genesis().Timer
		id, err := timer.Schedule(s, config, timer.Request{Owner: actorAt(1), Target: actorAt(1), Height: 9})
		if err != nil {
			t.Fatal(err)
		}
		me, other := actorAt(1), actorAt(2)
		if _, err := timer.Cancel(s, &other, id); !errors.Is(err, timer.ErrOwner) {
			t.Errorf("cancel by another: %v", err)
		}
		if _, err := timer.Extend(s, config, 1, &other, id, 50); !errors.Is(err, timer.ErrOwner) {
			t.Errorf("extend by another: %v", err)
		}
		if got, err := timer.Extend(s, config, 1, &me, id, 50); err != nil || got != 50 {
			t.Errorf("extend: %d, %v", got, err)
		}
		for _, want := range []bool{true, false} {
			if was, err := timer.Cancel(s, &me, id); err != nil || was != want {
				t.Errorf("cancel: %v, %v", was, err)
			}
		}
		if n, err := timer.PruneOwner(s, me, 10); err != nil || n != 0 {
			t.Errorf("prune: %d, %v", n, err)
		}
	}, 2)
}
