package pvm_test

import (
	"fmt"
	"testing"
)

// TestUndecoded: an operation that needs the code points of a text that was made in parts pays two cycles for each of them, since they are taken
// out of UTF-8, and only the first time. Texts of at most 64 code points pay nothing.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestUndecoded(t *testing.T) {
	for _, use := range []string{
		"for c in s: break", "[0 for c in s if use()]", "s[0]", "s[-1:]", "s[1:2]", "'%.1s' % s", "'{:.1}'.format(s)", "f'{s:.1}'",
		"rx.match(s)",
		"str(UnicodeEncodeError('x', s, 1, 2, 'r'))", "read(s, 0)",
	} {
		t.Run(use, func(t *testing.T) {
			cost := func(n int, before string) uint64 {
				make := fmt.Sprintf("import re, json\nrx = re.compile('q')\ndef use(): raise KeyError\n"+
					"def read(s, at):\n    json.JSONDecoder().raw_decode(s, at)\n"+
					"s = '[\\u20ac' * %d\ns += ']'\n%s\n", (n-1)/2, before)
				return cycles(t, make+"try:\n    "+use+"\nexcept Exception: pass\n") - cycles(t, make+"try: pass\nexcept Exception: pass\n")
			}
			for _, n := range []int{63, 65, 20_001} {
				want := uint64(0)
				if n > 64 {
					want = uint64(2 * n)
				}
				if first, again := cost(n, "pass"), cost(n, "s[0]"); first-again != want {
					t.Errorf("%d code points cost %d cycles to decode, want %d", n, first-again, want)
				}
			}
		})
	}
}
