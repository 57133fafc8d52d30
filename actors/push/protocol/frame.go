package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// ALPN is the name of the protocol in TLS.
const ALPN = "cowboy-cip11/1"

// Version is spoken here: major 1, minor 0.
//
// Spec: runner-marketplace §9.3.
const Version = 0x0100

// The types of frames.
const (
	typeHello        = 0x01
	typeHelloAck     = 0x02
	typePing         = 0x10
	typePong         = 0x11
	typeBackpressure = 0x12
	typeCapability   = 0x13
	typeAssignment   = 0x20
	typeAck          = 0x21
	typeProgress     = 0x22
	typeResult       = 0x23
	typeCancel       = 0x24
	typeGoodbye      = 0xf0
)

// Bounds of payloads, in bytes, and of what is in them.
const (
	smallMost      = 512
	MaxDetail      = 128 // of a text
	MaxChanges     = 64  // capabilities in a delta
	maxCapability  = 64
	capabilityMost = 2 * MaxChanges * (maxCapability + 2)
	assignmentMost = job.MaxSpecBytes + smallMost
	resultMost     = params.MaxTxBytes + smallMost
)

// MaxFrame is the most a frame takes with its head.
const MaxFrame = headSize + resultMost

const headSize = 4 + 1

// ErrFrame reports bytes that are no frame of this protocol.
var ErrFrame = errors.New("push: not a frame of this protocol")

// Message is what a frame carries: *Hello, *HelloAck, *Ping, *Pong, *Backpressure, *CapabilityDelta, *Assignment, *Ack, *Progress, *Result, *Cancel, *Goodbye.
type Message interface {
	kind() byte
	most() int // bytes of the payload
	fields(f *fields)
}

// make gives an empty message of a type; nil for an unknown one.
func empty(kind byte) Message {
	switch kind {
	case typeHello:
		return &Hello{}
	case typeHelloAck:
		return &HelloAck{}
	case typePing:
		return &Ping{}
	case typePong:
		return &Pong{}
	case typeBackpressure:
		return &Backpressure{}
	case typeCapability:
		return &CapabilityDelta{}
	case typeAssignment:
		return &Assignment{}
	case typeAck:
		return &Ack{}
	case typeProgress:
		return &Progress{}
	case typeResult:
		return &Result{}
	case typeCancel:
		return &Cancel{}
	case typeGoodbye:
		return &Goodbye{}
	}
	return nil
}

// Payload is the encoding of a message without the frame's head. It panics over a message beyond the bounds, which its maker keeps.
func Payload(m Message) []byte {
	f := &fields{}
	m.fields(f)
	raw, err := cbor.Append(nil, f.out)
	if err == nil {
		err = f.err
	}
	if err == nil && len(raw) > m.most() {
		err = ErrFrame
	}
	if err != nil {
		panic(fmt.Errorf("push: %T: %w", m, err))
	}
	return raw
}

// Append appends the frame of a message.
//
// Spec: runner-marketplace §9.3.
func Append(dst []byte, m Message) []byte {
	payload := Payload(m)
	dst = binary.BigEndian.AppendUint32(dst, uint32(1+len(payload)))
	return append(append(dst, m.kind()), payload...)
}

// Room bounds the memory of frames that are being read: Take takes so many bytes or reports that there is no room, Give gives them back.
type Room interface {
	Take(n int64) bool
	Give(n int64)
}

// ErrRoom reports a frame for which there is no memory.
var ErrRoom = errors.New("push: no memory for the frame")

// Read reads a frame. Those that suits is false for end the reading before anything of them is read. Errors: ErrFrame, ErrRoom, the reader's.
func Read(from io.Reader, room Room, suits func(Message) bool) (Message, error) {
	var head [headSize]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return nil, err
	}
	size, m := binary.BigEndian.Uint32(head[:4]), empty(head[4])
	if m == nil || size < 1 || size-1 > uint32(m.most()) || !suits(m) {
		return nil, ErrFrame
	}
	n := int64(size - 1)
	if room != nil {
		if !room.Take(n) {
			return nil, ErrRoom
		}
		defer room.Give(n)
	}
	payload := make([]byte, n)
	if _, err := io.ReadFull(from, payload); err != nil {
		return nil, err
	}
	return m, Decode(m, payload)
}

// Decode reads a payload into an empty message. Error: ErrFrame.
func Decode(m Message, payload []byte) error {
	v, err := cbor.Parse(payload)
	in, ok := v.(cbor.Map)
	if err != nil || !ok {
		return fmt.Errorf("%w: %T: no canonical map", ErrFrame, m)
	}
	f := &fields{in: in, reading: true}
	if m.fields(f); f.err == nil && f.taken != len(in) {
		f.err = errors.New("a field too many")
	}
	if f.err != nil {
		return fmt.Errorf("%w: %T: %w", ErrFrame, m, f.err)
	}
	return nil
}

// fields is a map that a message is written to or read from: one description of the fields does both.
type fields struct {
	in      cbor.Map
	reading bool
	taken   int
	out     cbor.Map
	err     error
}

func (f *fields) fail(name, why string) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: %s", name, why)
	}
}

// take gives a field that is read.
func (f *fields) take(name string) (any, bool) {
	v, ok := f.in.Lookup(name)
	if ok {
		f.taken++
	}
	return v, ok
}

func (f *fields) put(name string, v any) { f.out = append(f.out, cbor.Pair{Key: name, Value: v}) }

// uint is a number up to a bound.
func (f *fields) uint(name string, at *uint64, most uint64) {
	if !f.reading {
		f.put(name, *at)
		return
	}
	v, _ := f.take(name)
	n, ok := v.(int64)
	if !ok || n < 0 || uint64(n) > most {
		f.fail(name, "no number within its bounds")
		return
	}
	*at = uint64(n)
}

func (f *fields) bool(name string, at *bool) {
	if !f.reading {
		f.put(name, *at)
		return
	}
	v, _ := f.take(name)
	b, ok := v.(bool)
	if !ok {
		f.fail(name, "neither true nor false")
	}
	*at = b
}

// fixed is as many bytes as there is room for.
func (f *fields) fixed(name string, at []byte) {
	if !f.reading {
		f.put(name, at)
		return
	}
	v, _ := f.take(name)
	raw, ok := v.([]byte)
	if !ok || len(raw) != len(at) {
		f.fail(name, fmt.Sprintf("not %d bytes", len(at)))
		return
	}
	copy(at, raw)
}

func (f *fields) hash(name string, at *digest.Hash) { f.fixed(name, at[:]) }

// bytes is up to most bytes, and one at least.
func (f *fields) bytes(name string, at *[]byte, most int) {
	if !f.reading {
		f.put(name, *at)
		return
	}
	v, _ := f.take(name)
	raw, ok := v.([]byte)
	if !ok || len(raw) == 0 || len(raw) > most {
		f.fail(name, "no bytes within their bounds")
		return
	}
	*at = raw
}

// text is a text that is absent where it is empty.
func (f *fields) text(name string, at *string) {
	if !f.reading {
		if *at != "" {
			f.put(name, *at)
		}
		return
	}
	v, there := f.take(name)
	s, ok := v.(string)
	if there && (!ok || s == "" || len(s) > MaxDetail) {
		f.fail(name, "no text within its bounds")
		return
	}
	*at = s
}

// texts is a list of texts.
func (f *fields) texts(name string, at *[]string) {
	if !f.reading {
		list := make([]any, len(*at))
		for i, s := range *at {
			list[i] = s
		}
		f.put(name, list)
		return
	}
	v, _ := f.take(name)
	list, ok := v.([]any)
	if !ok || len(list) > MaxChanges {
		f.fail(name, "no list within its bounds")
		return
	}
	for _, one := range list {
		s, ok := one.(string)
		if !ok || s == "" || len(s) > maxCapability {
			f.fail(name, "not a list of texts")
			return
		}
		*at = append(*at, s)
	}
}
