package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// absences are, by validator, the latest view it led without a proposal that came in time; 0 if the validator took part since. They are this node's own
// experience: not journaled, not sent, and gone with the epoch.
type absences []uint64

// note says that the leader of a view proposed nothing.
func (a absences) note(leader uint32, view uint64) { a[leader] = max(a[leader], view) }

// clear says that a validator proposed in a view or voted for a block of it, to this node or in a certificate.
func (a absences) clear(who uint32, view uint64) {
	if view >= a[who] {
		a[who] = 0
	}
}

// recent reports whether a validator was absent, and fewer than most others after it.
func (a absences) recent(who uint32, most int) bool {
	if a[who] == 0 {
		return false
	}
	later := 0
	for _, view := range a {
		if view > a[who] {
			later++
		}
	}
	return later < most
}

// markAbsent records that the current view's leader let it pass. A validator never doubts itself.
func (s *State) markAbsent() {
	if r := s.at(s.view); r.proposal == nil && s.leader != s.cfg.Self {
		s.absences.note(s.leader, s.view)
		s.leaderLate()
	}
}

// absent reports whether the current view's leader need not be waited for, because it let the last view it led pass and took no part since. At most f
// validators are absent at a time, the latest ones.
//
// Spec: WP §6.1 (view change); commonware §3.2 (skip timeout).
func (s *State) absent() bool { return s.absences.recent(s.leader, sig.Faulty(s.n)) }
