package compile

// bits is a set of registers.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) clear(i int)    { b[i/64] &^= 1 << (i % 64) }
func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 == 1 }

func (b bits) clone() bits { return append(bits(nil), b...) }

func (b bits) fill() {
	for i := range b {
		b[i] = ^uint64(0)
	}
}

// meet keeps what is in both.
func (b bits) meet(o bits) {
	for i := range b {
		b[i] &= o[i]
	}
}

// without removes what is in o.
func (b bits) without(o bits) {
	for i := range b {
		b[i] &^= o[i]
	}
}
