package replica

import (
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Counts are what happened since the start of the process.
type Counts struct {
	Views   uint64                 // entered
	GivenUp [simplex.Causes]uint64 // by this validator
	Relayed uint64                 // proposals that came from somebody else than their leader
}

// counters are the Counts while they grow.
type counters struct {
	views, relayed atomic.Uint64
	givenUp        [simplex.Causes]atomic.Uint64
}

// Counts may be called from any goroutine.
func (h *Handle) Counts() Counts {
	c := Counts{Views: h.counters.views.Load(), Relayed: h.counters.relayed.Load()}
	for i := range h.counters.givenUp {
		c.GivenUp[i] = h.counters.givenUp[i].Load()
	}
	return c
}

// gaveUp takes note of a view that this validator gave up.
func (s *Subsystem) gaveUp(e simplex.GaveUp) {
	if e.Again == 0 {
		s.Handle.counters.givenUp[e.Cause].Add(1)
	}
	if s.GaveUp != nil {
		s.GaveUp(e)
	}
}
