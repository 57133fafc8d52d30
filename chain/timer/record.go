package timer

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// DefaultHandler is the handler of a timer that names none. An actor without it is asked for FallbackHandler.
//
// Spec: scheduler-timers §2.2; sdk §3.6.
const (
	DefaultHandler  = "handle_timer"
	FallbackHandler = "on_timer"
)

// ID names a timer for its whole life.
type ID = digest.Hash

// Timer is one pending timer.
//
// Spec: scheduler-timers §3.
type Timer struct {
	ID         ID
	Owner      account.Address // who scheduled it: may change it, holds its slot, is the sender of its fires
	Target     account.Address // the actor whose handler runs; the owner itself unless an external account scheduled it
	Height     unit.Height     // when it is due; its place in the index
	Seq        uint64          // insertion number; its place in the bucket
	Handler    string          // at most params.MaxHandlerBytes
	Structured bool            // payload is canonical CBOR and is delivered decoded
	Payload    []byte          // at most params.TimerPayloadMaxBytes
	Payer      account.Address
	GasLimit   unit.Cycles // per fire
	ExpiresAt  unit.Height
	Every      uint64 // blocks between fires of an interval; zero for a one-shot
	// MaxFee and MaxPriority are the optional bid per cycle of the fee-market phase; unset in every timer of the FIFO phase.
	MaxFee      *uint64
	MaxPriority *uint64
	Tier        Tier // of the default priority, where MaxPriority is unset
}

// Encode returns the canonical record; ID is in its key.
func (t *Timer) Encode() []byte {
	out := make([]byte, 0, 132+len(t.Handler)+len(t.Payload))
	out = append(out, t.Owner[:]...)
	out = append(out, t.Target[:]...)
	out = codec.AppendUint(out, uint64(t.Height))
	out = codec.AppendUint(out, t.Seq)
	out = codec.AppendBytes(out, []byte(t.Handler))
	out = codec.AppendBool(out, t.Structured)
	out = codec.AppendBytes(out, t.Payload)
	out = append(out, t.Payer[:]...)
	out = codec.AppendUint(out, uint64(t.GasLimit))
	out = codec.AppendUint(out, uint64(t.ExpiresAt))
	out = codec.AppendUint(out, t.Every)
	out = codec.AppendOptionUint(out, t.MaxFee)
	out = codec.AppendOptionUint(out, t.MaxPriority)
	return codec.AppendU8(out, uint8(t.Tier))
}

// Decode reads what Encode wrote for the identifier of its key; any other bytes are a codec error.
func Decode(id ID, data []byte) (Timer, error) {
	r := codec.NewReader(data)
	t := Timer{ID: id}
	r.Into(t.Owner[:])
	r.Into(t.Target[:])
	t.Height, t.Seq = unit.Height(r.Uint()), r.Uint()
	t.Handler = string(r.Bytes(params.MaxHandlerBytes))
	t.Structured = r.Bool()
	t.Payload = r.Bytes(params.TimerPayloadMaxBytes)
	r.Into(t.Payer[:])
	t.GasLimit, t.ExpiresAt = unit.Cycles(r.Uint()), unit.Height(r.Uint())
	t.Every = r.Uint()
	t.MaxFee, t.MaxPriority = r.OptionUint(), r.OptionUint()
	t.Tier = Tier(r.Tag(uint8(tierCount)))
	return t, r.Finish()
}

// Identify derives the identifier of a timer: keccak256(actor ‖ height ‖ payload ‖ nonce), integers as 8 big-endian bytes, and the
// sequence number after them when it is above zero.
//
// Spec: scheduler-timers §3.
func Identify(owner account.Address, height unit.Height, payload []byte, nonce, sequence uint64) ID {
	tail := codec.AppendU64(make([]byte, 0, 16), nonce)
	if sequence > 0 {
		tail = codec.AppendU64(tail, sequence)
	}
	return digest.Keccak256(owner[:], codec.AppendU64(nil, uint64(height)), payload, tail)
}
