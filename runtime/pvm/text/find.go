package text

import "bytes"

// Pattern searches for one needle, repeatedly if wanted. The zero length needle is found everywhere.
//
// The search is linear in the worst case: it looks for the first unit and compares, and as soon as failed comparisons have
// cost more than a small multiple of the way made so far it goes on with the table of Knuth, Morris and Pratt, which
// never steps back.
type Pattern[T Unit] struct {
	needle []T
	border []int32 // border[i]: length of the longest proper border of needle[:i+1]; nil until needed
}

// NewPattern prepares a search for needle, which must not change while the pattern is used.
func NewPattern[T Unit](needle []T) Pattern[T] { return Pattern[T]{needle: needle} }

// Comparison work allowed before the search switches to the table: a constant plus so much per unit advanced.
const (
	failureAllowance = 128
	failureFactor    = 4
	shortBytes       = 8 // needles bytes.Index finds in linear time on every platform
)

// Index answers the lowest index ≥ from at which the needle stands in h, or -1.
func (p *Pattern[T]) Index(h []T, from int) int {
	at, next := p.Start(h, from)
	if next < len(h) {
		return p.Finish(h, next)
	}
	return at
}

// Start begins what Index does. It answers the lowest index or -1, and len(h); or, where the search goes on with the table, which takes several
// times as long for a unit, the index from which Finish has to go on.
func (p *Pattern[T]) Start(h []T, from int) (at, next int) {
	n := len(p.needle)
	switch {
	case len(h)-from < n:
		return -1, len(h)
	case n == 0:
		return from, len(h)
	case n == 1:
		return indexUnit(h, from, p.needle[0]), len(h)
	}
	if hb, ok := any(h).([]byte); ok && n <= shortBytes {
		if i := bytes.Index(hb[from:], any(p.needle).([]byte)); i >= 0 {
			return from + i, len(h)
		}
		return -1, len(h)
	}
	if p.border != nil {
		return -1, from
	}
	return p.indexDirect(h, from)
}

// Finish goes on where Start left off.
func (p *Pattern[T]) Finish(h []T, from int) int {
	if p.border == nil {
		p.border = borders(p.needle)
	}
	return p.indexByTable(h, from)
}

func (p *Pattern[T]) indexDirect(h []T, from int) (at, next int) {
	first, rest := p.needle[0], p.needle[1:]
	limit := len(h) - len(p.needle)
	work := 0
	for i := from; i <= limit; i++ {
		i = indexUnit(h, i, first)
		if i < 0 || i > limit {
			return -1, len(h)
		}
		k := 0
		for k < len(rest) && h[i+1+k] == rest[k] {
			k++
		}
		if k == len(rest) {
			return i, len(h)
		}
		if work += k + 1; work > failureAllowance+failureFactor*(i-from) {
			return -1, i + 1
		}
	}
	return -1, len(h)
}

func (p *Pattern[T]) indexByTable(h []T, from int) int {
	k := 0
	for i := from; i < len(h); i++ {
		for k > 0 && p.needle[k] != h[i] {
			k = int(p.border[k-1])
		}
		if p.needle[k] == h[i] {
			k++
		}
		if k == len(p.needle) {
			return i - k + 1
		}
	}
	return -1
}

func borders[T Unit](s []T) []int32 {
	table := make([]int32, len(s))
	k := 0
	for i := 1; i < len(s); i++ {
		for k > 0 && s[k] != s[i] {
			k = int(table[k-1])
		}
		if s[k] == s[i] {
			k++
		}
		table[i] = int32(k)
	}
	return table
}

// indexUnit answers the lowest index ≥ from of u in h, or -1.
func indexUnit[T Unit](h []T, from int, u T) int {
	if hb, ok := any(h).([]byte); ok {
		if i := bytes.IndexByte(hb[from:], byte(u)); i >= 0 {
			return from + i
		}
		return -1
	}
	for i := from; i < len(h); i++ {
		if h[i] == u {
			return i
		}
	}
	return -1
}

// Find answers the lowest index of needle in h, or -1.
func Find[T Unit](h, needle []T) int {
	p := NewPattern(needle)
	return p.Index(h, 0)
}

// RFind answers the highest index of needle in h, or -1, in linear time.
func RFind[T Unit](h, needle []T) int {
	n := len(needle)
	if n > len(h) {
		return -1
	}
	if n == 0 {
		return len(h)
	}
	last, rest := needle[n-1], needle[:n-1]
	work := 0
	for i := len(h) - 1; i >= n-1; i-- {
		if h[i] != last {
			continue
		}
		k := 0
		for k < n-1 && h[i-1-k] == rest[n-2-k] {
			k++
		}
		if k == n-1 {
			return i - n + 1
		}
		if work += k + 1; work > failureAllowance+failureFactor*(len(h)-i) {
			return rfindByTable(h[:i], needle)
		}
	}
	return -1
}

// rfindByTable is indexByTable read from the right.
func rfindByTable[T Unit](h, needle []T) int {
	n := len(needle)
	mirrored := make([]T, n)
	for i, u := range needle {
		mirrored[n-1-i] = u
	}
	table := borders(mirrored)
	k := 0
	for i := len(h) - 1; i >= 0; i-- {
		for k > 0 && mirrored[k] != h[i] {
			k = int(table[k-1])
		}
		if mirrored[k] == h[i] {
			k++
		}
		if k == n {
			return i
		}
	}
	return -1
}

// Count answers how often needle stands in h without overlap, but no more than max (no limit when max is negative). The
// empty needle stands before every unit and at the end.
func Count[T Unit](h, needle []T, max int) int {
	if len(needle) == 0 {
		if max >= 0 && max < len(h)+1 {
			return max
		}
		return len(h) + 1
	}
	if hb, ok := any(h).([]byte); ok && len(needle) == 1 && max < 0 {
		return bytes.Count(hb, any(needle).([]byte))
	}
	p := NewPattern(needle)
	count := 0
	for at := 0; count != max; count++ {
		at = p.Index(h, at)
		if at < 0 {
			break
		}
		at += len(needle)
	}
	return count
}
