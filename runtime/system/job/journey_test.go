package job_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// town is a chain with a runner that may register.
type town struct {
	*testkit.Chain
	t     *testing.T
	ann   *testkit.Account
	admin *testkit.Account
}

func newTown(t *testing.T) *town {
	c := testkit.NewChain(t)
	w := &town{Chain: c, t: t, ann: c.Account("ann"), admin: c.Impersonate(genesis.DevFaucet().Address())}
	c.SetBalance(w.ann.Address(), 100_000*unit.CBY)
	return w
}

func (w *town) do(by *testkit.Account, in tx.Instruction) *block.Receipt {
	w.t.Helper()
	r := by.Do(in, 100_000, 5_000)
	if err := transition.CheckSupply(w.State()); err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *town) must(by *testkit.Account, in tx.Instruction) {
	w.t.Helper()
	if r := w.do(by, in); r.Status != block.Success {
		w.t.Fatalf("%+v", r.Fault)
	}
}

func (w *town) refused(by *testkit.Account, in tx.Instruction, code uint16) {
	w.t.Helper()
	if r := w.do(by, in); r.Status != block.Faulted || r.Fault.Code != code {
		w.t.Fatalf("%v %+v, want fault %d", r.Status, r.Fault, code)
	}
}

func (w *town) registration(stake, value unit.Amount) *tx.RunnerRegister {
	return &tx.RunnerRegister{
		PublicKey: w.ann.PublicKey(), Stake: stake, RateCard: runner.RateCard{MaxJobValue: value},
		Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 1},
	}
}

// A runner comes, is refused what it may not, leaves and has its stake back to the base unit; in every block all coins are accounted for.
//
// Spec: WP §5.2, §9; runner-marketplace §2.5, §3, §7, §12.
func TestJourney(t *testing.T) {
	const floor = params.RunnerStakeFloor
	w := newTown(t)
	w.refused(w.ann, &tx.Heartbeat{Accepting: true}, job.FaultUnknown)
	w.refused(w.ann, w.registration(floor-1, 0), job.FaultStake)
	stranger := w.registration(floor, 0)
	stranger.PublicKey = w.Account("bob").PublicKey()
	w.refused(w.ann, stranger, job.FaultKey)
	long := w.registration(floor, 0)
	for c := byte('!'); c < '!'+65; c++ {
		name := make([]byte, 256)
		for i := range name {
			name[i] = c
		}
		long.Capabilities.HTTPDomains = append(long.Capabilities.HTTPDomains, runner.Name{Name: string(name)})
	}
	if r := w.ann.Do(long, 100_000, 100_000); r.Status != block.Faulted || r.Fault.Code != job.FaultDeclaration {
		t.Fatalf("%+v", r.Fault)
	}

	w.must(w.ann, w.registration(floor, 0))
	home := account.System(account.RunnerRegistry)
	if got := w.Balance(home); got != floor {
		t.Errorf("the registry holds %d", got)
	}
	w.refused(w.ann, &tx.UpdateRateCard{}, job.FaultCooldown)
	w.must(w.ann, &tx.Heartbeat{})
	w.must(w.ann, &tx.Heartbeat{Accepting: true})
	w.must(w.ann, w.registration(5, 0))
	count := func(topic string) int { return len(w.Events(home, topic)) }
	if count(runner.TopicRegistered) != 1 || count(runner.TopicUpdated) != 1 || count(runner.TopicHealth) != 2 {
		t.Errorf("events: %d, %d, %d", count(runner.TopicRegistered), count(runner.TopicUpdated), count(runner.TopicHealth))
	}

	w.must(w.ann, &tx.Deregister{})
	left := w.Height()
	w.refused(w.ann, &tx.Heartbeat{Accepting: true}, job.FaultLeaving)
	w.AdvanceTo(left + params.RunnerUnbondingBlocks - 1)
	had := w.Balance(w.ann.Address())
	if w.Balance(home) != floor+5 {
		t.Error("it was paid out too soon")
	}
	w.Mine()
	if paid := w.Balance(w.ann.Address()) - had; paid != floor+5 || w.Balance(home) != 0 || len(w.Events(home, runner.TopicReleased)) != 1 {
		t.Errorf("it was paid %d", paid)
	}
	w.refused(w.ann, &tx.Deregister{}, job.FaultUnknown)
}

// Governance changes how reputation moves and who has what of a slash; nobody else does.
//
// Spec: runner-marketplace §3 (94, 96), §7, §8; WP §13.1.
func TestSettings(t *testing.T) {
	w := newTown(t)
	w.must(w.admin, &tx.UpdateReputationConfig{Config: params.ReputationConfig{HalfLifeBlocks: 7, AggregatorPercentile: 40}})
	w.must(w.admin, &tx.UpdateSlashDistribution{Config: params.SlashSplit{BurnBPS: 5_000, SubmitterBPS: 3_000, TreasuryBPS: 2_000}})
	p, err := params.Load(w.State())
	if err != nil || p.Reputation.HalfLifeBlocks != 7 || p.Reputation.AggregatorPercentile != 40 || p.SlashDistribution.TreasuryBPS != 2_000 {
		t.Errorf("%+v %+v %v", p.Reputation, p.SlashDistribution, err)
	}
	nine := account.System(account.Governance)
	if len(w.Events(nine, job.TopicReputation)) != 1 || len(w.Events(nine, job.TopicSlashDistribution)) != 1 {
		t.Error("the changes were not announced")
	}
}
