package mailbox

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
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
	Origin     digest.Hash // whose pool pays for the delivery
	Depth      uint8       // 1 for a message sent by the origin's own turn
	SentAt     unit.Height
}

// Hash is msg_hash: keccak256 over what the sender chose.
func (m *Message) Hash() digest.Hash {
	out := append(make([]byte, 0, 64+len(m.Handler)+len(m.Payload)), m.Target[:]...)
	out = codec.AppendBytes(out, []byte(m.Handler))
	out = codec.AppendBool(out, m.Structured)
	return digest.Keccak256(codec.AppendBytes(out, m.Payload))
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
	return codec.AppendUint(out, uint64(m.SentAt))
}

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
	return m, r.Finish()
}
