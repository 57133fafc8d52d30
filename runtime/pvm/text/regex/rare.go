package regex

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

// rare carries out the instructions that are not worth a place in the main loop. It answers where to go on, or
// ok false for a failure.
func (r *runner[T]) rare(i *inst, pc, pos int32) (int32, int32, bool) {
	m := r.Matcher
	switch i.op {
	case opAt:
		return pc + 1, pos, r.holdsAt(i.where, int(pos))
	case opLoop:
		m.set(i.y, -1)
		m.set(i.y+1, -1)
		return i.x, pos, true
	case opUntil:
		return r.until(i, pc, pos), pos, true
	case opUntilLazy:
		return r.untilLazy(i, pc, pos), pos, true
	case opMore:
		return r.more(i, pos)
	case opHold:
		m.set(i.y, int32(len(m.choices)))
		return pc + 1, pos, true
	case opCut:
		m.cut(m.slots[i.y])
		return pc + 1, pos, true
	case opLook:
		if pos < i.min {
			return pc, pos, false
		}
		m.set(i.y, int32(len(m.choices)))
		m.set(i.y+1, pos)
		return pc + 1, pos - i.min, true
	case opLookEnd:
		back := m.slots[i.y+1]
		m.cut(m.slots[i.y])
		return pc + 1, back, true
	case opLookNot:
		if pos < i.min {
			return i.x, pos, true
		}
		m.set(i.y, int32(len(m.choices)))
		m.push(i.x, pos, -1)
		return pc + 1, pos - i.min, true
	case opLookNotEnd:
		// The choice made by opLookNot would go on as if nothing had matched: drop it together with those made since. Its trail
		// stays and is undone by an older choice.
		m.cut(m.slots[i.y])
		return pc, pos, false
	case opBackref, opBackrefFold:
		return r.backref(i, pc, pos)
	case opCondition:
		if start, end := m.Span(int(i.y)); start < 0 || end < start {
			return i.x, pos, true
		}
		return pc + 1, pos, true
	default:
		return pc, pos, false
	}
}

// until decides at the end of a turn of a greedy loop: go on while the least count is not reached; then go on again as
// long as turns consume something, leaving the exit open.
func (r *runner[T]) until(i *inst, pc, pos int32) int32 {
	m := r.Matcher
	turns := m.slots[i.y] + 1
	if turns < i.min {
		m.set(i.y, turns)
		return i.x
	}
	if turns < i.max && pos != m.slots[i.y+1] {
		m.push(pc+1, pos, -1)
		m.set(i.y, turns)
		m.set(i.y+1, pos)
		return i.x
	}
	return pc + 1
}

// untilLazy is until for a lazy loop: it leaves, keeping another turn (opMore, the next instruction) open.
func (r *runner[T]) untilLazy(i *inst, pc, pos int32) int32 {
	m := r.Matcher
	turns := m.slots[i.y] + 1
	if turns < i.min {
		m.set(i.y, turns)
		return i.x
	}
	m.push(pc+1, pos, -1)
	return pc + 2
}

func (r *runner[T]) more(i *inst, pos int32) (int32, int32, bool) {
	m := r.Matcher
	turns := m.slots[i.y] + 1
	if turns >= i.max || pos == m.slots[i.y+1] {
		return 0, pos, false
	}
	m.set(i.y, turns)
	m.set(i.y+1, pos)
	return i.x, pos, true
}

func (r *runner[T]) backref(i *inst, pc, pos int32) (int32, int32, bool) {
	m := r.Matcher
	start, end := m.slots[startSlot(int(i.y))], m.slots[endSlot(int(i.y))]
	size := end - start
	if start < 0 || size < 0 || int32(len(r.s))-pos < size || !m.spend(int(size)) {
		return pc, pos, false
	}
	for k := int32(0); k < size; k++ {
		a, b := rune(r.s[start+k]), rune(r.s[pos+k])
		if a != b && (i.op == opBackref || fold(a, i.fold) != fold(b, i.fold)) {
			return pc, pos, false
		}
	}
	return pc + 1, pos + size, true
}

func fold(r rune, unicode bool) rune {
	if unicode {
		return text.SimpleLower(r)
	}
	return lowerASCII(r)
}

// holdsAt says whether a position has the property an anchor asks for. In an empty subject there is no
// boundary, and no place that is none either.
func (r *runner[T]) holdsAt(a anchor, pos int) bool {
	s := r.s
	switch a {
	case atBeginning, atBeginningString:
		return pos == 0
	case atBeginningLine:
		return pos == 0 || s[pos-1] == '\n'
	case atEnd:
		return pos == len(s) || pos == len(s)-1 && s[pos] == '\n'
	case atEndLine:
		return pos == len(s) || s[pos] == '\n'
	case atEndString:
		return pos == len(s)
	case atBoundary, atBoundaryASCII:
		return len(s) > 0 && r.wordEdge(pos, a == atBoundaryASCII)
	default:
		return len(s) > 0 && !r.wordEdge(pos, a == atNonBoundaryASCII)
	}
}

func (r *runner[T]) wordEdge(pos int, ascii bool) bool {
	before := pos > 0 && isWordOf(rune(r.s[pos-1]), ascii)
	after := pos < len(r.s) && isWordOf(rune(r.s[pos]), ascii)
	return before != after
}
