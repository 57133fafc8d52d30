package api

import (
	"testing"
	"time"
)

// Transactions follow each other while the account moves; what nobody includes gives its nonce back, and what was executed meanwhile does not.
func TestNonces(t *testing.T) {
	var n Nonces
	begin := time.Unix(1_000, 0)
	for _, c := range []struct {
		name  string
		after time.Duration
		own   uint64
		want  uint64
		taken bool
	}{
		{"first", 0, 3, 3, true},
		{"behind it", time.Second, 3, 4, true},
		{"one executed", 11 * time.Second, 4, 5, true},
		{"another", 12 * time.Second, 4, 6, false},
		{"refused, so again", 21 * time.Second, 4, 6, true},
		{"a gap", 21*time.Second + 1, 4, 4, true},
		{"behind the gap", 22 * time.Second, 4, 5, true},
		{"all executed", 60 * time.Second, 7, 7, true},
		{"long after", 90 * time.Second, 8, 8, true},
		{"at once behind it", 90 * time.Second, 8, 9, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := n.Least(c.own, begin.Add(c.after)); got != c.want {
				t.Errorf("%d", got)
			}
			if c.taken {
				n.Sent(c.want)
			}
		})
	}
}
