package simplex

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// State is one validator's, or observer's, part in one epoch's agreement. It is not for concurrent use.
type State struct {
	cfg    Config
	n      int
	quorum int

	view   uint64
	leader uint32
	entry  *sig.Certificate // what opened the current view; nil in view 1
	rounds map[uint64]*round
	pruned uint64 // views below are forgotten

	highest   *sig.Certificate // of the highest certified view; nil for the anchor
	committed sig.Subject
	finalized sig.Subject
	proof     *sig.Certificate // the latest finalization; nil for the anchor

	settling  settling
	named     []*NewView // each validator's NEW_VIEW that named the highest block
	progress  peerProgress
	pleas     []uint64 // views with an own accusation that more have to join, ascending
	activity  activity
	absences  absences
	probation probation
	fetch     fetch
	adopted   uint64 // certificates so far
	halted    bool

	effects []Effect
}

// New is a State that continues a journal, empty or as a State of the same epoch made it, and what it wants first. Nothing that was decided
// before is decided again; what was decided and is not outdated is signed and sent again. It gives ErrConfig or ErrJournal.
//
// Spec: commonware §3.5 (replay).
func New(cfg Config, journal []Record) (*State, []Effect, error) {
	if err := cfg.Validate(); err != nil {
		return nil, nil, err
	}
	s := &State{cfg: cfg, n: len(cfg.Stakes), rounds: map[uint64]*round{}}
	s.quorum = sig.Quorum(s.n)
	s.committed, s.finalized = cfg.anchor(), cfg.anchor()
	s.named = make([]*NewView, s.n)
	s.progress = newPeerProgress(s.n)
	s.activity, s.absences, s.probation = newActivity(s.n), make(absences, s.n), make(probation, s.n)
	if err := s.restore(journal); err != nil {
		return nil, nil, err
	}
	s.start()
	return s, s.take(), nil
}

// Step takes one event and gives what is to be done about it, in order. Any event is welcome at any time; what came too late or makes no sense
// changes nothing.
func (s *State) Step(e Event) []Effect {
	if s.halted {
		return nil
	}
	switch e := e.(type) {
	case Received:
		s.received(e.From, e.Message)
	case Built:
		s.built(e.Round, e.Ref)
	case Declined:
		s.declined(e.Round)
	case Checked:
		s.checked(e)
	case Unchecked:
		s.unchecked(e.Subject)
	case CertifiedBlock:
		s.judged(e)
	case VoteSigned:
		s.voteSigned(e.Vote)
	case NewViewSigned:
		s.newViewSigned(e.NewView)
	case AccusationSigned:
		s.accusationSigned(e.Accusation)
	case Met:
		s.met(e.Peer)
	case Expired:
		s.expired(e.Timer, e.View)
	}
	s.settle(false)
	return s.take()
}

// Round is the current round.
func (s *State) Round() sig.Round { return s.cfg.round(s.view) }

// Leader is the rank of the current round's leader.
func (s *State) Leader() uint32 { return s.leader }

// Finalized is the latest final block. Spec: WP §6.1; commonware §3.8 (4).
func (s *State) Finalized() sig.Subject { return s.finalized }

// Committed is the latest block with a certified direct child; it is not safe to act on, see the package comment.
// Spec: WP §6.1; commonware §3.8 (4).
func (s *State) Committed() sig.Subject { return s.committed }

// Highest is the highest certified block: what this node would build on.
func (s *State) Highest() sig.Subject {
	if s.highest == nil {
		return s.cfg.anchor()
	}
	return s.highest.Subject
}

// Certified reports whether a certificate held here says that the block is its view's.
func (s *State) Certified(subject sig.Subject) bool {
	r := s.rounds[subject.Round.View]
	return r != nil && r.block() != nil && r.block().Subject == subject
}

// Seed is the seed of a view, if known and kept.
func (s *State) Seed(view uint64) (sig.Seed, bool) {
	r := s.rounds[view]
	if r == nil || r.seed == nil {
		return sig.Seed{}, false
	}
	return sig.Seed{Round: s.cfg.round(view), Signature: *r.seed}, true
}

func (s *State) received(from uint32, m Message) {
	if from != Observer && int(from) >= s.n {
		return
	}
	s.active(from)
	s.learn(from, m)
	switch m := m.(type) {
	case *Propose:
		s.proposed(from, m)
	case *Vote:
		s.vote(from, m)
	case *NewView:
		s.newView(from, m)
	case *Certificate:
		s.certificates(from, m)
	case *Request:
		s.serve(from, m)
	case *Response:
		s.response(from, m)
	case *Accusation:
		s.accusation(from, m)
	}
}

func (s *State) expired(t Timer, view uint64) {
	switch {
	case t == SkipTimer:
		s.activity.rotate()
		s.armSkip()
	case t == SettleTimer:
		s.settleExpired(view)
	case t == CommitTimer:
		s.sendDelayedCommit(view)
	case t == TellTimer:
		s.behind()
	case t == FetchTimer:
		s.fetchExpired(view)
	case view != s.view || s.done():
	case t == LeaderTimer:
		if r := s.at(view); r.proposal == nil {
			s.markAbsent()
			s.giveUp(NoProposal)
		}
	case t == PatienceTimer:
		s.patienceEnded()
	case t == LeaveTimer:
		s.makePostponed()
	case t == RelayTimer:
		s.askAround()
	case t == CertificationTimer && s.validator():
		s.giveUp(NotCertified)
	case t == CertificationTimer:
		s.poll()
	case t == RetryTimer:
		s.retry()
	}
}

// emit queues effects, in order.
func (s *State) emit(effects ...Effect) { s.effects = append(s.effects, effects...) }

func (s *State) take() []Effect {
	out := s.effects
	s.effects = nil
	return out
}

func (s *State) persist(r Record) { s.emit(Persist{r}) }

func (s *State) blame(peer uint32, reason Reason) {
	if peer == Observer || peer != s.cfg.Self {
		s.emit(Blame{peer, reason})
	}
}

// at gives the record of a view, new if there is none. Callers bound the view.
func (s *State) at(view uint64) *round {
	r := s.rounds[view]
	if r == nil {
		r = &round{view: view}
		s.rounds[view] = r
	}
	return r
}

// validator reports whether this node votes.
func (s *State) validator() bool { return s.cfg.Self != Observer }

// done reports whether the epoch's last block is final: nothing is proposed or voted on any more.
func (s *State) done() bool { return s.cfg.LastHeight != 0 && s.finalized.Height >= s.cfg.LastHeight }

// lowest is the lowest view whose votes are kept. Spec: commonware §3.3 (message admission).
func (s *State) lowest() uint64 { return max(1, s.pruned, floorSub(s.view, s.cfg.Retention)) }

// counts reports whether votes of a view are admitted.
func (s *State) counts(r sig.Round) bool {
	return r.Epoch == s.cfg.Epoch && r.View >= s.lowest() && r.View <= s.view+1
}

func floorSub(a, b uint64) uint64 {
	if b > a {
		return 0
	}
	return a - b
}
