package payment

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The rejects of the book, beside those of policies and intents. Any other error is a failing state source, or a record that is not canonical.
var (
	ErrPolicy   = errors.New("payment: the actor has no policy that asks for this")
	ErrFree     = errors.New("payment: the request costs nothing")
	ErrSpent    = errors.New("payment: the payment was used before, or is held for another request")
	ErrFunds    = errors.New("payment: the coins do not cover the price")
	ErrBudget   = errors.New("payment: the actor's budget does not cover the request")
	ErrCredits  = errors.New("payment: the pass has no credit left, or has expired")
	ErrCount    = errors.New("payment: the policy does not sell so many at once")
	ErrTreasury = errors.New("payment: the treasury may not hold coins")
	ErrCoins    = errors.New("payment: budgets, passes and epochs are paid in coins, and amounts of coins fit 64 bits")
	ErrToken    = errors.New("payment: the token is unknown, has a hook, or is frozen for who pays or is paid")

	errRecord = errors.New("payment: the record of a payment is not canonical")
)

// Times of a payment that is held, in blocks.
//
// Spec: gateway-payments-streams §F (headroom 64).
const (
	Headroom = 64    // that are left at least when a payment is taken, so that the handler can be waited for
	MaxHold  = 3_600 // that are left at most, so that what is remembered of spent payments is bounded
)

// SweepPerBlock is how many entries of payments, passes and subscriptions the end of a block looks at.
const SweepPerBlock = 256

// Funds is an actor's budget as it stands.
type Funds struct {
	Balance unit.Amount
	Day     uint64      // the height's, in days of BlocksPerDay
	Today   unit.Amount // spent in Day
	Second  uint64      // of the block's time
	Count   uint32      // requests paid in Second
}

// Append appends the canonical encoding: UInt balance ‖ UInt day ‖ UInt today ‖ UInt second ‖ UInt count.
func (f *Funds) Append(dst []byte) []byte {
	for _, n := range [...]uint64{uint64(f.Balance), f.Day, uint64(f.Today), f.Second, uint64(f.Count)} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

func decodeFunds(data []byte) (*Funds, error) {
	r := codec.NewReader(data)
	return &Funds{unit.Amount(r.Uint()), r.Uint(), unit.Amount(r.Uint()), r.Uint(), r.Uint32()}, r.Finish()
}

// Credits is what a holder has of an actor's passes.
type Credits struct {
	Actor, Holder account.Address
	Left          uint64
	Expires       unit.Height // the last one
}

// Append appends the canonical encoding: actor(20) ‖ holder(20) ‖ UInt left ‖ UInt expires.
func (c *Credits) Append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendFixed(dst, c.Actor[:]), c.Holder[:])
	return codec.AppendUint(codec.AppendUint(dst, c.Left), uint64(c.Expires))
}

func decodeCredits(data []byte) (*Credits, error) {
	r := codec.NewReader(data)
	c := new(Credits)
	r.Into(c.Actor[:])
	r.Into(c.Holder[:])
	c.Left, c.Expires = r.Uint(), unit.Height(r.Uint())
	return c, r.Finish()
}

// PassOf is the identity of a holder's passes of an actor: keccak256("CowboyPass\x01" ‖ actor ‖ holder). Passes bought again add up in it.
func PassOf(actor, holder account.Address) digest.Hash {
	return digest.Keccak256([]byte("CowboyPass\x01"), actor[:], holder[:])
}

// Status is where a payment is in its life. One of which nothing is remembered is Quoted, or Expired.
type Status uint8

// The statuses.
//
// Spec: gateway-payments-streams §F (Verified, then Settled or Expired).
const (
	Verified Status = iota // its amount, or its credit, is held
	Settled
	Expired // what was held went back
	statuses
)

// String is the document's word.
func (s Status) String() string {
	if s >= statuses {
		return "unknown"
	}
	return [...]string{"verified", "settled", "expired"}[s]
}

// Record is what is remembered of a payment while it could be shown again.
type Record struct {
	Actor, Gateway account.Address
	Request        digest.Hash // Resource.Hash
	Kind           Kind
	Asset          Asset // zero: coins
	Amount         unit.Uint128
	Status         Status
	Expires        unit.Height // from this one on it cannot be settled, and what is held goes back
	Until          uint64      // Unix seconds that an authorization counts before; 0: an intent, which counts before Expires at most
}

// inToken is the tag of a record of a request that is paid for in a token, in the place of its kind.
const inToken = uint8(kinds)

// Append appends the canonical encoding: actor(20) ‖ gateway(20) ‖ request(32) ‖ kind(1) ‖ UInt amount ‖ status(1) ‖ UInt expires ‖ UInt until. Where it is in
// a token the kind is 3, and ‖ asset(32) ‖ UInt the upper 64 bits of the amount follow.
func (x *Record) Append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendFixed(codec.AppendFixed(dst, x.Actor[:]), x.Gateway[:]), x.Request[:])
	tag := uint8(x.Kind)
	if !x.Asset.IsZero() {
		tag = inToken
	}
	dst = codec.AppendU8(codec.AppendUint(codec.AppendU8(dst, tag), x.Amount.Lo), uint8(x.Status))
	if dst = codec.AppendUint(codec.AppendUint(dst, uint64(x.Expires)), x.Until); tag == inToken {
		dst = codec.AppendUint(codec.AppendFixed(dst, x.Asset[:]), x.Amount.Hi)
	}
	return dst
}

func decodeRecord(data []byte) (*Record, error) {
	r := codec.NewReader(data)
	x := new(Record)
	r.Into(x.Actor[:])
	r.Into(x.Gateway[:])
	r.Into(x.Request[:])
	tag := r.Tag(inToken + 1)
	x.Amount, x.Status = unit.Wide(r.Uint()), Status(r.Tag(uint8(statuses)))
	x.Expires, x.Until = unit.Height(r.Uint()), r.Uint()
	if tag != inToken {
		x.Kind = Kind(tag)
		return x, r.Finish()
	}
	r.Into(x.Asset[:])
	x.Amount.Hi = r.Uint()
	if err := r.Finish(); err != nil {
		return x, err
	}
	if x.Asset.IsZero() {
		return x, errRecord
	}
	return x, nil
}

// What the keys begin with, after the address of the PaymentGate.
const (
	under       = "payment:"
	underPolicy = "payment:policy/" // actor
	underBudget = "payment:budget/" // actor
	underPass   = "payment:pass/"   // PassOf
	underEpoch  = "payment:epoch/"  // actor ‖ holder
	underSpent  = "payment:spent/"  // Key
	underDue    = "payment:due/"    // height(8) ‖ what(1) ‖ the rest of the entry's key
	nameHeld    = "payment:held"
)

// Home is where the book lies.
func Home() account.Address { return account.System(account.PaymentGate) }

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	return []account.Claim{{
		Chapter: chapter, Holds: "policies, budgets, passes and payments over HTTP", Kind: account.KindRecord, Holder: account.One, Address: Home(),
		Suffix: under,
	}}
}

func at(prefix string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), prefix, parts...)
}

// what a due entry is about.
const (
	dueSpent byte = iota
	duePass
	dueEpoch
)

func dueKey(when unit.Height, what byte, rest []byte) []byte {
	return at(underDue, binary.BigEndian.AppendUint64(nil, uint64(when)), []byte{what}, rest)
}

// LoadPolicy reads an actor's policy; nil where it has none.
func LoadPolicy(r state.Reader, actor account.Address) (*Policy, error) {
	return state.Find(r, at(underPolicy, actor[:]), DecodePolicy)
}

// LoadFunds reads an actor's budget as it was when it last changed; nil where it never had one.
func LoadFunds(r state.Reader, actor account.Address) (*Funds, error) {
	return state.Find(r, at(underBudget, actor[:]), decodeFunds)
}

// LoadCredits reads the passes of an identity; nil where there are none.
func LoadCredits(r state.Reader, pass digest.Hash) (*Credits, error) {
	return state.Find(r, at(underPass, pass[:]), decodeCredits)
}

// Subscribed is the last height of a holder's subscription to an actor; nil where it has none.
func Subscribed(r state.Reader, actor, holder account.Address) (*unit.Height, error) {
	return state.Find(r, at(underEpoch, actor[:], holder[:]), decodeHeight)
}

func decodeHeight(data []byte) (*unit.Height, error) {
	c := codec.NewReader(data)
	h := unit.Height(c.Uint())
	return &h, c.Finish()
}

// LoadRecord reads what is remembered of a payment; nil where nothing is.
func LoadRecord(r state.Reader, k Key) (*Record, error) {
	return state.Find(r, at(underSpent, k.Append(nil)), decodeRecord)
}

// Escrow is the coin the book holds for others: budgets and what is held of payments.
func Escrow(r state.Reader) (unit.Amount, error) {
	n, err := state.Number(r, at(nameHeld))
	return unit.Amount(n), err
}

// SizeOfPolicy is the size of an actor's policy in bytes; 0 where it has none.
func SizeOfPolicy(r state.Reader, actor account.Address) (int, error) {
	data, _, err := r.Lookup(at(underPolicy, actor[:]))
	return len(data), err
}
