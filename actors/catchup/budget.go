package catchup

import "time"

const (
	// budgetBurst and budgetRate bound what one peer is served, in bytes at once and a second.
	budgetBurst = 64 << 20
	budgetRate  = 32 << 20
	// questionCost is what a question costs beside its answer.
	questionCost = 4 << 10
)

// budget is what one peer may still be served.
type budget struct {
	left    int
	at      time.Time
	refused int // what refusals cost since something was served
}

// spend takes bytes from a budget and reports whether it allowed them. A range may be served as long as anything is left.
func (b *budget) spend(bytes int, now time.Time) bool {
	if b.at.IsZero() {
		b.left = budgetBurst
	} else {
		b.left = min(budgetBurst, b.left+int(now.Sub(b.at).Seconds()*budgetRate))
	}
	b.at = now
	if b.left <= 0 {
		return false
	}
	b.left -= bytes
	b.refused = 0
	return true
}

// wait is how long it takes until something may be spent again; 0 for who was refused so often that refusals are no longer worth sending.
func (b *budget) wait() time.Duration {
	const patience = 1 << 20
	if b.refused += questionCost; b.refused > patience {
		return 0
	}
	return max(time.Millisecond, time.Duration(float64(-b.left)/budgetRate*float64(time.Second)))
}
