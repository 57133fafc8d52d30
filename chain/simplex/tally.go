package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// tally makes a certificate once verified and pending votes of one subject reach the quorum. A quorum of commits may wait a little.
// Spec: WP §6.1 (buffered batch verification at quorum); commonware §2.6.
func (s *State) tally(r *round, kind sig.CertificateKind, subject sig.Subject) {
	switch {
	case s.halted || r.view <= s.finalized.Round.View || r.certificates[kind] != nil || r.votes[kind].count(subject) < s.quorum:
	case kind == sig.Finalization && s.postpone(r, subject):
	case kind == sig.Notarization && s.leave(r, subject):
	default:
		s.assemble(r, kind, subject)
	}
}

// assemble verifies a quorum: one batch, and whoever signed badly is out.
// Spec: WP §6.1 (buffered batch verification at quorum); commonware §2.6.
func (s *State) assemble(r *round, kind sig.CertificateKind, subject sig.Subject) {
	for r.votes[kind].count(subject) >= s.quorum {
		if s.join(r, kind, subject) || !s.recoverSeed(r) {
			return
		}
		signers, signatures := r.votes[kind].about(subject)
		if len(signers) < s.quorum {
			return
		}
		aggregate, bad := s.cfg.Scheme.Assemble(signers, s.preimage(kind, subject), signatures)
		if len(bad) == 0 {
			c := s.made(r, kind, subject, signers, aggregate)
			s.adopt(c, &Certificate{Certificate: c})
			return
		}
		s.dropInvalid(r, signers, bad)
	}
}

// leave puts off the certificate of the current view's block where nothing ran in the block, so that nobody waits for it, and reports whether it does. It is
// left to the block's leader, since it costs less to verify than the votes it is made of; the leader sends none before all have voted who take part, so that
// none are late.
func (s *State) leave(r *round, subject sig.Subject) bool {
	p, wait := r.proposal, s.cfg.Timeouts.Leave
	if wait == 0 || r.view != s.view || p == nil || p.vote.Subject != subject || !p.link.Idle || subject.Height == s.cfg.LastHeight || r.apart || r.alone ||
		s.troubled(r) {
		return false
	}
	if s.leader == s.cfg.Self {
		if wait /= 2; s.allVoted(r) {
			return false
		}
	}
	if !r.left {
		r.left = true
		s.emit(Arm{LeaveTimer, r.view, wait})
	}
	return true
}

// allVoted reports whether all have voted to notarize who were heard of lately.
func (s *State) allVoted(r *round) bool {
	for i := range uint32(s.n) {
		if r.votes[sig.Notarization].of(i) == nil && s.activity.heard(int(i)) {
			return false
		}
	}
	return true
}

// makePostponed makes the certificate that was postponed.
func (s *State) makePostponed() {
	if r := s.at(s.view); r.left && r.proposal != nil {
		r.alone = true
		s.tally(r, sig.Notarization, r.proposal.vote.Subject)
	}
}

// troubled reports whether somebody gave a view up.
func (s *State) troubled(r *round) bool { return r.mine.nullify || !r.votes[sig.Nullification].empty() }

// join verifies a quorum's votes together with the partials they brought, where the view's seed is not known yet, with the claims of the block they are
// for, and with the commits of its parent if they are a quorum. Where anything is wrong it makes no certificate, and each is verified apart.
// Spec: WP §3.4, §6.1; commonware §2.5, §2.6.
func (s *State) join(r *round, kind sig.CertificateKind, subject sig.Subject) bool {
	scheme, able := s.cfg.Scheme.(Economical)
	if !able || r.seed != nil {
		return false
	}
	holders, partials := r.partials.all()
	if len(holders) < s.quorum {
		return false
	}
	signers, signatures := r.votes[kind].about(subject)
	claims := r.claimed(kind, subject)
	j := &Joint{
		Batches: []Batch{{signers, s.preimage(kind, subject), signatures}},
		Round:   s.cfg.round(r.view), Holders: holders, Partials: partials, Claims: claims,
	}
	p, committed := s.commits(r, kind, subject, signers)
	if p != nil {
		j.Batches = append(j.Batches, committed)
	}
	aggregates, seed, ok := scheme.Join(j)
	if !ok {
		r.apart = true
		return false
	}
	r.seed, r.partials = &seed, voteSet{}
	if len(claims) > 0 {
		r.proposal.claims = nil
	}
	m := &Certificate{Certificate: s.made(r, kind, subject, signers, aggregates[0])}
	if p != nil {
		m.Under = s.made(p, sig.Finalization, s.cfg.parentOf(&r.proposal.link), committed.Signers, aggregates[1])
	}
	s.adoptBoth(m)
	return true
}

func (s *State) preimage(kind sig.CertificateKind, subject sig.Subject) []byte {
	return (&Statement{Kind: kind, Subject: subject}).Preimage(s.cfg.Namespace)
}

// made is the certificate of votes on a subject, whose aggregate was verified.
func (s *State) made(r *round, kind sig.CertificateKind, subject sig.Subject, signers []uint32, aggregate sig.BLSSignature) *sig.Certificate {
	return &sig.Certificate{Kind: kind, Subject: subject, Signers: s.setOf(signers), Aggregate: aggregate, Seed: *r.seed}
}

// recoverSeed makes the view's seed of a quorum of partials. Commit halves bring none of their view, so a quorum of commits may have to wait
// for the seed of another certificate.
// Spec: WP §3.4; commonware §2.5.
func (s *State) recoverSeed(r *round) bool {
	for r.seed == nil {
		signers, partials := r.partials.all()
		if len(signers) < s.quorum {
			return false
		}
		seed, bad := s.cfg.Scheme.Recover(s.cfg.round(r.view), signers, partials)
		if len(bad) == 0 {
			r.seed, r.partials = &seed, voteSet{}
			break
		}
		s.dropInvalid(r, signers, bad)
	}
	return true
}

func (s *State) dropInvalid(r *round, signers []uint32, bad []int) {
	for _, i := range bad {
		r.ignoreSigner(signers[i])
		s.blame(signers[i], BadSignature)
	}
}
