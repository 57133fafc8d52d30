package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// lapses are, by validator, the latest view it led without a proposal that came in time; 0 for whoever took part since. They are this node's own
// experience: not journaled, not sent, and gone with the epoch.
type lapses []uint64

// note says that the leader of a view proposed nothing.
func (l lapses) note(leader uint32, view uint64) { l[leader] = max(l[leader], view) }

// excuse says that a validator proposed in a view or voted for a block of it, to this node or in a certificate.
func (l lapses) excuse(who uint32, view uint64) {
	if view >= l[who] {
		l[who] = 0
	}
}

// among reports whether a validator lapsed, and fewer than most others after it.
func (l lapses) among(who uint32, most int) bool {
	if l[who] == 0 {
		return false
	}
	later := 0
	for _, view := range l {
		if view > l[who] {
			later++
		}
	}
	return later < most
}

// lapse records that the current view's leader let it pass. A validator never doubts itself.
func (s *State) lapse() {
	if r := s.at(s.view); r.proposal == nil && s.leader != s.cfg.Self {
		s.lapses.note(s.leader, s.view)
		s.owes()
	}
}

// absent reports whether the current view's leader need not be waited for, because it let the last view it led pass and took no part since. At most f
// validators are absent at a time, the latest to lapse.
//
// Spec: WP §6.1 (view change); commonware §3.2 (skip timeout).
func (s *State) absent() bool { return s.lapses.among(s.leader, sig.Faulty(s.n)) }
