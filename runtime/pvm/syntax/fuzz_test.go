package syntax

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// FuzzParse: any bytes either parse or are refused with a *SyntaxError that has a
// place in the source, twice alike, without a panic.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
func FuzzParse(f *testing.F) {
	golden.Seeds(f, "../testdata/*.py", 1<<20)
	for _, source := range []string{"", "x = f'{a!r:{b}}'", "with (a as b, c): pass", "match x:\n case {**k}: pass",
		"f(a b", "(\n\n]", "\\", "x = '\\N{BULLET}'", "if x:\n\ty\n        z", "def f(a, /, *b: *c, d=1, **e): ...",
		"\ufeffé = 0x_f", "f'{f\"{'a' b}\"}'", "{**a, 'b' 2}", "async def f(): return [x async for x in y]"} {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		first, err := Parse(source)
		again, err2 := Parse(source)
		if err != nil {
			a, ok := err.(*SyntaxError)
			b, ok2 := err2.(*SyntaxError)
			if !ok || !ok2 || *a != *b || first != nil || a.Msg == "" {
				t.Fatalf("%q: %#v, then %#v", source, err, err2)
			}
			if text := misplaced(source, a); text != "" {
				t.Fatalf("%q: %#v: %s", source, a, text)
			}
			return
		}
		if err2 != nil || dump(first) != dump(again) {
			t.Fatalf("%q: two parses differ", source)
		}
	})
}

// misplaced says what is wrong with the place of an error, or returns "". Columns may be one behind the line's end, and
// those inside f-strings count from the brace; 0 is an unknown column, and 0 and -1 are an unknown end.
func misplaced(source []byte, e *SyntaxError) string {
	text := strings.TrimPrefix(string(source), "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	if e.Line < 1 || e.Line > len(lines)+1 {
		return "no such line"
	}
	if e.EndLine != 0 && (e.EndLine < e.Line || e.EndLine > len(lines)+1) {
		return "no such last line"
	}
	longest := 0
	for _, line := range lines {
		longest = max(longest, len(line))
	}
	width := longest
	if !strings.HasPrefix(e.Msg, "f-string: ") && e.Line <= len(lines) {
		width = len(lines[e.Line-1])
	}
	if e.Col < 0 || e.Col > width+2 {
		return "no such column"
	}
	if e.EndCol < -1 || e.EndCol > longest+2 {
		return "no such last column"
	}
	return ""
}
