package push

import (
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Progress is how far a runner says it is with a job.
type Progress struct {
	Fraction uint8  // of a hundred
	Detail   string // on one line, with what does not print escaped; may be empty
	Height   uint64 // of the newest final block when it said so
}

// reports are what runners that are connected say of jobs they took: of each at most those it was told of. Anybody may read.
type reports struct {
	mu   sync.RWMutex
	jobs map[digest.Hash]map[account.Address]Progress
}

// put notes what a runner says last.
func (s *reports) put(job digest.Hash, runner account.Address, p Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.jobs == nil {
		s.jobs = map[digest.Hash]map[account.Address]Progress{}
	}
	if s.jobs[job] == nil {
		s.jobs[job] = map[account.Address]Progress{}
	}
	s.jobs[job][runner] = p
}

// drop forgets what a runner says of a job.
func (s *reports) drop(job digest.Hash, runner account.Address) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if delete(s.jobs[job], runner); len(s.jobs[job]) == 0 {
		delete(s.jobs, job)
	}
}

// clear forgets all.
func (s *reports) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs = nil
}

// Progress is how far a runner says it is with a job it was told of over its connection to this node; false where it says nothing. It may be called from any
// goroutine.
//
// Spec: runner-marketplace §9.3 (JobProgress).
func (h *Handle) Progress(job digest.Hash, runner account.Address) (Progress, bool) {
	h.reports.mu.RLock()
	defer h.reports.mu.RUnlock()
	p, ok := h.reports.jobs[job][runner]
	return p, ok
}
