package tx

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// runnerSamples has one instruction of every built opcode about runners.
func runnerSamples() []Instruction {
	return []Instruction{
		&RunnerRegister{
			PublicKey: sig.CompressedKey{2}, Stake: 10_000 * unit.CBY, Endpoint: []byte("quic://r:1"), MeasurementBinding: digest.Hash{3},
			RateCard: runner.RateCard{
				LLMInputToken: 1, MemoryMB: 300, MaxJobValue: 5, SupportedModels: []runner.Model{{ID: digest.Hash{1}}, {ID: digest.Hash{2}}},
			},
			Capabilities: runner.Capabilities{
				JobTypes: []runner.Name{{Name: "http"}, {Name: "llm"}}, TEESupport: "sev-snp", HTTPDomains: []runner.Name{{Name: "*"}}, MaxConcurrentJobs: 4,
			},
		},
		&UpdateRateCard{RateCard: runner.RateCard{CooldownBlocks: 7_200, SupportedMCPServers: []runner.Name{{Name: "search"}}}},
		&Heartbeat{Accepting: true}, &Heartbeat{}, &Deregister{},
		&RunnerUpdateDelegationConfig{Config: runner.DelegationTerms{Accept: true, CommissionBPS: 500, MaxDelegated: 1 << 50, MinDelegation: 1_000 * unit.CBY}},
		&RunnerDelegateStake{Runner: account.Address{4}, Amount: 1<<64 - 1}, &RunnerIncreaseDelegation{Tranche: 300, Amount: 1},
		&RunnerUndelegateStake{Runner: account.Address{4}, Amount: 7}, &RunnerClaimUnbonded{Tranches: []TrancheID{{1}, {300}}},
		&ModelPublish{Weights: digest.Hash{1}, Arch: digest.Hash{2}, Tokenizer: digest.Hash{3}, License: digest.Hash{4}},
		&ModelWithdraw{Model: digest.Hash{5}}, &ModelMark{Model: digest.Hash{6}, Mark: 2},
		&UpdateReputationConfig{Config: params.Genesis().Reputation}, &UpdateSlashDistribution{Config: params.Genesis().SlashDistribution},
	}
}

// A registration pays for a point of the curve, for its calldata and once more for what of it is written, and for its record; a departure for its payout.
//
// Spec: WP §17.2, §17.4; runner-marketplace §13; governance-staking C3.
func TestCostsOfRunners(t *testing.T) {
	const card, capabilities, binding, record = 11, 10, 32, 128 // bytes of the empty ones
	for name, c := range map[string]struct {
		in   Instruction
		want Cost
	}{
		"register":   {&RunnerRegister{Endpoint: []byte("abc")}, Cost{21_000 + 10_000, 2*(card+capabilities+3+binding) + record}},
		"rate card":  {&UpdateRateCard{}, Cost{21_000, card}},
		"heartbeat":  {&Heartbeat{}, Cost{21_000, 0}},
		"deregister": {&Deregister{}, Cost{21_000 + 5_000, 0}},

		"terms of delegation": {&RunnerUpdateDelegationConfig{}, Cost{15_000, 500}},
		"delegate":            {&RunnerDelegateStake{}, Cost{25_000, 2_000}},
		"increase":            {&RunnerIncreaseDelegation{}, Cost{20_000, 1_500}},
		"undelegate":          {&RunnerUndelegateStake{}, Cost{20_000, 0}}, // and 5,000 a tranche, which the registry counts
		"claim one":           {&RunnerClaimUnbonded{Tranches: make([]TrancheID, 1)}, Cost{13_000, 0}},
		"claim 32":            {&RunnerClaimUnbonded{Tranches: make([]TrancheID, 32)}, Cost{106_000, 0}},

		"publish a model":  {&ModelPublish{}, Cost{21_000, 256}},
		"withdraw a model": {&ModelWithdraw{}, Cost{21_000, 0}},
		"mark a model":     {&ModelMark{}, Cost{21_000, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CostOf(c.in); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// A claim has 1 to 32 numbers, strictly ascending.
//
// Spec: governance-staking C3 (123, CLAIM_MAX).
func TestClaims(t *testing.T) {
	upTo := func(n uint64) (list []TrancheID) {
		for i := range n {
			list = append(list, TrancheID{i})
		}
		return list
	}
	for name, c := range map[string]struct {
		list []TrancheID
		ok   bool
	}{
		"none": {nil, false}, "one": {upTo(1), true}, "31": {upTo(31), true}, "32": {upTo(32), true}, "33": {upTo(33), false},
		"twice the same": {[]TrancheID{{4}, {4}}, false}, "descending": {[]TrancheID{{5}, {4}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := checkInstruction(&RunnerClaimUnbonded{Tranches: c.list}); (err == nil) != c.ok {
				t.Error(err)
			}
		})
	}
	if _, err := DecodeInstruction(EncodeInstruction(&RunnerClaimUnbonded{Tranches: upTo(33)})); err == nil {
		t.Error("33 are read")
	}
}
