package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain is a text of a stranger as a terminal or a page may show it: at most LongLine bytes of it, with Cut behind them, and with what does not show
// itself, or changes how its neighbours show, written as Python escapes it: control and format characters, which the directional ones are of, separators
// of lines and paragraphs, code points that are private or unassigned, and octets that are no UTF-8. Line feeds and tabs stay.
//
// Spec: Unicode Standard Annex #9 (explicit directional formatting characters).
func Plain(s string) string {
	s = Head(s)
	if !strings.ContainsFunc(s, hides) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case !hides(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		s = s[size:]
	}
	return b.String()
}

// PlainLine is Plain for what has to stay on one line: line feeds and tabs are escaped too.
func PlainLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(Plain(s))
}

// hides reports whether a character is written as its escape.
func hides(r rune) bool {
	return r != '\n' && r != '\t' && r != ' ' && !unicode.IsPrint(r)
}
