package transition

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

func openPools(c *chain) (n int) {
	c.t.Helper()
	if err := mailbox.EachPool(c.tip.State, func(mailbox.Pool) bool { n++; return true }); err != nil {
		c.t.Fatal(err)
	}
	return n
}

// A message is delivered at the start of the next block and paid from what its sender's transaction left; the rest returns to the payer.
//
// By hand: limit 1,000,000 cycles and 100,000 cells at maximum 20,000; intrinsic 21,000 cycles and 4 cells ("ping"), the handler
// uses 1,000 and 10, the delivery 5,000 and its handler 2,000 and 20, all at basefee 10,000 without tip.
//
// Spec: WP §3.3; sdk §7; scheduler-timers §10, §11.
func TestMessage(t *testing.T) {
	c := newChain(t, script{
		"ping": func(c *call) *block.Fault {
			c.use(1_000, 10)
			c.set("sent", "yes")
			return must(c, c.send(actorAt(2), "pong", "hello"))
		},
		"pong": func(c *call) *block.Fault {
			c.use(2_000, 20)
			c.set("from", c.turn.Sender.Hex()+" "+string(c.turn.Payload.Data))
			return nil
		},
	})
	first := c.mine(c.execute(person(1), actorAt(1), "ping"))
	x := first.wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if x.CyclesUsed != 22_000 || x.CellsUsed != 14 {
		t.Errorf("used %d, %d", x.CyclesUsed, x.CellsUsed)
	}
	if len(first.Receipts) != 1 || c.stored(actorAt(2), "from") != "" {
		t.Fatal("delivered in the same block")
	}
	held := c.account(actorAt(2))
	if held.MailboxCount != 1 || held.MailboxBytes == 0 || openPools(c) != 1 {
		t.Fatalf("mailbox %+v, %d pools", held, openPools(c))
	}
	escrow := unit.Amount(978_000*20_000 + 99_986*20_000)
	if got := c.account(person(1)).Balance; got != 10_000*unit.CBY-(22_000+14)*10_000-escrow {
		t.Errorf("sender holds %d after the first block", got)
	}
	second := c.mine(c.sign(person(3), &tx.Transfer{To: person(4), Amount: 1}))
	x = second.wantReceipt(t, 0, block.Message, block.Success, 0)
	second.wantReceipt(t, 1, block.Transaction, block.Success, 0)
	if x.Cause != first.Receipts[0].ID || x.Sender != actorAt(1) || x.Target != actorAt(2) || x.FeeBurned != 70_200_000 {
		t.Errorf("receipt %+v", x)
	}
	if got := c.stored(actorAt(2), "from"); got != actorAt(1).Hex()+" hello" {
		t.Errorf("delivered %q", got)
	}
	if got := c.account(person(1)).Balance; got != 10_000*unit.CBY-(22_000+14+7_020)*10_000 {
		t.Errorf("sender holds %d in the end", got)
	}
	if held := c.account(actorAt(2)); held.MailboxCount != 0 || held.MailboxBytes != 0 || openPools(c) != 0 {
		t.Errorf("mailbox %+v, %d pools", held, openPools(c))
	}
}

// Coins of a message lie in it between two blocks, where the supply finds them; they are the target's while it runs, and the sender's again after a fault
// and where no gas is left.
//
// Spec: WP "Transactions and Message Passing", §8; README "Value".
func TestMessageValue(t *testing.T) {
	var seen []string
	note := func(c *call) { seen = append(seen, fmt.Sprint(c.turn.Kind, c.turn.Value)) }
	c := newChain(t, script{
		"ping": func(c *call) *block.Fault {
			for _, handler := range []string{"pong", "fail", "starve"} {
				if err := c.sendWith(actorAt(2), handler, "", 3*unit.CBY); err != nil {
					return must(c, err)
				}
			}
			return nil
		},
		"pong": func(c *call) *block.Fault { note(c); return nil },
		"fail": func(c *call) *block.Fault {
			note(c)
			c.use(1_000_000, 0)
			return &block.Fault{Code: drain.FaultException}
		},
		"broke": func(c *call) *block.Fault { return must(c, c.sendWith(actorAt(2), "pong", "", 1_000*unit.CBY)) },
	})
	held := func() string { return c.account(actorAt(1)).Balance.CBY() + " " + c.account(actorAt(2)).Balance.CBY() }
	c.mine(c.execute(person(1), actorAt(1), "ping"))
	if got := held(); got != "991 1000" {
		t.Errorf("in flight: %s", got)
	}
	seen = nil
	r := c.mine()
	r.wantReceipt(t, 0, block.Message, block.Success, 0)
	r.wantReceipt(t, 1, block.Message, block.Faulted, drain.FaultException)
	r.wantReceipt(t, 2, block.Message, block.Faulted, drain.FaultCycles)
	for i, x := range r.Receipts[:3] {
		if x.Value != 3*unit.CBY {
			t.Errorf("receipt %d: %d", i, x.Value)
		}
	}
	if got := held(); got != "997 1003" || fmt.Sprint(seen[:2]) != fmt.Sprintf("[message %d message %[1]d]", 3*unit.CBY) {
		t.Errorf("%s, seen %v", got, seen)
	}
	c.mine(c.execute(person(1), actorAt(1), "broke")).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultValue)
	x := c.mine(c.execute(person(1), actorAt(2), "pong", func(x *tx.Tx) { x.Instruction.(*tx.Execute).Amount = 5 })).Receipts[0]
	if last := seen[len(seen)-1]; x.Value != 5 || last != "transaction 5" {
		t.Errorf("%d, seen %s", x.Value, last)
	}
}

// Nothing leaves from a handler that raises: writes, messages and the sender's message nonce are undone, the fee is kept.
//
// Spec: WP "Transactions and Message Passing"; sdk §7 (send after raise).
func TestAllOrNothing(t *testing.T) {
	c := newChain(t, script{"bad": func(c *call) *block.Fault {
		c.use(5_000, 50)
		c.set("k", "v")
		if err := c.send(actorAt(2), "pong", ""); err != nil {
			t.Error(err)
		}
		if err := c.later("again"); err != nil {
			t.Error(err)
		}
		return &block.Fault{Code: drain.FaultException, Text: "ValueError"}
	}})
	r := c.mine(c.execute(person(1), actorAt(1), "bad", func(x *tx.Tx) {
		x.Instruction.(*tx.Execute).Amount = 3 * unit.CBY
	}))
	x := r.wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultException)
	if x.CyclesUsed != 26_000 || x.CellsUsed != 53 {
		t.Errorf("used %d, %d", x.CyclesUsed, x.CellsUsed)
	}
	if got := c.account(person(1)); got.Balance != 10_000*unit.CBY-26_053*10_000 || got.Nonce != 1 {
		t.Errorf("sender %+v", got)
	}
	actor := c.account(actorAt(1))
	if c.stored(actorAt(1), "k") != "" || actor.Nonce != 0 || actor.Deferred != 0 || actor.Balance != 1_000*unit.CBY || openPools(c) != 0 {
		t.Errorf("left behind: %+v", actor)
	}
	if r = c.mine(); len(r.Receipts) != 0 {
		t.Errorf("%d receipts", len(r.Receipts))
	}
}

// Messages of earlier blocks are delivered in the order they were sent, whoever their target is, and before the block's transactions.
//
// Spec: WP §3.3; sdk §7.
func TestDeliveryOrder(t *testing.T) {
	var order []string
	c := newChain(t, script{
		"fan": func(c *call) *block.Fault {
			for _, n := range []byte{5, 2, 9, 2} {
				if err := c.send(actorAt(n), "note", fmt.Sprint(n)); err != nil {
					return must(c, err)
				}
			}
			return nil
		},
		"note": func(c *call) *block.Fault { order = append(order, string(c.turn.Payload.Data)); return nil },
	})
	c.mine(c.execute(person(1), actorAt(1), "fan"))
	order = nil
	r := c.mine(c.sign(person(2), &tx.Transfer{To: person(3), Amount: 1}))
	if got := fmt.Sprint(order[:4]); got != "[5 2 9 2]" {
		t.Errorf("order %s", got)
	}
	if len(r.Receipts) != 5 || r.Receipts[4].Kind != block.Transaction {
		t.Errorf("%d receipts", len(r.Receipts))
	}
}

// One origin enqueues at most 1,024 messages, counted over everything that descends from it.
//
// Spec: WP §3.3 (fan-out).
func TestFanout(t *testing.T) {
	c := newChain(t, script{
		"burst": func(c *call) *block.Fault {
			for range 1_024 {
				if err := c.send(actorAt(2), "more", ""); err != nil {
					return must(c, err)
				}
			}
			return nil
		},
		"over": func(c *call) *block.Fault {
			for range 1_025 {
				if err := c.send(actorAt(2), "more", ""); err != nil {
					return must(c, err)
				}
			}
			return nil
		},
		"more": func(c *call) *block.Fault {
			if err := c.send(actorAt(3), "never", ""); !errors.Is(err, mailbox.ErrFanout) {
				t.Errorf("send beyond the origin's fan-out: %v", err)
			}
			return nil
		},
	})
	r := c.mine(c.execute(person(1), actorAt(1), "burst"), c.execute(person(2), actorAt(1), "over"))
	for _, x := range r.Receipts {
		if want := map[bool]uint16{true: 0, false: drain.FaultLimit}[x.Sender == person(1)]; x.Fault.Code != want {
			t.Errorf("%v: %d", x.Sender, x.Fault.Code)
		}
	}
	if r = c.mine(); len(r.Receipts) != 1_024 {
		t.Errorf("%d deliveries", len(r.Receipts))
	}
}

// A chain of messages ends at depth 32.
//
// Spec: WP §12.1 (max_message_depth_per_tx).
func TestDepth(t *testing.T) {
	c := newChain(t, script{"hop": func(c *call) *block.Fault {
		c.use(100, 0)
		return must(c, c.send(c.turn.Target, "hop", ""))
	}})
	c.mine(c.execute(person(1), actorAt(1), "hop"))
	for depth := 1; depth <= 32; depth++ {
		want, code := block.Success, uint16(0)
		if depth == 32 {
			want, code = block.Faulted, drain.FaultForbidden
		}
		c.mine().wantReceipt(t, 0, block.Message, want, code)
	}
	if r := c.mine(); len(r.Receipts) != 0 || openPools(c) != 0 {
		t.Fatal("the chain went on")
	}
	if got := c.account(person(1)).Balance; got != 10_000*unit.CBY-(21_003+33*100+32*5_000)*10_000 {
		t.Errorf("payer holds %d", got)
	}
}

// A pool without cycles runs nothing, and a delivery never gets more than is left.
//
// Spec: scheduler-timers §10 (gas carried from the parent).
func TestPoolRunsDry(t *testing.T) {
	c := newChain(t, script{
		"twice": func(c *call) *block.Fault {
			for range 3 {
				if err := c.send(actorAt(2), "eat", ""); err != nil {
					return must(c, err)
				}
			}
			return nil
		},
		"eat": func(c *call) *block.Fault {
			c.use(40_000, 0)
			if c.out.Used.Cycles > c.turn.Limit.Cycles {
				return &block.Fault{Code: drain.FaultCycles}
			}
			return nil
		},
	})
	c.mine(c.execute(person(1), actorAt(1), "twice", func(x *tx.Tx) { x.CyclesLimit = 21_000 + 70_000 }))
	r := c.mine()
	r.wantReceipt(t, 0, block.Message, block.Success, 0)
	second := r.wantReceipt(t, 1, block.Message, block.Faulted, drain.FaultCycles)
	third := r.wantReceipt(t, 2, block.Message, block.Faulted, drain.FaultCycles)
	if second.CyclesUsed != 25_000 || third.CyclesUsed != 0 || openPools(c) != 0 {
		t.Errorf("used %d and %d, %d pools", second.CyclesUsed, third.CyclesUsed, openPools(c))
	}
}

// Carried gas pays the basefee of the block it runs in, and never more than was paid for it.
//
// Spec: scheduler-timers §10.
func TestCarriedPrice(t *testing.T) {
	for _, max := range []uint64{10_000, 20_000} {
		c := newChain(t, script{
			"ping": func(c *call) *block.Fault { return must(c, c.send(actorAt(2), "pong", "")) },
			"pong": func(c *call) *block.Fault { c.use(1_000, 0); return nil },
			"burn": func(c *call) *block.Fault { c.use(20_000_000, 0); return nil },
		})
		heavy := func(x *tx.Tx) { x.CyclesLimit, x.MaxFeePerCycle = 21_000_000, 30_000 }
		c.mine(c.execute(person(1), actorAt(1), "ping", func(x *tx.Tx) { x.MaxFeePerCycle = max }),
			c.execute(person(2), actorAt(3), "burn", heavy), c.execute(person(3), actorAt(4), "burn", heavy))
		x := c.mine().wantReceipt(t, 0, block.Message, block.Success, 0)
		if want := 6_000 * unit.Amount(min(max, 10_104)); x.FeeBurned != want {
			t.Errorf("max %d: burned %d, want %d", max, x.FeeBurned, want)
		}
	}
}

// A message to nobody fails at the sender; to a chapter that is not built at delivery; the mailbox moves on.
//
// Spec: sdk §3.5, §3.6.
func TestUndeliverable(t *testing.T) {
	c := newChain(t, script{
		"lost": func(c *call) *block.Fault { return must(c, c.send(person(9), "x", "")) },
		"jobs": func(c *call) *block.Fault {
			if err := c.send(systemAddress(2), "", "job"); err != nil {
				return must(c, err)
			}
			if err := c.send(actorAt(2), "nothing", ""); err != nil {
				return must(c, err)
			}
			return must(c, c.send(actorAt(2), "note", ""))
		},
		"note": func(c *call) *block.Fault { return nil },
	})
	c.mine(c.execute(person(1), actorAt(1), "lost")).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultActor)
	c.mine(c.execute(person(1), actorAt(1), "jobs"))
	r := c.mine()
	r.wantReceipt(t, 0, block.Message, block.Faulted, drain.FaultUnavailable)
	r.wantReceipt(t, 1, block.Message, block.Faulted, drain.FaultCall)
	r.wantReceipt(t, 2, block.Message, block.Success, 0)
}

// A deferred call runs after the next block's transactions, as the actor itself, on the origin's gas.
//
// Spec: scheduler-timers §6, §10.
func TestDeferred(t *testing.T) {
	c := newChain(t, script{
		"start": func(c *call) *block.Fault { return must(c, c.later("step")) },
		"step": func(c *call) *block.Fault {
			if c.turn.Sender != c.turn.Target || c.turn.Signer != nil {
				t.Error("not a call of the actor's own")
			}
			c.use(500, 0)
			if c.turn.Depth < 3 {
				return must(c, c.later("step"))
			}
			return nil
		},
	})
	c.mine(c.execute(person(1), actorAt(1), "start"))
	if c.account(actorAt(1)).Deferred != 1 {
		t.Fatal("not pending")
	}
	r := c.mine(c.sign(person(2), &tx.Transfer{To: person(3), Amount: 1}))
	r.wantReceipt(t, 0, block.Transaction, block.Success, 0)
	r.wantReceipt(t, 1, block.Deferred, block.Success, 0)
	c.mine().wantReceipt(t, 0, block.Deferred, block.Success, 0)
	c.mine().wantReceipt(t, 0, block.Deferred, block.Success, 0)
	if len(c.mine().Receipts) != 0 || c.account(actorAt(1)).Deferred != 0 || openPools(c) != 0 {
		t.Error("something is left")
	}
}

// The 65th pending call of an actor is refused.
//
// Spec: scheduler-timers §10 (MAX_PENDING_DEFERRED_PER_ACTOR).
func TestDeferredLimit(t *testing.T) {
	many := func(n int) handler {
		return func(c *call) *block.Fault {
			for range n {
				if err := c.later("step"); err != nil {
					return must(c, err)
				}
			}
			return nil
		}
	}
	c := newChain(t, script{"64": many(64), "65": many(65), "step": func(*call) *block.Fault { return nil }})
	c.mine(c.execute(person(1), actorAt(1), "65")).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultDeferredLimit)
	c.mine(c.execute(person(1), actorAt(1), "64")).wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if r := c.mine(); len(r.Receipts) != 64 {
		t.Errorf("%d calls ran", len(r.Receipts))
	}
}

// Messages take at most half the User lane; the rest waits in order. An actor beyond its share yields to others.
//
// Spec: WP §12.1 (per_actor_per_block_cycles, burstable), §17.9.
func TestMessageBudget(t *testing.T) {
	var order []byte
	c := newChain(t, script{
		"fan": func(c *call) *block.Fault {
			for i := range 14 {
				if err := c.send(actorAt(2), "eat", ""); err != nil {
					return must(c, err)
				}
				if i == 3 {
					if err := c.send(actorAt(3), "eat", ""); err != nil {
						return must(c, err)
					}
				}
			}
			return nil
		},
		"eat": func(c *call) *block.Fault {
			order = append(order, c.turn.Target[19])
			c.use(1_000_000, 0)
			return nil
		},
	})
	c.mine(c.execute(person(1), actorAt(1), "fan", func(x *tx.Tx) { x.CyclesLimit = 22_000_000 }))
	order = nil
	r := c.mine()
	if got := fmt.Sprint(order[:len(order)/2]); got != "[2 3 2 2 2 2 2 2 2 2 2]" {
		t.Errorf("order %s", got)
	}
	if len(r.Receipts) != 11 || r.Used.Cycles > drain.MessageCycles {
		t.Errorf("%d deliveries, %d cycles", len(r.Receipts), r.Used.Cycles)
	}
	if r = c.mine(); len(r.Receipts) != 4 || openPools(c) != 0 {
		t.Errorf("%d deliveries, %d pools", len(r.Receipts), openPools(c))
	}
}

// A full mailbox refuses the send.
//
// Spec: WP §3.3 (1,000,000 bytes).
func TestMailboxFull(t *testing.T) {
	payload := string(make([]byte, 99_000))
	c := newChain(t, script{
		"fill": func(c *call) *block.Fault {
			for range 10 {
				if err := c.send(actorAt(2), "x", payload); err != nil {
					return must(c, err)
				}
			}
			return nil
		},
		"more": func(c *call) *block.Fault { return must(c, c.send(actorAt(2), "x", payload)) },
		"x":    func(*call) *block.Fault { return nil },
	})
	r := c.mine(c.execute(person(1), actorAt(1), "fill"))
	r.wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if got := c.account(actorAt(2)).MailboxBytes; got > params.MailboxBytes || got < 990_000 {
		t.Errorf("%d bytes", got)
	}
	// The mailbox is drained before transactions run, so the next block has room again.
	r = c.mine(c.execute(person(1), actorAt(1), "more"))
	r.wantReceipt(t, 10, block.Transaction, block.Success, 0)
	c2 := newChain(t, script{"fill": func(c *call) *block.Fault {
		for range 11 {
			if err := c.send(actorAt(2), "x", payload); err != nil {
				return must(c, err)
			}
		}
		return nil
	}})
	c2.mine(c2.execute(person(1), actorAt(1), "fill")).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultMailbox)
}
