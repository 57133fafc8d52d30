package mailbox

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// HandlerMax is the longest handler name in bytes.
//
// Spec: scheduler-timers §3.
const HandlerMax = 256

// PayloadMax is the longest payload in bytes.
//
// Spec: scheduler-timers §3; WP §3.3 (a mailbox holds less).
const PayloadMax = 1 << 20

// Message is a datagram on its way from one actor to another.
type Message struct {
	Seq        uint64 // place in the chain-wide order, set by Enqueue
	ID         digest.Hash
	Sender     account.Address
	Target     account.Address
	Nonce      uint64      // how many messages the sender had sent before
	Handler    string      // "" when the payload names the handler
	Structured bool        // payload is canonical CBOR and is delivered decoded
	Payload    []byte      // at most PayloadMax bytes
	Value      unit.Amount // coins that travel with it, base units; Enqueue takes them from the sender
	Origin     digest.Hash // whose pool pays for the delivery
	Depth      uint8       // 1 for a message sent by the origin's own turn
	SentAt     unit.Height
}

// Hash is msg_hash: keccak256 over what the sender chose.
func (m *Message) Hash() digest.Hash {
	out := append(make([]byte, 0, 64+len(m.Handler)+len(m.Payload)), m.Target[:]...)
	out = codec.AppendBytes(out, []byte(m.Handler))
	out = codec.AppendBool(out, m.Structured)
	out = codec.AppendBytes(out, m.Payload)
	return digest.Keccak256(codec.AppendUint(out, uint64(m.Value)))
}

// Identity is keccak256(sender ‖ nonce as 8 big-endian bytes ‖ msg_hash).
//
// Spec: WP §3.3.
func Identity(sender account.Address, nonce uint64, hash digest.Hash) digest.Hash {
	out := append(make([]byte, 0, 60), sender[:]...)
	return digest.Keccak256(append(codec.AppendU64(out, nonce), hash[:]...))
}

// Encode returns the canonical record of a pending message; Seq and Target are in its key.
func (m *Message) Encode() []byte {
	out := make([]byte, 0, 128+len(m.Handler)+len(m.Payload))
	out = append(out, m.ID[:]...)
	out = append(out, m.Sender[:]...)
	out = codec.AppendUint(out, m.Nonce)
	out = codec.AppendBytes(out, []byte(m.Handler))
	out = codec.AppendBool(out, m.Structured)
	out = codec.AppendBytes(out, m.Payload)
	out = append(out, m.Origin[:]...)
	out = codec.AppendU8(out, m.Depth)
	out = codec.AppendUint(out, uint64(m.SentAt))
	return codec.AppendUint(out, uint64(m.Value))
}

// Written is how many bytes of state an enqueued message takes, keys without their namespace: the record and its place in the delivery order, which go
// with the delivery, and the identity and its place among those that age, which stay for the dedup window.
//
// Spec: WP §3.3 (the dedup set is metered), §17.4 (state write); CIP-3 §2.2 (len(key) + len(value)).
func (m *Message) Written() uint64 {
	return placeSize + uint64(len(m.Encode())) + placeSize + account.AddressSize + uint64(len(m.ID)) + placeSize + agedSize
}

// placeSize is the length of a sequence number in a key.
const placeSize = 8

// DecodeMessage reads what Encode wrote, for the target and sequence number of its key; any other bytes are a codec error.
func DecodeMessage(target account.Address, seq uint64, data []byte) (Message, error) {
	r := codec.NewReader(data)
	m := Message{Target: target, Seq: seq}
	r.Into(m.ID[:])
	r.Into(m.Sender[:])
	m.Nonce = r.Uint()
	m.Handler = string(r.Bytes(HandlerMax))
	m.Structured = r.Bool()
	m.Payload = r.Bytes(PayloadMax)
	r.Into(m.Origin[:])
	m.Depth = r.U8()
	m.SentAt = unit.Height(r.Uint())
	m.Value = unit.Amount(r.Uint())
	return m, r.Finish()
}

// ValueAt is the coin a state entry holds in flight; ok is false when the key is not a pending message's.
func ValueAt(key, value []byte) (amount unit.Amount, ok bool, err error) {
	kind, target, _, ok := account.SplitKey(key)
	if !ok || kind != account.KindMailbox || target == (account.Address{}) { // the zero address has the delivery order
		return 0, false, nil
	}
	m, err := DecodeMessage(target, sequenceOf(key), value)
	return m.Value, err == nil, err
}

// EachValue calls fn with the coins of every pending message. It reads all of them and is for checking the supply, not for execution.
func EachValue(s state.Reader, fn func(unit.Amount) bool) error {
	var bad error
	err := s.Scan(account.KindPrefix(account.KindMailbox), nil, 0, func(key, value []byte) bool {
		amount, ok, err := ValueAt(key, value)
		bad = err
		return err == nil && (!ok || fn(amount))
	})
	if err == nil {
		err = bad
	}
	return err
}
