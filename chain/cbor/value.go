package cbor

import (
	"errors"
	"math/big"
)

// Float is a double as a plain Go value: its bits.
type Float uint64

// Pair is an entry of a Map.
type Pair struct{ Key, Value any }

// Map is a map as a plain Go value. Parse answers entries in the order of their encoded keys; Append takes them in any
// order.
type Map []Pair

// Lookup answers the value under a text key.
func (m Map) Lookup(key string) (any, bool) {
	for _, p := range m {
		if k, ok := p.Key.(string); ok && k == key {
			return p.Value, true
		}
	}
	return nil, false
}

// ErrGoType is answered by Append for a Go value of a type it does not know.
var ErrGoType = errors.New("cbor: Go type without an encoding")

// Append appends the encoding of a plain Go value to dst: nil, bool, int, int64, uint64, *big.Int, Float, []byte, string, []any
// or Map.
func Append(dst []byte, v any) ([]byte, error) {
	e := NewEncoder(dst, 0)
	if err := e.plain(v); err != nil {
		return dst, err
	}
	return e.Bytes(), nil
}

func (e *Encoder) plain(v any) error {
	switch v := v.(type) {
	case nil:
		return e.Null()
	case bool:
		return e.Bool(v)
	case int:
		return e.Int(int64(v))
	case int64:
		return e.Int(v)
	case uint64:
		return e.Uint(v)
	case *big.Int:
		return e.Big(v)
	case Float:
		return e.Float(uint64(v))
	case []byte:
		return e.ByteString(v)
	case string:
		return e.Text(v)
	case []any:
		return e.Array(len(v), func(i int) error { return e.plain(v[i]) })
	case Map:
		return e.Map(len(v), func(i int) error { return e.plain(v[i].Key) }, func(i int) error { return e.plain(v[i].Value) })
	default:
		return ErrGoType
	}
}

// Parse decodes a value into plain Go values: nil, bool, int64, *big.Int (beyond int64), Float, []byte, string, []any,
// Map. Nothing aliases data.
func Parse(data []byte) (any, error) { return Decode[any](data, plain{}) }

// plain builds plain Go values.
type plain struct{}

func (plain) Null() (any, error)                { return nil, nil }
func (plain) Bool(b bool) (any, error)          { return b, nil }
func (plain) Int(i int64) (any, error)          { return i, nil }
func (plain) Big(i *big.Int) (any, error)       { return i, nil }
func (plain) Float(bits uint64) (any, error)    { return Float(bits), nil }
func (plain) Open(bool) error                   { return nil }
func (plain) ByteString(b []byte) (any, error)  { return append([]byte{}, b...), nil }
func (plain) Text(b []byte) (any, error)        { return string(b), nil }
func (plain) Array(elements []any) (any, error) { return elements, nil }
func (plain) Map(entries []any) (any, error) {
	m := make(Map, len(entries)/2)
	for i := range m {
		m[i] = Pair{entries[2*i], entries[2*i+1]}
	}
	return m, nil
}
