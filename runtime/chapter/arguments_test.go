package chapter

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// tally counts cycles up to a limit.
type tally struct {
	Meter // of cells, which reading does not use
	left  uint64
}

var errSpent = errors.New("spent")

func (m *tally) Charge(n uint64) error {
	if n > m.left {
		return errSpent
	}
	m.left -= n
	return nil
}

// Arguments come by name, in order or not at all; each fits its kind, and what nobody asked for is refused. Reading costs 20 cycles and one a byte.
//
// Spec: sdk §7 (arguments of a call); WP §17.3 (serialization).
func TestNamed(t *testing.T) {
	list := []Parameter{{"key", Bytes}, {"to", Address | Optional}, {"root", Hash | Optional}, {"size", Number | Optional}, {"on", Truth | Optional}}
	word := bytes.Repeat([]byte{0xab}, 32)
	digits := "0xabababababababababababababababababababababababababababababababab"
	given := func(key []byte, rest ...any) Args {
		return append(append(Args{key}, rest...), make(Args, 4-len(rest))...)
	}
	for name, c := range map[string]struct {
		value any
		want  Args // nil: refused
	}{
		"by name":         {cbor.Map{{Key: "key", Value: []byte("k")}, {Key: "size", Value: int64(7)}}, given([]byte("k"), nil, nil, uint64(7))},
		"in order":        {[]any{[]byte("k"), nil, word}, given([]byte("k"), nil, digest.Hash(word))},
		"with a handler":  {cbor.Map{{Key: "key", Value: []byte("k")}, {Key: "handler", Value: "go"}}, given([]byte("k"))},
		"in digits":       {cbor.Map{{Key: "key", Value: "0x6b"}, {Key: "root", Value: digits}}, given([]byte("k"), nil, digest.Hash(word))},
		"bare digits":     {[]any{"6b", digits[:42]}, given([]byte("k"), account.Address(word[:20]))},
		"a truth":         {[]any{"", nil, nil, nil, true}, given([]byte{}, nil, nil, nil, true)},
		"missing":         {cbor.Map{{Key: "size", Value: int64(7)}}, nil},
		"none":            {nil, nil},
		"unknown":         {cbor.Map{{Key: "key", Value: []byte("k")}, {Key: "kee", Value: int64(1)}}, nil},
		"too many":        {[]any{[]byte("k"), nil, nil, nil, nil, nil}, nil},
		"no map":          {int64(1), nil},
		"below zero":      {[]any{[]byte("k"), nil, nil, int64(-1)}, nil},
		"no digits":       {[]any{"kk"}, nil},
		"half a digit":    {[]any{"6"}, nil},
		"31 bytes":        {[]any{[]byte("k"), nil, word[:31]}, nil},
		"33 bytes":        {[]any{[]byte("k"), nil, append([]byte{0}, word...)}, nil},
		"19 bytes":        {[]any{[]byte("k"), word[:19]}, nil},
		"a text as truth": {[]any{[]byte("k"), nil, nil, nil, "true"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := cbor.Append(nil, c.value)
			if err != nil {
				t.Fatal(err)
			}
			m := &tally{left: 1_000}
			e := &Env{Block: &drain.Block{ChainID: 1, Height: 1, Params: params.Genesis()}, Meter: m}
			got, err := e.Named(Request{Handler: "do", Data: raw}, list...)
			if (err != nil) != (c.want == nil) || !slices.EqualFunc(got, c.want, same) {
				t.Errorf("%v (%v), want %v", got, err, c.want)
			}
			if paid := 1_000 - m.left; paid != 20+uint64(len(raw)) {
				t.Errorf("%d cycles for %d bytes", paid, len(raw))
			}
		})
	}
	t.Run("without parameters", func(t *testing.T) {
		e := &Env{Block: &drain.Block{ChainID: 1, Height: 1, Params: params.Genesis()}, Meter: &tally{left: 100}}
		if _, err := e.Named(Request{}); err != nil {
			t.Error(err)
		}
		if _, err := e.Named(Request{Data: []byte{0xa1, 0x61, 0x61, 1}}); err == nil {
			t.Error("an argument nobody asked for")
		}
	})
	t.Run("unpaid", func(t *testing.T) {
		e := &Env{Block: &drain.Block{ChainID: 1, Height: 1, Params: params.Genesis()}, Meter: &tally{left: 20}}
		if _, err := e.Named(Request{Data: []byte{0x80}}); !errors.Is(err, errSpent) {
			t.Error(err)
		}
	})
}

func same(a, b any) bool {
	if x, ok := a.([]byte); ok {
		y, ok := b.([]byte)
		return ok && bytes.Equal(x, y)
	}
	return a == b
}
