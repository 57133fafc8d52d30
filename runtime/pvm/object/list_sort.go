package object

import "github.com/cowboyinc/cowboy-go/runtime/softfloat"

// Sort orders items in place: stably, by key(item) if key is not zero, and
// backwards if reverse is set. Every comparison is charged as it happens. On an
// exception the items are a permutation of what they were.
//
// The algorithm is a merge sort that takes runs as it finds them, so ordered
// input costs n-1 comparisons.
func (m *Machine) Sort(items []Value, key Value, reverse bool) *Exception {
	n := len(items)
	if e := m.Charge(n); e != nil { // the elements are looked at whatever comes of it
		return e
	}
	if e := m.Reserve(4 * n * valueSize); e != nil {
		return e
	}
	s := &sorter{m: m, vals: items}
	if key.ref != nil {
		s.keys = make([]Value, n)
		pins := len(m.pins)
		held := m.NewList(s.keys[:0])
		m.Pin(held.Value())
		defer m.Unpin(pins)
		for i, v := range items {
			k, e := m.Call1(key, v)
			if e != nil {
				return e
			}
			s.keys[i] = k
			held.items = s.keys[:i+1]
		}
	} else {
		s.keys = items
		s.alone = true
	}
	s.choose()
	if reverse {
		s.flip()
	}
	e := s.run()
	if reverse {
		s.flip()
	}
	return e
}

// sorter holds what is sorted: keys decide, vals move along unless they are the
// keys themselves.
type sorter struct {
	m          *Machine
	keys, vals []Value
	alone      bool
	kind       Kind // of all keys, if that is one with a comparison of its own
	tmpK, tmpV []Value
}

const compareCost = 3

// choose picks a comparison that needs no dispatch if all keys are of one plain
// type.
func (s *sorter) choose() {
	if len(s.keys) == 0 {
		return
	}
	k := s.keys[0].ref.kind
	for _, v := range s.keys {
		if v.ref.kind != k {
			return
		}
	}
	s.kind = k
}

// less compares two keys, and charges for it.
func (s *sorter) less(a, b Value) (bool, *Exception) {
	cycles := compareCost
	if s.kind == KindStr {
		cycles += min(len(a.str().s), len(b.str().s)) / 8
	}
	if e := s.m.Charge(cycles); e != nil {
		return false, e
	}
	switch s.kind {
	case KindInt:
		return int64(a.bits) < int64(b.bits), nil
	case KindStr:
		return a.str().s < b.str().s, nil
	case KindFloat:
		return softfloat.Lt(a.bits, b.bits), nil
	case KindTuple:
		r, e := s.m.compareTuples(Lt, a.tuple(), b.tuple())
		if e != nil || r.IsBool() {
			return r.bits != 0, e
		}
		return s.m.Truth(r)
	}
	return s.m.CompareBool(Lt, a, b)
}

// flip reverses the order of elements; sorting a flipped sequence with flipped
// result keeps equal elements in place.
func (s *sorter) flip() {
	reverse(s.keys)
	if !s.alone {
		reverse(s.vals)
	}
}

func reverse(v []Value) {
	for i, j := 0, len(v)-1; i < j; i, j = i+1, j-1 {
		v[i], v[j] = v[j], v[i]
	}
}

// minRun is the length up to which short runs are extended by insertion.
const minRun = 24

type sortRun struct{ at, n int }

func (s *sorter) run() *Exception {
	n := len(s.keys)
	if n < 2 {
		return nil
	}
	if r := s.ranks(); r != nil {
		w := wordSorter{items: r}
		w.run()
		permute(s.vals, r)
		return s.m.Charge(w.compared * compareCost)
	}
	return s.byComparing()
}

// byComparing sorts two or more elements.
func (s *sorter) byComparing() *Exception {
	n := len(s.keys)
	var runs []sortRun
	for at := 0; at < n; {
		length, e := s.natural(at)
		if e != nil {
			return e
		}
		if length < minRun {
			want := min(minRun, n-at)
			if e := s.insertion(at, length, want); e != nil {
				return e
			}
			length = want
		}
		runs = append(runs, sortRun{at, length})
		at += length
		if runs, e = s.collapse(runs, false); e != nil {
			return e
		}
	}
	_, e := s.collapse(runs, true)
	return e
}

// natural finds the run that begins at position at; a descending one is turned.
func (s *sorter) natural(at int) (int, *Exception) {
	n := len(s.keys)
	if at+1 >= n {
		return 1, nil
	}
	down, e := s.less(s.keys[at+1], s.keys[at])
	if e != nil {
		return 0, e
	}
	i := at + 2
	for ; i < n; i++ {
		lt, e := s.less(s.keys[i], s.keys[i-1])
		if e != nil {
			return 0, e
		}
		if lt != down {
			break
		}
	}
	if down {
		reverse(s.keys[at:i])
		if !s.alone {
			reverse(s.vals[at:i])
		}
	}
	return i - at, nil
}

// insertion extends the sorted stretch [at, at+have) to want elements by binary
// insertion.
func (s *sorter) insertion(at, have, want int) *Exception {
	for i := at + have; i < at+want; i++ {
		lo, hi := at, i
		k := s.keys[i]
		for lo < hi {
			mid := int(uint(lo+hi) >> 1)
			lt, e := s.less(k, s.keys[mid])
			if e != nil {
				return e
			}
			if lt {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		copy(s.keys[lo+1:i+1], s.keys[lo:i])
		s.keys[lo] = k
		if !s.alone {
			v := s.vals[i]
			copy(s.vals[lo+1:i+1], s.vals[lo:i])
			s.vals[lo] = v
		}
	}
	return nil
}

// collapse merges runs while their lengths break the invariant of timsort, or
// all of them.
func (s *sorter) collapse(runs []sortRun, all bool) ([]sortRun, *Exception) {
	for {
		i, ok := nextMerge(runs, all)
		if !ok {
			return runs, nil
		}
		if e := s.merge(runs[i], runs[i+1]); e != nil {
			return runs, e
		}
		runs[i].n += runs[i+1].n
		runs = append(runs[:i+1], runs[i+2:]...)
	}
}

// nextMerge says which run is to be merged with the one behind it, if any.
func nextMerge(runs []sortRun, all bool) (i int, ok bool) {
	if len(runs) < 2 {
		return 0, false
	}
	i = len(runs) - 2
	switch {
	case i > 0 && runs[i-1].n <= runs[i].n+runs[i+1].n, i > 1 && runs[i-2].n <= runs[i-1].n+runs[i].n:
		if runs[i-1].n < runs[i+1].n {
			i--
		}
	case runs[i].n <= runs[i+1].n:
	case all:
		if i > 0 && runs[i-1].n < runs[i+1].n {
			i--
		}
	default:
		return 0, false
	}
	return i, true
}

// merge merges two neighbouring runs. On an exception the elements not merged
// yet are put back.
func (s *sorter) merge(a, b sortRun) *Exception {
	s.tmpK = append(s.tmpK[:0], s.keys[a.at:a.at+a.n]...)
	if !s.alone {
		s.tmpV = append(s.tmpV[:0], s.vals[a.at:a.at+a.n]...)
	}
	i, j, out := 0, b.at, a.at
	end := b.at + b.n
	var failed *Exception
	for i < a.n && j < end {
		lt, e := s.less(s.keys[j], s.tmpK[i])
		if e != nil {
			failed = e
			break
		}
		if lt {
			s.keys[out] = s.keys[j]
			if !s.alone {
				s.vals[out] = s.vals[j]
			}
			j++
		} else {
			s.keys[out] = s.tmpK[i]
			if !s.alone {
				s.vals[out] = s.tmpV[i]
			}
			i++
		}
		out++
	}
	copy(s.keys[out:], s.tmpK[i:a.n])
	if !s.alone {
		copy(s.vals[out:], s.tmpV[i:a.n])
	}
	return failed
}
