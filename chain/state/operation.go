package state

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// Kind is the context byte an operation starts with.
type Kind byte

// The kinds of operation.
//
// Spec: commonware §5.2.
const (
	Delete      Kind = 0xd1 // key
	Update      Kind = 0xd2 // key, value, next key
	CommitFloor Kind = 0xd3 // optional metadata, floor
)

// ErrOperation reports bytes that are not one canonical operation.
var ErrOperation = errors.New("not an operation")

// Operation is one entry of the log. Its slices alias the bytes it was decoded
// from.
//
// Spec: commonware §5.2.
type Operation struct {
	Kind     Kind
	Key      []byte // Delete, Update
	Value    []byte // Update
	Next     []byte // Update: the key that follows, cyclic
	Metadata []byte // CommitFloor; nil means none
	Floor    uint64 // CommitFloor: every operation below is inactive
}

// AppendOperation appends the encoding of op.
//
// Spec: commonware §5.2.
func (c *Config) AppendOperation(dst []byte, op *Operation) []byte {
	dst = append(dst, byte(op.Kind))
	switch op.Kind {
	case Delete:
		dst = appendPart(dst, op.Key, c.KeySize)
	case Update:
		dst = appendPart(dst, op.Key, c.KeySize)
		dst = appendPart(dst, op.Value, c.ValueSize)
		dst = appendPart(dst, op.Next, c.KeySize)
	case CommitFloor:
		dst = codec.AppendBool(dst, op.Metadata != nil)
		if op.Metadata != nil {
			dst = appendPart(dst, op.Metadata, c.ValueSize)
		}
		dst = codec.AppendUint(dst, op.Floor)
	}
	return dst
}

func appendPart(dst, part []byte, size int) []byte {
	if size == 0 {
		dst = codec.AppendLen(dst, len(part))
	}
	return append(dst, part...)
}

// DecodeOperation reads exactly one operation.
//
// Spec: commonware §5.2.
func (c *Config) DecodeOperation(data []byte) (Operation, error) {
	op, rest, err := c.SplitOperation(data)
	if err == nil && len(rest) != 0 {
		err = fmt.Errorf("%w: %d bytes left over", ErrOperation, len(rest))
	}
	return op, err
}

// SplitOperation reads one operation from the front of data and gives the bytes
// that follow it.
//
// Spec: commonware §5.2.
func (c *Config) SplitOperation(data []byte) (op Operation, rest []byte, err error) {
	if len(data) == 0 {
		return op, nil, fmt.Errorf("%w: empty", ErrOperation)
	}
	p := parser{rest: data[1:]}
	op.Kind = Kind(data[0])
	switch op.Kind {
	case Delete:
		op.Key = p.part(c.KeySize, KeyMax)
	case Update:
		op.Key = p.part(c.KeySize, KeyMax)
		op.Value = p.part(c.ValueSize, ValueMax)
		op.Next = p.part(c.KeySize, KeyMax)
	case CommitFloor:
		if p.flag() {
			op.Metadata = p.part(c.ValueSize, ValueMax)
		}
		op.Floor = p.uint()
		if op.Floor > LocationMax {
			p.bad = true
		}
	default:
		p.bad = true
	}
	if p.bad {
		return Operation{}, nil, fmt.Errorf("%w: context byte %#x, %d bytes", ErrOperation, data[0], len(data))
	}
	return op, p.rest, nil
}

// parser reads the parts of an operation without allocating. It is as strict as
// codec.Reader, which keeps a position and an error that nobody asks for here:
// every operation of a log passes through this when a state is opened or checked.
type parser struct {
	rest []byte
	bad  bool
}

func (p *parser) uint() uint64 {
	v, n := binary.Uvarint(p.rest)
	if n <= 0 || (n > 1 && p.rest[n-1] == 0) {
		p.bad, p.rest = true, nil
		return 0
	}
	p.rest = p.rest[n:]
	return v
}

func (p *parser) flag() bool {
	if len(p.rest) == 0 || p.rest[0] > 1 {
		p.bad, p.rest = true, nil
		return false
	}
	f := p.rest[0] == 1
	p.rest = p.rest[1:]
	return f
}

func (p *parser) part(size, limit int) []byte {
	n := uint64(size)
	if size == 0 {
		n = p.uint()
	}
	if n > uint64(limit) || n > uint64(len(p.rest)) {
		p.bad, p.rest = true, nil
		return nil
	}
	part := p.rest[:n:n]
	p.rest = p.rest[n:]
	return part
}
