package link

import (
	"bytes"
	"slices"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/budget"
)

// Quota bounds the frames of each connected peer that wait for a subsystem, so that a peer floods its own share only. It is for any goroutine.
//
// Frames are bounded by their number and by their bytes. The bytes are taken from an account that several quotas may share; a peer may have as many waiting
// as are left for the others. However many flood, what is left never ends, and a peer that has little waiting is heard.
type Quota struct {
	most int

	mu      sync.Mutex
	account *budget.Account
	waiting map[Peer]*queued // of each connected peer
}

// queued is what of one peer waits.
type queued struct {
	frames int
	bytes  int64
}

// frameBytes is the share of a quota that nobody gave another.
const frameBytes = 256 << 20

// NewQuota lets most frames of each peer wait.
func NewQuota(most int) *Quota {
	return &Quota{most: most, account: budget.NewAccount(frameBytes), waiting: map[Peer]*queued{}}
}

// Share names the account that the bytes of waiting frames are taken from. It is called before the first frame comes.
func (q *Quota) Share(a *budget.Account) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.account = a
}

// Up takes a peer that connects.
func (q *Quota) Up(p Peer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting[p] == nil {
		q.waiting[p] = &queued{}
	}
}

// Down takes a peer that goes. Its frames count until they are released.
func (q *Quota) Down(p Peer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waiting, p)
}

// Take counts one more frame of a peer. It reports false, and counts nothing, if the peer is not connected or has too much waiting.
func (q *Quota) Take(p Peer, bytes int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	w, n := q.waiting[p], int64(bytes)
	if w == nil || w.frames >= q.most || !q.account.TakeBelow(n, q.account.Limit()-w.bytes) {
		return false
	}
	w.frames++
	w.bytes += n
	return true
}

// Release counts one frame less.
func (q *Quota) Release(p Peer, bytes int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.account.Give(int64(bytes))
	if w := q.waiting[p]; w != nil && w.frames > 0 { // it may have connected anew meanwhile
		w.frames--
		w.bytes = max(w.bytes-int64(bytes), 0)
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
