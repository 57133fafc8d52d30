package syntax

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzParse: any bytes either parse or are refused with a *SyntaxError, twice
// alike, without a panic.
//
// Spec: WP "The Cowboy Actor VM (PVM)"; every node must reach the same verdict.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("../testdata/*.py")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(source)
	}
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
			return
		}
		if err2 != nil || dump(first) != dump(again) {
			t.Fatalf("%q: two parses differ", source)
		}
	})
}
