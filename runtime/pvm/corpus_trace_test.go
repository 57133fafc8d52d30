package pvm_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

var record = flag.Bool("record", false, "write testdata/trace.txt anew instead of comparing with it")

// TestCorpusTrace holds what every program of the corpus prints and costs to
// testdata/trace.txt, whose last line is the hash of all: it is the same on every
// machine, and a change of it is a change of the protocol.
//
// Spec: CIP-3 §2.2; WP "The Cowboy Actor VM (PVM)".
func TestCorpusTrace(t *testing.T) {
	files, err := filepath.Glob("testdata/*.py")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, path := range files {
		if name := strings.TrimSuffix(filepath.Base(path), ".py"); name != "record" {
			got.WriteString(trace(t, name, path))
		}
	}
	fmt.Fprintf(&got, "hash %x\n", sha256.Sum256([]byte(got.String())))
	if *record {
		if err := os.WriteFile("testdata/trace.txt", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("testdata/trace.txt")
	if err != nil {
		t.Fatal(err)
	}
	was := map[string]bool{}
	for _, line := range strings.Split(string(want), "\n") {
		was[line] = true
	}
	for _, line := range strings.Split(got.String(), "\n") {
		if !was[line] {
			t.Errorf("%s: not in testdata/trace.txt (go test -run CorpusTrace -args -record writes it)", line)
		}
	}
}

// TestProgramsKeepNothing: a program that has run before, as those in a cache of
// code have, prints, costs and peaks at the same as one that was just compiled,
// also on the stack of a machine that ran another program.
//
// Spec: CIP-3 §2.2.
func TestProgramsKeepNothing(t *testing.T) {
	files, err := filepath.Glob("testdata/*.py")
	if err != nil {
		t.Fatal(err)
	}
	var stack object.Stack
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".py")
		if name == "record" || name == "big_data" {
			continue
		}
		p := program(t, name, path)
		cold, warm := traceOf(name, p, nil), traceOf(name, p, &stack)
		if cold != warm {
			t.Errorf("at first %sthen     %s", cold, warm)
		}
	}
}

// trace compiles and runs a program and returns its line.
func trace(t *testing.T, name, path string) string { return traceOf(name, program(t, name, path), nil) }

func program(t *testing.T, name, path string) *pvm.Program {
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pvm.CompileFile("__main__", name+".py", source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// traceOf runs a program and returns its line: name, cycles, cells, peak of memory,
// fault, hash of its output. stack is that of the machine before, if any.
func traceOf(name string, p *pvm.Program, stack *object.Stack) string {
	var out bytes.Buffer
	meter := pvm.NewMeter(1<<60, 1<<60)
	m := pvm.New(pvm.Config{Meter: meter, Stdout: &out})
	if stack != nil {
		m.Inner().UseStack(stack)
		defer m.Inner().Release()
	}
	_, fault := m.Load(p)
	ended := "-"
	if fault != nil {
		ended = fault.Type
	}
	return fmt.Sprintf("%s %d %d %d %s %x\n", name, meter.Used(), meter.CellsUsed(), m.Inner().Peak(), ended, sha256.Sum256(out.Bytes()))
}
