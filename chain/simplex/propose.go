package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// propose picks the parent of this validator's proposal and asks for a block: the highest certified one below the current view, all views in
// between nullified. Where a nullification is missing it waits for it. The epoch's last block is proposed again instead.
//
// Spec: WP §6.1 (next proposer builds on the highest-QC block); commonware §3.3 (parent rule), §3.6.
func (s *State) propose() {
	r := s.at(s.view)
	if r.building || r.proposal != nil || r.mine.notarize != nil || r.mine.nullify {
		return
	}
	parent, ok := s.parent()
	if !ok {
		s.seek()
		return
	}
	if s.cfg.LastHeight != 0 && parent.Height == s.cfg.LastHeight {
		subject := sig.Subject{BlockHash: parent.BlockHash, Height: parent.Height, Round: s.cfg.round(s.view)}
		r.proposal = &proposal{vote: Vote{Subject: subject, Signer: s.cfg.Self}, status: valid}
		s.notarize(r, parent)
		return
	}
	r.building = true
	s.emit(Build{s.cfg.round(s.view), parent, s.seedBefore(s.view), s.stalled()})
}

// parent walks down from the current view. ok is false while a nullification is missing.
func (s *State) parent() (parent sig.Subject, ok bool) {
	for w := s.view - 1; w > s.finalized.Round.View; w-- {
		r := s.rounds[w]
		switch {
		case r == nil:
			return sig.Subject{}, false
		case r.certified():
			return r.block().Subject, true
		case !r.nullified():
			return sig.Subject{}, false
		}
	}
	return s.finalized, true
}

// seedBefore is the seed of the view before, nil in view 1.
// Spec: WP §3.4 (parent beacon).
func (s *State) seedBefore(view uint64) *sig.Seed {
	if seed, ok := s.Seed(view - 1); ok {
		return &seed
	}
	return nil
}

// built takes the block this validator asked for and votes for it. A block that does not fit the question is worth no vote: the view is given up.
func (s *State) built(round sig.Round, link BlockRef) {
	r := s.rounds[round.View]
	if r == nil || round != s.Round() || !r.building {
		return
	}
	r.building = false
	p := &proposal{vote: Vote{Subject: sig.Subject{BlockHash: link.Hash, Height: link.Height, Round: round}, Signer: s.cfg.Self}, link: link}
	parent, outcome := s.justify(r, p)
	if outcome != justified {
		s.giveUp(NoBlock)
		return
	}
	p.status = valid
	r.proposal = p
	s.notarize(r, parent)
}

// declined gives the view up: there will be no block. Spec: commonware §3.3 (application contract).
func (s *State) declined(round sig.Round) {
	if r := s.rounds[round.View]; r != nil && round == s.Round() && r.building {
		s.giveUp(NoBlock)
	}
}

// proposed takes PROPOSE. A block may be relayed by somebody else than its leader; the vote with it then proves who proposed, but is not
// counted: its seed part may have been spoilt on the way.
// Spec: WP §6.1 (PROPOSE), "Network Layer" (blocks are relayed); commonware §2.6.
func (s *State) proposed(from uint32, m *Propose) {
	v := &m.Vote
	if v.Subject.Round.Epoch != s.cfg.Epoch || from == s.cfg.Self && s.validator() {
		return
	}
	if int(v.Signer) >= s.n || v.Kind != sig.Notarization {
		s.blame(from, WrongSigner)
		return
	}
	if !s.counts(v.Subject.Round) {
		return
	}
	r := s.at(v.Subject.Round.View)
	if r.ignored[v.Signer] || m.Spoilt && from != v.Signer {
		return
	}
	if from == v.Signer {
		s.offer(r, m, false)
		s.count(v)
		return
	}
	if r.heard(v) {
		return
	}
	if s.cfg.Scheme.Verify(v.Signer, v.Preimage(s.cfg.Namespace), v.Signature) != nil {
		s.blame(from, BadSignature)
		return
	}
	if m.Ref.absent() && !s.last(v.Subject.Height) { // its block was taken away on the way
		s.blame(from, BadProposal)
		return
	}
	if first := r.votes[sig.Notarization].of(v.Signer); first != nil && first.subject != v.Subject {
		s.put(r, v.Signer, Statement{v.Kind, v.Subject, v.Signature})
	}
	s.offer(r, m, true)
}

// offer keeps the first proposal of a view's leader, or of each validator while the leader is unknown. proven says that its vote was verified.
func (s *State) offer(r *round, m *Propose, proven bool) {
	p := &proposal{vote: m.Vote, link: m.Ref, proven: proven, spoilt: m.Spoilt}
	if at := m.Vote.Subject; s.last(at.Height) && m.Ref.Height == at.Height && m.Ref.Round != at.Round { // proposed again; somebody put bytes to it
		p.link = BlockRef{}
	}
	signer := m.Vote.Signer
	s.absences.clear(signer, r.view)
	switch {
	case r.view == s.view+1:
		if r.early == nil {
			r.early = map[uint32]*proposal{}
		}
		if r.early[signer] == nil {
			r.early[signer] = p
		}
	case r.view < s.view:
	case signer != s.leader:
		s.blame(signer, NotLeader)
	case r.proposal == nil:
		r.proposal = p
		s.fetch.open = s.fetch.open && !r.wanted // it is answered
		s.leaderInTime(r)
		s.examine(r)
	}
}

// last reports whether a height is that of the epoch's last block, which may be proposed again.
func (s *State) last(height uint64) bool { return s.cfg.LastHeight != 0 && height == s.cfg.LastHeight }

// examine moves the current view's proposal on: refused, waiting, or to be checked.
// Spec: commonware §3.3 (on proposal, parent rule).
func (s *State) examine(r *round) {
	p := r.proposal
	if p == nil || p.status != waiting || r.view != s.view || r.block() != nil || s.done() {
		return
	}
	if p.spoilt {
		s.refuse(r, p, FlawedBody)
		return
	}
	parent, outcome := s.justify(r, p)
	switch {
	case outcome == refused:
		s.refuse(r, p, FlawedBlock)
	case outcome == dismissed:
		s.refuse(r, p, NoFlaw)
	case outcome == unknown:
		s.seek()
	case p.again(): // its parent is the same block, certified here
		p.status = valid
		s.notarize(r, parent)
	default:
		p.status = checking
		s.emit(Check{p.vote.Subject, p.link, parent, s.seedBefore(r.view)})
	}
}

// refuse ends the examination of the current view's proposal: no honest leader makes it.
func (s *State) refuse(r *round, p *proposal, flaw Flaw) {
	p.status = invalid
	s.blame(s.leader, BadProposal)
	s.charge(r, p, flaw)
	s.giveUp(BadBlock)
}

// checked takes the verdict on a proposal.
func (s *State) checked(e Checked) {
	subject, ok := e.Subject, e.Valid
	r := s.rounds[subject.Round.View]
	if r == nil || r.proposal == nil || r.proposal.status != checking || r.proposal.vote.Subject != subject {
		return
	}
	p := r.proposal
	if ok {
		p.status, p.claims = valid, e.Claims
		s.notarize(r, s.cfg.parentOf(&p.link))
	} else {
		p.status = invalid
		s.blame(p.vote.Signer, BadProposal)
		s.charge(r, p, e.Flaw)
	}
	if b := r.certificates[sig.Notarization]; b != nil && b.Subject == subject && r.verdict == unasked {
		s.judge(r, ok && s.holds(p), p.link)
		s.reconsider()
		return
	}
	if !ok && r.view == s.view {
		s.giveUp(BadBlock)
	}
}

// unchecked takes that nobody looks at a proposal any longer. Its certificate may be here already.
func (s *State) unchecked(subject sig.Subject) {
	r := s.rounds[subject.Round.View]
	if r == nil || r.proposal == nil || r.proposal.status != checking || r.proposal.vote.Subject != subject || !s.givenUp(r) {
		return
	}
	r.proposal.status = abandoned
	if b := r.certificates[sig.Notarization]; b != nil && b.Subject == subject && r.verdict == unasked {
		s.askCertify(r)
	}
}

// givenUp reports whether this validator votes for no block of a view any more.
func (s *State) givenUp(r *round) bool { return r.view < s.view || r.mine.nullify }

// justification is what the certificates here say about a proposal's parent.
type justification uint8

const (
	justified justification = iota
	unknown                 // something is missing here
	refused                 // no honest leader proposes this
	dismissed               // no honest leader proposes this either, but the block itself proves nothing: its parent is bad, or other evidence tells
)

// justify applies the parent rule: with parent view u and proposal view v, u < v, u is not below the last final view, u's block is certified here,
// and every view in between is nullified here.
// Spec: commonware §3.3 (parent rule), §3.6.
func (s *State) justify(r *round, p *proposal) (sig.Subject, justification) {
	if p.again() {
		return s.justifyAgain(r, p.vote.Subject)
	}
	l := &p.link
	if !l.binds(p.vote.Subject) {
		s.accuseMalformed(p)
		return sig.Subject{}, dismissed
	}
	last := s.cfg.LastHeight
	u := s.cfg.parentView(l)
	if l.Proposer != s.leader || l.Height == 0 || last != 0 && l.Height > last || u >= r.view || u < s.finalized.Round.View {
		return sig.Subject{}, refused
	}
	if s.stale(r, p, u) {
		return sig.Subject{}, dismissed
	}
	parent := s.cfg.parentOf(l)
	if u == s.finalized.Round.View {
		if parent != s.finalized {
			return sig.Subject{}, refused
		}
	} else if j := s.buildable(parent); j != justified {
		return sig.Subject{}, j
	}
	for w := u + 1; w < r.view; w++ {
		if g := s.rounds[w]; g == nil || !g.nullified() {
			return sig.Subject{}, unknown
		}
	}
	return parent, justified
}

// buildable says whether a subject is what its view certified.
func (s *State) buildable(parent sig.Subject) justification {
	r := s.rounds[parent.Round.View]
	switch {
	case r == nil || r.block() == nil:
		return unknown
	case r.block().Subject != parent:
		return refused
	case r.verdict == bad:
		return dismissed
	case r.verdict != good:
		return unknown
	}
	return justified
}

// justifyAgain is the parent rule for the epoch's last block proposed again: its parent is the same block in the highest view that certified it. A view known
// here for its nullification alone may have.
func (s *State) justifyAgain(r *round, subject sig.Subject) (sig.Subject, justification) {
	if s.cfg.LastHeight == 0 || subject.Height != s.cfg.LastHeight {
		return sig.Subject{}, refused
	}
	outcome := refused
	for w := r.view - 1; w > s.finalized.Round.View; w-- {
		g := s.rounds[w]
		if g == nil || g.block() == nil && !g.nullified() {
			return sig.Subject{}, unknown
		}
		b := g.block()
		switch {
		case b == nil:
			outcome = unknown
		case b.Subject.BlockHash == subject.BlockHash:
			return b.Subject, s.buildable(b.Subject)
		case !g.nullified():
			return sig.Subject{}, unknown
		}
	}
	return sig.Subject{}, outcome
}

// reconsider takes up what waited for a certificate or a verdict.
func (s *State) reconsider() {
	if s.halted {
		return
	}
	if s.leader == s.cfg.Self {
		s.propose()
		return
	}
	s.examine(s.at(s.view))
}
