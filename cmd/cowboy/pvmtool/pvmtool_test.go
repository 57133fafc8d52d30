package pvmtool

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	for i, c := range []struct{ source, want string }{
		{"def f(:\n", "  File \"x.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n"},
		{"if True:\n    x = = 1\n", "  File \"x.py\", line 2\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n"},
		{"x = (1,\n", "  File \"x.py\", line 1\n    x = (1,\n        ^\nSyntaxError: '(' was never closed\n"},
		{"f(1)=2\n", "  File \"x.py\", line 1\n    f(1)=2\n    ^^^^\nSyntaxError: cannot assign to function call here. Maybe you meant '==' instead of '='?\n"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			_, err := pvm.CompileFile("x", "x.py", []byte(c.source))
			if got := SyntaxError("x.py", []byte(c.source), err); got != c.want {
				t.Errorf("%q:\n%s\nwant\n%s", c.source, got, c.want)
			}
		})
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
		t.Run(name, func(t *testing.T) {
			_, err := pvm.CompileFile("x", "x.py", []byte(source))
			got := SyntaxError("x.py", []byte(source), err)
			lines := strings.Split(got, "\n")
			if len(got) > 2_000 || len(lines) < 4 || !strings.Contains(lines[1], "…") {
				t.Fatalf("%s: %d bytes: %.300s", name, len(got), got)
			}
			if mark := strings.Index(lines[2], "^"); mark < 0 || !strings.ContainsRune("=)", []rune(lines[1])[mark]) {
				t.Errorf("%s: marked at %d:\n%s", name, mark, got)
			}
		})
	}
	long := strings.Repeat("n", size)
	_, err := pvm.CompileFile("x", "x.py", []byte("def f("+long+", "+long+"): pass\n"))
	if got := SyntaxError("x.py", []byte("def f("+long+", "+long+"): pass\n"), err); len(got) > 3_000 {
		t.Errorf("%d bytes for a long name", len(got))
	}
}

// The file for pprof is one that `go tool pprof` reads: sums by function, the innermost first, as by hand.
func TestPprof(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cycles.pb.gz")
	var b bytes.Buffer
	list := pvm.Stacks{{Frames: []pvm.Frame{{Name: "run", File: "a.py", Entry: true}}, Cycles: 5, Runs: 1}}
	for _, s := range stacks {
		s.Frames = append([]pvm.Frame{{Name: "run", File: "a.py", Entry: true}}, s.Frames...)
		list = append(list, s)
	}
	if err := WritePprof(&b, list); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "pprof", "-top", "-nodecount=10", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{`105 total`, `60 +57.14% .* 60 +57.14% +f`, `10 +9.52% .* 100 +95.24% +<module>`, `5 +4.76% .* 105 +100% +a.py run`} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// What the library used belongs to the line that had it work; a handler of another actor does not.
func TestActors(t *testing.T) {
	own := func(name string, line int) pvm.Frame {
		return pvm.Frame{Name: name, File: "a.py", First: 1, Line: line}
	}
	library, entry := pvm.Frame{Name: "dumps", File: "<json>", First: 9, Line: 12}, pvm.Frame{Name: "run", File: "a.py", Entry: true}
	other := pvm.Frame{Name: "pay", File: "<text 00112233>", Entry: true}
	list := pvm.Stacks{
		{Frames: []pvm.Frame{entry}, Cycles: 7, Runs: 2}, {Frames: []pvm.Frame{entry, own("run", 2)}, Cycles: 10},
		{Frames: []pvm.Frame{entry, own("run", 2), library}, Cycles: 30}, {Frames: []pvm.Frame{entry, own("run", 3), other}, Cycles: 53, Runs: 1},
	}
	read := func(file string) ([]byte, error) {
		if file == "a.py" {
			return []byte("def run():\n    x = dumps(1)\n    call(x)\n"), nil
		}
		return nil, errors.New("no file")
	}
	got := Actors(list, read, 9)
	for _, want := range []string{
		"100 cycles in handlers", `53 +53.0% +53 +53.0% +1  <text 00112233> pay\n`, `47 +47.0% +100 100.0% +2  a.py run\n`, `40 +40.0% +2 +x = dumps\(1\)`,
		`60 +60.0%  storage, arguments, and actors without a file`, `30 +30.0% +30 +30.0%  dumps \(<json>:9\)`,
	} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
