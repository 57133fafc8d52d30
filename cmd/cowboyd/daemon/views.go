package daemon

import (
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

const (
	// viewsLost is how many views in a row without a block are worth a warning.
	viewsLost = 3
	// viewsEvery is how often that is told.
	viewsEvery = time.Minute
)

// views writes why views were given up to the log: for debugging, and as a warning now and then where one after the other is.
type views struct {
	log zerolog.Logger

	mu   sync.Mutex
	told time.Time
}

func (v *views) gaveUp(e simplex.GaveUp) {
	line, text := v.log.Debug(), "view given up"
	if e.Lost >= viewsLost && v.due(time.Now()) {
		line = v.log.Warn().Str("do", "check that this node and the other validators reach each other: `/readyz?verbose` and the p2p lines of `/metrics`")
		text = "views pass without a block"
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
