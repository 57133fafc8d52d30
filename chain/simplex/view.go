package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// enter opens a later view. opened is the certificate that allows it.
// Spec: commonware §3.1, §3.3 (enter).
func (s *State) enter(view uint64, opened *sig.Certificate) {
	if view <= s.view || s.halted {
		return
	}
	s.release(view)
	if r := s.rounds[s.view]; r != nil {
		r.building = false
	}
	s.view, s.entry = view, opened
	s.open()
}

// release drops the votes that are out of the window once view is current. None are held above the current view + 1.
func (s *State) release(view uint64) {
	for w := s.lowest(); w < floorSub(view, s.cfg.Retention) && w <= s.view+1; w++ {
		if r := s.rounds[w]; r != nil {
			r.release()
		}
	}
}

// open draws the current view's leader, arms the deadlines and takes up what came early.
func (s *State) open() {
	r := s.at(s.view)
	var seed sig.BLSSignature
	if s.entry != nil {
		seed = s.entry.Seed
	}
	s.leader = s.cfg.Leader(s.view, seed)
	s.emit(Entered{s.cfg.round(s.view), s.leader})
	s.resendAccusations()
	if s.done() {
		return
	}
	factor := s.deadlineFactor()
	s.emit(
		Arm{LeaderTimer, s.view, factor * s.cfg.Timeouts.Leader},
		Arm{CertificationTimer, s.view, factor * s.cfg.Timeouts.Certification},
	)
	if r.accused[s.leader] {
		r.equivocated = true
	}
	if r.proposal == nil {
		r.proposal = r.early[s.leader]
	}
	r.early = nil
	switch {
	case s.leader == s.cfg.Self:
		s.propose()
	case r.votes[sig.Nullification].of(s.leader) != nil:
		s.markAbsent()
		s.giveUp(LeaderGaveUp)
	case r.proposal != nil:
		s.leaderInTime(r)
		s.examine(r)
	case s.silent(s.leader):
		s.giveUp(SilentLeader)
	case s.absent():
		s.giveUp(AbsentLeader)
	case factor == 1:
		s.await()
	}
	s.miss(r)
	s.yield()
	s.seek()
}

const (
	// unstretched is how many views in a row may be nullified before deadlines grow.
	unstretched = 3
	// stretchMost is how much they grow at first, in powers of two: as much as slow messages may need.
	stretchMost = 3
	// patientUntil is how many views in a row may be nullified before they grow further: what every block has to hold may need more.
	patientUntil = 12
	// lostMost is how many views in a row matter. The deadlines of the next are 128 times the usual ones, four minutes by default: as long as the dearest work
	// that a block may have to hold takes where a cycle takes three microseconds.
	lostMost = 16
)

// deadlineFactor is by how much the current view's deadlines are multiplied, since the views before it were nullified one after the other: messages, or
// what blocks have to hold, may take longer than was expected. It follows from certificates, which all who wait for each other have.
//
// Spec: commonware §3.2.
func (s *State) deadlineFactor() Millis {
	lost := s.lost()
	return 1 << (min(floorSub(lost, unstretched), stretchMost) + floorSub(lost, patientUntil))
}

// stalled is how many of the lost views were not given up at once, for want of their leader.
func (s *State) stalled() (n uint64) {
	for i := range s.lost() {
		m := &s.rounds[s.view-1-i].mine
		away := m.nullify && (m.why == SilentLeader || m.why == AbsentLeader || m.why == TardyLeader)
		if !away {
			n++
		}
	}
	return n
}

// lost is how many views before the current one were nullified in a row, as far as that matters.
func (s *State) lost() (n uint64) {
	for n < lostMost {
		if r := s.rounds[s.view-1-n]; r == nil || !r.nullified() || r.certified() {
			break
		}
		n++
	}
	return n
}

// yield gives the current view up if its block cannot be certified any more: too few have voted for it or still may, since others gave up without a vote
// or were silent for long.
//
// Spec: WP §6.1 (view change).
func (s *State) yield() {
	r := s.at(s.view)
	if r.votes[sig.Nullification].empty() {
		return
	}
	attentive := s.attentive() // once: it looks at everybody
	left := 0
	for i := range uint32(s.n) {
		switch {
		case r.votes[sig.Notarization].of(i) != nil:
			left++
		case r.votes[sig.Nullification].of(i) != nil:
		case i == s.cfg.Self || !attentive || s.activity.heard(int(i)):
			left++
		}
	}
	if left < s.quorum {
		s.giveUp(NoQuorum)
	}
}

// giveUp signs nullify for the current view, unless it signed to commit a block of it.
// Spec: WP §6.1 (view change); commonware §3.3 (on timeout).
func (s *State) giveUp(why Cause) {
	r := s.at(s.view)
	if !s.validator() || s.done() || r.mine.nullify || r.mine.commit != nil {
		return
	}
	r.mine.nullify, r.mine.why = true, why
	r.building = false
	s.persist(&OwnNullify{s.cfg.round(s.view)})
	s.reportGivenUp(r)
	s.signNewView()
}

// reportGivenUp tells that the current view was given up, or is once more.
func (s *State) reportGivenUp(r *round) {
	s.emit(GaveUp{s.cfg.round(r.view), s.leader, r.mine.why, s.lost(), r.mine.again})
}

// signNewView asks for the current view's NEW_VIEW with the highest certified QC as of now, and for the next repetition.
// Spec: WP §6.1 (NEW_VIEW); commonware §3.6, §3.7.
func (s *State) signNewView() {
	s.emit(
		SignNewView{&NewView{
			Round: s.cfg.round(s.view), Signer: s.cfg.Self, Highest: s.highest, Partial: s.at(s.view).mine.partial,
		}},
		Arm{RetryTimer, s.view, s.cfg.Timeouts.Retry},
	)
}

// retry repeats the nullify vote and shows laggards what opened the view. The vote is counted again too: after a restart it is nowhere else.
// Spec: commonware §3.2 (retry), §3.5.
func (s *State) retry() {
	r := s.at(s.view)
	if !r.mine.nullify {
		return
	}
	r.mine.again++
	s.reportGivenUp(r)
	if s.entry != nil {
		s.emit(Broadcast{Message: &Certificate{Certificate: s.entry}})
	}
	s.signNewView()
	s.seek()
}

// newViewSigned sends an own NEW_VIEW and counts it.
func (s *State) newViewSigned(m *NewView) {
	r := s.rounds[m.Round.View]
	if r == nil || !r.mine.nullify || m.Round.Epoch != s.cfg.Epoch || m.Signer != s.cfg.Self {
		return
	}
	r.mine.partial, r.mine.gaveUp = m.Partial, m
	s.emit(Broadcast{Message: m})
	s.countNullify(m)
}

// newView takes a peer's NEW_VIEW: its certificate first, since it may open a later view here, then its vote. A peer that gives up a round
// below the last final one, or any round after the epoch's end, is shown the finalization.
func (s *State) newView(from uint32, m *NewView) {
	if !s.admit(from, m.Signer, m.Round) {
		return
	}
	if m.Round.View <= s.finalized.Round.View || s.done() {
		if s.proof != nil {
			s.emit(Send{from, &Certificate{Certificate: s.proof}})
		}
		return
	}
	if m.Highest != nil && !s.certificate(from, m.Highest) {
		return
	}
	if s.counts(m.Round) && !s.halted {
		s.remember(m)
		s.countNullify(m)
	}
	switch {
	case m.Round.View != s.view:
	case from == s.leader:
		s.markAbsent()
		s.giveUp(LeaderGaveUp)
	default:
		s.yield()
	}
}

func (s *State) countNullify(m *NewView) {
	if !s.counts(m.Round) {
		return
	}
	r := s.at(m.Round.View)
	if r.ignored[m.Signer] {
		return
	}
	subject := sig.Subject{Round: m.Round}
	s.contribute(r, m.Signer, m.Partial)
	s.put(r, m.Signer, Statement{sig.Nullification, subject, m.Signature})
	s.tally(r, sig.Nullification, subject)
}

// remember keeps the NEW_VIEW in which a validator named the highest block: it may not propose on a lower one afterwards.
// Spec: commonware §3.6.
func (s *State) remember(m *NewView) {
	old := s.named[m.Signer]
	if m.Highest != nil && (old == nil || m.Highest.Subject.Round.View > old.Highest.Subject.Round.View) {
		s.named[m.Signer] = m
	}
}
