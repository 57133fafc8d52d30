package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// settling is what is put off of the finality of blocks in which nothing ran: nobody waits for it, and later blocks bring it.
type settling struct {
	subject *sig.Subject // the newest block with a quorum of commits that waits to be verified with the votes for a child
	resting bool         // something became final a moment ago: the commits of such blocks may wait for one more
	since   uint64       // what the armed deadline is about: the view whose commits wait, or that became final
}

// idle reports whether nothing ran in a view's certified block, other than the epoch's last.
func (s *State) idle(r *round, subject sig.Subject) bool {
	return r.link != nil && r.link.Idle && r.block().Subject == subject && subject.Height != s.cfg.LastHeight
}

// postpone has the commits of a block in which nothing ran wait for the votes for its child, and reports whether they do: together both cost little more than
// the votes alone. The epoch's last block is waited for.
func (s *State) postpone(r *round, subject sig.Subject) bool {
	if s.cfg.Timeouts.Settle == 0 || !s.idle(r, subject) || !s.awaited(subject) {
		return false
	}
	k := &s.settling
	if k.subject == nil && !k.resting {
		s.armSettle(subject.Round.View)
	}
	if k.subject == nil || k.subject.Round.View < subject.Round.View {
		k.subject = &subject
	}
	return true
}

func (s *State) armSettle(view uint64) {
	s.settling.since = view
	s.emit(Arm{SettleTimer, view, s.cfg.Timeouts.Settle})
}

// rest takes note that a view's block became final: what waited is final with it, and in a while the next may be.
func (s *State) rest(view uint64) {
	if s.cfg.Timeouts.Settle == 0 || s.done() {
		return
	}
	k := &s.settling
	if k.subject != nil && k.subject.Round.View <= view {
		k.subject = nil
	}
	k.resting = true
	s.armSettle(view)
}

// settleExpired ends the rest, or the wait of commits.
func (s *State) settleExpired(view uint64) {
	k := &s.settling
	switch {
	case view != k.since:
	case !k.resting:
		s.settle(true)
	default:
		if k.resting = false; k.subject != nil {
			s.armSettle(k.subject.Round.View)
		}
	}
}

// awaited reports whether a block's commits can still come to be verified with the votes for a block after it in the current view: each view since certified a
// child of the one before, this one's proposal is one too if it is here, and nothing did not verify together.
func (s *State) awaited(subject sig.Subject) bool {
	_, able := s.cfg.Scheme.(Economical)
	r := s.rounds[s.view]
	if !able || r == nil || r.seed != nil || r.apart || r.mine.nullify {
		return false
	}
	for w := subject.Round.View + 1; w < s.view; w++ {
		p := s.rounds[w]
		if p == nil || p.apart || !p.certified() || p.link == nil || !p.link.binds(p.block().Subject) || s.cfg.parentOf(p.link) != subject {
			return false
		}
		subject = p.block().Subject
	}
	return r.view == subject.Round.View+1 && (r.proposal == nil || s.childOf(r, r.proposal.vote.Subject, subject))
}

// childOf reports whether a view's proposal is the subject, and a block on the parent.
func (s *State) childOf(r *round, subject, parent sig.Subject) bool {
	p := r.proposal
	return p != nil && p.vote.Subject == subject && p.link.binds(subject) && s.cfg.parentOf(&p.link) == parent
}

// settle verifies by itself a quorum of commits that waited in vain, or long enough.
func (s *State) settle(enough bool) {
	k := &s.settling
	if k.subject == nil || !enough && s.awaited(*k.subject) {
		return
	}
	subject := *k.subject
	k.subject = nil
	if r := s.rounds[subject.Round.View]; r != nil && r.view > s.finalized.Round.View && r.certificates[sig.Finalization] == nil && !s.halted {
		s.assemble(r, sig.Finalization, subject)
	}
}

// commits gives the quorum of commits of the parent that can be verified with votes for a block, and its round: those of the voters if all of them gave one,
// since commits and votes of the same signers cost least. nil if there is none to verify, or none yet.
func (s *State) commits(r *round, kind sig.CertificateKind, subject sig.Subject, voters []uint32) (p *round, b Batch) {
	if kind != sig.Notarization || r.apart || r.proposal == nil {
		return nil, b
	}
	parent := s.cfg.parentOf(&r.proposal.link)
	p = s.rounds[parent.Round.View]
	if !s.childOf(r, subject, parent) || p == nil || p.view <= s.finalized.Round.View || p.seed == nil {
		return nil, b
	}
	if s.settling.resting && s.idle(p, parent) {
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
