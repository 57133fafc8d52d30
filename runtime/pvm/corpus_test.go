package pvm_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// TestCorpus runs every program of testdata and compares what it prints with
// what CPython 3.11 printed (testdata/record.py). Where they differ the whole
// output is kept in the directory COWBOY_CORPUS_GOT, if that is set.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func TestCorpus(t *testing.T) {
	programs, err := filepath.Glob("testdata/*.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range programs {
		name := strings.TrimSuffix(filepath.Base(path), ".py")
		if name == "record" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(path, ".py") + ".out")
			if err != nil {
				t.Fatal(err)
			}
			got, fault := runProgram(source, filepath.Base(path))
			got += fault
			if got != string(want) {
				t.Errorf("output differs at %s", difference(got, string(want)))
				if dir := os.Getenv("COWBOY_CORPUS_GOT"); dir != "" {
					if err := os.WriteFile(filepath.Join(dir, name+".out"), []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// runProgram compiles and runs a program as a script. It returns what it printed
// and the fault that ended it, or "".
func runProgram(source []byte, file string) (stdout, fault string) {
	p, err := pvm.CompileFile("__main__", file, source)
	if err != nil {
		return "", err.Error()
	}
	var out bytes.Buffer
	defer func() {
		if r := recover(); r != nil {
			stdout, fault = out.String(), fmt.Sprintf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	m := pvm.New(pvm.Config{Stdout: &out, MemoryLimit: 64 << 20})
	if _, f := m.Load(p); f != nil {
		return out.String(), f.Error() + "\n" + f.Traceback
	}
	return out.String(), ""
}

// difference shows the first line in which two texts differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; ; i++ {
		switch {
		case i >= len(g):
			return "line " + strconv.Itoa(i+1) + ":\n got end of output\nwant " + w[i]
		case i >= len(w):
			return "line " + strconv.Itoa(i+1) + ":\n got " + strings.Join(g[i:min(i+40, len(g))], "\n     ") + "\nwant end of output"
		case g[i] != w[i]:
			return "line " + strconv.Itoa(i+1) + ":\n got " + strings.Join(g[i:min(i+12, len(g))], "\n     ") + "\nwant " + w[i]
		}
	}
}
