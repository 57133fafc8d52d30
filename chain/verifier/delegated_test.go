package verifier

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// delegators have 10,000 and 5,000 CBY behind each runner of a world, of which each has 20,000 of its own and a commission of a tenth.
func (w *world) delegators() (one, two account.Address) {
	w.t.Helper()
	one, two = account.Address{0xd1}, account.Address{0xd2}
	w.overlay.Set(params.StateKey(runner.KeyDelegation), runner.DelegationFrom(1))
	list, err := runner.List(w.overlay, nil, 0)
	w.must(err)
	for _, r := range list {
		w.must(w.Registry.SetDelegation(r.Address, runner.DelegationTerms{Accept: true, CommissionBPS: 1_000, MinDelegation: 1_000 * cby}))
		for i, amount := range [...]unit.Amount{10_000 * cby, 5_000 * cby} {
			w.fund(runner.Home(), amount)
			_, err := w.Registry.Delegate([...]account.Address{one, two}[i], r.Address, amount)
			w.must(err)
		}
	}
	return one, two
}

// A job of 10 CBY and a tip of 1, whose 100 tokens cost 1 CBY: of 0.89 CBY 0.015 are the bonus of the aggregator, and 1.875 CBY, the rest and the tip, are what
// the runner's side earned. Of that 15/35 is the pool, 803,571,428 base units; 90 % of it, 723,214,285, go to the delegators: two thirds and one third, and the
// unit that is left to the tranche with the lowest number. Without delegated stake all 1.89 CBY are the runner's.
//
// Spec: governance-staking C4, C5 (JobSettled); runner-marketplace §5.2.
func TestDelegatorsArePaid(t *testing.T) {
	for name, c := range map[string]struct {
		delegated        bool
		runner, one, two unit.Amount
	}{
		"off": {false, 1_890_000_000, 0, 0},
		"on":  {true, 15_000_000 + 1_151_785_715, 482_142_857, 241_071_428},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			one, two := account.Address{0xd1}, account.Address{0xd2}
			if c.delegated {
				w.delegators()
			}
			settled := 0
			w.Registry.Emit = func(topic string, _ []byte) {
				if topic == runner.TopicSettled {
					settled++
				}
			}
			id, who := w.assigned(ask(job.ModeNone))
			b := w.books([]account.Address{who[0], one, two})
			w.answers(id, who, gave("because", 100))
			if j := w.settled(id); j.Status != market.Completed {
				t.Fatalf("%+v", j)
			}
			b.grew(who[0], c.runner)
			b.grew(one, c.one)
			b.grew(two, c.two)
			b.grew(submitter, 9*cby)
			b.went(100_000_000, 10_000_000)
			if settled == 1 != c.delegated {
				t.Errorf("%d settlements were told", settled)
			}
		})
	}
}

// What the chain took of a runner whose submitter is at fault is given back to the runner alone.
//
// Spec: governance-staking C4; runner-marketplace §5.2 (actor fault).
func TestRecoveredFeesAreTheRunners(t *testing.T) {
	w := newWorld(t, 1)
	one, two := w.delegators()
	id, who := w.assigned(ask(job.ModeNone))
	b := w.books([]account.Address{who[0], one, two})
	w.answers(id, who, &verify.Output{Outcome: verify.ActorFault})
	w.settled(id)
	fee, err := unit.Cycles(2*params.IntrinsicSystemCycles + params.CostVerifySecp256k1).Price(10_000)
	w.must(err)
	b.grew(who[0], fee)
	b.grew(one, 0)
	b.grew(two, 0)
}
