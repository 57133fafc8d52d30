package simplex

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// restore folds the journal into the views' records. It decides nothing.
// Spec: commonware §3.5 (replay rebuilds the per-view flags).
func (s *State) restore(journal []Record) error {
	for i, record := range journal {
		at := RoundOf(record)
		if at.Epoch != s.cfg.Epoch || at.View == 0 {
			return fmt.Errorf("%w: record %d is of epoch %d, view %d", ErrJournal, i, at.Epoch, at.View)
		}
		if !s.replay(s.at(at.View), record) {
			return fmt.Errorf("%w: record %d contradicts an earlier one", ErrJournal, i)
		}
	}
	s.view = 1
	for _, view := range s.views() {
		r := s.rounds[view]
		if r.certificates[sig.Finalization] != nil {
			s.proof = r.certificates[sig.Finalization]
			s.finalized, r.verdict = s.proof.Subject, good
		}
		if r.certified() {
			s.raise(r)
			s.reopen(view+1, r.block())
			if r.link != nil && r.link.binds(r.block().Subject) {
				s.committed = s.cfg.parentOf(r.link)
			}
		}
		if r.nullified() {
			s.reopen(view+1, r.certificates[sig.Nullification])
		}
	}
	if s.finalized.Round.View > s.committed.Round.View {
		s.committed = s.finalized
	}
	return nil
}

func (s *State) reopen(view uint64, c *sig.Certificate) {
	if view > s.view {
		s.view, s.entry = view, c
	}
}

// views lists the known views, ascending.
func (s *State) views() []uint64 {
	out := make([]uint64, 0, len(s.rounds))
	for v := range s.rounds { // order-free: sorted below
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// replay puts one record back and reports whether it agrees with what is there.
func (s *State) replay(r *round, record Record) bool {
	switch record := record.(type) {
	case *OwnVote:
		return s.replayVote(r, record)
	case *OwnNullify:
		r.mine.nullify, r.mine.why = true, Earlier
		return r.mine.commit == nil
	case *Verdict:
		r.verdict = bad
		if record.Valid {
			r.verdict = good
		}
		r.link = &record.Ref
	case *Certificate:
		if record.Signers.Len() != s.n {
			return false
		}
		r.certificates[record.Kind] = record.Certificate
		r.seed = &record.Seed
	case *Accusation:
		return s.replayAccusation(r, record)
	}
	return true
}

// replayAccusation takes up an own accusation that was sent before: it is repeated until enough have joined it.
func (s *State) replayAccusation(r *round, a *Accusation) bool {
	if !s.validator() || a.Signer != s.cfg.Self {
		return true // who no longer votes accuses nobody
	}
	if int(a.Accused) >= s.n || s.accusedBy(r, a.Signer) != nil {
		return false
	}
	r.accusations = make([]*Accusation, s.n)
	r.accusations[a.Signer] = a
	s.pleas = append(s.pleas, r.view)
	slices.Sort(s.pleas)
	return true
}

func (s *State) replayVote(r *round, v *OwnVote) bool {
	subject := v.Subject
	if v.Kind == sig.Finalization {
		r.mine.commit, r.mine.explicit = &subject, true
		return !r.mine.nullify
	}
	if r.mine.notarize != nil && *r.mine.notarize != subject {
		return false
	}
	r.mine.notarize, r.mine.half = &subject, v.Parent
	r.proposal = &proposal{vote: Vote{Kind: v.Kind, Subject: subject}, link: v.Ref, status: sworn}
	if v.Parent == nil {
		return true
	}
	p := s.at(v.Parent.Round.View)
	if p.mine.commit == nil {
		p.mine.commit = v.Parent
	}
	return !p.mine.nullify && *p.mine.commit == *v.Parent
}

// start opens the current view, and reports and sends again what was decided before and may not have been reported or sent.
// Spec: commonware §3.5 (a restarted node re-sends, and never decides a second time).
func (s *State) start() {
	s.prune()
	s.armSkip()
	if s.proof != nil {
		s.emit(Finalized{s.proof})
	}
	for _, view := range s.views() {
		if view < s.view && view > s.finalized.Round.View {
			s.resume(s.rounds[view])
		}
	}
	r := s.at(s.view)
	gaveUp := r.mine.nullify
	s.resume(r)
	s.open()
	if gaveUp && s.validator() && !s.done() {
		s.signNewView()
	}
}

// resume asks again for the signatures of one view's votes, and for a verdict that never came.
func (s *State) resume(r *round) {
	if s.done() {
		return
	}
	if c := r.certificates[sig.Notarization]; c != nil {
		s.emit(Notarized{c})
	}
	if r.block() != nil && r.verdict == unasked {
		s.askCertify(r)
	}
	if r.view < s.lowest() || !s.validator() {
		return
	}
	if r.mine.notarize != nil && r.block() == nil && !r.nullified() {
		s.emit(SignVote{s.notarizeVote(r)})
	}
	if r.mine.explicit && r.certificates[sig.Finalization] == nil {
		s.emit(SignVote{s.commitRequest(r)})
	}
}
