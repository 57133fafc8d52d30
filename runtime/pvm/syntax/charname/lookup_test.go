package charname

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestLookup compares with answers recorded from CPython 3.11 (gen/record.py).
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11 with Unicode 14.0).
func TestLookup(t *testing.T) {
	data, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		want, name, _ := strings.Cut(line, " ")
		got := "-"
		if r, ok := Lookup(name); ok {
			got = fmt.Sprintf("%X", r)
		}
		if got != want {
			t.Errorf("Lookup(%q) = %s, want %s", name, got, want)
		}
	}
}

// TestRejects: what is no name, and what only looks like a rule-made one.
func TestRejects(t *testing.T) {
	for _, name := range []string{"", " ", "HANGUL SYLLABLE ", "SPACE ", " SPACE", strings.Repeat("A", 1<<16),
		"CJK UNIFIED IDEOGRAPH-FFFFFFFFFFFFFFFFF", "LATIN SMALL LETTER \xff"} {
		if r, ok := Lookup(name); ok {
			t.Errorf("Lookup(%q) = %U", name, r)
		}
	}
}
