package object

// Ints are made two at a time: half as many allocations, and at the worst twice
// the memory, for a program that keeps one of each two.

// bigHalves are the second ints of pairs whose first is in use.
type bigHalves struct {
	two   *big2
	four  *big4
	eight *big8
}

func (m *Machine) new2() *big2 {
	if b := m.halves.two; b != nil {
		m.halves.two = nil
		return b
	}
	p := new([2]big2)
	m.halves.two = &p[1]
	return &p[0]
}

func (m *Machine) new4() *big4 {
	if b := m.halves.four; b != nil {
		m.halves.four = nil
		return b
	}
	p := new([2]big4)
	m.halves.four = &p[1]
	return &p[0]
}

func (m *Machine) new8() *big8 {
	if b := m.halves.eight; b != nil {
		m.halves.eight = nil
		return b
	}
	p := new([2]big8)
	m.halves.eight = &p[1]
	return &p[0]
}

// quotientCost is the price of a true division of ints that a float does not hold exactly, beside their words of 64 bits.
const quotientCost = 100

// ExactFloat reports whether a float holds i exactly, as it does each int of 53 bits, so that the quotient of two is rounded once.
func ExactFloat(i int64) bool { return i < 1<<53 && i > -1<<53 }

// chargeWords takes what multiplying or dividing ints beyond a word costs beyond the surcharge, by their words of 64 bits: in a product each word of
// one meets each of the other, in a division each of the quotient meets each of the divisor. It takes the complements of negative ones as well.
func (m *Machine) chargeWords(op Operator, x, y Value) *Exception {
	words := func(v Value) int { return (bitLen(v) + 63) / 64 }
	switch op {
	case Mul:
		const free = 4
		a, b := max(words(x)-free, 0), max(words(y)-free, 0)
		return m.Charge(a*b/m.costs.BigWords + 2*(a+b))
	case FloorDiv, Mod, DivMod:
		a, b := words(x), words(y)
		return m.Charge(max(a-b+1, 0) * (b + 2) * 3 / 4)
	case And, Or, Xor:
		if negative(x) || negative(y) { // whose complements are made
			return m.Charge(m.costs.BigInt + 2*max(words(x), words(y)))
		}
	}
	return nil
}

func negative(v Value) bool {
	if v.IsInt() {
		return v.Int64() < 0
	}
	return v.big().i.Sign() < 0
}

// wordResultCost is the price of a quotient or remainder of longer ints that is a word: others pay for their memory.
const wordResultCost = 15
