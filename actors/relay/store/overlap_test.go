package store

import (
	"os"
	"runtime"
	"testing"
)

// Two more threads run Go, however often that is asked for, and as many as before where the operator has said how many.
func TestOverlap(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	want := before + 2
	if os.Getenv("GOMAXPROCS") != "" {
		want = before
	}
	Overlap()
	Overlap()
	if got := runtime.GOMAXPROCS(0); got != want {
		t.Errorf("%d threads, want %d", got, want)
	}
}
