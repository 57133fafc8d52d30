package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// commitLate votes to commit blocks that became final, above a view, before this validator said anything about them: they did not reach it in time, or another
// proposal did. The votes decide nothing any more. They show that it takes part, which the leaders of those views could otherwise hide by keeping their blocks
// from it. Where it heard no votes of the others it was away and says nothing. No safety rests on when a commit
// is signed, only on its signer never giving the view up, which it does in the current view alone.
//
// Spec: WP "Slashing" (downtime); governance-staking A3; commonware §3.3 (invariants).
func (s *State) commitLate(above uint64) {
	if !s.validator() || s.done() {
		return
	}
	for view := max(above+1, s.lowest()); view <= s.finalized.Round.View; view++ {
		r := s.rounds[view]
		if r == nil || r.block() == nil || r.verdict == bad || r.nullified() || r.mine.nullify || r.mine.commit != nil || r.votes[sig.Notarization].empty() {
			continue
		}
		subject := r.block().Subject
		if r.mine.notarize == nil || *r.mine.notarize != subject {
			s.commitTo(r, subject)
		}
	}
}

// commitTo decides to commit a view's block by a vote of its own.
func (s *State) commitTo(r *round, subject sig.Subject) {
	r.mine.commit, r.mine.explicit = &subject, true
	s.persist(&OwnVote{Kind: sig.Finalization, Subject: subject})
	s.emit(SignVote{s.commitRequest(r)})
}
