package gateway

import (
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// waitingBytes is the memory of all clients that wait for an answer, and waiterBytes what one is counted as: its goroutine and its stream. Others get the
// address of the receipt.
const (
	waitingBytes = 50 << 20
	waiterBytes  = 10 << 10
)

// waiting is the clients that wait for an answer. It is safe for many goroutines.
type waiting struct {
	room  *semaphore.Weighted // bytes
	count atomic.Int64
}

func newWaiting() *waiting { return &waiting{room: semaphore.NewWeighted(waitingBytes)} }

// enter takes a client in; ok is false beyond the memory that all have. Who enters calls leave.
//
// Spec: gateway-payments-streams §B.
func (w *waiting) enter() (leave func(), ok bool) {
	if !w.room.TryAcquire(waiterBytes) {
		return nil, false
	}
	w.count.Add(1)
	return func() {
		w.count.Add(-1)
		w.room.Release(waiterBytes)
	}, true
}

// pace is how long a client pauses before the node is asked again: the longer, the more wait, so that all together ask no more often than the node can bear.
func (w *waiting) pace() time.Duration {
	return max(askEvery, time.Duration(w.count.Load())*time.Second/asksPerSecond)
}
