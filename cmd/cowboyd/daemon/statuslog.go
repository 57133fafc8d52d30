package daemon

import (
	"sync"
	"time"

	"github.com/rs/zerolog"
)

const (
	// lookEvery is how often the standing is looked at for the log.
	lookEvery = 5 * time.Second
	// againEvery is how often a warning that lasts is told.
	againEvery = 10 * time.Minute
)

// statusLog writes what changes in the node's standing to the log.
type statusLog struct {
	log      zerolog.Logger
	standing *standing

	looked time.Time // of tick, which one goroutine calls

	mu     sync.Mutex
	told   map[string]time.Time // warnings by kind
	behind bool                 // it was catching up
}

// tick has the standing looked at every few seconds, on a goroutine of its own: it reads the state.
func (t *statusLog) tick(now time.Time) {
	if now.Sub(t.looked) < lookEvery {
		return
	}
	t.looked = now
	go t.look(now)
}

// look tells what is new.
func (t *statusLog) look(now time.Time) {
	if !t.mu.TryLock() {
		return // the one before has not ended
	}
	defer t.mu.Unlock()
	r := t.standing.look(now)
	present := map[string]bool{}
	for _, w := range r.warnings() {
		present[w.kind] = true
		if at, ok := t.told[w.kind]; ok && now.Sub(at) < againEvery {
			continue
		}
		if t.told == nil {
			t.told = map[string]time.Time{}
		}
		t.told[w.kind] = now
		t.log.Warn().Str("do", w.do).Msg(w.text)
	}
	for kind := range t.told { // order-free: lines about different matters
		if !present[kind] {
			delete(t.told, kind)
			t.log.Info().Msg(over[kind])
		}
	}
	switch behind := r.behind(t.standing.interval) > 0; {
	case r.sync.Snapshot && r.sync.Height > 0:
		t.log.Info().Uint64("operations", r.sync.Operations).Uint64("of", r.sync.Total).Msgf("fetching the state of block %d", r.sync.Height)
		t.behind = true
	case behind && r.sync.Snapshot:
		t.behind = true
	case behind:
		t.log.Info().Msg(catchingUp + r.progress())
		t.behind = true
	case t.behind:
		t.behind = false
		t.log.Info().Uint64("height", uint64(r.height)).Msg("caught up")
	}
}

// over says that a warning has ended.
var over = map[string]string{
	"jailed":  "the validator is not jailed any more",
	"missed":  "the validator votes again",
	"reach":   "all validators are connected",
	"unpaid":  "the validator's account can pay for its duties again",
	"signer":  "the signer signs again",
	"clock":   "this machine's clock and those of the others agree again",
	"edition": "this program has all native code that system actors need",
	"mute":    "the validator can post dealer logs again",
}
