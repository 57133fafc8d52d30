package simplex

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// certificates takes a peer's certificate, and the one under it, and reports whether the peer may go on: a certificate that says nothing new costs nothing
// and a bad one is blamed.
// Spec: commonware §2.6, §3.3 (admission: certificates of any later view).
func (s *State) certificates(from uint32, m *Certificate) bool {
	if m.Under != nil && m.Subject.Round.View >= s.view && s.lacksCertificate(m.Under) && s.lacksCertificate(m.Certificate) && s.verifyBoth(m) {
		s.adoptBoth(m)
		return true
	}
	return (m.Under == nil || s.certificate(from, m.Under)) && s.certificate(from, m.Certificate)
}

// certificate takes a single one.
func (s *State) certificate(from uint32, c *sig.Certificate) bool {
	if s.halted || !s.lacksCertificate(c) {
		return true
	}
	if !s.verify(c) {
		s.blame(from, BadCertificate)
		return false
	}
	var news *Certificate
	if c.Subject.Round.View >= s.view || c.Kind == sig.Finalization {
		news = &Certificate{Certificate: c}
	}
	s.adopt(c, news)
	return true
}

// lacksCertificate reports whether a certificate says something new.
func (s *State) lacksCertificate(c *sig.Certificate) bool {
	at := c.Subject.Round
	if at.Epoch != s.cfg.Epoch || at.View <= s.finalized.Round.View {
		return false
	}
	r := s.rounds[at.View]
	return r == nil || r.certificates[c.Kind] == nil || r.certificates[c.Kind].Subject != c.Subject
}

// verifyBoth reports whether a notarization and the finalization under it prove what they say, in one product, where the seed of the latter is known already.
// Spec: WP §6.1; commonware §2.6.
func (s *State) verifyBoth(m *Certificate) bool {
	under := m.Under
	r, p := s.rounds[m.Subject.Round.View], s.rounds[under.Subject.Round.View]
	if p == nil || !p.holdsSeed(under) || under.Signers.Len() != s.n || under.Signers.Size() < s.quorum {
		return false
	}
	return s.provable(r, m.Certificate) && s.prove(r, m.Certificate, newClaim(under.Signers, s.preimage(under.Kind, under.Subject), under.Aggregate))
}

// verify reports whether a certificate proves what it says, and sees to its block's claims on the way if it can. A seed known already is not verified again.
// Spec: WP §6.1; commonware §2.6.
func (s *State) verify(c *sig.Certificate) bool {
	if c.Signers.Len() != s.n {
		return false
	}
	r := s.rounds[c.Subject.Round.View]
	if !s.provable(r, c) {
		return s.cfg.Scheme.VerifyCertificate(c) == nil
	}
	if s.prove(r, c) {
		return true
	}
	return len(r.claimed(c.Kind, c.Subject)) > 0 && s.cfg.Scheme.(Economical).Prove(c, r.holdsSeed(c), nil)
}

// provable reports whether a certificate of a known view can be verified together with more.
func (s *State) provable(r *round, c *sig.Certificate) bool {
	_, able := s.cfg.Scheme.(Economical)
	return able && r != nil && c.Signers.Len() == s.n
}

// prove verifies a certificate with its block's claims, which are then seen to, and with more.
func (s *State) prove(r *round, c *sig.Certificate, more ...Claim) bool {
	claimed := r.claimed(c.Kind, c.Subject)
	if !s.cfg.Scheme.(Economical).Prove(c, r.holdsSeed(c), slices.Concat(claimed, more)) {
		return false
	}
	if len(claimed) > 0 {
		r.proposal.claims = nil
	}
	return true
}

// holdsSeed reports whether a certificate's seed is known to be its round's.
func (r *round) holdsSeed(c *sig.Certificate) bool { return r.seed != nil && *r.seed == c.Seed }

// adoptBoth takes a verified notarization and the finalization under it, if there is one.
func (s *State) adoptBoth(m *Certificate) {
	if m.Under != nil {
		s.adopt(m.Under, nil) // told with the other
	}
	if !s.halted {
		s.adopt(m.Certificate, m)
	}
}

// adopt takes a verified certificate that is not held yet: it becomes durable, others get the news of it if there are any, and its view ends.
// Spec: commonware §3.3.
func (s *State) adopt(c *sig.Certificate, news *Certificate) {
	r := s.at(c.Subject.Round.View)
	if first := s.contradicted(r, c); first != nil {
		s.halted = true
		s.emit(Halt{first, c})
		return
	}
	s.adopted++
	s.witness(c)
	r.certificates[c.Kind] = c
	if r.seed == nil {
		r.seed, r.partials = &c.Seed, voteSet{}
	}
	s.persist(&Certificate{Certificate: c})
	if news != nil {
		s.tell(r, news)
	}
	switch c.Kind {
	case sig.Notarization:
		s.notarized(r)
	case sig.Nullification:
		s.enter(r.view+1, c)
	case sig.Finalization:
		s.final(r)
	}
	if c.Kind != sig.Finalization {
		if b := r.block(); b != nil {
			s.tally(r, sig.Finalization, b.Subject) // a quorum of halves may have waited for the seed
		}
	}
	s.reconsider()
}

// contradicted gives the certificate that c excludes, if one is held: then more than f validators are faulty.
// Spec: commonware §3.8 (L1, L2, L3).
func (s *State) contradicted(r *round, c *sig.Certificate) *sig.Certificate {
	if b := r.block(); b != nil && c.Kind != sig.Nullification && b.Subject != c.Subject {
		return b
	}
	if other, ok := opposite(c.Kind); ok && r.certificates[other] != nil {
		return r.certificates[other]
	}
	below := c.Subject.Height < s.finalized.Height
	beside := c.Subject.Height == s.finalized.Height && c.Subject.BlockHash != s.finalized.BlockHash
	if c.Kind == sig.Finalization && (below || beside) && s.proof != nil {
		return s.proof
	}
	return nil
}

// notarized asks whether a block with a QC can be built on, unless this node found out already.
// Spec: WP §6.1 (QC); commonware §3.3 (on q notarize).
func (s *State) notarized(r *round) {
	c := r.certificates[sig.Notarization]
	s.emit(Notarized{c})
	if r.verdict != unasked { // through its finalization
		return
	}
	p := r.proposal
	if p != nil && p.vote.Subject != c.Subject {
		r.equivocated = true
		p = nil
	}
	switch {
	case p != nil && p.status == valid:
		s.judge(r, s.holds(p), p.link)
	case p != nil && p.status == checking:
	case s.knownLast(c.Subject):
		s.judge(r, true, BlockRef{})
	default:
		s.askCertify(r)
	}
}

func (s *State) askCertify(r *round) {
	r.verdict = asked
	s.emit(Certify{r.block().Subject, r.block().Signers})
}

// knownLast reports whether the subject is the epoch's last block proposed again, and certified before.
func (s *State) knownLast(subject sig.Subject) bool {
	if s.cfg.LastHeight == 0 || subject.Height != s.cfg.LastHeight {
		return false
	}
	for w := subject.Round.View - 1; w > s.finalized.Round.View; w-- {
		if r := s.rounds[w]; r != nil && r.certified() && r.block().Subject.BlockHash == subject.BlockHash {
			return true
		}
	}
	return false
}

// judged takes the answer to Certify.
func (s *State) judged(e CertifiedBlock) {
	r := s.rounds[e.Subject.Round.View]
	if r == nil || r.verdict != asked || r.block() == nil || r.block().Subject != e.Subject {
		return
	}
	if p := r.proposal; !e.Valid && p != nil && p.vote.Subject == e.Subject {
		s.charge(r, p, e.Flaw)
	}
	s.judge(r, e.Valid, e.Ref)
	s.reconsider()
}

// judge ends the certification of a notarized block: a good one is voted to be committed and ends its view, a bad one is never built on.
// Spec: commonware §3.3 (certify ok, certify bad).
func (s *State) judge(r *round, ok bool, link BlockRef) {
	link.Header = nil
	subject := r.block().Subject
	s.persist(&Verdict{Subject: subject, Valid: ok, Ref: link})
	if !ok {
		r.verdict = bad
		if r.view == s.view {
			s.giveUp(BadBlock)
		}
		return
	}
	r.verdict, r.link = good, &link
	s.raise(r)
	if link.binds(subject) {
		s.commit(s.cfg.parentOf(&link))
	}
	s.commitVote(r)
	s.enter(r.view+1, r.block())
}

// raise makes the view's block the highest certified one if it is.
func (s *State) raise(r *round) {
	if s.highest == nil || r.view > s.highest.Subject.Round.View {
		s.highest = r.block()
	}
}

// commit marks a block whose direct child has a QC. It may still lose against a sibling.
// Spec: WP §6.1 ("commit" and "finalized" states); commonware §3.8 (3, 4).
func (s *State) commit(subject sig.Subject) {
	if subject.Round.View > s.committed.Round.View {
		s.committed = subject
		s.emit(Committed{subject})
	}
}

// final ends everything at and below a view: its block and the ancestors are final.
// Spec: WP §6.1; commonware §3.3 (on q finalize), §3.8 (1, 3).
func (s *State) final(r *round) {
	c := r.certificates[sig.Finalization]
	r.verdict = good
	before := s.finalized.Round.View
	s.finalized, s.proof = c.Subject, c
	if c.Subject.Round.View > s.committed.Round.View {
		s.committed = c.Subject
	}
	s.raise(r)
	s.emit(Finalized{c})
	s.rest(r.view)
	s.prune()
	s.commitLate(before)
	s.enter(r.view+1, c)
}

// prune forgets the views below the retention. Spec: commonware §3.2 (view retention), §3.5.
func (s *State) prune() {
	to := floorSub(s.finalized.Round.View, s.cfg.Retention)
	if to <= s.pruned {
		return
	}
	for w := range s.rounds { // order-free: only removes
		if w < to {
			delete(s.rounds, w)
		}
	}
	s.pruned = to
	s.emit(Forget{to})
}
