package regex

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

// Bounds on the memory of a match: open choices and trail entries.
const (
	MaxChoices = 1 << 20
	MaxTrail   = 1 << 21
)

// choice is a way of going on that is still open: at instruction pc and position pos. For repeats of one character (lim
// ≥ 0) it is a range of positions: greedy ones step back from pos to lim, lazy ones forward.
type choice struct {
	pc, pos, lim int32
	trail        int32 // length of the trail to restore to
}

// undo restores a slot.
type undo struct{ slot, old int32 }

// Matcher runs one program. It belongs to one goroutine.
type Matcher struct {
	prog    *Program
	fuel    uint64
	slots   []int32
	choices []choice
	trail   []undo
	from    int32 // where the match begins
	to      int32 // where it ends
	finder  any   // *text.Pattern of the prefix, by the unit of the subject
}

// InstructionFuel is what one instruction takes; a character passed in a run of them takes one unit.
const InstructionFuel = 8

// NewMatcher answers a matcher for the program that may take so many steps.
func NewMatcher(p *Program, fuel uint64) *Matcher {
	return &Matcher{prog: p, fuel: fuel, slots: make([]int32, p.slots)}
}

// Fuel answers the steps left.
func (m *Matcher) Fuel() uint64 { return m.fuel }

// SetFuel changes the steps left.
func (m *Matcher) SetFuel(fuel uint64) { m.fuel = fuel }

// Span answers where group g matched, or -1, -1 when it took no part. Group 0 is the whole match.
func (m *Matcher) Span(g int) (start, end int) {
	if g == 0 {
		return int(m.from), int(m.to)
	}
	s, e := m.slots[startSlot(g)], m.slots[endSlot(g)]
	if s < 0 || e < 0 {
		return -1, -1
	}
	return int(s), int(e)
}

// LastGroup answers the number of the group closed last, or -1.
func (m *Matcher) LastGroup() int { return int(m.slots[lastClosed]) }

// set changes a slot, keeping the old value as long as a choice is open that would need it.
func (m *Matcher) set(slot, value int32) {
	if len(m.choices) > 0 {
		m.trail = append(m.trail, undo{slot, m.slots[slot]})
	}
	m.slots[slot] = value
}

func (m *Matcher) push(pc, pos, lim int32) {
	m.choices = append(m.choices, choice{pc, pos, lim, int32(len(m.trail))})
}

// cut drops the choices above a height.
func (m *Matcher) cut(height int32) {
	m.choices = m.choices[:height]
	if height == 0 {
		m.trail = m.trail[:0]
	}
}

// unwind restores the slots to what they were when the trail had the given length.
func (m *Matcher) unwind(length int32) {
	for i := int32(len(m.trail)) - 1; i >= length; i-- {
		u := m.trail[i]
		m.slots[u.slot] = u.old
	}
	m.trail = m.trail[:length]
}

func (m *Matcher) reset() {
	for i := range m.slots {
		m.slots[i] = -1
	}
	m.choices = m.choices[:0]
	m.trail = m.trail[:0]
}

// spend takes n steps.
func (m *Matcher) spend(n int) bool {
	if uint64(n) > m.fuel {
		m.fuel = 0
		return false
	}
	m.fuel -= uint64(n)
	return true
}

// finderOf answers the search for the program's prefix, made once per matcher; nil when the subject cannot hold it.
func finderOf[T text.Unit](m *Matcher) *text.Pattern[T] {
	if f, ok := m.finder.(*text.Pattern[T]); ok {
		return f
	}
	needle := make([]T, len(m.prog.prefix))
	for i, r := range m.prog.prefix {
		needle[i] = T(r)
		if rune(needle[i]) != r {
			return nil
		}
	}
	f := text.NewPattern(needle)
	m.finder = &f
	return &f
}
