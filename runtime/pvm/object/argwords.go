package object

import "strings"

// Plural is the ending of a noun that n things have.
func Plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// MissingArguments is what a Python function says that lacks arguments of a kind, "positional" or "keyword-only".
func (m *Machine) MissingArguments(function, kind string, names []string) *Exception {
	quoted := "'" + names[len(names)-1] + "'"
	if before := names[:len(names)-1]; len(before) == 1 {
		quoted = "'" + before[0] + "' and " + quoted
	} else if len(before) > 1 {
		quoted = "'" + strings.Join(before, "', '") + "', and " + quoted
	}
	return m.TypeError("%s() missing %d required %s argument%s: %s", function, len(names), kind, Plural(len(names)), quoted)
}
