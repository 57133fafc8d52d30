package pystruct

import (
	"encoding/binary"
	"math/big"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// unpack returns the tuple of the values in src, which is as long as the layout.
func (l *layout) unpack(m *object.Machine, src []byte) (object.Value, *object.Exception) {
	if e := m.Charge(10 + valueCost*l.values + l.size/16); e != nil {
		return object.Value{}, e
	}
	if e := m.Reserve(16*l.values + l.size); e != nil {
		return object.Value{}, e
	}
	out := make([]object.Value, 0, l.values)
	for _, f := range l.fields {
		at := src[f.offset:]
		switch f.kind {
		case text:
			out = append(out, m.Bytes(append([]byte(nil), at[:f.count]...)))
			continue
		case pascal:
			var b []byte
			if f.count > 0 {
				b = append(b, at[1:][:min(int(at[0]), f.count-1)]...)
			}
			out = append(out, m.Bytes(b))
			continue
		}
		for range f.count {
			v, e := l.unpackOne(m, f, at[:f.size])
			if e != nil {
				return object.Value{}, e
			}
			out = append(out, v)
			at = at[f.size:]
		}
	}
	return m.Tuple(out...), nil
}

func (l *layout) unpackOne(m *object.Machine, f field, src []byte) (object.Value, *object.Exception) {
	u := l.bits(src)
	switch f.kind {
	case char:
		return m.Bytes([]byte{src[0]}), nil
	case boolean:
		return object.Bool(u != 0), nil
	case signed:
		shift := uint(64 - 8*f.size)
		return object.Int(int64(u<<shift) >> shift), nil
	case unsigned:
		if int64(u) < 0 {
			return m.IntOf(new(big.Int).SetUint64(u))
		}
		return object.Int(int64(u)), nil
	}
	switch f.char {
	case 'e':
		return object.Float(softfloat.FromHalf(uint16(u))), nil
	case 'f':
		return object.Float(softfloat.FromSingle(uint32(u))), nil
	}
	return object.Float(softfloat.Canonical(u)), nil
}

// bits reads up to eight bytes as an unsigned integer.
func (l *layout) bits(src []byte) uint64 {
	var b [8]byte
	if l.big {
		copy(b[8-len(src):], src)
		return binary.BigEndian.Uint64(b[:])
	}
	copy(b[:], src)
	return binary.LittleEndian.Uint64(b[:])
}
