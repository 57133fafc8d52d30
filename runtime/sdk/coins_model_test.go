package sdk_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// planner does what a plan says, which may hold plans for others.
const planner = `
import json
from cowboy_sdk import actor, call, runtime, send

@actor
class Planner:
    def start(self, payload):
        self.act(json.loads(payload))
    def letter(self, msg):
        self.act(msg["plan"])
    def act(self, plan):
        came = runtime.context()["value"]
        self.storage["log"] = ((self.storage["log"] or 0) * 31 + plan["number"] + came) % 1000003
        for step in plan["steps"]:
            if step["catch"]:
                try:
                    self.step(step)
                except Exception:
                    pass
            else:
                self.step(step)
    def step(self, step):
        do = step["do"]
        if do == "pay":
            runtime.transfer(step["to"], step["amount"])
        elif do == "send":
            send(step["to"], {"handler": "letter", "plan": step["plan"]}, value=step["amount"])
        elif do == "call":
            call(step["to"], "act", [step["plan"]], cycles_limit=step["cycles"], value=step["amount"])
        else:
            raise ValueError("as planned")
`

// plan is what a planner is asked for.
type plan struct {
	Number uint64 `json:"number"`
	Steps  []step `json:"steps"`
}

type step struct {
	Do     string `json:"do"`
	To     string `json:"to"`
	Amount uint64 `json:"amount"`
	Catch  bool   `json:"catch"`
	Cycles uint64 `json:"cycles"`
	Plan   *plan  `json:"plan"`
	to     int
}

// coins re-tells what plans do, over maps: who holds how much, what each noted, which messages are under way.
type coins struct {
	held, log map[int]uint64
	letters   []letter
}

type letter struct {
	from, to int
	amount   uint64
	plan     *plan
}

func (c *coins) clone() coins {
	return coins{maps.Clone(c.held), maps.Clone(c.log), slices.Clone(c.letters)}
}

// act gives an actor coins and has it follow a plan; if that fails, nothing was.
func (c *coins) act(who int, came uint64, p *plan) bool {
	before := c.clone()
	c.held[who] += came
	c.log[who] = (c.log[who]*31 + p.Number + came) % 1_000_003
	for _, s := range p.Steps {
		if !c.step(who, &s) && !s.Catch {
			*c = before
			return false
		}
	}
	return true
}

func (c *coins) step(who int, s *step) bool {
	if s.Do == "raise" || c.held[who] < s.Amount {
		return false
	}
	c.held[who] -= s.Amount
	switch s.Do {
	case "pay":
		c.held[s.to] += s.Amount
	case "send":
		c.letters = append(c.letters, letter{who, s.to, s.Amount, s.Plan})
	case "call":
		if !c.act(s.to, s.Amount, s.Plan) {
			c.held[who] += s.Amount
			return false
		}
	}
	return true
}

// drawPlan makes a plan up. Amounts are near what there is, so that some cannot be paid.
func drawPlan(r *rand.Rand, addresses []account.Address, depth int) *plan {
	p := &plan{Number: r.Uint64N(1_000), Steps: []step{}}
	for range 1 + r.IntN(4) {
		s := step{Do: []string{"pay", "send", "call", "call", "raise"}[r.IntN(5)], Amount: r.Uint64N(600), Catch: r.IntN(2) == 0}
		if s.Do == "raise" && r.IntN(2) == 0 || depth == 0 && s.Do != "raise" {
			s.Do = "pay"
		}
		s.to = r.IntN(len(addresses))
		s.To = addresses[s.to].String()
		if s.Do == "send" || s.Do == "call" {
			s.Cycles = []uint64{0, 120_000, 400_000}[depth]
			s.Plan = drawPlan(r, addresses, depth-1)
		}
		p.Steps = append(p.Steps, s)
	}
	return p
}

// Random actors pay, send and call each other with coins, fail, and catch the failures of others. What each holds and noted after every block is what a
// model of maps says, which restores everything at every failure; and so is the order of the deliveries. Not a unit appears or vanishes: what the actors
// hold and what is under way is what was given to them.
//
// Spec: WP "Transactions and Message Passing"; sdk §7; README "Value".
func TestCoinsAgainstModel(t *testing.T) {
	failed := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		c := testkit.NewChain(t)
		by := c.Account("alice")
		m := coins{held: map[int]uint64{}, log: map[int]uint64{}}
		var addresses []account.Address
		given := uint64(0)
		for i := range 5 {
			addresses = append(addresses, by.Deploy(planner, nil))
			by.Fund(addresses[i], 1_000)
			m.held[i] = 1_000
			given += 1_000
		}
		for range 40 {
			round := m.letters
			m.letters = nil
			var want []block.Status
			note := func(ok bool) {
				if !ok {
					failed++
				}
				want = append(want, map[bool]block.Status{true: block.Success, false: block.Faulted}[ok])
			}
			for _, l := range round {
				ok := m.act(l.to, l.amount, l.plan)
				if !ok {
					m.held[l.from] += l.amount
				}
				note(ok)
			}
			p, who, amount := drawPlan(r, addresses, 2), r.IntN(5), uint64(r.IntN(3)*100)
			ok := m.act(who, amount, p)
			if ok {
				given += amount
			}
			note(ok)
			data, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			by.Do(&tx.Execute{To: addresses[who], Handler: []byte("start"), Payload: data, Amount: unit.Amount(amount)}, 4_000_000, testkit.ExecuteCells)
			checkCoins(t, c, &m, addresses, want, given, fmt.Sprintf("seed %d, block %d, plan %s", seed, c.Height(), data))
		}
	}
	if failed < 100 {
		t.Errorf("only %d turns failed", failed)
	}
}

// checkCoins compares the newest block with the model.
func checkCoins(t *testing.T, c *testkit.Chain, m *coins, addresses []account.Address, want []block.Status, given uint64, where string) {
	t.Helper()
	blocks := c.Blocks()
	var got []block.Status
	used := map[account.Address]unit.Cycles{}
	for _, x := range blocks[len(blocks)-1].Receipts {
		got = append(got, x.Status)
		if used[x.Target] += x.CyclesUsed; used[x.Target] >= params.Genesis().Limits.PerActorPerBlockCycles {
			t.Fatalf("%s: an actor used more than its share, and deliveries may be in another order", where)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %v, want %v\n%s", where, got, want, testkit.Describe(blocks[len(blocks)-1].Receipts[0]))
	}
	sum := uint64(0)
	for i, a := range addresses {
		note := "0"
		if raw := c.Storage(a, "log"); raw != nil {
			value, err := cbor.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			note = fmt.Sprint(value)
		}
		if held := uint64(c.Balance(a)); held != m.held[i] || note != fmt.Sprint(m.log[i]) {
			t.Fatalf("%s: actor %d holds %d and noted %s, want %d and %d", where, i, held, note, m.held[i], m.log[i])
		}
		sum += m.held[i]
	}
	for _, l := range m.letters {
		sum += l.amount
	}
	if sum != given {
		t.Fatalf("%s: %d, of %d given", where, sum, given)
	}
}
