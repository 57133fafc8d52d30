package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// probationLength is how many proposals in time end a validator's probation.
const probationLength = 8

// probation is, by validator, how many proposals in time are left until its probation ends; 0: it is not on probation. It is this node's own experience, like
// absences. A validator that proposes late, or not at all, is put on probation.
type probation []uint8

func (p probation) start(leader uint32) { p[leader] = probationLength }

func (p probation) served(leader uint32) { p[leader] -= min(p[leader], 1) }

// clean is how many validators are not on probation.
func (p probation) clean() (n int) {
	for _, left := range p {
		if left == 0 {
			n++
		}
	}
	return n
}

// await arms the deadline by which a proposal is in time. Nobody waits for its own.
func (s *State) await() {
	if s.cfg.Timeouts.Patience > 0 && s.validator() {
		s.emit(Arm{PatienceTimer, s.view, s.cfg.Timeouts.Patience})
	}
}

// leaderInTime notes that the current view's first proposal is here.
func (s *State) leaderInTime(r *round) {
	if !r.overdue {
		s.probation.served(s.leader)
	}
}

// leaderLate notes that the current view's leader has not proposed in time.
func (s *State) leaderLate() {
	s.at(s.view).overdue = true
	s.probation.start(s.leader)
}

// patienceEnded takes the end of the patience with the current view's leader: a leader on probation is not waited for any longer, provided that at most f
// validators are on probation.
//
// Spec: WP §6.1 (view change); commonware §3.2.
func (s *State) patienceEnded() {
	if s.at(s.view).proposal != nil || s.leader == s.cfg.Self {
		return
	}
	tardy := s.probation[s.leader] > 0 && s.probation.clean() >= s.n-sig.Faulty(s.n)
	s.leaderLate()
	if tardy {
		s.markAbsent()
		s.giveUp(TardyLeader)
	}
}
