package regex

import (
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Mode says where a match may begin and end.
type Mode uint8

// The modes of Run.
const (
	Search    Mode = iota // at any position from the start on
	Match                 // at the start
	FullMatch             // at the start, up to the end of the subject
)

// Run matches the subject from start on, which is at most its length; what precedes start can be seen by assertions. With advance set,
// an empty match at start does not count (the match before ended there and was empty too). The errors are
// ErrFuel, ErrMemory and ErrLong; afterwards the matcher holds no match.
//
// Spec: Python 3.11 library reference, re, "Regular Expression Objects".
func Run[T text.Unit](m *Matcher, subject []T, start int, mode Mode, advance bool) (bool, error) {
	if len(subject) >= math.MaxInt32 {
		return false, ErrLong
	}
	r := runner[T]{Matcher: m, s: subject, full: mode == FullMatch, advance: advance}
	if mode != Search {
		return r.at(start)
	}
	return r.search(start)
}

// runner is one run over one subject.
type runner[T text.Unit] struct {
	*Matcher
	s       []T
	full    bool
	advance bool
}

// search tries one start after the other, skipping those that cannot match.
func (r *runner[T]) search(start int) (bool, error) {
	p := r.prog
	last := len(r.s) - p.least
	if p.anchored {
		last = min(last, 0)
	}
	for at := start; at <= last; at++ {
		next, err := r.candidate(at, last)
		if next < 0 || err != nil {
			return false, err
		}
		if next > at {
			r.advance = false
		}
		at = next
		if ok, err := r.at(at); ok || err != nil {
			return ok, err
		}
		r.advance = false
	}
	return false, nil
}

// candidate answers the first position from at to last where a match can begin, or -1, and charges the way there.
func (r *runner[T]) candidate(at, last int) (int, error) {
	p := r.prog
	if len(p.prefix) == 0 && p.first == nil {
		return at, nil
	}
	clipped := uint64(last-at) > r.fuel
	if clipped {
		last = at + int(r.fuel)
	}
	next := at
	if len(p.prefix) > 0 {
		f := finderOf[T](r.Matcher)
		if f == nil {
			return -1, nil
		}
		if next = f.Index(r.s[:min(last+len(p.prefix), len(r.s))], at); next < 0 {
			next = last + 1
		}
	} else {
		for next <= last && !p.first.may(rune(r.s[next])) {
			next++
		}
	}
	if !r.spend(next - at) {
		return -1, ErrFuel
	}
	if next > last {
		next = -1
		if clipped {
			r.fuel = 0
			return -1, ErrFuel
		}
	}
	return next, nil
}

// may says whether a class that is used for its bitmap and high flag only may hold a character.
func (c *class) may(r rune) bool {
	if uint32(r) < 256 {
		return c.low[r>>6]>>(r&63)&1 != 0
	}
	return c.high
}

// at matches at one position.
func (r *runner[T]) at(start int) (bool, error) {
	r.reset()
	ok, err := r.execute(int32(start))
	if ok {
		r.from = int32(start)
	}
	return ok, err
}

// execute is the machine. It ends when the program matched, when no choice is left, or when fuel or memory do not suffice.
func (r *runner[T]) execute(start int32) (bool, error) {
	var (
		m    = r.Matcher
		s    = r.s
		n    = int32(len(s))
		code = m.prog.code
		pos  = start
		pc   = int32(0)
	)
	for {
		if m.fuel < InstructionFuel {
			m.fuel = 0
			return false, ErrFuel
		}
		m.fuel -= InstructionFuel
		i := &code[pc]
		switch i.op {
		case opChar:
			if pos < n && rune(s[pos]) == i.char {
				pos++
				pc++
				continue
			}
		case opString:
			if k := int32(len(i.text)); n-pos >= k && m.spend(int(k)) && equalText(s[pos:], i.text) {
				pos += k
				pc++
				continue
			}
		case opClass:
			if i.extra > 0 && !m.spend(int(i.extra)) {
				return false, ErrFuel
			}
			if pos < n && i.class.has(rune(s[pos])) {
				pos++
				pc++
				continue
			}
		case opAny:
			if pos < n && s[pos] != '\n' {
				pos++
				pc++
				continue
			}
		case opAnyAll:
			if pos < n {
				pos++
				pc++
				continue
			}
		case opMark:
			m.set(i.x, pos)
			pc++
			continue
		case opMarkEnd:
			m.set(i.x, pos)
			m.set(lastClosed, i.y)
			pc++
			continue
		case opSplit:
			if i.class == nil || pos < n && i.class.may(rune(s[pos])) {
				m.push(i.x, pos, -1)
				pc++
			} else {
				pc = i.x
			}
			if len(m.choices) < MaxChoices && len(m.trail) < MaxTrail {
				continue
			}
			return false, ErrMemory
		case opSplitLazy:
			m.push(pc+1, pos, -1)
			pc = i.x
			if len(m.choices) < MaxChoices && len(m.trail) < MaxTrail {
				continue
			}
			return false, ErrMemory
		case opJump:
			pc = i.x
			continue
		case opRepeat:
			item := &code[pc+1]
			stop := countRun(item, s, pos, m.reach(pos, n, i.max))
			if !m.spend(int(stop-pos) * int(1+item.extra)) {
				return false, ErrFuel
			}
			if i.min > stop-pos {
				break
			}
			if !i.possessive && stop-pos > i.min {
				m.push(pc, stop+1, pos+i.min)
				break // the choice just made steps back to stop, or further to where what follows can match
			}
			pos = stop
			pc = i.x
			continue
		case opRepeatLazy:
			item := &code[pc+1]
			stop := countRun(item, s, pos, m.reach(pos, n, i.min))
			if !m.spend(int(stop-pos) * int(1+item.extra)) {
				return false, ErrFuel
			}
			if i.min > stop-pos {
				break
			}
			if limit := bounded(pos, n, i.max); limit > stop {
				m.push(pc, stop, limit)
			}
			pos = stop
			pc = i.x
			continue
		case opMatch:
			if !(r.full && pos != n || r.advance && pos == start) {
				m.to = pos
				return true, nil
			}
		default:
			var ok bool
			if pc, pos, ok = r.rare(i, pc, pos); ok {
				if len(m.choices) < MaxChoices && len(m.trail) < MaxTrail {
					continue
				}
				return false, ErrMemory
			}
		}
		var ok bool
		if pc, pos, ok = r.resume(); !ok {
			if m.fuel == 0 {
				return false, ErrFuel
			}
			return false, nil
		}
	}
}

// bounded answers the position max characters on, or the end.
func bounded(pos, end, max int32) int32 {
	if max < end-pos {
		return pos + max
	}
	return end
}

// reach is bounded, but not further than one character past what the fuel pays for.
func (m *Matcher) reach(pos, end, max int32) int32 {
	limit := bounded(pos, end, max)
	if uint64(limit-pos) > m.fuel {
		limit = pos + int32(m.fuel) + 1
	}
	return limit
}

// countRun answers how far from pos, at most to limit, characters match a one-character instruction.
func countRun[T text.Unit](item *inst, s []T, pos, limit int32) int32 {
	switch item.op {
	case opAnyAll:
		return max(pos, limit)
	case opAny:
		for pos < limit && s[pos] != '\n' {
			pos++
		}
	case opChar:
		for pos < limit && rune(s[pos]) == item.char {
			pos++
		}
	default:
		class := item.class
		for ; pos < limit; pos++ {
			r := rune(s[pos])
			if uint32(r) < 256 {
				if class.low[r>>6]>>(r&63)&1 == 0 {
					break
				}
			} else if !class.high || !class.hasHigh(r) {
				break
			}
		}
	}
	return pos
}

func equalText[T text.Unit](s []T, want []rune) bool {
	for k, c := range want {
		if rune(s[k]) != c {
			return false
		}
	}
	return true
}

// resume takes up the youngest open choice.
func (r *runner[T]) resume() (pc, pos int32, ok bool) {
	m := r.Matcher
	for len(m.choices) > 0 {
		c := &m.choices[len(m.choices)-1]
		m.unwind(c.trail)
		if c.lim < 0 {
			pc, pos = c.pc, c.pos
			m.choices = m.choices[:len(m.choices)-1]
			return pc, pos, true
		}
		i := &m.prog.code[c.pc]
		if i.op == opRepeat {
			ok = r.back(c, i)
		} else {
			ok = r.forth(c, i)
		}
		if ok {
			return i.x, c.pos, true
		}
		if m.fuel == 0 {
			return 0, 0, false
		}
		m.choices = m.choices[:len(m.choices)-1]
	}
	return 0, 0, false
}

// back gives one character back, or as many as it takes to stand before the one that must follow.
func (r *runner[T]) back(c *choice, i *inst) bool {
	from := c.pos
	c.pos--
	if i.next != none {
		n := int32(len(r.s))
		for c.pos >= c.lim && (c.pos >= n || rune(r.s[c.pos]) != i.next) {
			c.pos--
		}
	}
	return r.spend(int(from-c.pos)) && c.pos >= c.lim
}

// forth takes one more character, or as many as it takes to stand before the one that must follow.
func (r *runner[T]) forth(c *choice, i *inst) bool {
	from := c.pos
	item := &r.prog.code[c.pc+1]
	ok := false
	if i.next != none {
		c.pos, ok = countBefore(item, r.s, from, c.lim, i.next)
	} else if from < c.lim && item.holds(rune(r.s[from])) {
		c.pos, ok = from+1, true
	}
	return r.spend(int(c.pos-from)*int(2+item.extra)) && ok
}

// countBefore answers how far from pos, at most to limit, characters match a one-character instruction, one at least, until next follows, and whether it does.
func countBefore[T text.Unit](item *inst, s []T, pos, limit int32, next rune) (int32, bool) {
	if pos >= limit {
		return pos, false
	}
	n := int32(len(s))
	for r := rune(s[pos]); ; {
		switch item.op {
		case opAny:
			if r == '\n' {
				return pos, false
			}
		case opClass:
			if !item.class.has(r) {
				return pos, false
			}
		case opChar:
			if r != item.char {
				return pos, false
			}
		}
		if pos++; pos >= n {
			return pos, false
		}
		if r = rune(s[pos]); r == next {
			return pos, true
		}
		if pos >= limit {
			return pos, false
		}
	}
}
