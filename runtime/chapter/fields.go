package chapter

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Named reads the arguments of a handler by their names: the request's data is a map in canonical CBOR, or nothing. After the first mistake everything is
// zero, and Finish tells.
type Named struct {
	fields cbor.Map
	read   []string
	err    error
}

// Names takes a request's data apart.
func Names(r Request) *Named {
	n := new(Named)
	if len(r.Data) == 0 {
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
