package job_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/model"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const cby = unit.CBY

// enact has governance set a parameter by a proposal of a tier.
func (w *town) enact(tier, id uint64, key string, value []byte) {
	w.t.Helper()
	set, _, err := genesis.DevValidators(1)
	if err != nil {
		w.t.Fatal(err)
	}
	rich, validator := w.admin, w.Impersonate(set[0].Account.Address())
	do := func(by *testkit.Account, in tx.Instruction) {
		w.t.Helper()
		if r := by.Do(in, 500_000, 100_000); r.Status != block.Success {
			w.t.Fatalf("%+v", r.Fault)
		}
	}
	do(rich, &tx.SubmitProposal{
		Tier: tier, Title: digest.Hash{1}, Payload: govern.EncodePayload(&govern.ParamUpdate{Key: key, Value: value}),
		Deposit: params.Genesis().Governance.Tiers[tier].Deposit,
	})
	for {
		p, err := govern.Load(w.State(), id)
		if err != nil {
			w.t.Fatal(err)
		}
		if p.Status >= govern.Queued {
			w.AdvanceTo(p.ExecutableAt)
			break
		}
		do(validator, &tx.CastVote{Proposal: id})
		w.AdvanceTo(p.Deadline)
	}
	do(rich, &tx.ExecuteProposal{Proposal: id})
}

// Delegation is off until governance switches it on; then stake goes behind a runner, is added to, taken back in parts and held, and all of it unbonds when the
// runner leaves. In every block all coins are accounted for.
//
// Spec: governance-staking part C; runner-marketplace §10.
func TestDelegationJourney(t *testing.T) {
	w := newTown(t)
	home := account.System(account.RunnerRegistry)
	bob := w.Account("bob")
	w.SetBalance(bob.Address(), 100_000*cby)
	terms := &tx.RunnerUpdateDelegationConfig{Config: runner.DelegationTerms{Accept: true, CommissionBPS: 1_000, MinDelegation: 1_000 * cby}}
	delegate := func(amount unit.Amount) *tx.RunnerDelegateStake {
		return &tx.RunnerDelegateStake{Runner: w.ann.Address(), Amount: amount}
	}

	w.must(w.ann, w.registration(10_000*cby, 0))
	w.refused(w.ann, terms, job.FaultDelegation)
	w.refused(bob, delegate(1_000*cby), job.FaultDelegation)
	w.enact(3, 1, runner.KeyDelegation, runner.DelegationFrom(1))
	w.refused(bob, delegate(1_000*cby), job.FaultDelegation)
	w.must(w.ann, terms)
	w.refused(w.ann, terms, job.FaultCooldown)

	w.refused(bob, delegate(1_000*cby-1), job.FaultAmount)
	w.refused(bob, delegate(90_000*cby+1), job.FaultSelfBond)
	w.must(bob, delegate(5_000*cby))
	if got := w.Balance(home); got != 15_000*cby {
		t.Errorf("the registry holds %d", got)
	}
	w.must(bob, &tx.RunnerIncreaseDelegation{Tranche: 1, Amount: 500 * cby})
	w.refused(bob, &tx.RunnerIncreaseDelegation{Tranche: 2, Amount: 1}, job.FaultTranche)
	w.refused(bob, &tx.RunnerUndelegateStake{Runner: w.ann.Address(), Amount: 4_501 * cby}, job.FaultAmount)
	w.must(bob, &tx.RunnerUndelegateStake{Runner: w.ann.Address(), Amount: 4_500 * cby})
	w.refused(bob, &tx.RunnerClaimUnbonded{Tranches: []tx.TrancheID{{ID: 2}}}, job.FaultTranche)
	for range 7 {
		w.must(bob, delegate(1_000*cby))
	}
	w.refused(bob, delegate(1_000*cby), job.FaultFull)

	r, _, err := runner.Load(w.State(), w.ann.Address())
	if err != nil || r.Delegated != 8_000*cby || r.Effective() != 18_000*cby {
		t.Errorf("%+v %v", r, err)
	}
	w.AdvanceTo(w.Height() + params.CommitteeEpochBlocks)
	w.refused(w.ann, w.registration(0, 12_000*cby+1), job.FaultStake) // 18,000 / 1.5
	w.must(w.ann, w.registration(0, 12_000*cby))

	receipt := w.do(w.ann, &tx.Deregister{})
	if receipt.Status != block.Success || receipt.CyclesUsed != 21_000+1_000+5_000+8*5_000 { // one ability, and nine tranches
		t.Errorf("%v, %d cycles", receipt.Status, receipt.CyclesUsed)
	}
	list, err := runner.Unbonding(w.State(), nil, 0)
	if err != nil || len(list) != 9 {
		t.Errorf("%d tranches unbond, %v", len(list), err)
	}
	w.AdvanceTo(w.Height() + params.RunnerUnbondingBlocks)
	if got := w.Balance(home); got != 12_500*cby {
		t.Errorf("the registry holds %d", got)
	}
	for topic, want := range map[string]int{
		runner.TopicTerms: 1, runner.TopicDelegated: 8, runner.TopicIncreased: 1, runner.TopicUndelegated: 9, runner.TopicReleased: 1,
	} {
		t.Run(topic, func(t *testing.T) {
			if got := len(w.Events(home, topic)); got != want {
				t.Errorf("%d events, want %d", got, want)
			}
		})
	}
}

// Each tranche that unbonds costs 5,000 cycles, and each that is claimed 3,000, whether or not it can be.
//
// Spec: governance-staking C3 (122, 123).
func TestPricesOfTranches(t *testing.T) {
	w := newTown(t)
	bob := w.Account("bob")
	w.SetBalance(bob.Address(), 100_000*cby)
	w.must(w.ann, w.registration(50_000*cby, 0))
	w.enact(3, 1, runner.KeyDelegation, runner.DelegationFrom(1))
	w.must(w.ann, &tx.RunnerUpdateDelegationConfig{Config: runner.DelegationTerms{Accept: true, CommissionBPS: 500, MinDelegation: 1_000 * cby}})
	for range 8 {
		w.must(bob, &tx.RunnerDelegateStake{Runner: w.ann.Address(), Amount: 2_000 * cby})
	}
	for _, c := range []struct {
		name          string
		in            tx.Instruction
		cycles, cells uint64
	}{
		{"a part", &tx.RunnerUndelegateStake{Runner: w.ann.Address(), Amount: 1}, 25_000, 128},
		{"the rest", &tx.RunnerUndelegateStake{Runner: w.ann.Address(), Amount: 2_000*cby - 1}, 25_000, 128},
		{"seven", &tx.RunnerUndelegateStake{Runner: w.ann.Address(), Amount: 14_000 * cby}, 55_000, 7 * 128},
		{"a refused claim of two", &tx.RunnerClaimUnbonded{Tranches: []tx.TrancheID{{ID: 1}, {ID: 2}}}, 16_000, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r := w.do(bob, c.in); uint64(r.CyclesUsed) != c.cycles || uint64(r.CellsUsed) != c.cells {
				t.Errorf("%d cycles, %d cells; want %d and %d", r.CyclesUsed, r.CellsUsed, c.cycles, c.cells)
			}
		})
	}
}

// A model is published for a deposit, flagged and banned by governance, and withdrawn; the mark stays.
//
// Spec: WP §5.1; governance-staking B9 (model flags).
func TestModelJourney(t *testing.T) {
	w := newTown(t)
	home := account.System(account.RunnerRegistry)
	in := &tx.ModelPublish{Weights: digest.Hash{1}, Arch: digest.Hash{2}, Tokenizer: digest.Hash{3}, License: digest.Hash{4}}
	id := in.Revision().ID()
	before := w.Balance(w.ann.Address())
	r := w.do(w.ann, in)
	if r.Status != block.Success || string(r.ReturnData) != string(id[:]) || w.Balance(home) != 1_000*cby {
		t.Fatalf("%+v, the registry holds %d", r.Fault, w.Balance(home))
	}
	if paid := before - w.Balance(w.ann.Address()); paid < 1_000*cby || paid > 1_001*cby {
		t.Errorf("it paid %d", paid)
	}
	w.refused(w.ann, in, job.FaultModel)
	w.refused(w.admin, &tx.ModelWithdraw{Model: id}, job.FaultModel)

	w.must(w.admin, &tx.ModelMark{Model: id, Mark: uint64(model.Flagged)})
	if err := model.Choose(w.State(), id); err != nil {
		t.Errorf("a flagged one: %v", err)
	}
	w.must(w.admin, &tx.ModelMark{Model: id, Mark: uint64(model.Banned)})
	w.must(w.ann, &tx.ModelWithdraw{Model: id})
	if err := model.Choose(w.State(), id); err != model.ErrBanned || w.Balance(home) != 0 {
		t.Errorf("a banned one: %v; the registry holds %d", err, w.Balance(home))
	}
	w.refused(w.ann, &tx.ModelWithdraw{Model: id}, job.FaultModel)
	w.enact(1, 1, model.KeyMarks, model.Marks{{ID: digest.Hash{9}, Mark: model.Banned}}.Encode())
	if model.Choose(w.State(), id) != nil || model.Choose(w.State(), digest.Hash{9}) != model.ErrBanned {
		t.Error("the proposal replaced the marks, and they are not what it says")
	}
	if n := len(w.Events(home, model.TopicPublished)); n != 1 {
		t.Errorf("%d events", n)
	}
}
