package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// met repeats to a validator what it may have missed while it could not be reached: the latest finalization, what opened the current view, and own
// messages of views that are not final. All of them were sent before; whoever has them ignores them at no cost.
// Spec: commonware §3.2 (retry), §3.5.
func (s *State) met(peer uint32) {
	if int(peer) >= s.n || peer == s.cfg.Self {
		return
	}
	s.progress.forget(peer)
	if s.proof != nil {
		s.emit(Send{peer, &Certificate{Certificate: s.proof}})
	}
	if s.done() {
		return
	}
	if s.entry != nil && s.entry != s.proof {
		s.emit(Send{peer, &Certificate{Certificate: s.entry}})
	}
	for _, view := range s.views() {
		if view > s.finalized.Round.View && view >= s.lowest() && view <= s.view {
			s.repeat(peer, s.rounds[view])
		}
	}
}

// repeat sends one view's own messages, as far as they can still count.
func (s *State) repeat(peer uint32, r *round) {
	if v := r.mine.notarized; v != nil && r.block() == nil && !r.nullified() {
		if s.announces(r) {
			s.emit(Announce{Vote: v, Again: r.proposal.again(), To: []uint32{peer}})
		} else {
			s.emit(Send{peer, v})
		}
	}
	if v := r.mine.committed; v != nil && r.certificates[sig.Finalization] == nil {
		s.emit(Send{peer, v})
	}
	if m := r.mine.gaveUp; m != nil && r.view == s.view {
		s.emit(Send{peer, m})
	}
}

// announces reports whether this validator's notarize vote for a view is the proposal itself.
func (s *State) announces(r *round) bool { return r.view == s.view && s.leader == s.cfg.Self }
