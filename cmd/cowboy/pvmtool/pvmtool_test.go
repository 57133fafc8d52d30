package pvmtool

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// stack is one of functions of a file.
func stack(cycles int64, names ...string) pvm.StackCost {
	s := pvm.StackCost{Cycles: cycles}
	for i, name := range names {
		s.Frames = append(s.Frames, pvm.Frame{Name: name, File: "x.py", First: 1 + i, Line: 10 + i})
	}
	return s
}

var stacks = pvm.Stacks{stack(10, "<module>"), stack(60, "<module>", "f"), stack(30, "<module>", "g")}

func TestFolded(t *testing.T) {
	if got := Folded(stacks); got != "<module> 10\n<module>;f 60\n<module>;g 30\n" {
		t.Errorf("%q", got)
	}
}

// TestFlame: the drawing is well-formed XML whatever the names hold, and says the sums.
func TestFlame(t *testing.T) {
	odd := append(pvm.Stacks{stack(5, `a<"&>'`, "é")}, stacks...)
	for _, list := range []pvm.Stacks{nil, stacks, odd} {
		text := Flame("t<", list)
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, text)
			}
		}
	}
	text := Flame("title", stacks)
	for _, want := range []string{"title: 100 cycles", "f: 60 cycles, 60.0%", "g: 30 cycles, 30.0%", "&lt;module&gt;: 100 cycles"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestSyntaxError: what CPython 3.11 prints for these sources.
func TestSyntaxError(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"def f(:\n", "  File \"x.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n"},
		{"if True:\n    x = = 1\n", "  File \"x.py\", line 2\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n"},
		{"x = (1,\n", "  File \"x.py\", line 1\n    x = (1,\n        ^\nSyntaxError: '(' was never closed\n"},
		{"f(1)=2\n", "  File \"x.py\", line 1\n    f(1)=2\n    ^^^^\nSyntaxError: cannot assign to function call here. Maybe you meant '==' instead of '='?\n"},
	} {
		_, err := pvm.CompileFile("x", "x.py", []byte(c.source))
		if got := SyntaxError("x.py", []byte(c.source), err); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.source, got, c.want)
		}
	}
	if got := SyntaxError("x.py", nil, errors.New("other")); got != "x.py: other\n" {
		t.Errorf("%q", got)
	}
}

// A mistake in a line of 400 KB is shown with what is around it, and marked where it is; so is a line of a profile, and a name as long in a message.
func TestLongLines(t *testing.T) {
	const size = 400_000
	narrow, wide := strings.Repeat("abcdefg, ", size/18), strings.Repeat("日本日本日本, ", size/40)
	for name, source := range map[string]string{
		"middle": "x = " + narrow + "1 = = " + narrow + "\n",
		"wide":   "x = " + wide + "1 = = " + wide + "\n",
		"start":  "x = = " + wide + "\n",
		"end":    "x = " + wide + ")\n",
		"deep":   "if 1:\n" + strings.Repeat(" ", 2_000) + "x = " + wide + "1 = = " + wide + "\n",
	} {
		_, err := pvm.CompileFile("x", "x.py", []byte(source))
		got := SyntaxError("x.py", []byte(source), err)
		lines := strings.Split(got, "\n")
		if len(got) > 2_000 || len(lines) < 4 || !strings.Contains(lines[1], "…") {
			t.Fatalf("%s: %d bytes: %.300s", name, len(got), got)
		}
		if mark := strings.Index(lines[2], "^"); mark < 0 || !strings.ContainsRune("=)", []rune(lines[1])[mark]) {
			t.Errorf("%s: marked at %d:\n%s", name, mark, got)
		}
	}
	long := strings.Repeat("n", size)
	_, err := pvm.CompileFile("x", "x.py", []byte("def f("+long+", "+long+"): pass\n"))
	if got := SyntaxError("x.py", []byte("def f("+long+", "+long+"): pass\n"), err); len(got) > 3_000 {
		t.Errorf("%d bytes for a long name", len(got))
	}
}
