package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of sessions of payment.
//
// Spec: runner-marketplace §3; gateway-payments-streams §D.
const (
	OpSessionOpen     = Opcode(System)<<8 | 52
	OpSessionDeposit  = Opcode(System)<<8 | 53
	OpSessionSettle   = Opcode(System)<<8 | 54
	OpSessionClose    = Opcode(System)<<8 | 55
	OpSessionFinalize = Opcode(System)<<8 | 56
)

// ofSession is the row of an instruction of the Session Actor, which costs 10,000 cycles beside the base of every instruction.
//
// Spec: gateway-payments-streams §D (costs); WP §9, §17.2.
func ofSession(op Opcode, name string, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.Session, Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles + params.CostSession}, body: body,
	}
}

// SessionSlash is deferred: a transaction with it is refused.
//
// Spec: runner-marketplace §3; gateway-payments-streams §D; WP §9.
var sessionRows = chapter(ChapterSession,
	ofSession(OpSessionOpen, "SessionOpen", func() Instruction { return new(SessionOpen) }),
	ofSession(OpSessionDeposit, "SessionDeposit", func() Instruction { return new(SessionDeposit) }),
	ofSession(OpSessionSettle, "SessionSettle", func() Instruction { return new(SessionSettle) }),
	ofSession(OpSessionClose, "SessionClose", func() Instruction { return new(SessionClose) }),
	ofSession(OpSessionFinalize, "SessionFinalize", func() Instruction { return new(SessionFinalize) }),
	ofSession(Opcode(System)<<8|57, "SessionSlash", nil),
)

// SessionOpen puts coins of the sender aside for a runner:
//
//	runner(20) ‖ UInt asset ‖ max_amount(16) ‖ UInt deposit ‖ UInt expires_at ‖ price_advert_digest(32)
//
// Spec: gateway-payments-streams §D (52).
type SessionOpen struct {
	Runner            account.Address
	Asset             uint64 // 0, CBY; others are reserved
	MaxAmount         unit.Uint128
	Deposit           unit.Amount
	ExpiresAt         uint64 // the last block before anybody may finalize it open
	PriceAdvertDigest digest.Hash
}

// Opcode implements Instruction.
func (*SessionOpen) Opcode() Opcode { return OpSessionOpen }

// Fields implements Instruction.
func (s *SessionOpen) Fields(f *Form) {
	f.Address("runner", &s.Runner)
	f.Uint("asset", &s.Asset)
	f.Wide("max_amount", &s.MaxAmount)
	f.Amount("deposit", &s.Deposit)
	f.Uint("expires_at", &s.ExpiresAt)
	f.Hash("price_advert_digest", &s.PriceAdvertDigest)
}

// Terms are those of the session.
func (s *SessionOpen) Terms() session.Terms {
	return session.Terms{
		Runner: s.Runner, Asset: s.Asset, MaxAmount: s.MaxAmount, Deposit: s.Deposit, Expires: unit.Height(s.ExpiresAt), PriceAdvert: s.PriceAdvertDigest,
	}
}

// surcharge is the bytes of the session's record and its key.
//
// Spec: WP §17.4.
func (s *SessionOpen) surcharge() Cost { return Cost{Cells: params.SessionRecordCells} }

// SessionDeposit adds to a session's deposit: session_id(32) ‖ UInt amount.
//
// Spec: gateway-payments-streams §D (53).
type SessionDeposit struct {
	SessionID digest.Hash
	Amount    unit.Amount
}

// Opcode implements Instruction.
func (*SessionDeposit) Opcode() Opcode { return OpSessionDeposit }

// Fields implements Instruction.
func (s *SessionDeposit) Fields(f *Form) {
	f.Hash("session_id", &s.SessionID)
	f.Amount("amount", &s.Amount)
}

// SessionSettle brings a voucher:
//
//	session_id(32) ‖ cumulative_amount(16) ‖ UInt nonce ‖ UInt expires_at ‖ usage_digest(32) ‖ signature(65)
//
// Spec: gateway-payments-streams §D (54, Voucher).
type SessionSettle struct {
	SessionID        digest.Hash
	CumulativeAmount unit.Uint128
	Nonce            uint64
	ExpiresAt        uint64 // the last block it may be settled in
	UsageDigest      digest.Hash
	Signature        sig.Signature // of the payer, over the voucher as EIP-712 has it
}

// Opcode implements Instruction.
func (*SessionSettle) Opcode() Opcode { return OpSessionSettle }

// Fields implements Instruction.
func (s *SessionSettle) Fields(f *Form) {
	f.Hash("session_id", &s.SessionID)
	f.Wide("cumulative_amount", &s.CumulativeAmount)
	f.Uint("voucher_nonce", &s.Nonce) // a transaction has a nonce too
	f.Uint("expires_at", &s.ExpiresAt)
	f.Hash("usage_digest", &s.UsageDigest)
	f.Fixed("signature", s.Signature[:])
}

// Voucher is what the payer signed.
func (s *SessionSettle) Voucher() *voucher.Voucher {
	return &voucher.Voucher{
		Session: s.SessionID, Cumulative: s.CumulativeAmount, Nonce: s.Nonce, Expires: unit.Height(s.ExpiresAt), Usage: s.UsageDigest,
	}
}

// surcharge is the check of the signature.
//
// Spec: gateway-payments-streams §D (costs); WP §17.3.
func (s *SessionSettle) surcharge() Cost { return Cost{Cycles: params.CostVerifySecp256k1} }

// SessionClose begins to end a session: session_id(32). Its payer may send it.
//
// Spec: gateway-payments-streams §D (55).
type SessionClose struct{ SessionID digest.Hash }

// Opcode implements Instruction.
func (*SessionClose) Opcode() Opcode { return OpSessionClose }

// Fields implements Instruction.
func (s *SessionClose) Fields(f *Form) { f.Hash("session_id", &s.SessionID) }

// SessionFinalize ends a session and gives back what was not spent: session_id(32). Anybody may send it.
//
// Spec: gateway-payments-streams §D (56).
type SessionFinalize struct{ SessionID digest.Hash }

// Opcode implements Instruction.
func (*SessionFinalize) Opcode() Opcode { return OpSessionFinalize }

// Fields implements Instruction.
func (s *SessionFinalize) Fields(f *Form) { f.Hash("session_id", &s.SessionID) }
