package block

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Kind says what a receipt is about.
type Kind uint8

// The kinds of receipts.
const (
	Transaction Kind = iota // a transaction of the block
	Timer                   // a timer that fired, expired or was dropped
	Message                 // an actor message run in its own turn
	Deferred                // a deferred transaction
	System                  // work of the protocol itself
	Hooks                   // hooks that an earlier emit of an event left to the block
	kindCount
)

// String names the kind.
func (k Kind) String() string {
	switch k {
	case Transaction:
		return "transaction"
	case Timer:
		return "timer"
	case Message:
		return "message"
	case Deferred:
		return "deferred"
	case System:
		return "system"
	case Hooks:
		return "hooks"
	}
	return "unknown"
}

// Status is the outcome of what a receipt is about.
type Status uint8

// The outcomes.
const (
	Success Status = iota // effects applied
	Faulted               // effects undone, fee kept; FaultCode says why
	Dropped               // not run: expired, unfunded, too old
	statusCount
)

// String names the status.
func (s Status) String() string {
	switch s {
	case Success:
		return "success"
	case Faulted:
		return "fault"
	case Dropped:
		return "dropped"
	}
	return "unknown"
}

// Fault is why execution failed. The code is part of the protocol; the text is
// for people, not hashed and not encoded.
type Fault struct {
	Code uint16
	Text string
}

// Event is what an actor or system actor announced. Topic and Data are as
// emitted. Spec: WP §17.3 (emit_event).
type Event struct {
	Actor account.Address
	Topic []byte
	Data  []byte
}

// Receipt records one execution. ID names what was executed (a transaction,
// timer, message or deferred identity) and Cause the transaction that led to it,
// equal to ID for a transaction and zero where none did.
type Receipt struct {
	Kind   Kind
	ID     digest.Hash
	Cause  digest.Hash
	Sender account.Address
	Target account.Address
	Status Status
	Fault  Fault
	Value  unit.Amount // coins that came with it, base units; the sender's again where it did not succeed

	CyclesUsed unit.Cycles
	CellsUsed  unit.Cells
	FeeBurned  unit.Amount // base units
	FeeTipped  unit.Amount // base units

	Events     []Event
	ReturnData []byte
	Created    *account.Address // the actor a deployment created

	// Emit is the emit that hooks come of (triggered_by_emit). Hooks alone have it. Spec: gateway-payments-streams §H.1.
	Emit event.Origin
}

// maxReceiptEvents bounds the events of a receipt for a decoder: each costs 500
// cycles, and a receipt can hold no more than the whole block pays for.
// Spec: WP §17.3.
const maxReceiptEvents = int(params.BlockCycles / params.CostEvent)

// minEventSize is the encoding of an event without topic and data.
const minEventSize = account.AddressSize + 2

// Append appends the canonical encoding, which leaves out Fault.Text; that of hooks ends with their emit.
// Spec: WP §2.5 (receipts are consensus types).
func (x *Receipt) Append(dst []byte) []byte {
	dst = codec.AppendU8(dst, uint8(x.Kind))
	dst = codec.AppendFixed(dst, x.ID[:])
	dst = codec.AppendFixed(dst, x.Cause[:])
	dst = codec.AppendFixed(dst, x.Sender[:])
	dst = codec.AppendFixed(dst, x.Target[:])
	dst = codec.AppendU8(dst, uint8(x.Status))
	dst = codec.AppendUint(dst, uint64(x.Fault.Code))
	dst = codec.AppendUint(dst, uint64(x.Value))
	dst = codec.AppendUint(dst, uint64(x.CyclesUsed))
	dst = codec.AppendUint(dst, uint64(x.CellsUsed))
	dst = codec.AppendUint(dst, uint64(x.FeeBurned))
	dst = codec.AppendUint(dst, uint64(x.FeeTipped))
	dst = codec.AppendLen(dst, len(x.Events))
	for i := range x.Events {
		e := &x.Events[i]
		dst = codec.AppendFixed(dst, e.Actor[:])
		dst = codec.AppendBytes(dst, e.Topic)
		dst = codec.AppendBytes(dst, e.Data)
	}
	dst = codec.AppendBytes(dst, x.ReturnData)
	dst = codec.AppendBool(dst, x.Created != nil)
	if x.Created != nil {
		dst = codec.AppendFixed(dst, x.Created[:])
	}
	if x.Kind == Hooks {
		dst = x.Emit.Append(dst)
	}
	return dst
}

// Encode is the canonical encoding on its own.
func (x *Receipt) Encode() []byte { return x.Append(make([]byte, 0, 256)) }

// Hash is the receipt's leaf in the receipt root: the keccak256 of its encoding.
// Spec: commonware §6.
func (x *Receipt) Hash() digest.Hash { return digest.Keccak256(x.Encode()) }

// ReadReceipt reads what Append wrote; errors stay in r. Byte fields alias the
// input.
func ReadReceipt(r *codec.Reader) Receipt {
	var x Receipt
	x.Kind = Kind(r.Tag(uint8(kindCount)))
	r.Into(x.ID[:])
	r.Into(x.Cause[:])
	r.Into(x.Sender[:])
	r.Into(x.Target[:])
	x.Status = Status(r.Tag(uint8(statusCount)))
	x.Fault.Code = r.Uint16()
	x.Value = unit.Amount(r.Uint())
	x.CyclesUsed = unit.Cycles(r.Uint())
	x.CellsUsed = unit.Cells(r.Uint())
	x.FeeBurned = unit.Amount(r.Uint())
	x.FeeTipped = unit.Amount(r.Uint())
	x.Events = readEvents(r)
	x.ReturnData = nonEmpty(r.Bytes(params.MaxReturnBytes))
	if r.Option() {
		x.Created = new(account.Address)
		r.Into(x.Created[:])
	}
	if x.Kind == Hooks {
		x.Emit = event.ReadOrigin(r)
	}
	return x
}

func readEvents(r *codec.Reader) []Event {
	n := r.Len(0, maxReceiptEvents, minEventSize)
	if n == 0 {
		return nil
	}
	events := make([]Event, n)
	for i := range events {
		r.Into(events[i].Actor[:])
		events[i].Topic = nonEmpty(r.Bytes(params.MaxEventTopicBytes))
		events[i].Data = nonEmpty(r.Bytes(params.MaxEventDataBytes))
	}
	return events
}

func nonEmpty(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

// DecodeReceipt reads one receipt and nothing else, or gives a *codec.Error.
func DecodeReceipt(data []byte) (*Receipt, error) {
	r := codec.NewReader(data)
	x := ReadReceipt(r)
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return &x, nil
}

// AppendRecord appends the form a node keeps: the canonical encoding as a byte
// string, then the fault's text. It is local; no other node sees it.
func (x *Receipt) AppendRecord(dst []byte) []byte {
	return codec.AppendBytes(codec.AppendBytes(dst, x.Encode()), []byte(x.Fault.Text))
}

// DecodeRecord reads what AppendRecord wrote and nothing else, or gives a
// *codec.Error.
func DecodeRecord(data []byte) (*Receipt, error) {
	r := codec.NewReader(data)
	canonical := r.Bytes(len(data))
	text := r.Bytes(len(data))
	if err := r.Finish(); err != nil {
		return nil, err
	}
	x, err := DecodeReceipt(canonical)
	if err != nil {
		return nil, err
	}
	x.Fault.Text = string(text)
	return x, nil
}

// ReceiptRoot is the root over receipts in the order they were made.
// Spec: commonware §6; WP "Storage and State Persistence" (keccak256).
func ReceiptRoot(receipts []*Receipt) digest.Hash {
	leaves := make([]digest.Hash, len(receipts))
	var scratch []byte
	for i, x := range receipts {
		scratch = x.Append(scratch[:0])
		leaves[i] = digest.Keccak256(scratch)
	}
	return digest.MerkleRoot(leaves)
}
