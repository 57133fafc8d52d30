package text

// Rules says which units count as white space and as line ends: those of str or those of bytes.
type Rules uint8

// The two sets of rules.
const (
	TextRules  Rules = iota // Unicode white space and line boundaries
	BytesRules              // ASCII white space; lines end at LF, CR, CR LF
)

// IsSpace reports whether u is white space under the rules.
func (k Rules) IsSpace(u rune) bool {
	if k == BytesRules {
		return u == ' ' || u >= 0x09 && u <= 0x0D
	}
	return IsSpace(u)
}

// IsLineEnd reports whether u ends a line under the rules.
func (k Rules) IsLineEnd(u rune) bool {
	if k == BytesRules {
		return u == '\n' || u == '\r'
	}
	if u < 0x80 {
		return u >= 0x0A && u <= 0x0D || u >= 0x1C && u <= 0x1E
	}
	return u == 0x85 || u == 0x2028 || u == 0x2029
}

// Spans is a sequence of pieces of a text, each from start to before end, for use in a range statement.
type Spans func(yield func(start, end int) bool)

// Fields answers the pieces of s between runs of white space, at most max+1 of them when max is not negative; the last
// one then runs to the end of the text.
func Fields[T Unit](s []T, max int, k Rules) Spans {
	return func(yield func(start, end int) bool) {
		i, n := 0, len(s)
		for pieces := 0; ; pieces++ {
			for i < n && k.IsSpace(rune(s[i])) {
				i++
			}
			if i == n {
				return
			}
			start := i
			if pieces == max {
				yield(start, n)
				return
			}
			for i < n && !k.IsSpace(rune(s[i])) {
				i++
			}
			if !yield(start, i) {
				return
			}
		}
	}
}

// FieldsFromRight is Fields counted from the right: pieces come last first, and the one that max leaves over runs from the
// start of the text.
func FieldsFromRight[T Unit](s []T, max int, k Rules) Spans {
	return func(yield func(start, end int) bool) {
		i := len(s)
		for pieces := 0; ; pieces++ {
			for i > 0 && k.IsSpace(rune(s[i-1])) {
				i--
			}
			if i == 0 {
				return
			}
			end := i
			if pieces == max {
				yield(0, end)
				return
			}
			for i > 0 && !k.IsSpace(rune(s[i-1])) {
				i--
			}
			if !yield(i, end) {
				return
			}
		}
	}
}

// Split answers the pieces of s between occurrences of sep, which must not be empty, at most max+1 of them when max is
// not negative.
func Split[T Unit](s, sep []T, max int) Spans {
	return func(yield func(start, end int) bool) {
		p := NewPattern(sep)
		at := 0
		for pieces := 0; pieces != max; pieces++ {
			i := p.Index(s, at)
			if i < 0 {
				break
			}
			if !yield(at, i) {
				return
			}
			at = i + len(sep)
		}
		yield(at, len(s))
	}
}

// SplitFromRight is Split counted from the right; pieces come last first.
func SplitFromRight[T Unit](s, sep []T, max int) Spans {
	return func(yield func(start, end int) bool) {
		end := len(s)
		for pieces := 0; pieces != max; pieces++ {
			i := RFind(s[:end], sep)
			if i < 0 {
				break
			}
			if !yield(i+len(sep), end) {
				return
			}
			end = i
		}
		yield(0, end)
	}
}

// Lines answers the lines of s, with their ends when keepEnds is set. CR LF is one end. A last line without an end counts;
// nothing follows a final end.
func Lines[T Unit](s []T, keepEnds bool, k Rules) Spans {
	return func(yield func(start, end int) bool) {
		for i := 0; i < len(s); {
			start := i
			for i < len(s) && !k.IsLineEnd(rune(s[i])) {
				i++
			}
			end := i
			if i < len(s) {
				if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
					i++
				}
				i++
			}
			if keepEnds {
				end = i
			}
			if !yield(start, end) {
				return
			}
		}
	}
}
