package transition

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// hybridChain activates the fee-market phase at height 2 and holds timers scheduled before.
func hybridChain(t *testing.T, s script, plan func(state.Store, timer.Config)) *chain {
	c := newChain(t, s)
	p := params.Genesis()
	p.Hybrid.ActivationHeight = 2
	p.Administrators = []account.Address{admin}
	c.edit(func(s state.Store) {
		p.Save(s)
		plan(s, p.Timer)
	}, 2)
	return c
}

func price(n uint64) *uint64 { return &n }

// Worth decides, not age; both basefees are burned and the priority is the proposer's; a bid below the lane basefee waits.
//
// Spec: WP §5.1b; scheduler-timers §9.2, §9.6.
func TestHybridOrder(t *testing.T) {
	var order []string
	c := hybridChain(t, script{"eat": func(c *call) *block.Fault {
		order = append(order, string(c.turn.Payload.Data))
		c.use(1_000, 0)
		return nil
	}}, func(s state.Store, config timer.Config) {
		for _, x := range []struct {
			name           string
			most, priority uint64
		}{{"low", 12_000, 500}, {"below", 9_999, 9_999}, {"high", 20_000, 3_000}, {"capped", 11_000, 3_000}} {
			t.Run(x.name, func(t *testing.T) {
				if _, err := timer.Schedule(s, config, timer.Request{
					Owner: actorAt(1 + x.name[0]%8), Target: actorAt(1 + x.name[0]%8), Height: 2, Handler: "eat", Payload: []byte(x.name),
					GasLimit: gas(10_000), MaxFee: price(x.most), MaxPriority: price(x.priority),
				}); err != nil {
					t.Fatal(x.name, err)
				}
			})
		}
	})
	order = nil
	r := c.mine()
	if got := fmt.Sprint(order[:len(order)/2]); got != "[high capped low]" {
		t.Errorf("order %s", got)
	}
	x := r.Receipts[0]
	if x.FeeBurned != 6_000*(10_000+10_000) || x.FeeTipped != 6_000*3_000 {
		t.Errorf("burned %d, tipped %d", x.FeeBurned, x.FeeTipped)
	}
	market, err := timer.LoadMarket(c.tip.State.Overlay())
	if err != nil || market.Tip != 1_000 || market.Burned != 3*6_000*10_000 || market.Basefee != params.MinBasefee {
		t.Errorf("market %+v, %v", market, err)
	}
	if due, _ := timer.Due(c.tip.State.Overlay(), 99, nil, 9); len(due) != 1 {
		t.Errorf("%d timers left", len(due))
	}
}

// The lane fills greedily with fires of at most 250,000 cycles; an owner that fired a lot lets others pass at the same bid.
//
// Spec: WP §5.1b; scheduler-timers §9.2–9.4.
func TestHybridFairness(t *testing.T) {
	var order []byte
	schedule := func(s state.Store, config timer.Config, owner byte, h unit.Height, n int) {
		for i := range n {
			if _, err := timer.Schedule(s, config, timer.Request{
				Owner: actorAt(owner), Target: actorAt(owner), Height: h, Handler: "eat", Nonce: uint64(i),
				MaxFee: price(1 << 30), MaxPriority: price(1_000),
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	c := hybridChain(t, script{"eat": func(c *call) *block.Fault {
		order = append(order, c.turn.Target[19])
		c.use(c.turn.Limit.Cycles, 0)
		return nil
	}}, func(s state.Store, config timer.Config) {
		schedule(s, config, 1, 2, 3)
		schedule(s, config, 2, 2, 1)
		schedule(s, config, 1, 3, 20)
		schedule(s, config, 2, 3, 20)
		schedule(s, config, 3, 3, 1)
	})
	r := c.mine()
	if len(r.Receipts) != 4 || r.Receipts[0].CyclesUsed != 250_000 {
		t.Fatalf("%d fires of %d cycles", len(r.Receipts), r.Receipts[0].CyclesUsed)
	}
	order = nil
	r = c.mine()
	// Fires so far: 3 and 1; median 2, so W(1) = 1.5 and W(2) = W(3) = 2: actor 1 comes last. 35 of 41 fit the lane.
	ran := order[:len(order)/2]
	if len(ran) != 35 {
		t.Fatalf("%d fires", len(ran))
	}
	for i, n := range ran[:4] {
		if n == 1 {
			t.Errorf("actor 1 came at place %d", i)
		}
	}
	if r.Header.CyclesUsed > params.LaneTimerCycles {
		t.Errorf("%d cycles", r.Header.CyclesUsed)
	}
	// Nearly full twice over: the lane basefee rose by an eighth.
	market, err := timer.LoadMarket(c.tip.State.Overlay())
	if err != nil || market.Basefee != 11_250 {
		t.Errorf("lane basefee %d, %v", market.Basefee, err)
	}
}

// What was scheduled before the phase follows the market's default policy, expires, and is paid as before.
//
// Spec: scheduler-timers §9.5, §9.6.
func TestHybridOldTimers(t *testing.T) {
	c := hybridChain(t, script{"wake": wake}, func(s state.Store, config timer.Config) {
		for _, q := range []timer.Request{
			{Owner: actorAt(1), Target: actorAt(1), Height: 2, Handler: "wake"},
			{Owner: actorAt(2), Target: actorAt(2), Height: 1, ExpiresAt: until(1), Handler: "wake"},
		} {
			if _, err := timer.Schedule(s, config, q); err != nil {
				t.Fatal(err)
			}
		}
	})
	r := c.mine()
	r.wantReceipt(t, 0, block.Timer, block.Dropped, 1505)
	r.wantReceipt(t, 1, block.Timer, block.Success, 0)
	if got := c.account(actorAt(1)).Balance; got != 1_000*unit.CBY-6_000*20_000-10*10_000 {
		t.Errorf("paid %d", 1_000*unit.CBY-got)
	}
}

// Without bids the tiers order timers of one default priority, and pay for it.
//
// Spec: WP §5.1b (priority_tier_hint); scheduler-timers §9.5.
func TestHybridTiers(t *testing.T) {
	var order []string
	c := hybridChain(t, script{"eat": func(c *call) *block.Fault {
		order = append(order, string(c.turn.Payload.Data))
		c.use(1_000, 0)
		return nil
	}}, func(s state.Store, config timer.Config) {
		timer.Market{Basefee: 10_000, Tip: 1_000}.Save(s)
		for i, tier := range []timer.Tier{timer.Economy, timer.Standard, timer.Urgent, timer.Fast} {
			if _, err := timer.Schedule(s, config, timer.Request{
				Owner: actorAt(byte(1 + i)), Target: actorAt(byte(1 + i)), Height: 2, Handler: "eat", Payload: []byte(tier.String()), Tier: tier,
			}); err != nil {
				t.Fatal(err)
			}
		}
	})
	r := c.mine()
	if got := fmt.Sprint(order[:len(order)/2]); got != "[urgent fast standard economy]" {
		t.Errorf("order %s", got)
	}
	for i, tip := range []unit.Amount{2_500, 1_500, 1_000, 800} {
		if r.Receipts[i].FeeTipped != 6_000*tip {
			t.Errorf("%d tipped %d", i, r.Receipts[i].FeeTipped)
		}
	}
}

// An administrator's instruction has the market begin at a height: up to it timers fire by age, from it on by score. The height lies after the
// block, may be moved until then, and not afterwards; nobody else may say it.
//
// Spec: WP §5.1b (activates at a chosen block height); scheduler-timers §1, §9.6.
func TestActivateTimerMarket(t *testing.T) {
	var order []string
	c := newChain(t, script{"eat": func(c *call) *block.Fault {
		order = append(order, string(c.turn.Payload.Data))
		c.use(1_000, 0)
		return nil
	}})
	c.edit(func(s state.Store) {
		p := params.Genesis()
		for h := unit.Height(3); h < 6; h++ {
			for i, bid := range []uint64{1, 3, 2} {
				if _, err := timer.Schedule(s, p.Timer, timer.Request{
					Owner: actorAt(byte(1 + i)), Target: actorAt(byte(1 + i)), Height: h, Handler: "eat", Payload: fmt.Append(nil, bid),
					MaxFee: price(50_000), MaxPriority: price(bid), Nonce: uint64(h),
				}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}, 2)
	activate := func(from account.Address, h unit.Height) *Result {
		return c.mine(c.sign(from, &tx.ActivateTimerMarket{Height: h}))
	}
	fired := func() string {
		got := fmt.Sprint(order[:len(order)/2])
		order = nil
		return got
	}
	activate(admin, 2).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultTimer) // in block 2
	activate(admin, 4).wantReceipt(t, 0, block.Transaction, block.Success, 0)                // in block 3
	if got := fired(); got != "[1 3 2]" {
		t.Errorf("block 3: %s", got)
	}
	activate(admin, 5).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultTimer) // in block 4: it has begun
	if got := fired(); got != "[3 2 1]" {
		t.Errorf("block 4: %s", got)
	}
	c.mine()
	if got := fired(); got != "[3 2 1]" {
		t.Errorf("block 5: %s", got)
	}
	stranger := c.sign(person(1), &tx.ActivateTimerMarket{Height: 99})
	r, err := Apply(c.tip, Job{Mode: Build, Header: c.header(), Txs: []tx.Verified{stranger}}, c.script)
	if err != nil || len(r.Refused) != 1 {
		t.Errorf("a stranger's was not refused: %v", err)
	}
	p, err := params.Load(c.tip.State.Overlay())
	if err != nil || p.Hybrid.ActivationHeight != 4 {
		t.Errorf("%d, %v", p.Hybrid.ActivationHeight, err)
	}
}
