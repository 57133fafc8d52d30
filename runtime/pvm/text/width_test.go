package text

import (
	"fmt"
	"testing"
)

// The widths are those of EastAsianWidth-14.0.0.txt: W and F count twice.
//
// Spec: Unicode Standard Annex #11, version 14.0 (East Asian Width).
func TestWidth(t *testing.T) {
	for i, c := range []struct {
		s    string
		want int
	}{
		{"", 0}, {"abc", 3}, {"é", 1}, {"e\u0301", 2}, {"日本", 4}, {"ｆ", 2}, {"ﾌ", 1}, {"\U0001f600x", 3}, {"한", 2}, {"\u115f", 2}, {"\u1160", 1},
		{"\u231a\u231c", 3}, {"\U0003134a", 2}, {"\U0001f6a6", 2}, {"\u303f", 1}, {"\U0010ffff", 1}, {"\xff", 1},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := Width(c.s); got != c.want {
				t.Errorf("%q: %d, want %d", c.s, got, c.want)
			}
		})
	}
}
