package rpc

import (
	"context"
	"net/http"
	"sync"
)

// requests counts those under way, also the ones whose connection was taken over, which http.Server.Shutdown does not wait for.
type requests struct {
	mu   sync.Mutex
	open int
	idle chan struct{} // closed when none is open; nil while nobody waits
}

// counted is a handler whose requests are counted.
func (q *requests) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q.add(1)
		defer q.add(-1)
		next.ServeHTTP(w, r)
	})
}

func (q *requests) add(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open += n; q.open == 0 && q.idle != nil {
		close(q.idle)
		q.idle = nil
	}
}

// wait returns when none is under way, or with ctx.
func (q *requests) wait(ctx context.Context) {
	q.mu.Lock()
	if q.open == 0 {
		q.mu.Unlock()
		return
	}
	if q.idle == nil {
		q.idle = make(chan struct{})
	}
	idle := q.idle
	q.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}
