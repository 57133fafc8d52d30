package link

import (
	"bytes"
	"slices"
	"sync"
)

// Quota bounds the frames of each connected peer that wait for a subsystem, so that a peer floods its own share only. It is for any goroutine.
type Quota struct {
	most int

	mu      sync.Mutex
	waiting map[Peer]int // frames, of each connected peer
}

// NewQuota lets most frames of each peer wait.
func NewQuota(most int) *Quota { return &Quota{most: most, waiting: map[Peer]int{}} }

// Up takes a peer that connects.
func (q *Quota) Up(p Peer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, known := q.waiting[p]; !known {
		q.waiting[p] = 0
	}
}

// Down takes a peer that goes.
func (q *Quota) Down(p Peer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waiting, p)
}

// Take counts one more frame of a peer. It reports false, and counts nothing, if the peer has too many waiting or is not connected.
func (q *Quota) Take(p Peer) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, known := q.waiting[p]
	if !known || n >= q.most {
		return false
	}
	q.waiting[p] = n + 1
	return true
}

// Release counts one frame less.
func (q *Quota) Release(p Peer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := q.waiting[p]; n > 0 {
		q.waiting[p] = n - 1
	}
}

// Connected lists the peers, ascending.
func (q *Quota) Connected() []Peer {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := make([]Peer, 0, len(q.waiting))
	for p := range q.waiting { // order-free: sorted below
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Peer) int { return bytes.Compare(a[:], b[:]) })
	return list
}
