package catchup

import "time"

const (
	// budgetBurst and budgetRate bound what one peer is served, in bytes at once and a second.
	budgetBurst = 64 << 20
	budgetRate  = 32 << 20
	// allTimes is how many times that all peers together are served: what a node gives away leaves its disk and its processor to itself, however many ask.
	allTimes = 2
	// requestCost is what a request costs beside its answer.
	requestCost = 4 << 10
)

// served is what one peer may still be served, or all of them. It may go into debt by one answer, whose size is known once it is read: golang.org/x/time/rate
// refuses what is above its burst.
type served struct {
	times   int // the bounds of one peer; 0 is 1
	left    int
	at      time.Time
	refused int // what refusals cost since something was served
}

// room reports whether anything may be spent.
func (b *served) room(now time.Time) bool {
	times := max(b.times, 1)
	if b.at.IsZero() {
		b.left = times * budgetBurst
	} else {
		b.left = min(times*budgetBurst, b.left+int(now.Sub(b.at).Seconds()*float64(times*budgetRate)))
	}
	b.at = now
	return b.left > 0
}

// spend takes bytes from a budget and reports whether it allowed them. A range may be served as long as anything is left.
func (b *served) spend(bytes int, now time.Time) bool {
	if !b.room(now) {
		return false
	}
	b.left -= bytes
	b.refused = 0
	return true
}

// wait is how long it takes until something may be spent again; 0 for who was refused so often that refusals are no longer worth sending.
func (b *served) wait() time.Duration {
	const patience = 1 << 20
	if b.refused += requestCost; b.refused > patience {
		return 0
	}
	return max(time.Millisecond, time.Duration(float64(-b.left)/float64(max(b.times, 1)*budgetRate)*float64(time.Second)))
}
