package tx

import (
	"testing"

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
		&UpdateReputationConfig{Config: params.Genesis().Reputation}, &UpdateSlashDistribution{Config: params.Genesis().SlashDistribution},
	}
}

// A registration pays for a point of the curve, for its calldata and once more for what of it is written, and for its record; a departure for its payout.
//
// Spec: WP §17.2, §17.4; runner-marketplace §13.
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
	} {
		t.Run(name, func(t *testing.T) {
			if got := CostOf(c.in); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}
