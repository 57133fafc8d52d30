package store

import (
	"sync"
	"sync/atomic"
)

// Parallel gives a state.Config.Spread that runs pieces on the given number of
// goroutines, the caller's among them. A single piece is run by the caller.
func Parallel(workers int) func(pieces int, do func(piece int)) {
	return func(pieces int, do func(piece int)) {
		var next atomic.Int64
		run := func() {
			for i := next.Add(1) - 1; i < int64(pieces); i = next.Add(1) - 1 {
				do(int(i))
			}
		}
		var others sync.WaitGroup
		for range min(workers, pieces) - 1 {
			others.Go(run)
		}
		run()
		others.Wait()
	}
}
