package relay

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// flow is how much is asked of other relays at a time: mendFirst bytes, more for each chunk that comes quickly, up to mendBytes, and less for each that does
// not. The zero value is ready; it is safe for many goroutines.
type flow struct {
	once sync.Once
	room *semaphore.Weighted // of mendBytes

	mu   sync.Mutex
	kept int64 // of them, that nobody takes
}

// take waits for so many bytes, mendFirst at most.
func (f *flow) take(ctx context.Context, weight int64) error {
	f.once.Do(func() {
		f.room, f.kept = semaphore.NewWeighted(mendBytes), mendBytes-mendFirst
		f.room.TryAcquire(f.kept) // nobody has anything yet
	})
	return f.room.Acquire(ctx, weight)
}

// give gives them back.
func (f *flow) give(weight int64, quick bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change := min(weight, f.kept)
	if !quick {
		change = -min(weight, mendBytes-mendFirst-f.kept)
	}
	f.kept -= change
	f.room.Release(weight + change)
}
