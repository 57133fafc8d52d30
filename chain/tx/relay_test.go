package tx

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// relaySamples has one instruction of every built opcode about relays.
func relaySamples() []Instruction {
	return []Instruction{
		&SubmitDrainRelayProposal{Description: digest.Hash{1}, VotingBlocks: 5, Node: digest.Hash{2}},
		&SubmitAutoDrainPolicyProposal{
			Description: digest.Hash{1}, VotingBlocks: 1_000_000, Enabled: true, HighWaterBPS: 9_000, OverEpochs: 3, StaleEpochs: 2, StaleMs: 600_000,
			MinStake: 5, BondBase: 6, BondPerGiB: 7, WindowMs: 8,
		},
	}
}

// A vote lasts 5 to 1,000,000 blocks.
//
// Spec: storage-cbfs §3.2 (85, 86).
func TestVotesOnRelays(t *testing.T) {
	for blocks, ok := range map[uint64]bool{4: false, 5: true, 1_000_000: true, 1_000_001: false} {
		t.Run(string(rune('a'+blocks%26)), func(t *testing.T) {
			for _, err := range []error{
				(&SubmitDrainRelayProposal{VotingBlocks: blocks}).check(), (&SubmitAutoDrainPolicyProposal{VotingBlocks: blocks}).check(),
			} {
				if (err == nil) != ok {
					t.Errorf("%d blocks: %v", blocks, err)
				}
			}
		})
	}
}
