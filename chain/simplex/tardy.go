package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// debtMost is how many proposals in time a validator owes after one that was not.
const debtMost = 8

// debts are, by validator, how many proposals in time it owes. They are this node's own experience, like lapses.
type debts []uint8

func (d debts) owe(leader uint32) { d[leader] = debtMost }

func (d debts) pay(leader uint32) { d[leader] -= min(d[leader], 1) }

// punctual is how many owe nothing.
func (d debts) punctual() (n int) {
	for _, owed := range d {
		if owed == 0 {
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

// came notes that the current view's first proposal is here.
func (s *State) came(r *round) {
	if !r.overdue {
		s.debts.pay(s.leader)
	}
}

// owes notes that the current view's leader has not proposed in time.
func (s *State) owes() {
	s.at(s.view).overdue = true
	s.debts.owe(s.leader)
}

// impatient takes the end of the patience with the current view's leader: one in debt is not waited for any longer, while all but f validators have none.
//
// Spec: WP §6.1 (view change); commonware §3.2.
func (s *State) impatient() {
	if s.at(s.view).proposal != nil || s.leader == s.cfg.Self {
		return
	}
	tardy := s.debts[s.leader] > 0 && s.debts.punctual() >= s.n-sig.Faulty(s.n)
	s.owes()
	if tardy {
		s.lapse()
		s.giveUp(TardyLeader)
	}
}
