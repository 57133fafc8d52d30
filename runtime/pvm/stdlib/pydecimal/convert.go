package pydecimal

import (
	"math/big"
	"math/bits"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/decimal"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

var typeDecimal object.Type

// Decimal is a decimal number.
type Decimal struct {
	object.Object
	n *number
}

// make returns a Decimal of n.
func wrap(m *machine, n *number) value { return wrapAs(m, &typeDecimal, n) }

func wrapAs(m *machine, t *object.Type, n *number) value {
	d := object.Alloc[Decimal](m, t, numberSize(n))
	d.n = n
	return object.Of(&d.Object)
}

// numberSize is what a number counts for beside the object.
func numberSize(n *number) int { return 48 + n.Coef().BitLen()/8 }

// storedDecimal is a Decimal with its number beside it.
type storedDecimal struct {
	Decimal
	num decimal.Stored
}

// wrapSmall is wrap of a small number.
func wrapSmall(m *machine, s decimal.Small) value {
	d := object.Alloc[storedDecimal](m, &typeDecimal, 48+s.BitLen()/8)
	d.n = s.Store(&d.num)
	return object.Of(&d.Object)
}

// small returns the small number that a Decimal or an int is, if it is one.
func small(v value) (s decimal.Small, ok bool) {
	if v.Type() == &typeDecimal {
		return self(v).Small()
	}
	if v.IsInt() {
		return decimal.SmallInt(v.Int64()), true
	}
	if i, is := v.AsInt(); is && i.IsInt() { // of a class that derives from int
		return decimal.SmallInt(i.Int64()), true
	}
	return s, false
}

// result wraps what an operation returned, or raises.
func result(m *machine, n *number, cond decimal.Condition) (value, *exception) {
	if e := trap(m, cond); e != nil {
		return value{}, e
	}
	return wrap(m, n), nil
}

// operand returns the number of a Decimal or an int; ok is false for others.
func operand(v value) (n *number, ok bool) {
	if d, ok := object.Cast[Decimal](v, &typeDecimal); ok {
		return d.n, true
	}
	if v.IsInt() {
		return decimal.FromInt64(v.Int64()), true
	}
	if i, ok := v.AsInt(); ok {
		return decimal.FromInt(i.BigInt()), true
	}
	return nil, false
}

// argument is operand with CPython's error.
func argument(m *machine, v value) (*number, *exception) {
	if n, ok := operand(v); ok {
		return n, nil
	}
	return nil, m.TypeError("conversion from %s to Decimal is not supported", v.Type().Name)
}

// fromFloat returns the exact value of a float.
func fromFloat(m *machine, x uint64) (*number, *exception) {
	switch {
	case softfloat.IsNaN(x):
		return decimal.NaN(false, false, nil), nil // as repr has it, without a sign
	case softfloat.IsInf(x):
		return decimal.Infinity(softfloat.SignBit(x)), nil
	case softfloat.IsZero(x):
		return decimal.New(softfloat.SignBit(x), new(big.Int), 0), nil
	}
	if e := m.Charge(costRoot); e != nil {
		return nil, e
	}
	num, den, err := softfloat.AsIntegerRatio(x)
	if err != nil {
		return nil, m.ValueError("%s", err)
	}
	// den is 2^k, so the value is num·5^k·10^-k.
	k := int64(den.BitLen() - 1)
	coef := new(big.Int).Abs(num)
	coef.Mul(coef, new(big.Int).Exp(big.NewInt(5), big.NewInt(k), nil))
	return decimal.New(num.Sign() < 0, coef, -k), nil
}

// fromText reads a number as Decimal(str) does: white space around it is
// dropped, underscores anywhere, and decimal digits of any script are taken.
func fromText(m *machine, s *object.Str) (*number, *exception) {
	// Conversion is quadratic, up to the limit of digits.
	n := min(s.Len(), decimal.MaxDigits)
	if e := m.Charge(costSimple + s.Len()*5/2 + n*n/2048); e != nil {
		return nil, e
	}
	plain := s.String()
	if !s.ASCII() || strings.ContainsAny(plain, "_ \t\n\r\f\v\x1c\x1d\x1e\x1f") {
		if e := m.Charge(3 * s.Len()); e != nil {
			return nil, e
		}
		plain = plainText(s.Runes())
	}
	d, cond := decimal.Parse(plain)
	return d, trap(m, cond)
}

func plainText(runes []rune) string {
	for len(runes) > 0 && text.IsSpace(runes[0]) {
		runes = runes[1:]
	}
	for len(runes) > 0 && text.IsSpace(runes[len(runes)-1]) {
		runes = runes[:len(runes)-1]
	}
	var b strings.Builder
	for _, r := range runes {
		switch {
		case r == '_':
		case r < 0x80:
			b.WriteRune(r)
		default:
			if d := text.DecimalValue(r); d >= 0 {
				b.WriteByte(byte('0' + d))
			} else {
				b.WriteByte('?') // not a number
			}
		}
	}
	return b.String()
}

// fromTuple reads the sequence (sign, digits, exponent).
func fromTuple(m *machine, v value) (*number, *exception) {
	wrong := func() *exception { return m.ValueError("argument must be a sequence of length 3") }
	if l, ok := v.AsList(); ok && v.Kind() == object.KindList && len(l.Items()) != 3 {
		return nil, wrong() // and not copied first
	}
	if t, ok := v.AsTuple(); ok && v.Kind() == object.KindTuple && len(t.Items()) != 3 {
		return nil, wrong()
	}
	parts, e := m.Collect(v)
	if e != nil {
		return nil, e
	}
	if len(parts) != 3 {
		return nil, wrong()
	}
	sign, ok := parts[0].AsInt()
	if !ok || sign != object.Int(0) && sign != object.Int(1) {
		return nil, m.ValueError("sign must be an integer with the value 0 or 1")
	}
	neg := sign == object.Int(1)
	form, exp, e := tupleExponent(m, parts[2])
	if e != nil {
		return nil, e
	}
	if form == decimal.Infinite {
		return decimal.Infinity(neg), nil
	}
	digits, e := tupleDigits(m, parts[1])
	if e != nil {
		return nil, e
	}
	switch form {
	case decimal.QuietNaN, decimal.SignalingNaN:
		return decimal.NaN(neg, form == decimal.SignalingNaN, digits), nil
	}
	return decimal.New(neg, digits, exp), nil
}

func tupleExponent(m *machine, v value) (decimal.Form, int64, *exception) {
	if s, ok := v.AsStr(); ok {
		switch s.String() {
		case "F":
			return decimal.Infinite, 0, nil
		case "n":
			return decimal.QuietNaN, 0, nil
		case "N":
			return decimal.SignalingNaN, 0, nil
		}
		return 0, 0, m.ValueError("string argument in the third position must be 'F', 'n' or 'N'")
	}
	i, ok := v.AsInt()
	if !ok {
		return 0, 0, m.ValueError("exponent must be an integer")
	}
	const limit = 999999999999999999
	if !i.IsInt() || i.Int64() > limit || i.Int64() < -2*limit {
		return 0, 0, trap(m, decimal.InvalidOperation)
	}
	return decimal.Finite, i.Int64(), nil
}

func tupleDigits(m *machine, v value) (*big.Int, *exception) {
	_, isTuple := v.AsTuple()
	_, isList := v.AsList()
	if !isTuple && !isList {
		return nil, m.ValueError("coefficient must be a tuple of digits")
	}
	items, e := m.Collect(v)
	if e != nil {
		return nil, e
	}
	if len(items) > decimal.MaxDigits {
		return nil, trap(m, decimal.InvalidOperation|decimal.TooManyDigits)
	}
	b := make([]byte, 0, len(items)+1)
	b = append(b, '0')
	for _, x := range items {
		d, ok := x.AsInt()
		if !ok || !d.IsInt() || d.Int64() < 0 || d.Int64() > 9 {
			return nil, m.ValueError("coefficient must be a tuple of digits")
		}
		b = append(b, byte('0'+d.Int64()))
	}
	i, _ := new(big.Int).SetString(string(b), 10)
	return i, nil
}

// newNumber is the value of Decimal(v).
func newNumber(m *machine, v value) (*number, *exception) {
	if n, ok := operand(v); ok {
		return n, nil
	}
	if s, ok := v.AsStr(); ok {
		return fromText(m, s)
	}
	if x, ok := v.AsFloat(); ok {
		return fromFloat(m, x)
	}
	_, isTuple := v.AsTuple()
	_, isList := v.AsList()
	if isTuple || isList {
		return fromTuple(m, v)
	}
	return argument(m, v)
}

// Numeric hashes are residues modulo the prime 2^61 - 1.
const (
	hashPrime   = 1<<61 - 1
	inverseOf10 = 2075258708292324556 // 10 times it is 1
)

// mulMod returns x·y for residues x and y: 2^61 is 1.
func mulMod(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	r := lo&hashPrime + (hi<<3 | lo>>61)
	if r >= hashPrime {
		r -= hashPrime
	}
	return r
}

// primeInt is hashPrime as a big integer, never written.
var primeInt = new(big.Int).SetUint64(hashPrime)

// modPrime returns the residue of x, which is not negative.
func modPrime(x *big.Int) uint64 {
	if x.IsUint64() {
		return x.Uint64() % hashPrime
	}
	return new(big.Int).Mod(x, primeInt).Uint64()
}

// hash returns the hash that int and float give to the same value: the number
// modulo 2^61-1, where 1/10 is the inverse of 10.
func hash(m *machine, n *number) (int64, *exception) {
	switch n.Form() {
	case decimal.SignalingNaN:
		return 0, m.TypeError("Cannot hash a signaling NaN value")
	case decimal.QuietNaN:
		return 0, nil // as float's NaN
	case decimal.Infinite:
		if n.Signed() {
			return -314159, nil
		}
		return 314159, nil
	}
	base, exp := uint64(10), n.Exp()
	if exp < 0 {
		base, exp = inverseOf10, -exp
	}
	h := modPrime(n.Coef())
	for ; exp > 0; exp >>= 1 {
		if exp&1 != 0 {
			h = mulMod(h, base)
		}
		base = mulMod(base, base)
	}
	r := int64(h)
	if n.Signed() {
		r = -r
	}
	if r == -1 {
		r = -2
	}
	return r, nil
}
