package regex

// width is the least and the largest number of characters something matches, both at most maxWidth, which stands for no
// limit.
type width struct{ lo, hi int64 }

const (
	maxWidth      = 1 << 61   // two of them can be added
	maxLookBehind = 1<<32 - 1 // CPython's look-behind reaches no farther
)

func (w width) plus(v width) width { return width{min(w.lo+v.lo, maxWidth), min(w.hi+v.hi, maxWidth)} }

// times multiplies without overflow.
func times(a, b int64) int64 {
	if a != 0 && b > maxWidth/a {
		return maxWidth
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
		hi := times(n.max, w.hi)
		if n.max == maxRepeat && w.hi > 0 {
			hi = maxWidth
		}
		return width{times(n.min, w.lo), hi}
	case group, atomic:
		return n.body.width(groups)
	case backref:
		return groups[n.number]
	default:
		return width{}
	}
}

func widest(alts []seq, groups []width) width {
	w := width{lo: maxWidth}
	for _, a := range alts {
		v := a.width(groups)
		w.lo, w.hi = min(w.lo, v.lo), max(w.hi, v.hi)
	}
	return w
}
