package object

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Code points are counted eight bytes at a time, wherever a character begins.
func TestCodePoints(t *testing.T) {
	for _, one := range []string{"a", "é", "€", "🤠", "aé€🤠"} {
		for before := range 9 {
			for times := range 12 {
				s := strings.Repeat("x", before) + strings.Repeat(one, times)
				if got, want := codePoints(s), utf8.RuneCountInString(s); got != want {
					t.Errorf("%q: %d, want %d", s, got, want)
				}
			}
		}
	}
	if n := codePoints("\xed\xa0\x80\xed\xbf\xbf"); n != 2 { // lone surrogates, which generalised UTF-8 has
		t.Errorf("two surrogates are %d", n)
	}
}
