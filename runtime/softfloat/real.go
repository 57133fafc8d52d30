package softfloat

import "math/big"

// real is a number of any precision: m·2^e, where m has about prec bits.
// Operations truncate, so the relative error of each is below 2^(1-prec). It is
// what the elementary functions fall back to when 128 bits leave the rounding
// undecided, which for an argument not chosen on purpose happens about once in
// 2^50 calls.
type real struct {
	m    *big.Int
	e    int
	prec int
}

// newReal returns m·2^e cut to prec bits.
func newReal(m *big.Int, e, prec int) real {
	if excess := m.BitLen() - prec; excess > 0 {
		m = new(big.Int).Rsh(m, uint(excess))
		e += excess
	}
	return real{m, e, prec}
}

// realOf returns x, finite, exactly.
func realOf(x uint64, prec int) real {
	if IsZero(x) {
		return real{new(big.Int), 0, prec}
	}
	u, e := integerForm(x & absMask)
	m := new(big.Int).SetUint64(u)
	if x&signBit != 0 {
		m.Neg(m)
	}
	return real{m, e, prec}
}

// realOfQuad returns q exactly.
func realOfQuad(q quad, prec int) real {
	m := new(big.Int).SetUint64(q.hi)
	m.Lsh(m, 64).Or(m, new(big.Int).SetUint64(q.lo))
	if q.neg {
		m.Neg(m)
	}
	return real{m, q.exp - 127, prec}
}

// quad returns a cut to 128 bits.
func (a real) quad() quad {
	n := a.m.BitLen()
	if n == 0 {
		return quad{}
	}
	top := new(big.Int).Abs(a.m)
	if n > 128 {
		top.Rsh(top, uint(n-128))
	} else {
		top.Lsh(top, uint(128-n))
	}
	hi := new(big.Int).Rsh(top, 64)
	return quad{hi.Uint64(), new(big.Int).And(top, new(big.Int).SetUint64(^uint64(0))).Uint64(), n + a.e - 1, a.m.Sign() < 0}
}

func (a real) Sign() int          { return a.m.Sign() }
func (a real) Exponent() int      { return a.m.BitLen() + a.e - 1 }
func (a real) Scale(n int) real   { return real{a.m, a.e + n, a.prec} }
func (a real) Neg() real          { return real{new(big.Int).Neg(a.m), a.e, a.prec} }
func (a real) Int(n int) real     { return real{big.NewInt(int64(n)), 0, a.prec} }
func (a real) Bits(x uint64) real { return realOf(x, a.prec) }
func (a real) Sub(b real) real    { return a.Add(b.Neg()) }
func (a real) Cmp(b real) int     { return a.Sub(b).Sign() }

// with returns a at another precision.
func (a real) with(prec int) real { return newReal(a.m, a.e, prec) }

// Add returns a + b.
func (a real) Add(b real) real {
	switch {
	case a.m.Sign() == 0:
		return b
	case b.m.Sign() == 0:
		return a
	case a.Exponent() > b.Exponent()+a.prec+2:
		return a
	case b.Exponent() > a.Exponent()+a.prec+2:
		return b
	case a.e < b.e:
		a, b = b, a
	}
	m := new(big.Int).Lsh(a.m, uint(a.e-b.e))
	return newReal(m.Add(m, b.m), b.e, a.prec)
}

// Mul returns a·b.
func (a real) Mul(b real) real {
	return newReal(new(big.Int).Mul(a.m, b.m), a.e+b.e, a.prec)
}

// Quo returns a / b; b is not zero.
func (a real) Quo(b real) real {
	shift := max(a.prec+2-(a.m.BitLen()-b.m.BitLen()), 0)
	m := new(big.Int).Lsh(a.m, uint(shift))
	return newReal(m.Quo(m, b.m), a.e-b.e-shift, a.prec)
}

// QuoInt returns a / n, n > 0.
func (a real) QuoInt(n int) real { return a.Quo(a.Int(n)) }

// Sqrt returns the square root of a >= 0.
func (a real) Sqrt() real {
	shift := max(2*a.prec+2-a.m.BitLen(), 0)
	shift += (a.e - shift) & 1
	m := new(big.Int).Lsh(a.m, uint(shift))
	return newReal(m.Sqrt(m), (a.e-shift)/2, a.prec)
}

// fixed returns floor(a·2^places).
func (a real) fixed(places int) *big.Int {
	shift := a.e + places
	if shift >= 0 {
		return new(big.Int).Lsh(a.m, uint(shift))
	}
	return new(big.Int).Rsh(a.m, uint(-shift))
}

// round returns the double nearest to the true value if that is certain when a
// may be off by 2^errorExponent.
func (a real) round(errorExponent int) (x uint64, ok bool) {
	m, e := a.m, a.e
	if e > errorExponent {
		m = new(big.Int).Lsh(m, uint(e-errorExponent))
		e = errorExponent
	}
	unit := new(big.Int).Lsh(big.NewInt(1), uint(errorExponent-e))
	x = roundBig(new(big.Int).Add(m, unit), e)
	return x, x == roundBig(unit.Sub(m, unit), e)
}
