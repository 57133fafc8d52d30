package regex

// width is the least and the largest number of characters something matches; largest is at most maxRepeat, which also
// stands for no limit.
type width struct{ lo, hi int64 }

func (w width) plus(v width) width { return width{capLow(w.lo + v.lo), capHigh(w.hi + v.hi)} }

func capLow(n int64) int64  { return min(n, maxRepeat-1) }
func capHigh(n int64) int64 { return min(n, maxRepeat) }

// times multiplies two factors below 2^32 without overflow.
func times(a, b int64) int64 {
	if a != 0 && b > maxRepeat/a {
		return maxRepeat
	}
	return a * b
}

// width answers the width of a sequence; groups holds those of the groups closed so far.
func (s seq) width(groups []width) width {
	w := width{}
	for _, n := range s {
		w = w.plus(n.width(groups))
	}
	return w
}

// width measures a node once: what it holds does not change after it was parsed.
func (n *node) width(groups []width) width {
	if !n.measured {
		n.size, n.measured = n.measure(groups), true
	}
	return n.size
}

func (n *node) measure(groups []width) width {
	switch n.kind {
	case literal, notLiteral, anyChar, inSet:
		return width{1, 1}
	case branch:
		return widest(n.alts, groups)
	case conditional:
		w := widest(n.alts, groups)
		if len(n.alts) == 1 {
			w.lo = 0
		}
		return w
	case repeat:
		w := n.body.width(groups)
		return width{capLow(times(n.min, w.lo)), capHigh(times(n.max, w.hi))}
	case group, atomic:
		return n.body.width(groups)
	case backref:
		return groups[n.number]
	default:
		return width{}
	}
}

func widest(alts []seq, groups []width) width {
	w := width{lo: maxRepeat - 1}
	for _, a := range alts {
		v := a.width(groups)
		w.lo, w.hi = min(w.lo, v.lo), max(w.hi, v.hi)
	}
	return w
}
