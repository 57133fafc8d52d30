package transition

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// storm is a chain whose state holds dead timers of as many owners as the cap per owner asks for, and live ones among them.
type storm struct {
	dead      int
	unfunded  bool // they expire later, but their payers hold nothing; otherwise they expired
	spread    bool // over 200 heights; otherwise all at one
	removals  int  // per block, by the budget for cleaning up
	inFront   int  // of 8 live ones, so many were scheduled before the dead ones, the others between and behind them
	smallLive unit.Cycles
}

func (x storm) owner(n int) account.Address {
	return account.Address{0: 0xdd, 17: byte(n >> 16), 18: byte(n >> 8), 19: byte(n)}
}

// build returns the chain; its next block has the height 300.
func (x storm) build(t *testing.T, s script) *chain {
	c := newChain(t, s)
	const next = 300
	p := params.Genesis()
	p.Administrators = []account.Address{admin}
	p.Timer.GCCyclesPerBlock = unit.Cycles(x.removals) * params.TimerGCCyclesPerRemoval
	config := p.Timer
	c.edit(func(s state.Store) {
		s.Set(params.StateKey(params.KeyTimer), p.Timer.Append(nil))
		live := 0
		schedule := func(q timer.Request) {
			if _, err := timer.Schedule(s, config, q); err != nil {
				t.Fatal(err)
			}
		}
		for i := range x.dead {
			for live < x.inFront || live < 8 && i > 0 && i%(x.dead/8) == 0 && live < i/(x.dead/8) {
				live++
				schedule(timer.Request{Owner: actorAt(byte(live)), Target: actorAt(byte(live)), Height: next - 1, Handler: "wake", GasLimit: gas(x.smallLive)})
			}
			owner := x.owner(i / int(config.MaxTimersPerActor))
			if i%int(config.MaxTimersPerActor) == 0 {
				a := account.Account{Kind: account.Actor, CodeHash: digest.Hash{1}}
				s.Set(owner.Key(), a.Encode())
			}
			h := unit.Height(next - 1)
			if x.spread {
				h -= unit.Height(i % 200)
			}
			q := timer.Request{Owner: owner, Target: owner, Height: h, Handler: "wake", Nonce: uint64(i)}
			if !x.unfunded {
				q.ExpiresAt = until(h)
			}
			schedule(q)
		}
		for live < 8 {
			live++
			schedule(timer.Request{Owner: actorAt(byte(live)), Target: actorAt(byte(live)), Height: next - 1, Handler: "wake", GasLimit: gas(x.smallLive)})
		}
	}, next)
	return c
}

// count is what the timers of a block did.
func count(r *Result) (fired, dropped int) {
	for _, x := range r.Receipts {
		switch {
		case x.Kind == block.Timer && x.Status == block.Success:
			fired++
		case x.Kind == block.Timer && x.Status == block.Dropped:
			dropped++
		}
	}
	return fired, dropped
}

// 20,000 dead timers, expired or unfunded, at one height or at 200, with live ones before, between and behind them: every live one fires in
// its block, whatever the budget for cleaning up; and no more leave than it allows.
//
// Spec: WP §5.1a (lane separation); scheduler-timers §6, §6.5, §12.
func TestStormOfDeadTimers(t *testing.T) {
	for _, x := range []storm{
		{dead: 20_000, unfunded: true, removals: 1},
		{dead: 20_000, unfunded: true, removals: 5_000, spread: true, inFront: 4},
		{dead: 20_000, removals: 5_000},
		{dead: 20_000, removals: 1, spread: true, inFront: 8},
	} {
		x.smallLive = 10_000
		c := x.build(t, script{"wake": wake})
		for block := range 1 + x.inFront%8/4 { // once into the next block
			fired, dropped := count(c.mine())
			if fired != map[int]int{0: 8}[block] || dropped != x.removals {
				t.Errorf("%+v, block %d: %d fired, %d dropped", x, block, fired, dropped)
			}
		}
	}
}

// dead is how many timers of TestStormOfManyDeadTimers nobody can pay for. A million take two minutes, nearly all of them to build the state.
var dead = flag.Int("dead", 100_000, "dead timers of TestStormOfManyDeadTimers")

// However many timers are dead, the live ones fire in the block all the same, and the block visits no more timers than it may.
//
// Spec: WP §5.1a (lane separation); scheduler-timers §6, §6.5.
func TestStormOfManyDeadTimers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a large state")
	}
	x := storm{dead: *dead, unfunded: true, removals: 5_000, smallLive: 10_000}
	c := x.build(t, script{"wake": wake})
	if fired, dropped := count(c.mine()); fired != 8 || dropped != 5_000 {
		t.Errorf("%d fired, %d dropped", fired, dropped)
	}
}

// A dead timer that would not fit what is left of the lane does not stand before a live one that does, and is removed.
//
// Spec: scheduler-timers §6 (expiry and funds before the lane's room).
func TestDeadTimerBeforeANearlyFullLane(t *testing.T) {
	for _, unfunded := range []bool{true, false} {
		var ran []string
		c := newChain(t, script{"eat": func(c *call) *block.Fault {
			ran = append(ran, string(c.turn.Payload.Data))
			c.use(c.turn.Limit.Cycles, 0)
			return nil
		}})
		c.edit(func(s state.Store) {
			config := params.Genesis().Timer
			schedule := func(owner account.Address, name string, limit unit.Cycles, expires unit.Height) {
				if _, err := timer.Schedule(s, config, timer.Request{
					Owner: owner, Target: owner, Height: 4, Handler: "eat", Payload: []byte(name), GasLimit: gas(limit), ExpiresAt: &expires,
				}); err != nil {
					t.Fatal(err)
				}
			}
			for i := range 16 { // 8,888,890 − 16 × 550,000 = 88,890
				schedule(actorAt(byte(1+i%8)), fmt.Sprint("big", i), 550_000, 100)
			}
			owner, expires := actorAt(9), unit.Height(4)
			if unfunded {
				owner, expires = account.Address{0: 0xdd}, 100
				a := account.Account{Kind: account.Actor, CodeHash: digest.Hash{1}}
				s.Set(owner.Key(), a.Encode())
			}
			schedule(owner, "dead", 550_000, expires)
			schedule(actorAt(9), "fits", 88_890, 100)
			schedule(actorAt(9), "does not", 1, 100)
		}, 5)
		fired, dropped := count(c.mine())
		if len(ran)%2 != 0 || fired != 17 || dropped != 1 || ran[len(ran)/2-1] != "fits" {
			t.Errorf("unfunded %v: %d fired, %d dropped, %v", unfunded, fired, dropped, ran)
		}
	}
}

// Dead timers claim nothing of the lane, so the User lane has the room; a payer that gets its coins in the block has its timer fired from what
// the others leave.
//
// Spec: WP §6.3, §17.9; scheduler-timers §6.
func TestDeadTimersClaimNothing(t *testing.T) {
	poor := account.Address{0: 0xdd}
	build := func() *chain {
		c := newChain(t, script{"wake": wake})
		c.edit(func(s state.Store) {
			a := account.Account{Kind: account.Actor, CodeHash: digest.Hash{1}}
			s.Set(poor.Key(), a.Encode())
			for i := range 20 {
				if _, err := timer.Schedule(s, params.Genesis().Timer, timer.Request{
					Owner: poor, Target: poor, Height: 4, Handler: "wake", Nonce: uint64(i),
				}); err != nil {
					t.Fatal(err)
				}
			}
		}, 4)
		return c
	}
	c := build()
	terms, err := timer.LoadTerms(c.tip.State.Overlay(), params.Genesis(), params.Basefees{Cycle: 10_000, Cell: 10_000}, 4)
	if err != nil {
		t.Fatal(err)
	}
	if demand, due, err := terms.Demand(c.tip.State.Overlay(), params.LaneTimerCycles); err != nil || demand != 0 || !due {
		t.Errorf("demand %d, %v, %v", demand, due, err)
	}
	if fired, dropped := count(c.mine()); fired != 0 || dropped != 20 {
		t.Errorf("%d fired, %d dropped", fired, dropped)
	}
	c = build()
	r := c.mine(c.sign(person(1), &tx.Transfer{To: poor, Amount: 1_000 * unit.CBY}))
	if fired, dropped := count(r); fired != 20 || dropped != 0 {
		var text strings.Builder
		for _, x := range r.Receipts {
			fmt.Fprintln(&text, x.Kind, x.Status, x.Fault.Code)
		}
		t.Errorf("%d fired, %d dropped\n%s", fired, dropped, text.String())
	}
}
