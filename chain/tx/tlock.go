package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// RegisterTlock keeps something of the sender's that its committee opens for everybody once the beacon has reached a round:
//
//	key_hash(32) ‖ UInt round_epoch ‖ UInt round_view ‖ UInt wrap_epoch ‖ Bytes cbfs_pointer (≤ 65,537) ‖ Bytes wrapped_dek (328)
//
// The pointer and the envelope are as of SetSecret; the envelope is sealed to the lock's identity, which the receipt returns, in the place of the key hash, and
// to version 0. Fees of releases, as many as the threshold, are taken and held for who opens it.
//
// Spec: secrets-cbss §3, §4 (152).
type RegisterTlock struct {
	KeyHash    digest.Hash
	RoundEpoch uint64
	RoundView  uint64
	WrapEpoch  uint64
	Pointer    []byte
	Wrapped    []byte
}

// Opcode implements Instruction.
func (*RegisterTlock) Opcode() Opcode { return OpRegisterTlock }

// Fields implements Instruction.
func (r *RegisterTlock) Fields(f *Form) {
	f.Hash("key_hash", &r.KeyHash)
	f.Uint("round_epoch", &r.RoundEpoch)
	f.Uint("round_view", &r.RoundView)
	f.Uint("wrap_epoch", &r.WrapEpoch)
	f.Bytes("cbfs_pointer", &r.Pointer, 1+secret.MaxPayload)
	f.Bytes("wrapped_dek", &r.Wrapped, cbss.EnvelopeSize)
}

// Round is when the lock opens.
func (r *RegisterTlock) Round() sig.Round { return sig.Round{Epoch: r.RoundEpoch, View: r.RoundView} }

// Sealed is what the lock keeps.
func (r *RegisterTlock) Sealed() *secret.Sealed {
	return &secret.Sealed{Epoch: r.WrapEpoch, Pointer: r.Pointer, Wrapped: r.Wrapped}
}

func (r *RegisterTlock) surcharge() Cost {
	return Cost{Cells: 2*calldata(r.KeyHash[:], r.Pointer, r.Wrapped) + params.LockRecordCells}
}

// SubmitTlockRelease gives a proxy's partial of a time lock whose round is reached: lock_id(32) ‖ proxy_id(32) ‖ UInt committee_epoch ‖ partial(48).
//
// Spec: secrets-cbss §3, §4 (153).
type SubmitTlockRelease struct {
	Lock    digest.Hash
	Proxy   digest.Hash
	Epoch   uint64
	Partial cbss.Point
}

// Opcode implements Instruction.
func (*SubmitTlockRelease) Opcode() Opcode { return OpSubmitTlockRelease }

// Fields implements Instruction.
func (s *SubmitTlockRelease) Fields(f *Form) {
	f.Hash("lock_id", &s.Lock)
	f.Hash("proxy_id", &s.Proxy)
	f.Uint("committee_epoch", &s.Epoch)
	f.Fixed("partial", s.Partial[:])
}

func (s *SubmitTlockRelease) surcharge() Cost {
	return Cost{Cells: calldata(s.Lock[:], s.Proxy[:], s.Partial[:]) + params.LockRecordCells}
}
