package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// The opcodes of rent. 101 is this implementation's.
// Spec: rent §11.
const (
	OpUpdateRentConfig = Opcode(System)<<8 | 90
	OpSettleActorRent  = Opcode(System)<<8 | 91
	OpSetActorQuota    = Opcode(System)<<8 | 92
	OpRestoreActor     = Opcode(System)<<8 | 93
	OpPayRent          = Opcode(System)<<8 | 101
)

// renting is the row of an instruction of rent that anybody may send.
func renting(op Opcode, name string, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.Governance, Lane: params.LaneUser, Intrinsic: Cost{params.IntrinsicSystemCycles, 0}, body: body,
	}
}

// Rent has no address of its own: 0x09 computes the dues.
//
// Spec: rent §6, §11.
var rentRows = chapter(ChapterRent,
	governed(OpUpdateRentConfig, "UpdateRentConfig", func() Instruction { return new(UpdateRentConfig) }),
	renting(OpSettleActorRent, "SettleActorRent", func() Instruction { return new(SettleActorRent) }),
	renting(OpSetActorQuota, "SetActorQuota", func() Instruction { return new(SetActorQuota) }),
	renting(OpRestoreActor, "RestoreActor", func() Instruction { return new(RestoreActor) }),
	renting(OpPayRent, "PayRent", func() Instruction { return new(PayRent) }),
)

// UpdateRentConfig replaces the parameters of rent from the next block on; their rate and what is billed hold from the next rent epoch on.
// Spec: rent §2, §11 (90); WP §13.1.
type UpdateRentConfig struct{ Config params.RentConfig }

// Opcode implements Instruction.
func (*UpdateRentConfig) Opcode() Opcode { return OpUpdateRentConfig }

// Fields implements Instruction.
func (u *UpdateRentConfig) Fields(f *Form) { group(f, "config", &u.Config, params.ReadRentConfig) }

func (u *UpdateRentConfig) check() error { return instructionErr(u.Config.Validate()) }

// SettleActorRent bills an actor for the rent epochs that have begun, and has it pay what it can of its debt: actor(20).
// Spec: rent §6, §7, §11 (91).
type SettleActorRent struct{ Actor account.Address }

// Opcode implements Instruction.
func (*SettleActorRent) Opcode() Opcode { return OpSettleActorRent }

// Fields implements Instruction.
func (s *SettleActorRent) Fields(f *Form) { f.Address("actor", &s.Actor) }

// SetActorQuota changes how many bytes an actor may store; the sender locks the bond: actor(20) ‖ UInt quota_bytes.
// Spec: rent §10, §11 (92).
type SetActorQuota struct {
	Actor      account.Address
	QuotaBytes uint64
}

// Opcode implements Instruction.
func (*SetActorQuota) Opcode() Opcode { return OpSetActorQuota }

// Fields implements Instruction.
func (s *SetActorQuota) Fields(f *Form) {
	f.Address("actor", &s.Actor)
	f.Uint("quota_bytes", &s.QuotaBytes)
}

// RestoreActor gives a dormant actor a run of the entries of its storage back, which begins with entry number from:
//
//	actor(20) ‖ UInt from ‖ Bytes entries ‖ Bytes proof ‖ Option<UInt> quota_bytes ‖ UInt pay_from
//
// entries are Bytes key ‖ Bytes value of each; proof is an encoded mmr.Proof of theirs. The first piece pays what is owed: the sender, or with pay_from 1 the
// actor from the balance it kept.
// Spec: rent §9, §11 (93).
type RestoreActor struct {
	Actor      account.Address
	From       uint64
	Entries    []byte
	Proof      []byte
	QuotaBytes *uint64
	PayFrom    uint64
}

// Opcode implements Instruction.
func (*RestoreActor) Opcode() Opcode { return OpRestoreActor }

// Fields implements Instruction.
func (r *RestoreActor) Fields(f *Form) {
	f.Address("actor", &r.Actor)
	f.Uint("from", &r.From)
	f.Bytes("entries", &r.Entries, params.MaxTxBytes)
	f.Bytes("proof", &r.Proof, params.MaxTxBytes)
	f.OptionUint("quota_bytes", &r.QuotaBytes)
	f.Uint("pay_from", &r.PayFrom)
}

// surcharge is one cell per byte of calldata. Spec: WP §17.4.
func (r *RestoreActor) surcharge() Cost { return Cost{Cells: calldata(r.Entries, r.Proof)} }

// PayRent pays an actor's debt from the sender's balance, and then so many rent epochs in advance: actor(20) ‖ UInt epochs.
// Spec: rent §5 (prepay, sponsor), §11.
type PayRent struct {
	Actor  account.Address
	Epochs uint64
}

// Opcode implements Instruction.
func (*PayRent) Opcode() Opcode { return OpPayRent }

// Fields implements Instruction.
func (p *PayRent) Fields(f *Form) {
	f.Address("actor", &p.Actor)
	f.Uint("epochs", &p.Epochs)
}
