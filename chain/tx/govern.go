package tx

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of governance. 104 to 107 are this implementation's, from the range that is reserved for governance.
// Spec: governance-staking B10; runner-marketplace §3.
const (
	OpUpdateSettlementConfig   = Opcode(System)<<8 | 40
	OpUpdateBasefeeConfig      = Opcode(System)<<8 | 44
	OpSubmitProposal           = Opcode(System)<<8 | 45
	OpCastVote                 = Opcode(System)<<8 | 46
	OpExecuteProposal          = Opcode(System)<<8 | 47
	OpDeployCode               = Opcode(System)<<8 | 51
	OpCouncilAct               = Opcode(System)<<8 | 104
	OpWithdrawProposal         = Opcode(System)<<8 | 105
	OpUpdateLaneFeeMultipliers = Opcode(System)<<8 | 89
	OpUpgradeSystemActor       = Opcode(System)<<8 | 106
	OpUpdateEntitlementConfig  = Opcode(System)<<8 | 107
)

// governed is the row of an instruction that only governance may send. It travels in the System lane, moves no value and costs the base of an unlisted
// instruction. body is nil where it is not built.
//
// Spec: WP §6.3, §17.2; governance-staking B10.
func governed(op Opcode, name string, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.Governance, Lane: params.LaneSystem, Privileged: true,
		Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: body,
	}
}

// anybody is the row of an instruction of governance that everybody may send: what it does is decided by votes and signatures. It pays for the bytes of the
// record it leaves beside the base of an unlisted instruction.
//
// Spec: WP §17.2, §17.4 (state write); governance-staking B10.
func anybody(op Opcode, name string, lane params.Lane, cells unit.Cells, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.Governance, Lane: lane, Intrinsic: Cost{params.IntrinsicSystemCycles, cells}, body: body,
	}
}

// The parameters of all chapters live at 0x09. Spec: WP §13.1.
var governRows = chapter(ChapterGovern,
	governed(OpUpdateSettlementConfig, "UpdateSettlementConfig", func() Instruction { return new(UpdateSettlementConfig) }),
	governed(OpUpdateBasefeeConfig, "UpdateBasefeeConfig", func() Instruction { return new(UpdateBasefeeConfig) }),
	anybody(OpSubmitProposal, "SubmitProposal", params.LaneUser, 256, func() Instruction { return new(SubmitProposal) }),
	anybody(OpCastVote, "CastVote", params.LaneUser, 64, func() Instruction { return new(CastVote) }),
	anybody(OpExecuteProposal, "ExecuteProposal", params.LaneUser, 0, func() Instruction { return new(ExecuteProposal) }),
	Row{
		Opcode: OpDeployCode, Name: "DeployCode", Home: account.Governance, Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicDeployCycles}, body: func() Instruction { return new(DeployCode) },
	},
	governed(OpUpdateLaneFeeMultipliers, "UpdateLaneFeeMultipliers", func() Instruction { return new(UpdateLaneFeeMultipliers) }),
	anybody(OpCouncilAct, "CouncilAct", params.LaneSystem, 64, func() Instruction { return new(CouncilAct) }),
	anybody(OpWithdrawProposal, "WithdrawProposal", params.LaneUser, 0, func() Instruction { return new(WithdrawProposal) }),
	governed(OpUpgradeSystemActor, "UpgradeSystemActor", func() Instruction { return new(UpgradeSystemActor) }),
	governed(OpUpdateEntitlementConfig, "UpdateEntitlementConfig", func() Instruction { return new(UpdateEntitlementConfig) }),
)

// SubmitProposal opens a proposal: UInt tier ‖ hash(32) of title and description ‖ Bytes payload (≤ params.MaxProposalPayloadBytes), an encoded
// govern.Payload ‖ deposit(8, big-endian), the tier's exactly ‖ Bytes signatures of the council, 65 bytes each, for a fast-track.
// Spec: governance-staking B4, B6, B10 (45).
type SubmitProposal struct {
	Tier       uint64
	Title      digest.Hash
	Payload    []byte
	Deposit    unit.Amount // base units, moved to governance
	Signatures []byte
}

// Opcode implements Instruction.
func (*SubmitProposal) Opcode() Opcode { return OpSubmitProposal }

// Fields implements Instruction.
func (s *SubmitProposal) Fields(f *Form) {
	f.Uint("tier", &s.Tier)
	f.Hash("title", &s.Title)
	f.Bytes("payload", &s.Payload, params.MaxProposalPayloadBytes)
	f.Amount("deposit", &s.Deposit)
	f.Bytes("signatures", &s.Signatures, params.CouncilSeats*sig.SignatureSize)
}

// Value is the deposit.
func (s *SubmitProposal) Value() unit.Amount { return s.Deposit }

func (s *SubmitProposal) surcharge() Cost { return signed(s.Signatures, s.Payload) }

func (s *SubmitProposal) check() error { return whole(s.Signatures) }

// CastVote votes on a proposal, in its temperature check or its vote, or changes the sender's vote: UInt proposal ‖ UInt choice, 0 yes, 1 no, 2 abstain.
// Spec: governance-staking B5, B10 (46).
type CastVote struct{ Proposal, Choice uint64 }

// Opcode implements Instruction.
func (*CastVote) Opcode() Opcode { return OpCastVote }

// Fields implements Instruction.
func (c *CastVote) Fields(f *Form) {
	f.Uint("proposal", &c.Proposal)
	f.Uint("choice", &c.Choice)
}

func (c *CastVote) check() error {
	if c.Choice > 2 {
		return instructionErr(fmt.Errorf("choice %d: 0 is yes, 1 no, 2 abstain", c.Choice))
	}
	return nil
}

// ExecuteProposal applies a queued proposal whose timelock is over: UInt proposal.
// Spec: governance-staking B5, B10 (47).
type ExecuteProposal struct{ Proposal uint64 }

// Opcode implements Instruction.
func (*ExecuteProposal) Opcode() Opcode { return OpExecuteProposal }

// Fields implements Instruction.
func (e *ExecuteProposal) Fields(f *Form) { f.Uint("proposal", &e.Proposal) }

// surcharge is the calldata of the largest payload, which may become state.
func (*ExecuteProposal) surcharge() Cost {
	return Cost{Cells: params.MaxProposalPayloadBytes * params.CellsPerByteCalldata}
}

// WithdrawProposal ends a proposal of the sender's, whose deposit is burned: UInt proposal. The number is this implementation's.
// Spec: governance-staking B4 (deposit), B10 (103–107).
type WithdrawProposal struct{ Proposal uint64 }

// Opcode implements Instruction.
func (*WithdrawProposal) Opcode() Opcode { return OpWithdrawProposal }

// Fields implements Instruction.
func (w *WithdrawProposal) Fields(f *Form) { f.Uint("proposal", &w.Proposal) }

// CouncilAct is an act of the Security Council, sent by anybody: UInt act, 0 cancel a proposal, 1 pause a system actor ‖ UInt proposal, 0 for a pause ‖
// target(20), zero for a cancellation ‖ UInt nonce, the council's next ‖ Bytes signatures, 65 bytes each. The number is this implementation's.
// Spec: governance-staking B2, B7, B10 (103–107).
type CouncilAct struct {
	Act        uint64
	Proposal   uint64
	Actor      account.Address
	Nonce      uint64
	Signatures []byte
}

// The acts of a CouncilAct.
const (
	ActCancel uint64 = iota
	ActPause
)

// Opcode implements Instruction.
func (*CouncilAct) Opcode() Opcode { return OpCouncilAct }

// Fields implements Instruction.
func (c *CouncilAct) Fields(f *Form) {
	f.Uint("act", &c.Act)
	f.Uint("proposal", &c.Proposal)
	f.Address("actor", &c.Actor)
	f.Uint("council_nonce", &c.Nonce)
	f.Bytes("signatures", &c.Signatures, params.CouncilSeats*sig.SignatureSize)
}

func (c *CouncilAct) surcharge() Cost { return signed(c.Signatures) }

func (c *CouncilAct) check() error {
	switch {
	case c.Act > ActPause:
		return instructionErr(fmt.Errorf("act %d: 0 cancels a proposal, 1 pauses a system actor", c.Act))
	case c.Act == ActPause && c.Proposal != 0, c.Act == ActCancel && c.Actor != account.Address{}:
		return instructionErr(errors.New("a cancellation names a proposal, a pause an actor"))
	}
	return whole(c.Signatures)
}

// signed is what signatures of the council cost beside their bytes and those of the parts: the check of each.
// Spec: WP §17.3 (secp256k1).
func signed(signatures []byte, parts ...[]byte) Cost {
	cost := Cost{unit.Cycles(len(signatures)/sig.SignatureSize) * params.CostVerifySecp256k1, calldata(signatures)}
	cost.Cells += calldata(parts...)
	return cost
}

func whole(signatures []byte) error {
	if len(signatures)%sig.SignatureSize != 0 {
		return instructionErr(fmt.Errorf("signatures have %d bytes each", sig.SignatureSize))
	}
	return nil
}

// Signatures are the single ones of what an instruction of governance carries.
func Signatures(joined []byte) []sig.Signature {
	list := make([]sig.Signature, len(joined)/sig.SignatureSize)
	for i := range list {
		copy(list[i][:], joined[i*sig.SignatureSize:])
	}
	return list
}

// UpdateBasefeeConfig replaces the basefee parameters from the next block on.
// Spec: governance-staking B10 (44); WP §13.1, §17.8.
type UpdateBasefeeConfig struct{ Config params.BasefeeConfig }

// Opcode implements Instruction.
func (*UpdateBasefeeConfig) Opcode() Opcode { return OpUpdateBasefeeConfig }

// Fields implements Instruction.
func (u *UpdateBasefeeConfig) Fields(f *Form) {
	group(f, "config", &u.Config, params.ReadBasefeeConfig)
}

func (u *UpdateBasefeeConfig) check() error { return instructionErr(u.Config.Validate()) }

// UpdateLaneFeeMultipliers replaces the four lane multipliers from the next block
// on. Spec: governance-staking B10 (89); WP §6.3, §13.1.
type UpdateLaneFeeMultipliers struct{ Multipliers params.LaneMultipliers }

// Opcode implements Instruction.
func (*UpdateLaneFeeMultipliers) Opcode() Opcode { return OpUpdateLaneFeeMultipliers }

// Fields implements Instruction.
func (u *UpdateLaneFeeMultipliers) Fields(f *Form) {
	group(f, "multipliers", &u.Multipliers, params.ReadLaneMultipliers)
}

func (u *UpdateLaneFeeMultipliers) check() error { return instructionErr(u.Multipliers.Validate()) }

// UpdateEntitlementConfig replaces what the registry of entitlements is about to lose or has lost, from the next block on.
// Spec: ENT §9.11; governance-staking B10.
type UpdateEntitlementConfig struct{ Config params.EntitlementConfig }

// Opcode implements Instruction.
func (*UpdateEntitlementConfig) Opcode() Opcode { return OpUpdateEntitlementConfig }

// Fields implements Instruction.
func (u *UpdateEntitlementConfig) Fields(f *Form) {
	group(f, "config", &u.Config, params.ReadEntitlementConfig)
}

func (u *UpdateEntitlementConfig) check() error { return instructionErr(u.Config.Validate()) }
