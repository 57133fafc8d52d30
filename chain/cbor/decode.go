package cbor

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"unicode/utf8"
)

// Builder makes values of its owner's type from what Decode reads. Byte strings and text alias the input; a builder that keeps
// them copies. A builder's error ends the decoding and is answered by Decode.
type Builder[V any] interface {
	Null() (V, error)
	Bool(b bool) (V, error)
	Int(i int64) (V, error)
	// Big builds an integer that does not fit an int64. The builder owns i.
	Big(i *big.Int) (V, error)
	Float(bits uint64) (V, error)
	ByteString(b []byte) (V, error)
	Text(b []byte) (V, error)
	// Open is told of an array, or a map, before its elements are read.
	Open(mapping bool) error
	// Array builds an array of elements, which the builder owns.
	Array(elements []V) (V, error)
	// Map builds a map of entries: keys and values in turn, in the order of the encoded keys. The slice is valid until Map returns.
	Map(entries []V) (V, error)
}

// Decode reads data, which must hold exactly one value in its canonical encoding.
//
// Spec: sdk §15 (strict decode); RFC 8949 §4.2.
func Decode[V any](data []byte, b Builder[V]) (V, error) {
	d := decoder[V]{in: data, build: b}
	v, err := d.value(0)
	if err == nil && d.at != len(data) {
		var none V
		return none, ErrTrailing
	}
	return v, err
}

type decoder[V any] struct {
	in    []byte
	at    int
	build Builder[V]
	items []V // of the arrays and maps that are being read, the innermost last
}

// head reads a head and answers its major type and argument.
func (d *decoder[V]) head() (first byte, n uint64, err error) {
	if d.at == len(d.in) {
		return 0, 0, ErrTruncated
	}
	first = d.in[d.at]
	d.at++
	info := first & 31
	if info < argument8 {
		return first, uint64(info), nil
	}
	if info > argument64 {
		if info == argumentIndefinite {
			return 0, 0, ErrIndefinite
		}
		return 0, 0, ErrHead
	}
	size := 1 << (info - argument8)
	if len(d.in)-d.at < size {
		return 0, 0, ErrTruncated
	}
	var word [8]byte
	copy(word[8-size:], d.in[d.at:])
	d.at += size
	n = binary.BigEndian.Uint64(word[:])
	if first&^31 != majorSimple && headLen(n) != size+1 {
		return 0, 0, ErrShortest
	}
	return first, n, nil
}

// take answers the next n bytes.
func (d *decoder[V]) take(n uint64) ([]byte, error) {
	if n > uint64(len(d.in)-d.at) {
		return nil, ErrTruncated
	}
	b := d.in[d.at : d.at+int(n)]
	d.at += int(n)
	return b, nil
}

func (d *decoder[V]) value(depth int) (v V, err error) {
	first, n, err := d.head()
	if err != nil {
		return v, err
	}
	switch first &^ 31 {
	case majorUint:
		if n > 1<<63-1 {
			return d.build.Big(new(big.Int).SetUint64(n))
		}
		return d.build.Int(int64(n))
	case majorNegInt:
		if n > 1<<63-1 {
			return d.build.Big(new(big.Int).Not(new(big.Int).SetUint64(n)))
		}
		return d.build.Int(^int64(n))
	case majorBytes:
		b, err := d.take(n)
		if err != nil {
			return v, err
		}
		return d.build.ByteString(b)
	case majorText:
		b, err := d.take(n)
		if err != nil {
			return v, err
		}
		if !utf8.Valid(b) {
			return v, ErrText
		}
		return d.build.Text(b)
	case majorArray:
		return d.array(n, depth)
	case majorMap:
		return d.mapping(n, depth)
	case majorTag:
		return d.bignum(first)
	default:
		return d.simple(first, n)
	}
}

func (d *decoder[V]) simple(first byte, n uint64) (v V, err error) {
	switch first {
	case headNull:
		return d.build.Null()
	case headFalse, headTrue:
		return d.build.Bool(first == headTrue)
	case headDouble:
		if isNaN(n) && n != NaN {
			return v, ErrFloat
		}
		return d.build.Float(n)
	case headDouble - 1, headDouble - 2:
		return v, ErrFloat
	default:
		return v, ErrSimple
	}
}

// bignum reads an integer beyond 64 bits behind its tag.
func (d *decoder[V]) bignum(tag byte) (v V, err error) {
	if tag != headPosBig && tag != headNegBig {
		return v, ErrTag
	}
	first, n, err := d.head()
	if err != nil {
		return v, err
	}
	if first&^31 != majorBytes {
		return v, ErrTag
	}
	b, err := d.take(n)
	if err != nil {
		return v, err
	}
	if len(b) <= 8 || b[0] == 0 {
		return v, ErrShortest
	}
	if len(b) > MaxIntBits/8 {
		return v, ErrIntSize
	}
	i := new(big.Int).SetBytes(b)
	if tag == headNegBig {
		i.Not(i)
	}
	if tooLarge(i) {
		return v, ErrIntSize
	}
	return d.build.Big(i)
}

// array reads n elements. Each takes at least a byte, so that a count beyond the input is refused before anything is read; what waits grows with what
// is read, because elements can be larger than their encoding.
func (d *decoder[V]) array(n uint64, depth int) (v V, err error) {
	if depth == MaxDepth {
		return v, ErrDepth
	}
	if n > uint64(len(d.in)-d.at) {
		return v, ErrTruncated
	}
	if err := d.build.Open(false); err != nil {
		return v, err
	}
	first := len(d.items)
	for ; n > 0; n-- {
		element, err := d.value(depth + 1)
		if err != nil {
			return v, err
		}
		d.items = append(d.items, element)
	}
	elements := make([]V, len(d.items)-first)
	copy(elements, d.items[first:])
	d.forget(first)
	return d.build.Array(elements)
}

// forget drops what was read from an item on.
func (d *decoder[V]) forget(first int) {
	clear(d.items[first:])
	d.items = d.items[:first]
}

func (d *decoder[V]) mapping(n uint64, depth int) (v V, err error) {
	if depth == MaxDepth {
		return v, ErrDepth
	}
	if n > uint64(len(d.in)-d.at)/2 {
		return v, ErrTruncated
	}
	if err := d.build.Open(true); err != nil {
		return v, err
	}
	first := len(d.items)
	var last []byte
	for ; n > 0; n-- {
		start := d.at
		if !isKey(d.in[start:]) {
			if start == len(d.in) {
				return v, ErrTruncated
			}
			return v, ErrKey
		}
		key, err := d.value(depth + 1)
		if err != nil {
			return v, err
		}
		encoded := d.in[start:d.at]
		if last != nil {
			switch c := bytes.Compare(last, encoded); {
			case c == 0:
				return v, ErrDuplicate
			case c > 0:
				return v, ErrOrder
			}
		}
		last = encoded
		value, err := d.value(depth + 1)
		if err != nil {
			return v, err
		}
		d.items = append(d.items, key, value)
	}
	v, err = d.build.Map(d.items[first:])
	d.forget(first)
	return v, err
}
