package transition

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

func gas(n unit.Cycles) *unit.Cycles   { return &n }
func until(h unit.Height) *unit.Height { return &h }

// scheduling is a handler that schedules one timer at the given distance.
func scheduling(distance unit.Height, q timer.Request) handler {
	return func(c *call) *block.Fault {
		q := q
		q.Height = c.turn.Block.Height + distance
		if q.ExpiresAt != nil {
			q.ExpiresAt = until(c.turn.Block.Height + *q.ExpiresAt)
		}
		_, err := c.schedule(q)
		return must(c, err)
	}
}

func wake(c *call) *block.Fault {
	c.use(1_000, 10)
	c.set("woken", fmt.Sprint(c.turn.Block.Height))
	return nil
}

// The cost of the largest fire at the floor: 550,000 × 10,000 twice.
//
// Spec: scheduler-timers §6.2.
const fullFire = 2 * 550_000 * 10_000

// Spec: scheduler-timers §4 (1), §6, §12 (first test); WP §5.1a (same-block prohibition).
func TestTimerHeight(t *testing.T) {
	c := newChain(t, script{
		"now":  scheduling(0, timer.Request{Handler: "wake"}),
		"next": scheduling(1, timer.Request{Handler: "wake"}),
		"wake": wake,
	})
	c.mine(c.execute(person(1), actorAt(1), "now")).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultTimer)
	if c.account(actorAt(1)).Timers != 0 {
		t.Fatal("a refused timer is pending")
	}
	r := c.mine(c.execute(person(1), actorAt(1), "next"))
	if len(r.Receipts) != 1 || c.account(actorAt(1)).Timers != 1 {
		t.Fatal("fired in the block that scheduled it")
	}
	r = c.mine(c.sign(person(2), &tx.Transfer{To: person(3), Amount: 1}))
	r.wantReceipt(t, 0, block.Transaction, block.Success, 0)
	x := r.wantReceipt(t, 1, block.Timer, block.Success, 0)
	if x.Sender != actorAt(1) || x.Target != actorAt(1) || !x.Cause.IsZero() {
		t.Errorf("receipt %+v", x)
	}
	if got := c.stored(actorAt(1), "woken"); got != "3" {
		t.Errorf("woken at %q", got)
	}
	// 5,000 cycles of the delivery, 1,000 of the handler and 10 cells at the floor, the rest of the pre-charge refunded exactly.
	if got := c.account(actorAt(1)); got.Balance != 1_000*unit.CBY-6_010*10_000 || got.Timers != 0 {
		t.Errorf("actor %+v", got)
	}
}

// Payer one base unit short: removed with the exact figures; exactly enough: fires.
//
// Spec: scheduler-timers §6, §6.2, §7, §12; WP §5.1a.
func TestTimerFunds(t *testing.T) {
	for _, short := range []unit.Amount{1, 0} {
		c := newChain(t, script{
			"next": scheduling(1, timer.Request{Handler: "wake"}),
			"pay":  func(c *call) *block.Fault { drainTo(c, fullFire-short); return nil },
			"wake": wake,
		})
		c.mine(c.execute(person(1), actorAt(1), "next"))
		r := c.mine(c.execute(person(1), actorAt(1), "pay"))
		if short == 0 {
			r.wantReceipt(t, 1, block.Timer, block.Success, 0)
			if got := c.account(actorAt(1)).Balance; got != fullFire-6_010*10_000 {
				t.Errorf("left with %d", got)
			}
			continue
		}
		x := r.wantReceipt(t, 1, block.Timer, block.Dropped, drain.FaultTimerUnfunded)
		if len(x.Events) != 1 || string(x.Events[0].Topic) != timer.TopicUnfunded {
			t.Fatalf("events %+v", x.Events)
		}
		u, err := timer.DecodeUnfunding(x.Events[0].Data)
		if err != nil || u.Required != fullFire || u.Available != fullFire-1 || u.Payer != actorAt(1) || u.ID != x.ID {
			t.Errorf("event %+v, %v", u, err)
		}
		if got := c.account(actorAt(1)); got.Balance != fullFire-1 || got.Timers != 0 || c.stored(actorAt(1), "woken") != "" {
			t.Errorf("actor %+v", got)
		}
	}
}

// drainTo moves all of the actor's balance but keep to person 9.
func drainTo(c *call, keep unit.Amount) {
	for addr, change := range map[account.Address]func(*account.Account){
		c.turn.Target: func(a *account.Account) { a.Balance = keep },
		person(9):     func(a *account.Account) { a.Balance += 1_000*unit.CBY - keep },
	} {
		data, _, _ := c.turn.Overlay.Lookup(addr.Key())
		a, _ := account.Decode(data)
		change(&a)
		c.turn.Overlay.Set(addr.Key(), a.Encode())
	}
}

// A fire that faults is charged, its effects are gone, and so is the timer.
//
// Spec: scheduler-timers §6.2, §12.
func TestTimerFault(t *testing.T) {
	c := newChain(t, script{
		"next": scheduling(1, timer.Request{Handler: "bad", GasLimit: gas(10_000)}),
		"bad": func(c *call) *block.Fault {
			c.use(4_000, 7)
			c.set("k", "v")
			return &block.Fault{Code: drain.FaultException}
		},
	})
	c.mine(c.execute(person(1), actorAt(1), "next"))
	x := c.mine().wantReceipt(t, 0, block.Timer, block.Faulted, drain.FaultException)
	if x.CyclesUsed != 9_000 || x.FeeBurned != 9_007*10_000 {
		t.Errorf("receipt %+v", x)
	}
	if got := c.account(actorAt(1)); got.Balance != 1_000*unit.CBY-9_007*10_000 || got.Timers != 0 || c.stored(actorAt(1), "k") != "" {
		t.Errorf("actor %+v", got)
	}
}

// A delivery costs 5,000 cycles before its handler runs: a fire that has no more runs nothing and pays all it has, one more cycle reaches the handler.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestDeliveryCost(t *testing.T) {
	for _, limit := range []uint64{4_999, 5_000, 5_001} {
		given := fee.Use{}
		c := newChain(t, script{
			"next": scheduling(1, timer.Request{Handler: "look", GasLimit: gas(unit.Cycles(limit))}),
			"look": func(c *call) *block.Fault { given = c.turn.Limit; c.use(1, 0); return nil },
		})
		c.mine(c.execute(person(1), actorAt(1), "next"))
		r := c.mine()
		if limit == 5_001 {
			x := r.wantReceipt(t, 0, block.Timer, block.Success, 0)
			if given.Cycles != 1 || x.CyclesUsed != 5_001 {
				t.Errorf("the handler got %d cycles, %d were charged", given.Cycles, x.CyclesUsed)
			}
			continue
		}
		x := r.wantReceipt(t, 0, block.Timer, block.Faulted, drain.FaultCycles)
		if given != (fee.Use{}) || x.CyclesUsed != unit.Cycles(limit) {
			t.Errorf("limit %d: the handler got %v, %d were charged", limit, given, x.CyclesUsed)
		}
	}
}

// A reverted transaction leaves no timer; a cancel in a reverted transaction leaves the timer.
//
// Spec: scheduler-timers §4, §12.
func TestTimerRevert(t *testing.T) {
	var id timer.ID
	c := newChain(t, script{
		"failing": func(c *call) *block.Fault {
			scheduling(1, timer.Request{Handler: "wake"})(c)
			return &block.Fault{Code: drain.FaultException}
		},
		"next": func(c *call) (f *block.Fault) {
			var err error
			id, err = c.schedule(timer.Request{Height: c.turn.Block.Height + 2, Handler: "wake"})
			return must(c, err)
		},
		"cancel": func(c *call) *block.Fault {
			if was, err := timer.Cancel(c.turn.Overlay, &c.turn.Target, id); err != nil || !was {
				t.Errorf("cancel: %v, %v", was, err)
			}
			return &block.Fault{Code: drain.FaultException}
		},
		"wake": wake,
	})
	c.mine(c.execute(person(1), actorAt(1), "failing"))
	if r := c.mine(c.execute(person(1), actorAt(1), "next")); len(r.Receipts) != 1 {
		t.Fatal("a reverted timer fired")
	}
	c.mine(c.execute(person(1), actorAt(1), "cancel"))
	c.mine().wantReceipt(t, 0, block.Timer, block.Success, 0)
}

// Spec: scheduler-timers §4 (2), §12; WP §5.1a (max_timers_per_actor).
func TestTimerLimit(t *testing.T) {
	many := func(c *call) *block.Fault {
		for i := range 256 {
			if _, err := c.schedule(timer.Request{Height: c.turn.Block.Height + 1_000, Payload: []byte{byte(i)}}); err != nil {
				return must(c, err)
			}
		}
		return nil
	}
	var one timer.ID
	c := newChain(t, script{
		"many": many,
		"one": func(c *call) *block.Fault {
			id, err := c.schedule(timer.Request{Height: c.turn.Block.Height + 1_000})
			if err == nil {
				one = id
			}
			return must(c, err)
		},
		"cancel": func(c *call) *block.Fault {
			_, err := timer.Cancel(c.turn.Overlay, &c.turn.Target, one)
			return must(c, err)
		},
	})
	c.mine(c.execute(person(1), actorAt(1), "one"))
	for range 3 {
		c.mine(c.execute(person(1), actorAt(1), "many"))
	}
	c.mine(c.execute(person(1), actorAt(1), "many")).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultTimerLimit)
	for range 255 {
		c.mine(c.execute(person(1), actorAt(1), "one")).wantReceipt(t, 0, block.Transaction, block.Success, 0)
	}
	if got := c.account(actorAt(1)).Timers; got != 1_024 {
		t.Fatalf("%d timers", got)
	}
	c.mine(c.execute(person(1), actorAt(1), "one")).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultTimerLimit)
	c.mine(c.execute(person(1), actorAt(1), "cancel"))
	c.mine(c.execute(person(1), actorAt(1), "one")).wantReceipt(t, 0, block.Transaction, block.Success, 0)
}

// 17 timers of the largest size at one height: 16 fire, the last is first in line in the next block, before the ones scheduled for it.
//
// Spec: scheduler-timers §5 (sizing), §6.4, §12.
func TestTimerLaneFull(t *testing.T) {
	var order []string
	c := newChain(t, script{
		"set": func(c *call) *block.Fault {
			for i := range 2 {
				h := c.turn.Block.Height
				payload := fmt.Append(nil, c.turn.Target[19], i)
				if _, err := c.schedule(timer.Request{Height: h + 2 + unit.Height(i), Handler: "eat", Payload: payload}); err != nil {
					return must(c, err)
				}
			}
			return nil
		},
		"eat": func(c *call) *block.Fault {
			order = append(order, string(c.turn.Payload.Data))
			c.use(550_000, 0)
			return nil
		},
	})
	for _, from := range []byte{1, 2} {
		var txs []tx.Verified
		for n := byte(1); n <= 9; n++ {
			txs = append(txs, c.execute(person(from), actorAt(n), "set"))
		}
		c.mine(txs...)
	}
	// Height 3 has nine timers of block 1; height 4 has nine of block 1 and nine of block 2; height 5 nine of block 2.
	order = nil
	r := c.mine()
	if len(r.Receipts) != 9 {
		t.Fatalf("height 3: %d", len(r.Receipts))
	}
	r = c.mine()
	if len(r.Receipts) != 16 || r.Used.Cycles != 16*550_000 {
		t.Fatalf("height 4: %d, %d cycles", len(r.Receipts), r.Used.Cycles)
	}
	order = nil
	r = c.mine()
	if len(r.Receipts) != 11 {
		t.Fatalf("height 5: %d", len(r.Receipts))
	}
	// The two carried timers were the last inserted for height 4: they are of the first kind (…0) and come before the nine of height 5.
	ran := order[:11]
	for i, name := range ran {
		if want := byte('0'); i < 2 && name[len(name)-1] != want || i >= 2 && name[len(name)-1] != '1' {
			t.Fatalf("order %v", ran)
		}
	}
}

// 3,000 expired timers before a live one: the live one fires in the same block, the rest of the dead leave by the cleanup budget.
//
// Spec: scheduler-timers §6.5, §12; WP §5.1a (lane separation).
func TestTimerExpiry(t *testing.T) {
	c := newChain(t, script{"wake": wake})
	c.edit(func(s state.Store) {
		p := params.Genesis()
		p.Timer.GCCyclesPerBlock = 1_000 * params.TimerGCCyclesPerRemoval
		p.Administrators = []account.Address{admin}
		s.Set(params.StateKey(params.KeyTimer), p.Timer.Append(nil))
		for i := range 3_000 {
			if _, err := timer.Schedule(s, p.Timer, timer.Request{
				Owner: actorAt(1 + byte(i%3)), Target: actorAt(1), Now: 0, Height: 5, ExpiresAt: until(5), Nonce: uint64(i),
			}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := timer.Schedule(s, p.Timer, timer.Request{
			Owner: actorAt(4), Target: actorAt(4), Height: 6, Handler: "wake",
		}); err != nil {
			t.Fatal(err)
		}
	}, 6)
	for block := range 3 {
		r := c.mine()
		fired, expired := 0, 0
		for _, x := range r.Receipts {
			switch {
			case x.Status == 0:
				fired++
			case x.Fault.Code == drain.FaultTimerExpired && string(x.Events[0].Topic) == timer.TopicExpired:
				expired++
			}
		}
		if expired != 1_000 || fired != map[bool]int{true: 1, false: 0}[block == 0] {
			t.Fatalf("block %d: %d fired, %d expired", block, fired, expired)
		}
	}
	if r := c.mine(); len(r.Receipts) != 0 {
		t.Fatal("something is left")
	}
}

// edit changes the tip's state directly and lets the tip be the parent of a block at the given height.
func (c *chain) edit(change func(state.Store), next unit.Height) {
	c.t.Helper()
	overlay := c.tip.State.Overlay()
	change(overlay)
	commit, err := overlay.Commit(next - 1)
	if err != nil {
		c.t.Fatal(err)
	}
	header := *c.tip.Header
	header.Height, header.View, header.StateRoot = next-1, uint64(next-1), commit.Root()
	c.tip = Parent{Header: &header, State: commit}
}

// A timer skipped more than 256 times goes to the dead letter.
//
// Spec: scheduler-timers §6.4, §8.
func TestTimerDeadLetter(t *testing.T) {
	for _, skips := range []unit.Height{256, 257} {
		c := newChain(t, script{"wake": wake})
		c.edit(func(s state.Store) {
			r := timer.Request{Owner: actorAt(1), Target: actorAt(1), Height: 10, Handler: "wake"}
			if _, err := timer.Schedule(s, params.Genesis().Timer, r); err != nil {
				t.Fatal(err)
			}
		}, 10+skips)
		r := c.mine()
		if skips == 256 {
			r.wantReceipt(t, 0, block.Timer, block.Success, 0)
			continue
		}
		x := r.wantReceipt(t, 0, block.Timer, block.Dropped, drain.FaultTimerDead)
		id, count := x.Events[0].Data[:32], codec.NewReader(x.Events[0].Data[32:])
		if string(x.Events[0].Topic) != timer.TopicDead || digest.Hash(id) != x.ID || count.Uint() != 257 {
			t.Errorf("event %+v", x.Events[0])
		}
	}
}

// Who may pay: the actor, the signer of the transaction that schedules; nobody else, and no reserved address.
//
// Spec: scheduler-timers §4 (3), §12; WP §9.
func TestTimerPayer(t *testing.T) {
	payers := map[string]account.Address{
		"self": actorAt(1), "signer": person(1), "third": person(2), "zero": {}, "system": account.System(0x0f),
		"virtual": account.System(0x1d),
	}
	s := script{"wake": wake}
	for name, payer := range payers {
		s[name] = scheduling(1, timer.Request{Handler: "wake", Payer: &payer, GasLimit: gas(10_000)})
	}
	for name := range payers {
		t.Run(name, func(t *testing.T) {
			c := newChain(t, s)
			r := c.mine(c.execute(person(1), actorAt(1), name))
			if name != "self" && name != "signer" {
				r.wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultInput)
				return
			}
			r.wantReceipt(t, 0, block.Transaction, block.Success, 0)
			before := c.account(payers[name]).Balance
			c.mine()
			if got := before - c.account(payers[name]).Balance; got != 6_010*10_000 {
				t.Errorf("%s paid %d", name, got)
			}
		})
	}
}

// An interval fires again and again, under one identifier and one slot, until it is cancelled by its own handler.
//
// Spec: scheduler-timers §2.2 (set_interval); WP §3.3.
func TestTimerInterval(t *testing.T) {
	var id timer.ID
	fires := 0
	c := newChain(t, script{
		"start": func(c *call) *block.Fault {
			var err error
			id, err = c.schedule(timer.Request{Every: 2, Handler: "tick", GasLimit: gas(10_000)})
			return must(c, err)
		},
		"tick": func(c *call) *block.Fault {
			c.use(100, 0)
			c.set("at", c.readAt()+fmt.Sprint(c.turn.Block.Height, " "))
			fires++
			switch c.turn.Block.Height {
			case 5: // fails: the interval goes on
				return &block.Fault{Code: drain.FaultException}
			case 9:
				if was, err := timer.Cancel(c.turn.Overlay, &c.turn.Target, id); err != nil || !was {
					t.Errorf("cancel: %v, %v", was, err)
				}
			}
			return nil
		},
	})
	c.mine(c.execute(person(1), actorAt(1), "start"))
	for c.tip.Header.Height < 12 {
		r := c.mine()
		if got := c.account(actorAt(1)).Timers; got != 1 && c.tip.Header.Height < 9 {
			t.Fatalf("%d timers at %d", got, c.tip.Header.Height)
		}
		for _, x := range r.Receipts {
			if x.ID != id {
				t.Error("another identifier")
			}
		}
	}
	if got := c.stored(actorAt(1), "at"); got != "3 7 9 " {
		t.Errorf("fired at %q", got)
	}
	if got := c.account(actorAt(1)).Timers; got != 0 {
		t.Errorf("%d timers left", got)
	}
}

func (c *call) readAt() string {
	data, _, _ := c.turn.Overlay.Lookup(account.KeyString(account.KindStorage, c.turn.Target, "at"))
	return string(data)
}

// A handler re-schedules itself: an agent nobody wakes. What it sends rides on the rest of its fire, which its payer gets back.
//
// Spec: WP §5; scheduler-timers §6.3, §10.
func TestTimerAgent(t *testing.T) {
	c := newChain(t, script{
		"run": func(c *call) *block.Fault {
			c.use(1_000, 0)
			if _, err := c.schedule(timer.Request{Height: c.turn.Block.Height + 1, Handler: "run", GasLimit: gas(50_000)}); err != nil {
				return must(c, err)
			}
			return must(c, c.send(actorAt(2), "note", "hi"))
		},
		"note": func(c *call) *block.Fault { c.use(300, 0); return nil },
	})
	c.mine(c.execute(person(1), actorAt(1), "run"))
	for range 20 {
		r := c.mine()
		r.wantReceipt(t, 0, block.Message, block.Success, 0)
		r.wantReceipt(t, 1, block.Timer, block.Success, 0)
	}
	// The first message was the transaction's to pay, the last is still to come.
	if got := c.account(actorAt(1)).Balance + sumPools(c); got != 1_000*unit.CBY-(20*6_000+19*5_300)*10_000 {
		t.Errorf("the agent holds %d", got)
	}
}
