package object

import (
	"math/big"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

func intMethods() []Method {
	return []Method{
		{Name: "bit_length", Func: func(m *Machine, a Args) (Value, *Exception) {
			i, _ := asInt(a.V[0])
			return Int(int64(bitLen(i))), nil
		}},
		{Name: "bit_count", Func: func(m *Machine, a Args) (Value, *Exception) {
			i, _ := asInt(a.V[0])
			if e := m.Charge(1 + bitLen(i)/16); e != nil {
				return Value{}, e
			}
			n := 0
			for _, w := range new(big.Int).Abs(i.BigInt()).Bits() {
				for ; w != 0; w &= w - 1 {
					n++
				}
			}
			return Int(int64(n)), nil
		}},
		{Name: "conjugate", Func: func(m *Machine, a Args) (Value, *Exception) { return intPos(m, a.V[0]) }},
		{Name: "__trunc__", Func: func(m *Machine, a Args) (Value, *Exception) { return intPos(m, a.V[0]) }},
		{Name: "__floor__", Func: func(m *Machine, a Args) (Value, *Exception) { return intPos(m, a.V[0]) }},
		{Name: "__ceil__", Func: func(m *Machine, a Args) (Value, *Exception) { return intPos(m, a.V[0]) }},
		{Name: "__round__", Sig: "ndigits=None, /", Func: intRound},
		{Name: "as_integer_ratio", Func: func(m *Machine, a Args) (Value, *Exception) {
			i, _ := asInt(a.V[0])
			return m.Tuple(i, Int(1)), nil
		}},
		{Name: "to_bytes", Sig: "length=1, byteorder='big', *, signed=False", Func: intToBytes},
		{Name: "from_bytes", Class: true, Sig: "bytes, byteorder='big', *, signed=False", Func: intFromBytes},
		{Name: "__getnewargs__", Func: func(m *Machine, a Args) (Value, *Exception) {
			i, _ := asInt(a.V[0])
			return m.Tuple(i), nil
		}},
	}
}

func intFields() []Field {
	self := func(m *Machine, v Value) (Value, *Exception) { return intPos(m, v) }
	constant := func(i int64) Unary {
		return func(m *Machine, v Value) (Value, *Exception) { return Int(i), nil }
	}
	return []Field{
		{Name: "real", Get: self}, {Name: "imag", Get: constant(0)},
		{Name: "numerator", Get: self}, {Name: "denominator", Get: constant(1)},
	}
}

// intRound rounds to a multiple of a power of ten, halves to even.
func intRound(m *Machine, a Args) (Value, *Exception) {
	i, _ := asInt(a.V[0])
	nd := a.Arg(1)
	if nd.ref == nil {
		return i, nil
	}
	n, e := m.Index(nd)
	if e != nil {
		return Value{}, e
	}
	if !n.IsInt() || n.Int64() >= 0 {
		return i, nil
	}
	if n.Int64() < -1300 {
		return Int(0), nil
	}
	m.meter.Owe(m.costs.BigInt)
	p, e := m.intPow(Int(10), Int(-n.Int64()))
	if e != nil {
		return Value{}, e
	}
	words := words64(i)
	if e := m.Charge(10 + words + words*words/16); e != nil {
		return Value{}, e
	}
	unit := p.BigInt()
	q, r := new(big.Int).DivMod(i.BigInt(), unit, new(big.Int))
	switch c := new(big.Int).Lsh(r, 1).Cmp(unit); {
	case c > 0 || c == 0 && q.Bit(0) == 1:
		q.Add(q, big.NewInt(1))
	}
	return m.IntOf(q.Mul(q, unit))
}

// byteOrder reads the argument byteorder of a method.
func (m *Machine) byteOrder(v Value, method string) (little bool, e *Exception) {
	if v.ref == nil {
		return false, nil
	}
	s, e := m.namedStrArg(v, method, "'byteorder'")
	if e != nil {
		return false, e
	}
	switch s.s {
	case "little":
		return true, nil
	case "big":
		return false, nil
	}
	return false, m.ValueError("byteorder must be either 'little' or 'big'")
}

func intToBytes(m *Machine, a Args) (Value, *Exception) {
	i, _ := asInt(a.V[0])
	n, e := m.IndexInt(a.Or(1, Int(1)), nil)
	if e != nil {
		return Value{}, e
	}
	little, e := m.byteOrder(a.Arg(2), "to_bytes")
	if e != nil {
		return Value{}, e
	}
	if n < 0 {
		return Value{}, m.ValueError("length argument must be non-negative")
	}
	signed, e := m.Truth(a.Or(3, False))
	if e != nil {
		return Value{}, e
	}
	if e := m.Reserve(n); e != nil {
		return Value{}, e
	}
	if e := m.ChargeLen(2, n, 8); e != nil {
		return Value{}, e
	}
	x := i.BigInt()
	if x.Sign() < 0 && !signed {
		return Value{}, m.OverflowError("can't convert negative int to unsigned")
	}
	bits := x.BitLen()
	if signed {
		if x.Sign() < 0 {
			bits = new(big.Int).Not(x).BitLen()
		}
		bits++
	}
	if bits > 8*n && !(signed && n == 0 && bits == 1) { // 0 and -1 need nothing but a sign
		return Value{}, m.OverflowError("int too big to convert")
	}
	out := make([]byte, n)
	if x.Sign() < 0 {
		new(big.Int).Not(x).FillBytes(out)
		for j := range out {
			out[j] = ^out[j]
		}
	} else {
		x.FillBytes(out)
	}
	if little {
		reverseBytes(out)
	}
	return m.Bytes(out), nil
}

func reverseBytes(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

func intFromBytes(m *Machine, a Args) (Value, *Exception) {
	little, e := m.byteOrder(a.Arg(2), "from_bytes")
	if e != nil {
		return Value{}, e
	}
	b, e := m.BytesLike(a.V[1])
	if e != nil {
		return Value{}, e
	}
	signed, e := m.Truth(a.Or(3, False))
	if e != nil {
		return Value{}, e
	}
	if e := m.ChargeLen(2, len(b), 8); e != nil {
		return Value{}, e
	}
	data := append([]byte(nil), b...)
	if little {
		reverseBytes(data)
	}
	x := new(big.Int).SetBytes(data)
	if signed && len(data) > 0 && data[0]&0x80 != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
	}
	r, e := m.IntOf(x)
	if e != nil || a.V[0] == TypeInt.Value() {
		return r, e
	}
	return m.Call(a.V[0], Positional(r))
}

// BytesLike returns the bytes of a bytes-like object, of an object with __bytes__, or of an iterable of ints.
func (m *Machine) BytesLike(v Value) ([]byte, *Exception) {
	if b, ok, e := m.ownBytes(v); ok {
		return b, e
	}
	if v.ref.kind&^Sub == KindStr {
		return nil, m.TypeError("cannot convert 'str' object to bytes")
	}
	return m.bytesOfInts(v, "bytes")
}

func floatMethods() []Method {
	self := func(v Value) uint64 {
		f, _ := asFloat(v)
		return f
	}
	toInt := func(round func(uint64) uint64) Func {
		return func(m *Machine, a Args) (Value, *Exception) { return m.floatToInt(round(self(a.V[0]))) }
	}
	return []Method{
		{Name: "is_integer", Func: func(m *Machine, a Args) (Value, *Exception) {
			return Bool(softfloat.IsInteger(self(a.V[0]))), nil
		}},
		{Name: "conjugate", Func: func(m *Machine, a Args) (Value, *Exception) { return Float(self(a.V[0])), nil }},
		{Name: "__trunc__", Func: toInt(softfloat.Trunc)},
		{Name: "__floor__", Func: toInt(softfloat.Floor)},
		{Name: "__ceil__", Func: toInt(softfloat.Ceil)},
		{Name: "__round__", Sig: "ndigits=None, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			f, nd := self(a.V[0]), a.Or(1, None)
			if nd.IsNone() {
				return m.floatToInt(softfloat.RoundHalfEven(f))
			}
			n, e := m.clippedInt(nd)
			if e != nil {
				return Value{}, e
			}
			if e := m.Charge(20); e != nil {
				return Value{}, e
			}
			r, err := softfloat.Round(f, n)
			if err != nil {
				return Value{}, m.OverflowError("rounded value too large to represent")
			}
			return Float(r), nil
		}},
		{Name: "as_integer_ratio", Func: func(m *Machine, a Args) (Value, *Exception) {
			f := self(a.V[0])
			if softfloat.IsNaN(f) {
				return Value{}, m.ValueError("cannot convert NaN to integer ratio")
			}
			if softfloat.IsInf(f) {
				return Value{}, m.OverflowError("cannot convert Infinity to integer ratio")
			}
			if e := m.Charge(roundCost); e != nil {
				return Value{}, e
			}
			num, den, err := softfloat.AsIntegerRatio(f)
			if err != nil {
				return Value{}, m.ValueError("%s", err)
			}
			x, e := m.IntOf(num)
			if e != nil {
				return Value{}, e
			}
			y, e := m.IntOf(den)
			return m.Tuple(x, y), e
		}},
		{Name: "hex", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.Str(softfloat.Hex(self(a.V[0]))), m.Charge(10)
		}},
		{Name: "fromhex", Class: true, Sig: "string, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			s, ok := a.V[1].AsStr()
			if !ok {
				return Value{}, m.TypeError("bad argument type for built-in operation")
			}
			if e := m.Charge(10 + s.n); e != nil {
				return Value{}, e
			}
			f, err := softfloat.FromHex(s.s)
			switch err {
			case nil:
			case softfloat.ErrSyntax:
				return Value{}, m.ValueError("invalid hexadecimal floating-point string")
			default:
				return Value{}, m.OverflowError("hexadecimal value too large to represent as a float")
			}
			if a.V[0] == TypeFloat.Value() {
				return Float(f), nil
			}
			return m.Call(a.V[0], Positional(Float(f)))
		}},
		{Name: "__getnewargs__", Func: func(m *Machine, a Args) (Value, *Exception) { return m.Tuple(Float(self(a.V[0]))), nil }},
		{Name: "__getformat__", Class: true, Sig: "typestr, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.Str("IEEE, little-endian"), nil
		}},
	}
}

func floatFields() []Field {
	return []Field{
		{Name: "real", Get: func(m *Machine, v Value) (Value, *Exception) {
			f, _ := asFloat(v)
			return Float(f), nil
		}},
		{Name: "imag", Get: func(m *Machine, v Value) (Value, *Exception) { return Float(0), nil }},
	}
}
