package pvmtool

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

var stacks = []pvm.StackCost{
	{Names: []string{"<module>"}, Cycles: 10}, {Names: []string{"<module>", "f"}, Cycles: 60}, {Names: []string{"<module>", "g"}, Cycles: 30},
}

func TestFolded(t *testing.T) {
	if got := Folded(stacks); got != "<module> 10\n<module>;f 60\n<module>;g 30\n" {
		t.Errorf("%q", got)
	}
}

// TestFlame: the drawing is well-formed XML whatever the names hold, and says the sums.
func TestFlame(t *testing.T) {
	odd := append([]pvm.StackCost{{Names: []string{`a<"&>'`, "é"}, Cycles: 5}}, stacks...)
	for _, list := range [][]pvm.StackCost{nil, stacks, odd} {
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
