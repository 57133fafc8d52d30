package pvm_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// TestTracebacks runs the programs of testdata/tracebacks, which all end in an exception, and compares the whole
// traceback, frames, lines and marks under them, with the one that CPython 3.11 printed (record.py).
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func TestTracebacks(t *testing.T) {
	parts := func(name string) []string {
		text, err := os.ReadFile("testdata/tracebacks/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(text), "%%\n")
	}
	programs, recorded := parts("programs.txt"), parts("recorded.txt")
	if len(programs) != len(recorded) {
		t.Fatalf("%d programs, %d tracebacks", len(programs), len(recorded))
	}
	for i, source := range programs {
		p, err := pvm.CompileFile("__main__", "main.py", []byte(source))
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		var out bytes.Buffer
		m := pvm.New(pvm.Config{Stdout: &out, Suggest: true})
		if _, fault := m.Load(p); fault != nil {
			out.WriteString(fault.Traceback)
		}
		if got := out.String(); got != recorded[i] {
			t.Errorf("program %d:\n%s\ngot\n%s\nwant\n%s", i, source, got, recorded[i])
		}
	}
}

// An exception in a line of 400 KB is shown with what is around it, and marked where it is.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
func TestLongLineTraceback(t *testing.T) {
	const size = 400_000
	before, after := strings.Repeat("1111111; ", size/18), strings.Repeat("; 2222222", size/18)
	for name, source := range map[string]string{
		"operator": "def f(zero):\n    " + before + "1 // zero" + after + "\nf(0)\n",
		"eval":     "exec = None\nx = '" + strings.Repeat("é", size/2) + "' + 1 // 0\n",
		"range":    "x = [" + strings.Repeat("1111111, ", size/9) + "] + 1\n",
		"syntax":   "e = SyntaxError('bad', ('f.py', 1, " + "200001, " + "'" + strings.Repeat("é", size/2) + "=', 1, 200002))\nraise e\n",
	} {
		t.Run(name, func(t *testing.T) {
			p, err := pvm.CompileFile("__main__", "main.py", []byte(source))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			_, fault := pvm.New(pvm.Config{}).Load(p)
			if fault == nil {
				t.Fatalf("%s: no exception", name)
			}
			got := fault.Traceback
			if len(got) > 3_000 || !strings.Contains(got, "…") {
				t.Fatalf("%s: %d bytes: %.400s", name, len(got), got)
			}
			want := map[string]string{"operator": "~~^^~~~~~~", "eval": "~~^^~~", "syntax": "^"}[name]
			lines := strings.Split(got, "\n")
			for i, l := range lines {
				mark := strings.TrimSpace(l)
				if i > 0 && mark != "" && strings.Trim(mark, "~^") == "" && name != "range" {
					at := []rune(lines[i-1])[strings.Index(l, mark):]
					target := map[string]string{"operator": "1 // zero", "eval": "1 // 0", "syntax": "="}[name]
					if !strings.HasPrefix(string(at), target) {
						t.Errorf("%s: marked %q, want %q under\n%s\n%s", name, string(at), target, lines[i-1], l)
					}
					want = ""
				}
			}
			if want != "" && name != "range" {
				t.Errorf("%s: nothing is marked:\n%s", name, got)
			}
		})
	}
}
