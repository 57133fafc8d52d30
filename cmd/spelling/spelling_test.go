package spelling

import (
	"fmt"
	"testing"
)

// The distances of the textbook examples, and the edges.
func TestDistance(t *testing.T) {
	for i, x := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"sunday", "saturday", 3}, {"cal", "call", 1}, {"same", "same", 0}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := Distance(x.a, x.b); got != x.want {
				t.Errorf("%q, %q: %d, want %d", x.a, x.b, got, x.want)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	words := []string{"call", "fall", "mine", "query"}
	for word, want := range map[string]string{"cal": "call", "all": "call", "qeury": "query", "xxxx": "", "mine": "mine", "min3e": "mine"} {
		t.Run(word, func(t *testing.T) {
			if got := Nearest(word, words, 2); got != want {
				t.Errorf("%q: %q, want %q", word, got, want)
			}
		})
	}
}
