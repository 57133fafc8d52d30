package session

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ClosingBlocks is how long the runner of a closing session may still settle before it can be finalized. Spec: gateway-payments-streams §D (56).
const ClosingBlocks = 75

// The rejects, beside those of package voucher.
var (
	ErrUnknown = errors.New("session: there is no session of this identity")
	ErrStatus  = errors.New("session: its status does not allow this")
	ErrRunner  = errors.New("session: the runner is not registered, or is leaving")
	ErrParty   = errors.New("session: this is for another party of the session")
	ErrAsset   = errors.New("session: only CBY, asset 0, is supported")
	ErrAmount  = errors.New("session: an amount is nothing, or above max_amount")
	ErrExpiry  = errors.New("session: the expiry is not in the future")
	ErrEarly   = errors.New("session: it cannot be finalized yet")
	ErrFunds   = errors.New("session: the payer's balance does not cover the deposit")
)

// Status is the state a session is in.
type Status uint8

// The states, by the numbers of the documents' list. Spec: gateway-payments-streams §D.
const (
	Open Status = iota
	Closing
	Disputed
	Settled
	Refunded
	Slashed
	statuses
)

// String names the status.
func (s Status) String() string {
	if s >= statuses {
		return "unknown"
	}
	return [...]string{"open", "closing", "disputed", "settled", "refunded", "slashed"}[s]
}

// ParseStatus reads what String wrote. Reject: ErrStatus.
func ParseStatus(text string) (Status, error) {
	for s := Open; s < statuses; s++ {
		if s.String() == text {
			return s, nil
		}
	}
	return statuses, ErrStatus
}

// Session is what a payer has put aside for a runner.
//
// Spec: gateway-payments-streams §D (Session).
type Session struct {
	Payer, Runner account.Address
	MaxAmount     unit.Uint128 // base units: what the deposit may come to
	Deposit       unit.Amount
	Spent         unit.Amount
	Nonce         uint64      // of the last voucher settled, 0 before the first
	PriceAdvert   digest.Hash // of the prices the two agreed on; no rule looks into it
	Opened        unit.Height
	Expires       unit.Height // the last block before anybody may finalize it open
	Status        Status
	Closed        unit.Height // of Closing: the block of SessionClose
}

// ID is the identity of a session: keccak256(payer ‖ runner ‖ nonce ‖ height), numbers as 8 bytes, big-endian. The nonce is that of the transaction which
// opens it.
//
// Spec: gateway-payments-streams §D (session_id).
func ID(payer, runner account.Address, nonce uint64, height unit.Height) digest.Hash {
	numbers := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, nonce), uint64(height))
	return digest.Keccak256(payer[:], runner[:], numbers)
}

// Append appends the canonical encoding: payer(20) ‖ runner(20) ‖ max_amount(16, big-endian) ‖ UInt deposit, spent, nonce ‖ price_advert(32) ‖
// UInt opened, expires ‖ status(1) ‖ UInt closed.
func (s *Session) Append(dst []byte) []byte {
	dst = s.MaxAmount.AppendBig(codec.AppendFixed(codec.AppendFixed(dst, s.Payer[:]), s.Runner[:]))
	dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, uint64(s.Deposit)), uint64(s.Spent)), s.Nonce)
	dst = codec.AppendFixed(dst, s.PriceAdvert[:])
	dst = codec.AppendUint(codec.AppendUint(dst, uint64(s.Opened)), uint64(s.Expires))
	return codec.AppendUint(codec.AppendU8(dst, byte(s.Status)), uint64(s.Closed))
}

// Decode reads what Append wrote.
func Decode(data []byte) (*Session, error) {
	r := codec.NewReader(data)
	var s Session
	r.Into(s.Payer[:])
	r.Into(s.Runner[:])
	var wide [unit.Uint128Size]byte
	r.Into(wide[:])
	s.MaxAmount = unit.Uint128FromBig(wide)
	s.Deposit, s.Spent, s.Nonce = unit.Amount(r.Uint()), unit.Amount(r.Uint()), r.Uint()
	r.Into(s.PriceAdvert[:])
	s.Opened, s.Expires = unit.Height(r.Uint()), unit.Height(r.Uint())
	s.Status, s.Closed = Status(r.Tag(byte(statuses))), unit.Height(r.Uint())
	return &s, r.Finish()
}

// FinalFrom is the first block in which anybody may finalize a session that is not over.
//
// Spec: gateway-payments-streams §D (56).
func (s *Session) FinalFrom() unit.Height {
	if s.Status == Closing {
		return s.Closed + ClosingBlocks
	}
	return s.Expires + min(1, ^s.Expires)
}

// under is what the keys of sessions begin with, after the address. Spec: gateway-payments-streams §D.
const under = "session:"

// Home is where the sessions lie, and their coins.
func Home() account.Address { return account.System(account.Session) }

func keyOf(id digest.Hash) []byte {
	return append(account.KeyString(account.KindRecord, Home(), under), id[:]...)
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	return []account.Claim{
		{Chapter: chapter, Holds: "sessions of payment", Kind: account.KindRecord, Holder: account.One, Address: Home(), Suffix: under},
	}
}

// Load reads a session. Reject: ErrUnknown.
func Load(r state.Reader, id digest.Hash) (*Session, error) {
	data, ok, err := r.Lookup(keyOf(id))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrUnknown
	}
	return Decode(data)
}

// save writes a session.
func (s *Session) save(to state.Store, id digest.Hash) { to.Set(keyOf(id), s.Append(nil)) }
