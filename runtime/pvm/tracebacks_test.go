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
