package daemon

import (
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

const (
	// viewsLost is how many views in a row without a block are worth a warning.
	viewsLost = 3
	// viewsEvery is how often that is told.
	viewsEvery = time.Minute
)

// views writes why views were given up to the log: for debugging, and as a warning now and then where one after the other is, or where one has no end.
type views struct {
	log    zerolog.Logger
	status func() replica.Status

	mu   sync.Mutex
	told time.Time
}

func (v *views) gaveUp(e simplex.GaveUp) {
	line, text := v.log.Debug(), "view given up"
	if trouble := e.Lost >= viewsLost || e.Again > 0; trouble && v.due(time.Now()) {
		line, text = v.log.Warn(), "views pass without a block"
		if e.Again > 0 {
			text = "no new block: too few validators vote"
		}
		s := v.status()
		line = line.Int("validators", s.Validators).Int("connected", s.Known).Str("do",
			"see `/readyz?verbose`, and docs/operating.md on blocks that come slowly")
	}
	line.Uint64("epoch", e.Round.Epoch).Uint64("view", e.Round.View).Uint32("leader", e.Leader).Str("cause", e.Cause.String()).Uint64("lost", e.Lost).Msg(text)
}

// due reports whether it was not told lately.
func (v *views) due(now time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if now.Sub(v.told) < viewsEvery {
		return false
	}
	v.told = now
	return true
}
