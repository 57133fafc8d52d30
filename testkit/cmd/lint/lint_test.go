package main

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
	"honnef.co/go/tools/staticcheck"
)

// The files of testdata say on the line what is found there.
func TestUnread(t *testing.T) { analysistest.Run(t, analysistest.TestData(), unread(), "unread") }

func TestUnused(t *testing.T) {
	// The package is taken twice: by itself, where nobody uses what its test does, and with its test. go vet takes it only with it.
	found := map[string]int{}
	for _, r := range analysistest.Run(quiet{t}, analysistest.TestData(), unusedCode(), "unused") {
		for _, d := range r.Diagnostics {
			found[d.Message]++
		}
	}
	for message, want := range map[string]int{"const left is unused": 2, "field unused is unused": 2, "func lonely is unused": 2, "func tested is unused": 1} {
		t.Run(message, func(t *testing.T) {
			if found[message] != want {
				t.Errorf("%d times, of %v", found[message], found)
			}
		})
	}
}

// quiet is not told what the comments do not expect.
type quiet struct{ *testing.T }

// Errorf implements analysistest.Testing.
func (quiet) Errorf(string, ...any) {}

// What is left out exists, so that nothing is left out by a mistake in its name.
func TestLeftOut(t *testing.T) {
	known := map[string]bool{}
	for _, a := range upstream() {
		known[a.Analyzer.Name] = true
	}
	if len(known) < len(staticcheck.Analyzers) {
		t.Fatal(len(known))
	}
	for name := range leftOut {
		t.Run(name, func(t *testing.T) {
			if !known[name] {
				t.Error("there is no check of this name")
			}
		})
	}
}
