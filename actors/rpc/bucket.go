package rpc

import (
	"sync"
	"time"
)

// bucket admits a number of takes per period and as many at once; a nil bucket admits all.
type bucket struct {
	mu     sync.Mutex
	now    func() time.Time
	rate   float64 // tokens per second
	size   float64
	tokens float64
	last   time.Time
}

func newBucket(n int, period time.Duration, now func() time.Time) *bucket {
	if n <= 0 {
		return nil
	}
	return &bucket{now: now, rate: float64(n) / period.Seconds(), size: float64(n), tokens: float64(n), last: now()}
}

func (b *bucket) take() bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.tokens = min(b.size, b.tokens+b.rate*now.Sub(b.last).Seconds())
	b.last = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
