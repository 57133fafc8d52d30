package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// admit reports whether a vote's signer is the peer that sent it. Votes are not relayed, so nobody can spend another validator's slot.
// Spec: commonware §2.6.
func (s *State) admit(from, signer uint32, r sig.Round) bool {
	if r.Epoch != s.cfg.Epoch || from == s.cfg.Self && s.validator() {
		return false
	}
	if from != signer || int(signer) >= s.n {
		s.blame(from, WrongSigner)
		return false
	}
	return true
}

// vote takes a peer's vote to notarize or to commit.
func (s *State) vote(from uint32, v *Vote) {
	if s.admit(from, v.Signer, v.Subject.Round) {
		s.absences.clear(from, v.Subject.Round.View)
		s.count(v)
	}
}

// count puts a vote, its partial and its commit half into their vote sets. A half counts for its own view even where the vote comes too late for
// its view to matter.
// Spec: commonware §2.6, §3.3 (admission), §3.8 (2).
func (s *State) count(v *Vote) {
	at := v.Subject.Round
	if !s.counts(at) {
		return
	}
	r := s.at(at.View)
	if r.ignored[v.Signer] {
		return
	}
	s.contribute(r, v.Signer, v.Partial)
	s.put(r, v.Signer, Statement{v.Kind, v.Subject, v.Signature})
	s.miss(r)
	h := v.Half
	if h == nil || !s.counts(h.Parent.Round) {
		s.tally(r, v.Kind, v.Subject)
		return
	}
	p := s.at(h.Parent.Round.View)
	s.put(p, v.Signer, Statement{sig.Finalization, h.Parent, h.Signature}) // first: it may be verified with the vote
	s.tally(r, v.Kind, v.Subject)
	s.tally(p, sig.Finalization, h.Parent)
}

// contribute keeps a validator's partial of a view's seed, the first it sent: every vote of any kind carries the same one.
// Spec: commonware §2.5.
func (s *State) contribute(r *round, signer uint32, partial sig.BLSSignature) {
	if r.seed == nil && r.partials.of(signer) == nil {
		r.partials.put(s.n, signer, sig.Subject{}, partial)
	}
}

// put fills the validator's slot. A second statement that excludes the first is evidence, and does not count.
func (s *State) put(r *round, signer uint32, st Statement) {
	if r.ignored[signer] {
		return
	}
	if first := r.votes[st.Kind].of(signer); first != nil {
		if first.subject != st.Subject {
			s.conflict(r, signer, Statement{st.Kind, first.subject, first.signature}, st)
		}
		return
	}
	if other, excludes := opposite(st.Kind); excludes {
		if first := r.votes[other].of(signer); first != nil {
			s.conflict(r, signer, Statement{other, first.subject, first.signature}, st)
		}
	}
	if !r.ignored[signer] {
		r.votes[st.Kind].put(s.n, signer, st.Subject, st.Signature)
	}
}

// opposite is the kind of vote that excludes a kind in the same view. Nullify after notarize is allowed.
// Spec: commonware §3.3 (invariants).
func opposite(k sig.CertificateKind) (sig.CertificateKind, bool) {
	switch k {
	case sig.Nullification:
		return sig.Finalization, true
	case sig.Finalization:
		return sig.Nullification, true
	}
	return 0, false
}

// commitVote votes to commit a certified block, unless something forbids it: nullify was signed, the view is nullified or final, the leader
// equivocated, or the commit was given already.
// Spec: commonware §3.3 (certify ok), §3.8 (1).
func (s *State) commitVote(r *round) {
	subject := r.block().Subject
	if !s.validator() || s.done() || r.mine.nullify || r.mine.commit != nil || r.nullified() || r.equivocated ||
		r.view <= s.finalized.Round.View || s.reserve(r) {
		return
	}
	s.commitTo(r, subject)
}

// reserve leaves the commit of a block in which nothing ran, as it ends the current view, to the vote for a child, and reports whether it does.
func (s *State) reserve(r *round) bool {
	if s.cfg.Timeouts.Leave == 0 || r.view != s.view || r.reserved || !s.idle(r, r.block().Subject) {
		return false
	}
	r.reserved = true
	s.emit(Arm{CommitTimer, r.view, s.cfg.Timeouts.Leave})
	return true
}

// sendDelayedCommit votes to commit a block if there was no vote for a child of it in time.
func (s *State) sendDelayedCommit(view uint64) {
	if r := s.rounds[view]; r != nil && r.reserved && r.certified() {
		s.commitVote(r)
	}
}

func (s *State) commitRequest(r *round) *Vote {
	return &Vote{
		Kind: sig.Finalization, Subject: *r.mine.commit, Signer: s.cfg.Self, Signature: r.mine.signed, Partial: r.mine.partial,
	}
}

// notarize votes for the valid proposal of the current view, at most once and never after nullify. parent is the proposal's.
// Spec: commonware §3.3 (invariants), §3.8 (2).
func (s *State) notarize(r *round, parent sig.Subject) {
	if !s.validator() || s.done() || r.view != s.view || r.mine.notarize != nil || r.mine.nullify {
		return
	}
	subject, link := r.proposal.vote.Subject, r.proposal.link
	link.Header = nil
	r.mine.notarize = &subject
	r.mine.half = s.half(parent)
	s.persist(&OwnVote{Kind: sig.Notarization, Subject: subject, Parent: r.mine.half, Ref: link})
	s.emit(SignVote{s.notarizeVote(r)})
}

// half decides the commit half for a parent: given iff nullify of its view was never signed.
// Spec: commonware §3.8 (2).
func (s *State) half(parent sig.Subject) *sig.Subject {
	p := s.rounds[parent.Round.View]
	if p == nil || p.mine.nullify || p.block() == nil || p.mine.commit != nil && *p.mine.commit != parent {
		return nil
	}
	p.mine.commit = &parent
	return &parent
}

func (s *State) notarizeVote(r *round) *Vote {
	v := &Vote{Kind: sig.Notarization, Subject: *r.mine.notarize, Signer: s.cfg.Self, Partial: r.mine.partial}
	if h := r.mine.half; h != nil {
		v.Half = &Half{Parent: *h}
		if p := s.rounds[h.Round.View]; p != nil {
			v.Half.Signature = p.mine.signed
		}
	}
	return v
}

// voteSigned sends an own vote and counts it.
func (s *State) voteSigned(v *Vote) {
	r := s.rounds[v.Subject.Round.View]
	if r == nil || !s.validator() || v.Subject.Round.Epoch != s.cfg.Epoch {
		return
	}
	switch {
	case v.Kind == sig.Finalization && r.mine.explicit && *r.mine.commit == v.Subject:
		r.mine.signed, r.mine.committed = v.Signature, v
		s.emit(Broadcast{Message: v})
	case v.Kind == sig.Notarization && r.mine.notarize != nil && *r.mine.notarize == v.Subject:
		if v.Half != nil {
			if p := s.rounds[v.Half.Parent.Round.View]; p != nil {
				p.mine.signed = v.Half.Signature
			}
		}
		r.mine.notarized = v
		if s.announces(r) {
			s.emit(Announce{Vote: v, Again: r.proposal.again()})
		} else {
			s.emit(Broadcast{Message: v})
		}
	default:
		return
	}
	r.mine.partial = v.Partial
	s.count(v)
}
