package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// activity records which validators were heard from, by themselves or in certificates, in two windows of the skip time each: the running one and the
// one before. A validator in neither was silent for the skip time at least.
// Spec: commonware §3.2 (skip timeout; fails open).
type activity struct {
	now, before []bool
	full        bool // the window before was a whole one
}

func newActivity(n int) activity { return activity{now: make([]bool, n), before: make([]bool, n)} }

func (a *activity) rotate() {
	a.now, a.before = a.before, a.now
	clear(a.now)
	a.full = true
}

func (a *activity) heard(i int) bool { return a.now[i] || a.before[i] }

func (s *State) active(from uint32) {
	if from != Observer {
		s.activity.now[from] = true
	}
}

// witness takes a verified certificate of the current view or a later one for word of its signers: whoever is out of reach here may be heard by others.
func (s *State) witness(c *sig.Certificate) {
	view := c.Subject.Round.View
	for _, i := range c.Signers.Members() {
		if view >= s.view {
			s.activity.now[i] = true
		}
		if c.Kind != sig.Nullification {
			s.lapses.excuse(uint32(i), view)
		}
	}
}

func (s *State) armSkip() { s.emit(Arm{SkipTimer, 0, s.cfg.Timeouts.Skip}) }

// silent reports whether a leader need not be waited for: it was silent while q−1 others were active. Without a whole window of data nobody is.
// Spec: commonware §3.2.
func (s *State) silent(leader uint32) bool {
	return leader != s.cfg.Self && s.activity.full && !s.activity.heard(int(leader)) && s.accompanied(leader)
}

// accompanied reports whether q−1 validators besides this one and another, if any, were heard from.
func (s *State) accompanied(without uint32) bool {
	others := 0
	for i := range uint32(s.n) {
		if i != s.cfg.Self && i != without && s.activity.heard(int(i)) {
			others++
		}
	}
	return others >= s.quorum-1
}
