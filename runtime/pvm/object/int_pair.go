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
const quotientCost = 60

// ExactFloat reports whether a float holds i exactly, as it does each int of 53 bits, so that the quotient of two is rounded once.
func ExactFloat(i int64) bool { return i < 1<<53 && i > -1<<53 }
