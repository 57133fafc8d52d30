package object

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Sorting of ints and floats is done on their order alone: the same merge sort,
// with the same comparisons at the same price, on plain words. The result of a
// stable sort depends on the order only.

// ranked is an element: a word that orders as its key does, and its place.
type ranked struct {
	key int64
	at  int32
}

// ranks returns the elements as words, or nil if the keys have no such form or
// the meter might not reach for all comparisons.
func (s *sorter) ranks() []ranked {
	n := len(s.keys)
	if s.kind != KindInt && s.kind != KindFloat || n < 2 || n > 1<<30 {
		return nil
	}
	most := n * (bits.Len(uint(n)) + 2) // runs, insertion and merging compare less often
	if int64(most)*compareCost > s.m.meter.left {
		return nil
	}
	out := make([]ranked, n)
	for i, k := range s.keys {
		w := int64(k.bits)
		if s.kind == KindFloat {
			switch {
			case softfloat.IsNaN(k.bits):
				return nil
			case softfloat.IsZero(k.bits):
				w = 0
			case w < 0:
				w = -(w & (1<<63 - 1))
			}
		}
		out[i] = ranked{w, int32(i)}
	}
	return out
}

// permute puts the elements in the order of r.
func permute(items []Value, r []ranked) {
	old := make([]Value, len(items))
	copy(old, items)
	for i := range r {
		items[i] = old[r[i].at]
	}
}

// wordSorter sorts ranked elements the way sorter does and counts comparisons.
type wordSorter struct {
	items, tmp []ranked
	compared   int
}

func (s *wordSorter) run() {
	n := len(s.items)
	var runs []sortRun
	for at := 0; at < n; {
		length := s.natural(at)
		if length < minRun {
			want := min(minRun, n-at)
			s.insertion(at, length, want)
			length = want
		}
		runs = s.collapse(append(runs, sortRun{at, length}), false)
		at += length
	}
	s.collapse(runs, true)
}

func (s *wordSorter) natural(at int) int {
	items := s.items[at:]
	if len(items) < 2 {
		return 1
	}
	down := items[1].key < items[0].key
	i := 2
	for i < len(items) && items[i].key < items[i-1].key == down {
		i++
	}
	s.compared += min(i, len(items)-1)
	if down {
		for a, b := 0, i-1; a < b; a, b = a+1, b-1 {
			items[a], items[b] = items[b], items[a]
		}
	}
	return i
}

func (s *wordSorter) insertion(at, have, want int) {
	items := s.items[at : at+want]
	for i := have; i < want; i++ {
		lo, hi := 0, i
		k := items[i]
		for lo < hi {
			mid := int(uint(lo+hi) >> 1)
			s.compared++
			if k.key < items[mid].key {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		copy(items[lo+1:i+1], items[lo:i])
		items[lo] = k
	}
}

func (s *wordSorter) collapse(runs []sortRun, all bool) []sortRun {
	for {
		i, ok := nextMerge(runs, all)
		if !ok {
			return runs
		}
		s.merge(runs[i], runs[i+1])
		runs[i].n += runs[i+1].n
		runs = append(runs[:i+1], runs[i+2:]...)
	}
}

func (s *wordSorter) merge(a, b sortRun) {
	s.tmp = append(s.tmp[:0], s.items[a.at:a.at+a.n]...)
	left, right, out := s.tmp, s.items[b.at:b.at+b.n], s.items[a.at:b.at+b.n]
	i, j := 0, 0
	for i < len(left) && j < len(right) {
		if right[j].key < left[i].key {
			out[i+j] = right[j]
			j++
		} else {
			out[i+j] = left[i]
			i++
		}
	}
	s.compared += i + j
	copy(out[i+j:], left[i:])
}
