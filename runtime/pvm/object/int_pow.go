package object

import (
	"math/big"
	"math/bits"
)

// smallPow computes x ** y if the result fits 64 bits.
func smallPow(x, y int64) (Value, bool) {
	if y < 0 {
		return Value{}, false
	}
	r := int64(1)
	for {
		if y&1 != 0 {
			p, ok := smallOp(Mul, r, x)
			if !ok {
				return Value{}, false
			}
			r = p.Int64()
		}
		if y >>= 1; y == 0 {
			return Int(r), true
		}
		s, ok := smallOp(Mul, x, x)
		if !ok {
			return Value{}, false
		}
		x = s.Int64()
	}
}

// powerCost is the price of a squaring of intPow, and of the multiplication after it, but for the length of the numbers.
const powerCost = 16

// intPow computes x ** y. Each multiplication is charged before it happens.
func (m *Machine) intPow(x, y Value) (Value, *Exception) {
	b := y.BigInt()
	if b.Sign() < 0 {
		fx, e := m.intToFloat(x)
		if e != nil {
			return Value{}, e
		}
		fy, e := m.intToFloat(y)
		if e != nil {
			return Value{}, e
		}
		return m.floatPow(fx, fy)
	}
	if x.IsInt() {
		switch x.Int64() {
		case 0:
			return Int(int64(btoi(b.Sign() == 0))), nil
		case 1:
			return Int(1), nil
		case -1:
			return Int(1 - 2*int64(b.Bit(0))), nil
		}
	}
	if !y.IsInt() || y.Int64() > MaxBits {
		return Value{}, m.tooBig()
	}
	n := y.Int64()
	base := x.BigInt()
	if int64(base.BitLen()-1)*n > MaxBits {
		return Value{}, m.tooBig()
	}
	words := base.BitLen() * int(n) / 64
	if e := m.Charge(powerCost*bits.Len64(uint64(n)) + words + words*words/8); e != nil {
		return Value{}, e
	}
	return m.IntOf(new(big.Int).Exp(base, b, nil))
}

// powMod is pow(x, y, z). Of methods written in Python only x's is asked, as in
// CPython 3.11.
func (m *Machine) powMod(xv, yv, zv Value) (Value, *Exception) {
	if !xv.ref.typ.Static() {
		if _, ok := xv.ref.typ.Lookup(namePow); !ok {
			if _, ok := xv.ref.typ.Lookup(nameRPow); ok {
				return Value{}, m.AttributeError(xv, namePow, "%s", namePow.s)
			}
		}
		r, e := m.special(xv, namePow, yv, zv)
		if e != nil || r.ref != nil && r != NotImplemented {
			return r, e
		}
	}
	return m.builtinPowMod(xv, yv, zv)
}

// powModWord is x ** y modulo z, which is above zero: x squared for every bit of y.
func powModWord(x int64, y uint64, z int64) int64 {
	mod := uint64(z)
	base := magnitude(x) % mod
	if x < 0 && base != 0 {
		base = mod - base
	}
	r := 1 % mod
	for ; y != 0; y >>= 1 {
		if y&1 != 0 {
			r = mulMod(r, base, mod)
		}
		base = mulMod(base, base, mod)
	}
	return int64(r)
}

// mulMod is a * b modulo mod, for a and b below it.
func mulMod(a, b, mod uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, mod)
}

// powModCost is the price of a bit of the exponent for a modulus of so many words: a squaring, a multiplication and a reduction at the most.
func powModCost(words int) int {
	if words == 1 {
		return 6
	}
	return 20 + 5*words + words*words/2
}

// inverseCost is the price of a modular inverse beside what its size adds.
const inverseCost = 20

// builtinPowMod is what the built-in types make of pow(x, y, z).
func (m *Machine) builtinPowMod(xv, yv, zv Value) (Value, *Exception) {
	for _, v := range [...]Value{xv, yv, zv} {
		if f := v.ref.typ.PowMod; f != nil {
			return f(m, xv, yv, zv)
		}
	}
	x, ok1 := asInt(xv)
	y, ok2 := asInt(yv)
	z, ok3 := asInt(zv)
	if !ok1 || !ok2 || !ok3 {
		for _, v := range []Value{xv, yv, zv} {
			if v.IsFloat() {
				return Value{}, m.TypeError("pow() 3rd argument not allowed unless all arguments are integers")
			}
			if v.ref.kind == KindComplex {
				return Value{}, m.ValueError("complex modulo")
			}
		}
		return Value{}, m.TypeError("unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'", xv.ref.typ.Name, yv.ref.typ.Name, zv.ref.typ.Name)
	}
	a, b, c := x.BigInt(), y.BigInt(), z.BigInt()
	if c.Sign() == 0 {
		return Value{}, m.ValueError("pow() 3rd argument cannot be 0")
	}
	words := c.BitLen()/64 + 1
	if e := m.Charge(powModCost(words)*(b.BitLen()+1) + words64(x)); e != nil {
		return Value{}, e
	}
	if x.IsInt() && y.IsInt() && z.IsInt() && y.Int64() >= 0 && z.Int64() > 0 {
		return Int(powModWord(x.Int64(), uint64(y.Int64()), z.Int64())), nil
	}
	mod := new(big.Int).Abs(c)
	if b.Sign() < 0 {
		if e := m.Charge(inverseCost + 2*words*words); e != nil {
			return Value{}, e
		}
		inv := new(big.Int).ModInverse(new(big.Int).Mod(a, mod), mod)
		if inv == nil {
			return Value{}, m.ValueError("base is not invertible for the given modulus")
		}
		a, b = inv, new(big.Int).Neg(b)
	}
	r := new(big.Int).Exp(new(big.Int).Mod(a, mod), b, mod)
	if mod.IsInt64() && mod.Int64() == 1 {
		r.SetInt64(0)
	}
	if c.Sign() < 0 && r.Sign() != 0 {
		r.Add(r, c)
	}
	return m.IntOf(r)
}

func builtinDivmod(m *Machine, a Args) (Value, *Exception) {
	m.meter.Owe(divmodCost)
	return m.BinaryOp(DivMod, a.V[0], a.V[1])
}
