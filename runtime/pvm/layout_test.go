package pvm_test

import (
	"os"
	"strings"
	"testing"
)

// TestLayouts makes classes whose order of resolution or bases do not fit the
// layout of their instances, and uses what could be made: a mistake ends the process.
//
// Spec: WP-January "Forbidden Operations and Patterns" (memory safety of the machine).
func TestLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for seconds")
	}
	source, err := os.ReadFile("testdata/layout/poke.py")
	if err != nil {
		t.Fatal(err)
	}
	out, fault := runProgram(source, "poke.py")
	if fault != "" || strings.TrimSpace(out) != "True\nTrue" {
		t.Errorf("printed %q, fault %s", out, fault)
	}
}
