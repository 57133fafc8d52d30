package pvm

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// ExitStatus says how a program that SystemExit ended wants to leave: with the low byte of its code if that is a number, with 0 if
// it is None, and otherwise with 1 and the code as a line of text for standard error. ok is false for every other fault.
func (m *Machine) ExitStatus(f *Fault) (status int, text string, ok bool) {
	if f.Exception.IsZero() {
		return 0, "", false
	}
	e, isException := f.Exception.AsException()
	if !isException || !e.Is(&object.ExcSystemExit) {
		return 0, "", false
	}
	defer m.m.Meter().Aside(describeBudget)()
	code, failed := m.m.Attr(f.Exception, "code")
	if failed != nil || code.IsNone() {
		return 0, "", true
	}
	if n, isInt := code.AsInt(); isInt {
		if n.IsInt() {
			return int(n.Int64() & 0xff), "", true
		}
		return 0xff, "", true // as C's conversion of what does not fit a long
	}
	text, failed = m.m.StrText(code)
	if failed != nil {
		return 1, "", true
	}
	return 1, text + "\n", true
}
