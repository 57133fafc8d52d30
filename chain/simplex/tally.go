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
		s.expel(r, signers, bad)
	}
}

// postpone has the commits of a block in which nothing ran wait for the votes for its child, and reports whether they do: together both cost little more than
// the votes alone, and nobody waits for such a block. The epoch's last block is waited for.
func (s *State) postpone(r *round, subject sig.Subject) bool {
	if s.postponed != nil && *s.postponed == subject {
		return s.awaited(subject) // one more commit
	}
	idle := r.link != nil && r.link.Idle && r.block().Subject == subject && subject.Height != s.cfg.LastHeight
	if s.cfg.Timeouts.Settle == 0 || !idle || !s.awaited(subject) {
		return false
	}
	s.postponed = &subject
	s.emit(Arm{SettleTimer, r.view, s.cfg.Timeouts.Settle})
	return true
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

// takeBack makes the certificate that was put off.
func (s *State) takeBack() {
	if r := s.at(s.view); r.left && r.proposal != nil {
		r.alone = true
		s.tally(r, sig.Notarization, r.proposal.vote.Subject)
	}
}

// troubled reports whether somebody gave a view up.
func (s *State) troubled(r *round) bool { return r.mine.nullify || !r.votes[sig.Nullification].empty() }

// awaited reports whether a block's commits can still come to be verified with the votes for a child of it in the current view.
func (s *State) awaited(parent sig.Subject) bool {
	_, able := s.cfg.Scheme.(Economical)
	r := s.rounds[s.view]
	return able && r != nil && r.view == parent.Round.View+1 && r.seed == nil && !r.apart && !r.mine.nullify &&
		(r.proposal == nil || s.childOf(r, r.proposal.vote.Subject, parent))
}

// childOf reports whether a view's proposal is the subject, and a block on the parent.
func (s *State) childOf(r *round, subject, parent sig.Subject) bool {
	p := r.proposal
	return p != nil && p.vote.Subject == subject && p.link.binds(subject) && s.cfg.parentOf(&p.link) == parent
}

// settle verifies by itself a quorum of commits that waited in vain, or long enough.
func (s *State) settle(enough bool) {
	if s.postponed == nil || !enough && s.awaited(*s.postponed) {
		return
	}
	subject := *s.postponed
	s.postponed = nil
	if r := s.rounds[subject.Round.View]; r != nil && r.view > s.finalized.Round.View && r.certificates[sig.Finalization] == nil && !s.halted {
		s.assemble(r, sig.Finalization, subject)
	}
}

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
	r.seed, r.partials = &seed, ballot{}
	if len(claims) > 0 {
		r.proposal.claims = nil
	}
	var under *sig.Certificate
	if p != nil {
		under = s.made(p, sig.Finalization, s.cfg.parentOf(&r.proposal.link), committed.Signers, aggregates[1])
		s.adopt(under, nil)
	}
	if !s.halted {
		c := s.made(r, kind, subject, signers, aggregates[0])
		s.adopt(c, &Certificate{Certificate: c, Under: under})
	}
	return true
}

// commits gives the quorum of commits of the parent that can be verified with votes for a block, and its round: those of the voters if all of them gave one,
// since commits and votes of the same signers cost least. nil if there is none to verify.
func (s *State) commits(r *round, kind sig.CertificateKind, subject sig.Subject, voters []uint32) (p *round, b Batch) {
	if kind != sig.Notarization || r.apart || r.proposal == nil {
		return nil, b
	}
	parent := s.cfg.parentOf(&r.proposal.link)
	p = s.rounds[parent.Round.View]
	if !s.childOf(r, subject, parent) || p == nil || p.view <= s.finalized.Round.View || p.seed == nil || p.certificates[sig.Finalization] != nil {
		return nil, b
	}
	cast := &p.votes[sig.Finalization]
	b = Batch{voters, s.preimage(sig.Finalization, parent), cast.by(voters, parent)}
	if b.Signatures == nil {
		b.Signers, b.Signatures = cast.about(parent)
	}
	if len(b.Signers) < s.quorum {
		return nil, b
	}
	return p, b
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
			r.seed, r.partials = &seed, ballot{}
			break
		}
		s.expel(r, signers, bad)
	}
	return true
}

func (s *State) expel(r *round, signers []uint32, bad []int) {
	for _, i := range bad {
		r.bar(signers[i])
		s.blame(signers[i], BadSignature)
	}
}
