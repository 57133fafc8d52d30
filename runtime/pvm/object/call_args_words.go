package object

// Plural is the ending of a noun that n things have.
func Plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// MissingArguments is what a Python function says that lacks arguments of a kind, "positional" or "keyword-only".
func (m *Machine) MissingArguments(function, kind string, names []string) *Exception {
	last := len(names) - 1
	quoted := make(Pieces, 0, 2*len(names)+1)
	for i, name := range names {
		switch {
		case i == 0:
			quoted = append(quoted, "'")
		case i < last:
			quoted = append(quoted, "', '")
		case last == 1:
			quoted = append(quoted, "' and '")
		default:
			quoted = append(quoted, "', and '")
		}
		quoted = append(quoted, name)
	}
	quoted = append(quoted, "'")
	return m.TypeError("%s() missing %d required %s argument%s: %s", function, len(names), kind, Plural(len(names)), quoted)
}
