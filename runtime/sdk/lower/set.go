package lower

import "slices"

// set is a set of local variables by index. A nil set in the analysis of assignment stands for a place that is never reached.
type set []uint64

func (f *function) empty() set { return make(set, (len(f.names)+63)/64) }

func (s set) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// with is s and the named variables.
func (f *function) with(s set, names []string) set {
	out := slices.Clone(s)
	for _, name := range names {
		if i, ok := f.index[name]; ok {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// without is s but for the named variables.
func (f *function) without(s set, names []string) set {
	out := slices.Clone(s)
	for _, name := range names {
		if i, ok := f.index[name]; ok {
			out[i/64] &^= 1 << (i % 64)
		}
	}
	return out
}

func union(sets ...set) set {
	out := slices.Clone(sets[0])
	for _, s := range sets[1:] {
		for i := range s {
			out[i] |= s[i]
		}
	}
	return out
}

// meet is what both sets have; an unreachable place does not count.
func meet(a, b set) set {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := slices.Clone(a)
	for i := range b {
		out[i] &= b[i]
	}
	return out
}
