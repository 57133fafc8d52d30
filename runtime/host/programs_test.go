package host

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A cache keeps the newest programs that fit, tells whoever counts memory what it keeps, and makes room by the oldest.
func TestProgramsAreBounded(t *testing.T) {
	source := func(n int) []byte { return fmt.Appendf(nil, "def ping(payload):\n    return b'%04d'\n", n) }
	alone, kept := NewPrograms(), 0
	one, err := alone.compile(digest.Hash{1}, source(1))
	if err != nil {
		t.Fatal(err)
	}
	p := NewProgramsWithin(3*one.size, func(bytes int) { kept += bytes })
	for n := range 10 {
		if _, err := p.compile(digest.Hash{byte(n)}, source(n)); err != nil {
			t.Fatal(err)
		}
		if want := min(n+1, 3); len(p.codes) != want || kept != want*one.size {
			t.Fatalf("after %d programs %d are kept, told as %d bytes; want %d of %d bytes", n+1, len(p.codes), kept, want, one.size)
		}
		for m := range n + 1 {
			if _, is := p.codes[codeKey{digest.Hash{byte(m)}, p.prices}]; is != (m > n-3) {
				t.Fatalf("after program %d, program %d: %v", n, m, is)
			}
		}
	}
	small := NewProgramsWithin(1, nil)
	if _, err := small.compile(digest.Hash{}, source(0)); err != nil || len(small.codes) != 1 {
		t.Errorf("one larger than the cache: %d kept, %v", len(small.codes), err)
	}
}
