package pvm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// address is how both machines show where an object is.
var address = regexp.MustCompile(`\b0x[0-9a-f]{12}\b`)

// TestWideCorpus runs the programs of testdata/wide and compares what they print
// with what CPython 3.11 printed (testdata/record.py). Most call every method
// of a type or module with right and wrong arguments and print results and messages;
// prog_… are whole programs.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func TestWideCorpus(t *testing.T) {
	programs, err := filepath.Glob("testdata/wide/*.out")
	if err != nil || len(programs) == 0 {
		t.Fatal("no programs", err)
	}
	for _, path := range programs {
		name := strings.TrimSuffix(filepath.Base(path), ".out")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(strings.TrimSuffix(path, ".out") + ".py")
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, fault := runProgram(source, name+".py")
			if got = address.ReplaceAllString(got+fault, "0x"); got != string(want) {
				t.Errorf("output differs at %s", difference(got, string(want)))
			}
		})
	}
}
