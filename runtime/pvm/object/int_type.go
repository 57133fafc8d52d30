package object

import (
	"math"
	"math/big"
	"math/bits"
	"unsafe"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// MaxBits is the largest bit length of an int.
//
// Spec: CIP-3 §2.2.1 (Large Integer Precision Limit).
const MaxBits = 4096

// Big is an int beyond 64 bits.
type Big struct {
	Object
	i big.Int
}

const bigSize = 40

// IntSub is an instance of a subclass of int.
type IntSub struct {
	Object
	Val Value // an exact int
}

// The numeric types.
var (
	TypeInt  Type
	TypeBool Type
)

// asInt returns the exact int that v is: ints, bools, instances of subclasses.
func asInt(v Value) (Value, bool) {
	switch v.ref.kind {
	case KindInt, KindBig:
		return v, true
	case KindBool:
		return Int(int64(v.bits)), true
	case KindInt | Sub:
		return (*IntSub)(unsafe.Pointer(v.ref)).Val, true
	}
	return Value{}, false
}

// AsInt returns the exact int that an int, bool or instance of a subclass is.
func (v Value) AsInt() (Value, bool) { return asInt(v) }

// BigInt returns the value of an exact int; the result must not be modified.
func (v Value) BigInt() *big.Int {
	if v.IsInt() {
		return big.NewInt(v.Int64())
	}
	return &v.big().i
}

// big2, big4 and big8 are ints whose words lie beside them.
type big2 struct {
	Big
	w [2]big.Word
}
type big4 struct {
	Big
	w [4]big.Word
}
type big8 struct {
	Big
	w [8]big.Word
}

// IntOf returns the int i, which it copies, or OverflowError beyond MaxBits.
func (m *Machine) IntOf(i *big.Int) (Value, *Exception) {
	if i.IsInt64() {
		return Int(i.Int64()), nil
	}
	var b *Big
	words := i.Bits()
	switch n := len(words); {
	case n <= 2:
		s := m.new2()
		copy(s.w[:], words)
		b = &s.Big
		b.i.SetBits(s.w[:n:n])
	case n <= 4:
		s := m.new4()
		copy(s.w[:], words)
		b = &s.Big
		b.i.SetBits(s.w[:n:n])
	case n <= 8:
		s := m.new8()
		copy(s.w[:], words)
		b = &s.Big
		b.i.SetBits(s.w[:n:n])
	case i.BitLen() > MaxBits:
		return Value{}, m.tooBig()
	default:
		b = &Big{}
		b.i.SetBits(append([]big.Word(nil), words...))
	}
	if i.Sign() < 0 {
		b.i.Neg(&b.i)
	}
	b.typ, b.kind = &TypeInt, KindBig
	m.accountBig(bytesOfWords(len(words)))
	return Value{ref: &b.Object}, nil
}

// accountBig counts and charges a new int beyond 64 bits with n bytes of digits.
func (m *Machine) accountBig(n int) {
	m.meter.left -= int64(m.costs.BigInt)
	m.account(bigSize + n)
}

// bytesOfWords is the size of n machine words in whole words of 64 bits.
func bytesOfWords(n int) int {
	const bytes = bits.UintSize / 8
	return (n*bytes + 7) / 8 * 8
}

// operand returns the value of an exact int: small ones in the scratch number s.
func operand(v Value, s *big.Int) *big.Int {
	if v.IsInt() {
		return s.SetInt64(v.Int64())
	}
	return &v.big().i
}

func (m *Machine) tooBig() *Exception {
	return m.OverflowError("int result exceeds %d bits", MaxBits)
}

// StaticInt returns an int constant of a program.
func StaticInt(i *big.Int) Value {
	if i.IsInt64() {
		return Int(i.Int64())
	}
	b := &Big{}
	b.i.Set(i)
	b.typ, b.kind, b.flags = &TypeInt, KindBig, flagStatic
	return Value{ref: &b.Object}
}

// bitLen returns the bit length of an exact int.
func bitLen(v Value) int {
	if v.IsInt() {
		i := v.Int64()
		if i < 0 {
			return bits.Len64(-uint64(i))
		}
		return bits.Len64(uint64(i))
	}
	return v.big().i.BitLen()
}

// chargeBig takes the surcharge of an operation on big ints.
//
// Spec: CIP-3 §2.2.1 (max(bitlen(a), bitlen(b)) / 64).
func (m *Machine) chargeBig(a, b Value) *Exception {
	return m.Charge(max(words64(a), words64(b)))
}

// words64 is the bit length of an exact int over 64.
func words64(v Value) int {
	if v.IsInt() {
		if v.Int64() == math.MinInt64 { // the only one of 64 bits
			return 1
		}
		return 0
	}
	w := v.big().i.Bits()
	if bits.UintSize == 32 {
		return v.big().i.BitLen() / 64
	}
	return len(w) - 1 + int(w[len(w)-1]>>(bits.UintSize-1))
}

func intSlot(op Operator) Binary {
	return func(m *Machine, a, b Value) (Value, *Exception) {
		x, ok := asInt(a)
		if !ok {
			return NotImplemented, nil
		}
		y, ok := asInt(b)
		if !ok {
			return NotImplemented, nil
		}
		if (a.ref.kind|b.ref.kind)&Sub != 0 {
			m.meter.Owe(m.costs.Operand)
		}
		return m.IntOp(op, x, y)
	}
}

// IntOp computes x op y for exact ints.
func (m *Machine) IntOp(op Operator, x, y Value) (Value, *Exception) {
	if x.IsInt() && y.IsInt() {
		if r, ok := smallOp(op, x.Int64(), y.Int64()); ok {
			return r, nil
		}
		if op == Pow {
			if r, ok := smallPow(x.Int64(), y.Int64()); ok {
				return r, m.Charge(2 * bits.Len64(y.bits))
			}
		}
		if op == TrueDiv && ExactFloat(x.Int64()) && ExactFloat(y.Int64()) && y.Int64() != 0 {
			return Float(softfloat.Div(softfloat.FromInt64(x.Int64()), softfloat.FromInt64(y.Int64()))), m.Charge(m.costs.FloatDiv + m.costs.Float)
		}
	}
	if e := m.chargeBig(x, y); e != nil {
		return Value{}, e
	}
	if e := m.chargeWords(op, x, y); e != nil {
		return Value{}, e
	}
	r, ok := m.doubleOp(op, x, y)
	if !ok {
		r, ok = m.shortOp(op, x, y)
	}
	var e *Exception
	if !ok {
		r, e = m.bigOp(op, x, y)
	}
	if e == nil && (op == FloorDiv || op == Mod) && r.IsInt() {
		m.meter.Owe(wordResultCost)
	}
	return r, e
}

func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// smallOp computes what needs neither big ints nor exceptions.
func smallOp(op Operator, a, b int64) (Value, bool) {
	switch op {
	case Add:
		s := a + b
		return Int(s), (s^a)&(s^b) >= 0
	case Sub_:
		s := a - b
		return Int(s), (a^b)&(a^s) >= 0
	case Mul:
		hi, lo := bits.Mul64(uint64(a), uint64(b))
		h := int64(hi) - (a>>63)&b - (b>>63)&a
		return Int(int64(lo)), h == int64(lo)>>63
	case FloorDiv:
		if b == 0 || b == -1 && a == math.MinInt64 {
			return Value{}, false
		}
		q := a / b
		if (a%b != 0) && (a < 0) != (b < 0) {
			q--
		}
		return Int(q), true
	case Mod:
		if b == 0 || b == -1 && a == math.MinInt64 {
			return Value{}, false
		}
		r := a % b
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return Int(r), true
	case And:
		return Int(a & b), true
	case Or:
		return Int(a | b), true
	case Xor:
		return Int(a ^ b), true
	case RShift:
		if b < 0 {
			return Value{}, false
		}
		return Int(a >> min(uint64(b), 63)), true
	case LShift:
		if b < 0 || b > 62 {
			return Int(0), a == 0 && b >= 0
		}
		s := a << b
		return Int(s), s>>b == a
	}
	return Value{}, false
}

// freeWords is how long the result of a shift may be before its words cost extra:
// its operands may be much smaller, and the surcharge does not see it.
const freeWords = 16

func (m *Machine) bigOp(op Operator, x, y Value) (Value, *Exception) {
	a, b := operand(x, &m.scratch[0]), operand(y, &m.scratch[1])
	r := &m.scratch[2]
	switch op {
	case Add:
		r.Add(a, b)
	case Sub_:
		r.Sub(a, b)
	case Mul:
		if a.BitLen()+b.BitLen() > MaxBits+1 {
			return Value{}, m.tooBig()
		}
		r.Mul(a, b)
	case FloorDiv, Mod, DivMod:
		return m.divide(op, a, b)
	case TrueDiv:
		return m.intTrueDiv(a, b)
	case Pow:
		return m.intPow(x, y)
	case And:
		r.And(a, b)
	case Or:
		r.Or(a, b)
	case Xor:
		r.Xor(a, b)
	case LShift:
		if b.Sign() < 0 {
			return Value{}, m.ValueError("negative shift count")
		}
		if a.Sign() == 0 {
			return Int(0), nil
		}
		if !b.IsInt64() || b.Int64() > MaxBits-int64(a.BitLen()) {
			return Value{}, m.tooBig()
		}
		if e := m.Charge(max((int(b.Int64())+a.BitLen())/64-freeWords, 0)); e != nil {
			return Value{}, e
		}
		r.Lsh(a, uint(b.Int64()))
	case RShift:
		if b.Sign() < 0 {
			return Value{}, m.ValueError("negative shift count")
		}
		n := uint(MaxBits + 1)
		if b.IsInt64() && b.Int64() < int64(n) {
			n = uint(b.Int64())
		}
		r.Rsh(a, n)
	default:
		return NotImplemented, nil
	}
	return m.IntOf(r)
}

var one = big.NewInt(1)

// divide computes floor division with a remainder of the divisor's sign.
func (m *Machine) divide(op Operator, a, b *big.Int) (Value, *Exception) {
	if b.Sign() == 0 {
		if op == Mod {
			return Value{}, m.Raise(&ExcZeroDivisionError, "integer modulo by zero")
		}
		return Value{}, m.Raise(&ExcZeroDivisionError, "integer division or modulo by zero")
	}
	if op == DivMod || !divisibleShort(a) || !divisibleShort(b) { // what machines of 64 bits divide in the short form costs no more on others
		m.meter.Owe(m.costs.BigInt)
	}
	q, r := m.scratch[2].QuoRem(a, b, &m.scratch[3])
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, one)
		r.Add(r, b)
	}
	switch op {
	case FloorDiv:
		return m.IntOf(q)
	case Mod:
		return m.IntOf(r)
	}
	qv, e := m.IntOf(q)
	if e != nil {
		return Value{}, e
	}
	rv, e := m.IntOf(r)
	return m.Tuple(qv, rv), e
}

func (m *Machine) intTrueDiv(a, b *big.Int) (Value, *Exception) {
	if b.Sign() == 0 {
		return Value{}, m.Raise(&ExcZeroDivisionError, "division by zero")
	}
	if e := m.Charge(quotientCost + (a.BitLen()+63)/64 + (b.BitLen()+63)/64); e != nil {
		return Value{}, e
	}
	if a.Sign() == 0 && b.Sign() < 0 {
		return Float(softfloat.Neg(0)), nil // as CPython: the sign is that of the quotient
	}
	f, err := softfloat.Quo(a, b)
	if err != nil {
		return Value{}, m.OverflowError("integer division result too large for a float")
	}
	return Float(f), nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

var namePow, nameRPow = StaticName("__pow__"), StaticName("__rpow__")

func intCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	x, ok := asInt(a)
	if !ok {
		return NotImplemented, nil
	}
	y, ok := asInt(b)
	if !ok {
		return NotImplemented, nil
	}
	if x.IsInt() && y.IsInt() {
		c := 0
		if x.Int64() < y.Int64() {
			c = -1
		} else if x.Int64() > y.Int64() {
			c = 1
		}
		return Bool(ordered(op, c)), nil
	}
	if e := m.chargeBig(x, y); e != nil {
		return Value{}, e
	}
	return Bool(ordered(op, x.BigInt().Cmp(y.BigInt()))), nil
}

// hashWord is the price of a word of the hash of an int.
const hashWord = 3

func intHash(m *Machine, v Value) (int64, *Exception) {
	i, _ := asInt(v)
	if i.IsInt() {
		return hashInt(i.Int64()), nil
	}
	if e := m.Charge(hashWord * bitLen(i) / 64); e != nil {
		return 0, e
	}
	return hashBig(&i.big().i), nil
}

// roundCost is the price of rounding a big int to a float, or of the big int that a float is.
const roundCost = 14

func (m *Machine) intToFloat(v Value) (uint64, *Exception) {
	if v.IsInt() {
		return softfloat.FromInt64(v.Int64()), nil
	}
	if e := m.Charge(roundCost + words64(v)); e != nil {
		return 0, e
	}
	f, err := softfloat.FromBig(&v.big().i)
	if err != nil {
		return 0, m.OverflowError("int too large to convert to float")
	}
	return f, nil
}

func intNeg(m *Machine, v Value) (Value, *Exception) {
	i, _ := asInt(v)
	return m.IntOp(Sub_, Int(0), i)
}

func intPos(m *Machine, v Value) (Value, *Exception) {
	i, _ := asInt(v)
	return i, nil
}

func intAbs(m *Machine, v Value) (Value, *Exception) {
	i, _ := asInt(v)
	if i.IsInt() && i.Int64() >= 0 || !i.IsInt() && i.big().i.Sign() > 0 {
		return i, nil
	}
	return m.IntOp(Sub_, Int(0), i)
}

func intInvert(m *Machine, v Value) (Value, *Exception) {
	i, _ := asInt(v)
	if i.IsInt() {
		return Int(^i.Int64()), nil
	}
	if e := m.chargeBig(i, i); e != nil {
		return Value{}, e
	}
	return m.IntOf(new(big.Int).Not(&i.big().i))
}

func intBool(m *Machine, v Value) (bool, *Exception) {
	i, _ := asInt(v)
	return !i.IsInt() || i.Int64() != 0, nil
}
