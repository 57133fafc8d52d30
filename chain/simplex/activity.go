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
			s.absences.clear(uint32(i), view)
		}
	}
}

func (s *State) armSkip() { s.emit(Arm{SkipTimer, 0, s.cfg.Timeouts.Skip}) }

// silent reports whether a validator need not be waited for: nothing was heard of it, where that says something.
// Spec: commonware §3.2.
func (s *State) silent(who uint32) bool {
	return who != s.cfg.Self && !s.activity.heard(int(who)) && s.attentive()
}

// attentive reports whether silence says something: there is a whole window of data, q−1 others were heard from, and messages do not take longer than
// was expected.
func (s *State) attentive() bool {
	if !s.activity.full || s.deadlineFactor() > 1 {
		return false
	}
	others := 0
	for i := range uint32(s.n) {
		if i != s.cfg.Self && s.activity.heard(int(i)) {
			others++
		}
	}
	return others >= s.quorum-1
}
