package hostile

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// endless is an actor whose every wake, message and deferred call makes the next.
const endless = `
import pvm_host

def wake(payload):
    height = pvm_host.get_block_height()
    pvm_host.set_timer(height + 1, "wake")
    pvm_host.set_state(b"n", b"%d" % height)

def handle_timer(payload): wake(payload)

def on_message(payload):
    pvm_host.send_message(pvm_host.get_actor_address(), b"")
    pvm_host.send_message(pvm_host.get_actor_address(), b"")

def again(payload):
    pvm_host.create_deferred_tx("again")

def stuff(payload):
    for i in range(20):
        pvm_host.send_message(pvm_host.get_actor_address(), b"x" * 60000)

def fill(payload):
    for i in range(int(payload)):
        pvm_host.set_state(b"k%d" % i, b"x" * 65000)

def many(payload):
    for i in range(int(payload)):
        pvm_host.set_timer(1000000 + i, "wake")

def spread(payload):
    for i in range(int(payload)):
        pvm_host.send_message(pvm_host.get_actor_address(), b"")
`

// TestTimerForever lets a timer reschedule itself until its actor is poor: it is dropped, and the chain goes on.
// Spec: scheduler-timers §6; WP §5.1a.
func TestTimerForever(t *testing.T) {
	r := newRanch(t)
	actor := r.attacker.Deploy(endless, nil)
	r.attacker.Fund(actor, 5*unit.CBY)
	r.attacker.Call(actor, "wake", "")
	started := r.chain.Height()
	r.chain.AdvanceTo(started + 40)
	last := string(r.chain.Storage(actor, "n"))
	r.chain.AdvanceTo(started + 45)
	if now := string(r.chain.Storage(actor, "n")); now == "" || now != last {
		t.Errorf("still awake at %q, was %q, with %d", now, last, r.chain.Balance(actor))
	}
	r.goesOn()
}

// TestMessagesForever lets every message send two: the sender's limits end it. Spec: WP §3.3 (depth 32), §17; sdk §7.
func TestMessagesForever(t *testing.T) {
	r := newRanch(t)
	actor := r.attacker.Deploy(endless, nil)
	before := r.chain.Balance(r.attacker.Address())
	for _, handler := range []string{"on_message", "again"} {
		r.attacker.Do(&tx.Execute{To: actor, Handler: []byte(handler)}, attackCycles, attackCells)
		var used unit.Cycles
		quiet := 0
		for quiet < 3 {
			b := r.chain.Mine()
			if len(b.Receipts) == 0 {
				quiet++
			}
			for _, x := range b.Receipts {
				used += x.CyclesUsed
			}
			if r.chain.Height() > 500 {
				t.Fatalf("%s goes on for ever", handler)
			}
		}
		if used > attackCycles {
			t.Errorf("%s used %d cycles, %d were paid for", handler, used, attackCycles)
		}
	}
	if r.chain.Balance(r.attacker.Address()) >= before {
		t.Error("nobody paid")
	}
	r.goesOn()
}

// TestLimitsOfATransaction takes each limit exactly and one beyond. Spec: WP §3.3 (fan-out 1,024, mailbox 1,000,000 bytes), §13.
func TestLimitsOfATransaction(t *testing.T) {
	r := newRanch(t)
	actor := r.attacker.Deploy(endless, nil)
	do := func(handler, payload string, cells unit.Cells) *block.Receipt {
		return r.attacker.Do(&tx.Execute{To: actor, Handler: []byte(handler), Payload: []byte(payload)}, attackCycles, cells)
	}
	for i, c := range []struct {
		handler, payload string
		code             uint16
	}{
		{"spread", "1025", 1208}, {"spread", "1024", 0}, {"many", "1025", 1208}, {"stuff", "", 1226}, {"many", "1024", 0}, {"many", "1", 1503},
		{"fill", "17", 1208}, {"fill", "16", 0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			x := do(c.handler, c.payload, 2_000_000)
			if x.Fault.Code != c.code {
				t.Errorf("%s %s: %s, want %d", c.handler, c.payload, testkit.Describe(x), c.code)
			}
			r.goesOn()
		})
	}
}
