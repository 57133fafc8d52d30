package regex

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

// Scan walks over the matches of a subject from left to right, as finditer, findall, sub and split do: a match begins
// where the one before ended, or later, and an empty match does not repeat the place of an empty one before.
type Scan struct {
	At      int // where the search goes on
	advance bool
}

// Next finds the next match; the matcher then holds it. After false or an error the scan is over.
func Next[T text.Unit](s *Scan, m *Matcher, subject []T, mode Mode) (bool, error) {
	if s.At > len(subject) {
		return false, nil
	}
	ok, err := Run(m, subject, s.At, mode, s.advance)
	if !ok || err != nil {
		return false, err
	}
	start, end := m.Span(0)
	s.At, s.advance = end, start == end
	return true, nil
}
