package receipt

import (
	"encoding/hex"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of receipts.
const (
	IDBytes       = 16
	MaxEnvelope   = 64 << 10 // bytes of a stored response
	KeptBlocks    = 3_600    // that an expired receipt stays to say so
	SweepPerBlock = 1_024
)

// The rejects of this package. Any other error is a failing state source, or a record that is not canonical.
//
// Spec: gateway-payments-streams §C.
var (
	ErrUnknown  = errors.New("receipt: there is no receipt of this request")
	ErrPending  = errors.New("receipt: a request with this identity is pending")
	ErrStatus   = errors.New("receipt: the receipt is not pending any more")
	ErrExpired  = errors.New("receipt: the receipt has expired")
	ErrResponse = errors.New("receipt: not the envelope of a response, or larger than the actor's limit and 64 KiB allow")
	ErrActor    = errors.New("receipt: only the actor that was asked, or its deployer, completes a receipt")
	ErrPrivate  = errors.New("receipt: the receipt is private")
)

// ID identifies a request: a UUID.
type ID [IDBytes]byte

// String is the UUID's usual form.
func (id ID) String() string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// ParseID reads a UUID: 32 hexadecimal digits in lower case, with the four hyphens of the usual form or without any.
func ParseID(text string) (id ID, ok bool) {
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		text = text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	}
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != IDBytes || hex.EncodeToString(raw) != text {
		return ID{}, false
	}
	return ID(raw), true
}

// Derived is the identity that a transaction gives a request whose own is in use: the first 16 bytes of keccak256("cowboy-request:" ‖ tx hash), marked as a
// UUID of version 4.
//
// Spec: gateway-payments-streams §C (derived from the transaction's hash if the gateway's id collides).
func Derived(hash digest.Hash) (id ID) {
	h := digest.Keccak256([]byte("cowboy-request:"), hash[:])
	copy(id[:], h[:])
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id
}

// Status is where a receipt is in its life.
type Status uint8

// The statuses, with the numbers of the documents.
//
// Spec: gateway-payments-streams §C.
const (
	Pending Status = iota
	Completed
	Failed
	statuses
)

// String is the document's word.
func (s Status) String() string {
	if s >= statuses {
		return "UNKNOWN"
	}
	return [...]string{"PENDING", "COMPLETED", "FAILED"}[s]
}

// Receipt is what became of a request.
//
// Spec: gateway-payments-streams §C.
type Receipt struct {
	Target   account.Address // the actor that was asked
	Gateway  account.Address
	Status   Status
	Private  bool
	Envelope []byte      // canonical CBOR of the response; nil: none
	Created  unit.Height // the request's block
	Expires  unit.Height // the first block in which it has expired
}

// Append appends the canonical encoding: target(20) ‖ gateway(20) ‖ status(1) ‖ bool private ‖ Option<Bytes> envelope ‖ UInt created ‖ UInt expires.
func (c *Receipt) Append(dst []byte) []byte {
	dst = codec.AppendU8(codec.AppendFixed(codec.AppendFixed(dst, c.Target[:]), c.Gateway[:]), uint8(c.Status))
	dst = codec.AppendBool(codec.AppendBool(dst, c.Private), c.Envelope != nil)
	if c.Envelope != nil {
		dst = codec.AppendBytes(dst, c.Envelope)
	}
	return codec.AppendUint(codec.AppendUint(dst, uint64(c.Created)), uint64(c.Expires))
}

// Decode reads what Append wrote.
func Decode(data []byte) (c Receipt, err error) {
	r := codec.NewReader(data)
	r.Into(c.Target[:])
	r.Into(c.Gateway[:])
	c.Status, c.Private = Status(r.Tag(uint8(statuses))), r.Bool()
	if r.Option() {
		c.Envelope = append([]byte{}, r.Bytes(MaxEnvelope)...)
	}
	c.Created, c.Expires = unit.Height(r.Uint()), unit.Height(r.Uint())
	return c, r.Finish()
}

// Expired reports whether a receipt has expired at a height.
func (c *Receipt) Expired(at unit.Height) bool { return at >= c.Expires }

// What the keys begin with, after the address of the registry.
const (
	underID      = "receipt:id/"
	underMessage = "receipt:message/"
	underDue     = "receipt:due/"
)

// Home is where the registry lies.
func Home() account.Address { return account.System(account.ReceiptRegistry) }

func under(prefix string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), prefix, parts...)
}

// Name is what a receipt lies under among the registry's records: "receipt:id/" ‖ id(16); without the identity what all of them begin with.
func Name(id []byte) []byte { return append([]byte(underID), id...) }

func idKey(id ID) []byte { return under(underID, id[:]) }

func messageKey(message digest.Hash) []byte { return under(underMessage, message[:]) }

func dueKey(at unit.Height, id ID) []byte {
	return under(underDue, codec.AppendU64(nil, uint64(at)), id[:])
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	claim := func(holds, suffix string) account.Claim {
		return account.RecordClaim(chapter, Home(), suffix, holds, false)
	}
	return []account.Claim{claim("receipts of requests", underID), claim("requests by message", underMessage), claim("receipts by their end", underDue)}
}

// Load reads a receipt. Reject: ErrUnknown.
func Load(r state.Reader, id ID) (Receipt, error) {
	data, ok, err := r.Lookup(idKey(id))
	if err != nil {
		return Receipt{}, err
	}
	if !ok {
		return Receipt{}, ErrUnknown
	}
	return Decode(data)
}

// Identified is a receipt with its identity.
type Identified struct {
	ID      ID
	Receipt Receipt
}

// List lists at most limit receipts with identities above after; nil begins with the first.
func List(r state.Reader, after *ID, limit int) (list []Identified, err error) {
	prefix := under(underID)
	var above []byte
	if after != nil {
		above = idKey(*after)
	}
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var one Receipt
		if one, err = Decode(value); err != nil {
			return false
		}
		list = append(list, Identified{ID(key[len(prefix):]), one})
		return true
	})
	return list, errors.Join(failed, err)
}
