package daemon

import (
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/proposer"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
)

const (
	// slowEvery is within how long slow turns are told, slowMost of them; the others are counted.
	slowEvery = time.Minute
	slowMost  = 10
)

// slows writes turns that take too much of a block's time to the log, with their actors, and counts them.
type slows struct {
	admin.Slows
	log zerolog.Logger

	mu    sync.Mutex
	since time.Time
	told  int
}

func (s *slows) turn(x executor.Slow) {
	s.Turn(x)
	if !s.due(time.Now()) {
		return
	}
	text := "a turn takes too much of its block's time"
	if x.Ended {
		text = "a turn was ended: it took too much of its block's time"
	}
	s.log.Warn().Uint64("height", uint64(x.Height)).Stringer("kind", x.Kind).Stringer("id", x.ID).Stringer("actor", x.Actor).Dur("took", x.Took).Msg(text)
}

// broke counts a turn that broke the machine as a block was built; the evidence is told by itself.
func (s *slows) broke(e *executor.Evidence) {
	if e.Turn != nil {
		s.Break(e.Height, *e.Turn)
	}
}

func (s *slows) dropped(d proposer.Drop) {
	s.Drop(d)
	if s.due(time.Now()) {
		s.log.Warn().Uint64("height", uint64(d.Height)).Stringer("tx", d.Tx).Stringer("sender", d.Sender).Dur("budget", d.Budget).
			Msg("a transaction was dropped: alone in a block it took more than a block's time")
	}
}

// due reports whether another line may be written: a flood of slow turns is not one of lines.
func (s *slows) due(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.since) >= slowEvery {
		s.since, s.told = now, 0
	}
	s.told++
	return s.told <= slowMost
}
