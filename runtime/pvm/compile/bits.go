package compile

import mathbits "math/bits"

// bits is a set of registers below some number; others are never in it.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) set(i int) {
	if i/64 < len(b) {
		b[i/64] |= 1 << (i % 64)
	}
}

func (b bits) clear(i int) {
	if i/64 < len(b) {
		b[i/64] &^= 1 << (i % 64)
	}
}

func (b bits) has(i int) bool { return i/64 < len(b) && b[i/64]>>(i%64)&1 == 1 }

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

// next returns the first register from i on that is in the set, or, with in false, that is not; the size of the set if there is none.
func (b bits) next(i int, in bool) int {
	for w := i / 64; w < len(b); w++ {
		word := b[w]
		if !in {
			word = ^word
		}
		if w == i/64 {
			word &= ^uint64(0) << (i % 64)
		}
		if word != 0 {
			return 64*w + mathbits.TrailingZeros64(word)
		}
	}
	return 64 * len(b)
}
