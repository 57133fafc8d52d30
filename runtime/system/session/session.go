package session

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// The codes of faults about sessions.
//
// Spec: gateway-payments-streams §D (errors).
const (
	FaultUnknown   uint16 = 1791
	FaultStatus    uint16 = 1792
	FaultStale     uint16 = 1793
	FaultAmount    uint16 = 1794
	FaultDeposit   uint16 = 1795
	FaultExpired   uint16 = 1796
	FaultSignature uint16 = 1797
	FaultRunner    uint16 = 1798
	FaultEarly     uint16 = 1799
)

// New gives the chapter.
//
// Spec: gateway-payments-streams §D; WP §9.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterSession, Homes: []byte{account.Session},
		Instructions: []chapter.Instruction{
			chapter.On(func(e *chapter.Env, in *tx.SessionOpen) ([]byte, error) {
				id, err := book(e).Open(e.Sender, e.Turn.Nonce, in.Terms())
				return id[:], err
			}),
			chapter.On(func(e *chapter.Env, in *tx.SessionDeposit) ([]byte, error) {
				return nil, book(e).Deposit(e.Sender, in.SessionID, in.Amount)
			}),
			chapter.On(settle),
			chapter.On(func(e *chapter.Env, in *tx.SessionClose) ([]byte, error) {
				return nil, book(e).Close(e.Sender, in.SessionID)
			}),
			chapter.On(func(e *chapter.Env, in *tx.SessionFinalize) ([]byte, error) {
				return nil, book(e).Finalize(in.SessionID)
			}),
		},
		Faults: []chapter.Fault{
			{Err: session.ErrUnknown, Code: FaultUnknown}, {Err: session.ErrStatus, Code: FaultStatus}, {Err: voucher.ErrStale, Code: FaultStale},
			{Err: voucher.ErrAmount, Code: FaultAmount}, {Err: voucher.ErrDeposit, Code: FaultDeposit}, {Err: voucher.ErrExpired, Code: FaultExpired},
			{Err: voucher.ErrSignature, Code: FaultSignature}, {Err: session.ErrRunner, Code: FaultRunner}, {Err: session.ErrEarly, Code: FaultEarly},
			{Err: session.ErrParty, Code: drain.FaultPermission}, {Err: session.ErrAsset, Code: drain.FaultInput},
			{Err: session.ErrAmount, Code: drain.FaultInput}, {Err: session.ErrExpiry, Code: FaultExpired}, {Err: session.ErrFunds, Code: drain.FaultValue},
		},
		Claims: session.Claims(string(tx.ChapterSession)),
	}
}

func book(e *chapter.Env) *session.Book {
	return &session.Book{
		State: e.State, ChainID: e.Block.ChainID, Height: e.Block.Height, Split: e.Block.Params.Settlement, Bill: e.Bill,
		Emit: func(topic string, data []byte) {
			e.Effects.Events = append(e.Effects.Events, block.Event{Actor: e.Self, Topic: []byte(topic), Data: data})
		},
		Burn: func(amount unit.Amount) { e.Effects.Burn(string(tx.ChapterSession), amount) },
	}
}

// settle counts the signature, which the instruction's price covers, against what a block may check.
func settle(e *chapter.Env, in *tx.SessionSettle) ([]byte, error) {
	if e.Turn.Checked+e.Effects.Checked+params.VerifyWeightSecp256k1 > params.VerifyWeightPerBlock {
		return nil, chapter.Refuse(drain.FaultLimit, "this block has checked as many signatures as one may")
	}
	e.Effects.Checked += params.VerifyWeightSecp256k1
	return nil, book(e).Settle(e.Sender, in.Voucher(), in.Signature)
}
