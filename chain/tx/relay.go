package tx

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of proposals about relays.
//
// Spec: storage-cbfs §3.2; runner-marketplace §3.
const (
	OpSubmitDrainRelayProposal      = Opcode(System)<<8 | 85
	OpSubmitAutoDrainPolicyProposal = Opcode(System)<<8 | 86
)

// How long the vote on a proposal about relays may last, in blocks.
//
// Spec: storage-cbfs §3.2.
const (
	minVotingBlocks = 5
	maxVotingBlocks = 1_000_000
)

// proposed is the row of a proposal about relays, which costs what other proposals cost.
func proposed(op Opcode, name string, body func() Instruction) Row {
	return Row{Opcode: op, Name: name, Home: account.RelayRegistry, Lane: params.LaneUser, Intrinsic: Cost{params.IntrinsicSystemCycles, 256}, body: body}
}

// Spec: storage-cbfs; runner-marketplace §3; WP §9.
var relayRows = chapter(ChapterRelay,
	proposed(OpSubmitDrainRelayProposal, "SubmitDrainRelayProposal", func() Instruction { return new(SubmitDrainRelayProposal) }),
	proposed(OpSubmitAutoDrainPolicyProposal, "SubmitAutoDrainPolicyProposal", func() Instruction { return new(SubmitAutoDrainPolicyProposal) }),
)

// SubmitDrainRelayProposal proposes that a relay drains: description_hash(32) ‖ UInt voting_blocks ‖ node_id(32). The tier's deposit is taken from the sender.
//
// Spec: storage-cbfs §3.2 (85).
type SubmitDrainRelayProposal struct {
	Description  digest.Hash
	VotingBlocks uint64
	Node         digest.Hash
}

// Opcode implements Instruction.
func (*SubmitDrainRelayProposal) Opcode() Opcode { return OpSubmitDrainRelayProposal }

// Fields implements Instruction.
func (s *SubmitDrainRelayProposal) Fields(f *Form) {
	f.Hash("description_hash", &s.Description)
	f.Uint("voting_blocks", &s.VotingBlocks)
	f.Hash("node_id", &s.Node)
}

func (s *SubmitDrainRelayProposal) check() error { return checkVoting(s.VotingBlocks) }

// SubmitAutoDrainPolicyProposal proposes when relays drain by themselves: description_hash(32) ‖ UInt voting_blocks ‖ Bool enabled ‖ UInt
// high_water_mark_bps ‖ UInt over_capacity_epochs ‖ UInt stale_heartbeat_epochs ‖ UInt heartbeat_stale_ms ‖ min_active_stake(8) ‖ drain_bond_base(8) ‖
// drain_bond_per_gib(8) ‖ UInt drain_window_ms. The tier's deposit is taken from the sender.
//
// Spec: storage-cbfs §3.2 (86).
type SubmitAutoDrainPolicyProposal struct {
	Description                           digest.Hash
	VotingBlocks                          uint64
	Enabled                               bool
	HighWaterBPS, OverEpochs, StaleEpochs uint64
	StaleMs                               uint64
	MinStake, BondBase, BondPerGiB        unit.Amount
	WindowMs                              uint64
}

// Opcode implements Instruction.
func (*SubmitAutoDrainPolicyProposal) Opcode() Opcode { return OpSubmitAutoDrainPolicyProposal }

// Fields implements Instruction.
func (s *SubmitAutoDrainPolicyProposal) Fields(f *Form) {
	f.Hash("description_hash", &s.Description)
	f.Uint("voting_blocks", &s.VotingBlocks)
	f.Bool("enabled", &s.Enabled)
	f.Uint("high_water_mark_bps", &s.HighWaterBPS)
	f.Uint("over_capacity_epochs", &s.OverEpochs)
	f.Uint("stale_heartbeat_epochs", &s.StaleEpochs)
	f.Uint("heartbeat_stale_ms", &s.StaleMs)
	f.Amount("min_active_stake", &s.MinStake)
	f.Amount("drain_bond_base", &s.BondBase)
	f.Amount("drain_bond_per_gib", &s.BondPerGiB)
	f.Uint("drain_window_ms", &s.WindowMs)
}

func (s *SubmitAutoDrainPolicyProposal) check() error { return checkVoting(s.VotingBlocks) }

func checkVoting(blocks uint64) error {
	if blocks < minVotingBlocks || blocks > maxVotingBlocks {
		return instructionErr(fmt.Errorf("voting_blocks %d: a vote lasts %d to %d blocks", blocks, minVotingBlocks, maxVotingBlocks))
	}
	return nil
}
