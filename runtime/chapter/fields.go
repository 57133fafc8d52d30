package chapter

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Named reads the arguments of a handler by their names: the request's data is a map in canonical CBOR, or nothing. After the first mistake everything is
// zero, and Finish tells.
type Named struct {
	fields cbor.Map
	read   []string
	err    error
}

// MaxArguments bounds the arguments of a handler, in bytes.
const MaxArguments = 16 << 10

// argumentByte is what a byte of arguments costs in cycles before it is read: what a value of one byte takes.
const argumentByte = 8

// Names takes a request's data apart, after it has taken the price of that.
func Names(e *Env, r Request) *Named {
	n := &Named{read: []string{keyHandler}} // which a message names its handler by
	if len(r.Data) == 0 {
		return n
	}
	if len(r.Data) > MaxArguments {
		n.fail("the arguments have %d bytes, and at most %d are read", len(r.Data), MaxArguments)
		return n
	}
	if n.err = e.Charge(argumentByte*unit.Cycles(len(r.Data)), 0); n.err != nil {
		return n
	}
	v, err := cbor.Parse(r.Data)
	fields, ok := v.(cbor.Map)
	if err != nil || !ok {
		n.fail("the arguments are a map in canonical CBOR")
	}
	n.fields = fields
	return n
}

func (n *Named) fail(format string, args ...any) {
	if n.err == nil {
		n.err = Reject(drain.FaultInput, "InvalidInputError", 2, format, args...)
	}
}

func (n *Named) take(name string) (any, bool) {
	n.read = append(n.read, name)
	v, ok := n.fields.Lookup(name)
	return v, ok && v != nil && n.err == nil
}

// Has reports whether an argument was given and is not None.
func (n *Named) Has(name string) bool {
	_, ok := n.take(name)
	return ok
}

// Number is an integer from 0 to 2^63-1; 0 where it is missing.
func (n *Named) Number(name string) uint64 {
	v, ok := n.take(name)
	if !ok {
		return 0
	}
	i, ok := v.(int64)
	if !ok || i < 0 {
		n.fail("%s is a number from 0 on", name)
		return 0
	}
	return uint64(i)
}

// Small is Number of at most 255.
func (n *Named) Small(name string) uint8 {
	i := n.Number(name)
	if i > 0xff {
		n.fail("%s is at most 255", name)
		return 0
	}
	return uint8(i)
}

// Truth is a truth value; false where it is missing.
func (n *Named) Truth(name string) bool {
	v, ok := n.take(name)
	if !ok {
		return false
	}
	b, ok := v.(bool)
	if !ok {
		n.fail("%s is true or false", name)
	}
	return b
}

// Text is a text; empty where it is missing.
func (n *Named) Text(name string) string {
	v, ok := n.take(name)
	if !ok {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		n.fail("%s is a text", name)
	}
	return s
}

// Bytes are octets, or hexadecimal digits; nil where they are missing.
func (n *Named) Bytes(name string) []byte {
	v, ok := n.take(name)
	if !ok {
		return nil
	}
	switch v := v.(type) {
	case []byte:
		return v
	case string:
		if raw, err := hex.DecodeString(strings.TrimPrefix(v, "0x")); err == nil {
			return raw
		}
	}
	n.fail("%s is octets, or hexadecimal digits", name)
	return nil
}

// Into is Bytes of exactly so many; it leaves out alone where they are missing.
func (n *Named) Into(name string, out []byte) {
	raw := n.Bytes(name)
	if raw != nil && len(raw) != len(out) {
		n.fail("%s has %d bytes", name, len(out))
		return
	}
	copy(out, raw)
}

// Hash is 32 bytes.
func (n *Named) Hash(name string) (h digest.Hash) {
	n.Into(name, h[:])
	return h
}

// Address is 20 bytes.
func (n *Named) Address(name string) (a account.Address) {
	n.Into(name, a[:])
	return a
}

// Finish gives the first mistake; an argument nobody read is one.
func (n *Named) Finish() error {
	for _, p := range n.fields {
		if name, ok := p.Key.(string); !ok || !slices.Contains(n.read, name) {
			n.fail("there is no argument %v", p.Key)
		}
	}
	return n.err
}

// keyHandler is the member of a message that names its handler.
const keyHandler = "handler"

// HandlerOf is the handler that a message names, as an actor's does: the text at "handler" of a map in canonical CBOR, "" where there is none. It looks at
// no more than MaxArguments bytes, each once, and builds nothing.
//
// Spec: sdk §7 (messages).
func HandlerOf(data []byte) string {
	if len(data) > MaxArguments {
		return ""
	}
	w := walker{rest: data}
	major, count := w.head()
	if major != majorMap {
		return ""
	}
	for range count {
		major, size := w.head()
		key := w.take(major, size)
		if string(key) == keyHandler && major == majorText {
			if major, size = w.head(); major == majorText {
				return string(w.take(major, size))
			}
			return ""
		}
		if w.skip(); w.bad {
			return ""
		}
	}
	return ""
}

// The major types of CBOR that a walker tells apart.
const (
	majorBytes = 2
	majorText  = 3
	majorArray = 4
	majorMap   = 5
	majorTag   = 6
)

// walker goes over CBOR without building it.
type walker struct {
	rest []byte
	bad  bool
}

// head reads the beginning of an item.
func (w *walker) head() (major byte, n uint64) {
	if len(w.rest) == 0 {
		w.bad = true
		return 0, 0
	}
	first := w.rest[0]
	w.rest = w.rest[1:]
	major, n = first>>5, uint64(first&31)
	if n < 24 {
		return major, n
	}
	size := 1 << (n - 24)
	if n > 27 || size > len(w.rest) {
		w.bad = true
		return 0, 0
	}
	n = 0
	for _, b := range w.rest[:size] {
		n = n<<8 | uint64(b)
	}
	w.rest = w.rest[size:]
	return major, n
}

// take is the body of a string; of anything else there is none.
func (w *walker) take(major byte, size uint64) []byte {
	if w.bad || major != majorBytes && major != majorText {
		return nil
	}
	if size > uint64(len(w.rest)) {
		w.bad = true
		return nil
	}
	body := w.rest[:size]
	w.rest = w.rest[size:]
	return body
}

// skip goes over an item and all within it.
func (w *walker) skip() {
	for left := uint64(1); left > 0 && !w.bad; left-- {
		switch major, n := w.head(); major {
		case majorBytes, majorText:
			w.take(major, n)
		case majorTag:
			left++
		case majorArray, majorMap:
			if n > uint64(len(w.rest)) {
				w.bad = true
				return
			}
			left += n * uint64(major-majorArray+1)
		}
	}
}
