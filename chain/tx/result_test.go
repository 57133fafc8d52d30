package tx

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// resultSamples has one instruction of every built opcode about results.
func resultSamples() []Instruction {
	return []Instruction{
		&JobResultCommit{JobID: digest.Hash{1}, Commitment: digest.Hash{2}},
		&JobResultSubmit{
			JobID: digest.Hash{1}, Runner: account.Address{3}, Output: (&verify.Output{Data: []byte("42")}).Append(nil), Salt: digest.Hash{4},
			Proof: sig.Signature{5},
		},
		&SubmitCrashAttestation{JobID: digest.Hash{1}, Signal: uint64(verify.OtherCrash)},
		&UpdateAggregatorConfig{Config: params.Genesis().Aggregator}, &UpdateNonRevealConfig{Config: params.Genesis().NonReveal},
		&UpdateSimilarityModel{Model: []byte("sentence-transformers/all-mpnet-base-v2")},
	}
}

// A commitment pays for its calldata of two hashes and for a record; a reveal for a check of a signature, for its calldata twice, since it is kept, and for
// each byte that is judged.
//
// Spec: WP §17.2, §17.4; runner-marketplace §13.
func TestCostsOfResults(t *testing.T) {
	const fixed = 32 + 20 + 32 + 65 // job_id, runner, salt, proof
	for name, c := range map[string]struct {
		in   Instruction
		want Cost
	}{
		"commit":       {&JobResultCommit{}, Cost{21_000, 96}},
		"reveal":       {&JobResultSubmit{Output: make([]byte, 100)}, Cost{31_000 + 4_000, 2 * (fixed + 1 + 100)}},
		"large reveal": {&JobResultSubmit{Output: make([]byte, 200)}, Cost{31_000 + 8_000, 2 * (fixed + 2 + 200)}},
		"crash":        {&SubmitCrashAttestation{}, Cost{21_000, 96}},
		"model":        {&UpdateSimilarityModel{Model: []byte("abc")}, Cost{21_000, 6}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CostOf(c.in); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// Spec: WP §5.4 (64 KiB); runner-marketplace §8.1, §12.
func TestResultsOutsideTheirBoundsAreRefused(t *testing.T) {
	for name, in := range map[string]interface{ check() error }{
		"no output":              &JobResultSubmit{Output: []byte{1}},
		"an output of n+1 bytes": &JobResultSubmit{Output: (&verify.Output{Data: make([]byte, verify.MaxOutputBytes)}).Append(nil)},
		"a signal nobody knows":  &SubmitCrashAttestation{Signal: 5},
		"a bonus above all":      &UpdateAggregatorConfig{Config: params.AggregatorConfig{BonusBPS: 10_001}},
		"a slash above all":      &UpdateNonRevealConfig{Config: params.NonRevealConfig{SlashBPS: 10_001}},
	} {
		t.Run(name, func(t *testing.T) {
			if in.check() == nil {
				t.Error("taken")
			}
		})
	}
	for name, in := range map[string]interface{ check() error }{
		"the last signal": &SubmitCrashAttestation{Signal: 4},
		"all as bonus":    &UpdateAggregatorConfig{Config: params.AggregatorConfig{BonusBPS: 10_000}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := in.check(); err != nil {
				t.Error(err)
			}
		})
	}
}
