package text

import (
	"strings"
	"testing"
)

// TestPlainEscapes: the escapes are those CPython 3.11's ascii() gives for the same characters.
func TestPlainEscapes(t *testing.T) {
	for _, c := range [...]struct{ in, want string }{
		{"plain text, é and 日本", "plain text, é and 日本"},
		{"two\nlines\tand a tab", "two\nlines\tand a tab"},
		{"\x1b[2J\x07", `\x1b[2J\x07`},
		{"a\rb", `a\x0db`},
		{"\x7f\u0085", `\x7f\x85`},
		{"user\u202enimda", `user\u202enimda`},
		{"\u2066x\u2069\u200f\u061c", `\u2066x\u2069\u200f\u061c`},
		{"\u2028\u2029\ufeff", `\u2028\u2029\ufeff`},
		{"\U000e0001", `\U000e0001`},
		{"\ue000", `\ue000`},
		{"\xff!", `\xff!`},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := Plain(c.in); got != c.want {
				t.Errorf("Plain(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
	if got := PlainLine("a\n\tb"); got != `a\n\tb` {
		t.Errorf("PlainLine keeps a break of the line: %q", got)
	}
}

func TestPlainIsBounded(t *testing.T) {
	whole := strings.Repeat("x", LongLine)
	if got := Plain(whole); got != whole {
		t.Errorf("a text of %d bytes is cut to %d", LongLine, len(got))
	}
	if got := Plain(whole + "y"); got != whole+Cut {
		t.Errorf("a text of one byte more is %d bytes", len(got))
	}
	if got := Plain(strings.Repeat("\x1b", 1<<20)); len(got) != 4*LongLine+len(Cut) {
		t.Errorf("a megabyte of escapes is shown in %d bytes", len(got))
	}
}
