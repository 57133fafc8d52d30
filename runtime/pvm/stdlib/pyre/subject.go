package pyre

import (
	"math"
	"strconv"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/regex"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// subject is what a pattern is matched against: units of one width up to the end of the search.
type subject struct {
	value  object.Value
	str    *object.Str // nil for bytes-like objects
	narrow []byte      // ASCII text or bytes
	wide   []rune      // text with other characters; nil if narrow
	size   int         // length of the whole object
	end    int         // where the search ends
}

// newSubject checks that the pattern suits the object.
func newSubject(m *object.Machine, p *regex.Program, v object.Value) (*subject, *object.Exception) {
	s := &subject{value: v}
	if str, ok := v.AsStr(); ok {
		if !p.IsText() {
			return nil, m.TypeError("cannot use a bytes pattern on a string-like object")
		}
		s.str, s.size = str, str.Len()
		if str.ASCII() {
			s.narrow = str.Bytes()
		} else {
			if e := m.Reserve(4 * str.Len()); e != nil {
				return nil, e
			}
			s.wide = m.Decoded(str)
		}
		s.end = s.size
		return s, nil
	}
	b, ok := m.Buffer(v)
	if !ok {
		return nil, m.TypeError("expected string or bytes-like object, got '%s'", v.Type().Name)
	}
	if p.IsText() {
		return nil, m.TypeError("cannot use a string pattern on a bytes-like object")
	}
	s.narrow, s.size, s.end = b, len(b), len(b)
	return s, nil
}

// bounds applies pos and endpos and returns where the search starts.
func (s *subject) bounds(pos, end int) int {
	s.end = min(max(end, 0), s.size)
	return min(max(pos, 0), s.end)
}

// slice returns part of the subject as a new str or bytes, at one cycle a unit.
func (s *subject) slice(m *object.Machine, lo, hi int) (object.Value, *object.Exception) {
	if e := m.Charge(hi - lo); e != nil {
		return object.Value{}, e
	}
	if s.str != nil {
		return s.str.Slice(m, lo, hi), nil
	}
	if lo == 0 && hi == s.size && s.value.Kind() == object.KindBytes {
		return s.value, nil
	}
	b, _ := m.Buffer(s.value) // once more: the object may have changed
	lo, hi = min(lo, len(b)), min(hi, len(b))
	if e := m.Reserve(hi - lo); e != nil {
		return object.Value{}, e
	}
	return m.Bytes(append([]byte(nil), b[lo:hi]...)), nil
}

// empty returns the empty text of the subject's type.
func (s *subject) empty(m *object.Machine) object.Value {
	if s.str != nil {
		return m.Str("")
	}
	return m.Bytes(nil)
}

// matchCost is the price of starting a match, fuelPerCycle the matcher's fuel for a cycle: an instruction takes four cycles, a character
// passed in a run of them half of one.
const (
	matchCost    = 60
	fuelPerCycle = regex.InstructionFuel / 4
)

// run matches with what the meter holds as fuel.
func run(m *object.Machine, matcher *regex.Matcher, s *subject, start int, mode regex.Mode) (bool, *object.Exception) {
	return metered(m, matcher, func() (bool, error) {
		if s.wide != nil {
			return regex.Run(matcher, s.wide[:s.end], start, mode, false)
		}
		return regex.Run(matcher, s.narrow[:s.end], start, mode, false)
	})
}

// next finds the next match of a scan with what the meter holds as fuel.
func next(m *object.Machine, matcher *regex.Matcher, s *subject, scan *regex.Scan, mode regex.Mode) (bool, *object.Exception) {
	return metered(m, matcher, func() (bool, error) {
		if s.wide != nil {
			return regex.Next(scan, matcher, s.wide[:s.end], mode)
		}
		return regex.Next(scan, matcher, s.narrow[:s.end], mode)
	})
}

func metered(m *object.Machine, matcher *regex.Matcher, match func() (bool, error)) (bool, *object.Exception) {
	if e := m.Charge(matchCost); e != nil {
		return false, e
	}
	left := min(m.Meter().Left(), math.MaxUint64/fuelPerCycle)
	fuel := left * fuelPerCycle
	matcher.SetFuel(fuel)
	ok, err := match()
	if err == regex.ErrFuel {
		return false, charge(m, left+1)
	}
	if e := charge(m, (fuel-matcher.Fuel()+fuelPerCycle-1)/fuelPerCycle); e != nil {
		return false, e
	}
	if err != nil {
		return false, m.Raise(&object.ExcMemoryError, "")
	}
	return ok, nil
}

// charge takes any number of cycles, in parts that fit an int on every platform.
func charge(m *object.Machine, n uint64) *object.Exception {
	const part = 1 << 30
	for ; n > part; n -= part {
		if e := m.Charge(part); e != nil {
			return e
		}
	}
	return m.Charge(int(n))
}
