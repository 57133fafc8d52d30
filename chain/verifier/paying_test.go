package verifier

import (
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// crowds puts as many tranches behind each runner as may earn: of 200 delegators eight each, of 1,000 CBY.
func (w *world) crowds() (tranches int) {
	w.t.Helper()
	w.overlay.Set(params.StateKey(runner.KeyDelegation), runner.DelegationFrom(1))
	list, err := runner.List(w.overlay, nil, 0)
	w.must(err)
	for _, r := range list {
		w.fund(runner.Home(), 200_000*cby) // so that delegators' stake counts beside the runner's own
		w.must(w.Registry.Register(r.Address, runner.Terms{
			Key: w.keys[r.Address].Compressed(), Stake: 200_000 * cby, Card: runner.RateCard{LLMOutputToken: cby / 100, MaxJobValue: 100 * cby},
			Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 30},
		}))
		w.must(w.Registry.SetDelegation(r.Address, runner.DelegationTerms{Accept: true, CommissionBPS: 1_000, MinDelegation: params.DelegationMinimum}))
		for d := range params.DelegatorsPerRunner {
			for range params.DelegationActiveTranches {
				w.fund(runner.Home(), params.DelegationMinimum)
				_, err := w.Registry.Delegate(account.Address{0xdd, byte(d >> 8), byte(d)}, r.Address, params.DelegationMinimum)
				w.must(err)
			}
		}
	}
	return params.DelegatorsPerRunner * params.DelegationActiveTranches
}

// upheld has a challenge be right of every job: those that are paid for in part, of which there is one, are paid for to the end; one that is not paid for at
// all would be given back, and is left out.
func (w *world) upheld(ids []digest.Hash) {
	w.t.Helper()
	partly := 0
	for _, id := range ids {
		t, err := w.Open(id)
		w.must(err)
		if full := t.Spec.MaxPrice + t.Spec.Tip; t.Job.Escrow == full || t.Job.Status != market.Challengeable {
			continue
		}
		partly++
		result, err := market.LoadResult(w.overlay, id)
		w.must(err)
		w.must(w.Upheld(t, result, result.Agreed[8]))
		w.is(id, market.Challengeable)
	}
	if partly != 1 {
		w.t.Errorf("%d jobs are paid for in part", partly)
	}
}

// Whoever has jobs done by nine runners with 1,600 tranches behind each, all due in one block, costs that block no more than 16,384 tranches and those of one
// runner. All is paid to the base unit in the blocks that follow, each runner once, and a job of somebody else that is due in between does not wait.
//
// Spec: runner-marketplace §5.2, §7; governance-staking C4; WP §17.1 (work is bounded).
func TestSettlementsAreBounded(t *testing.T) {
	w := newWorld(t, 9)
	each := w.crowds()
	const jobs = 3
	nine := func(s *job.Spec) { s.Verification.Runners, s.Verification.Threshold = 9, 9 }
	var ids []digest.Hash
	due, took := w.Height+150, unit.Height(0)
	for range jobs { // a runner on probation has one job at a time; the windows end together
		begun := w.Height
		id, who := w.assigned(ask(job.ModeStructuredMatch, nine, once, func(s *job.Spec) { s.Verification.DisputeBlocks = uint64(due - begun - took) }))
		for _, one := range who {
			w.commits(id, one, gave("because", 100))
		}
		for _, one := range who {
			w.reveals(id, one, gave("because", 100))
		}
		if took == 0 {
			took = w.Height - begun
			due += took
		}
		w.end()
		w.is(id, market.Challengeable)
		ids = append(ids, id)
	}
	before := w.books(nil)
	w.until(due - 10)
	other, _ := w.assigned(ask(job.ModeNone, once, func(s *job.Spec) { s.TimeoutBlocks = 10 }))
	w.until(due)
	var paid []int // how many runners were, in each block
	for sum := 0; sum < jobs*9 && len(paid) < 10; sum += paid[len(paid)-1] {
		w.events = nil
		w.end()
		if w.Registry.Looked >= market.TranchesPerBlock+each {
			t.Fatalf("%d tranches in a block", w.Registry.Looked)
		}
		now := 0
		for _, e := range w.events {
			if strings.HasPrefix(e, TopicPaid) {
				now++
			}
		}
		if paid = append(paid, now); len(paid) == 1 {
			w.is(other, market.Failed)
			w.upheld(ids)
		}
	}
	// 16,384 tranches are those of ten runners and a quarter: eleven are paid in a block.
	if !slices.Equal(paid, []int{11, 11, 5}) {
		t.Errorf("%v", paid)
	}
	for _, id := range ids {
		w.is(id, market.Completed)
	}
	before.went(jobs*100_000_000, jobs*10_000_000)
}
