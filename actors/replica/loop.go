package replica

import (
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// loop is what waits between an event and its effects. Everything that follows at once from an event, own signatures included, is one batch: one
// sync, and only then does anything leave.
//
// Spec: commonware §3.5 (one coalesced sync per iteration, nothing signed leaves before it).
type loop struct {
	events  []input
	batch   batch
	outputs []output
	running bool
}

type input struct {
	event simplex.Event
	peer  *link.Peer // who sent it
}

// output is an effect that waits for the sync. peer is who sent the event it answers.
type output struct {
	effect simplex.Effect
	peer   *link.Peer
}

// timer is an armed deadline of a round.
type timer struct {
	serial   uint64
	deadline supervision.Deadline
}

// event queues an event; run takes it up.
func (s *Subsystem) event(e simplex.Event, peer *link.Peer) {
	s.loop.events = append(s.loop.events, input{e, peer})
}

// run steps until nothing is left to do.
func (s *Subsystem) run() {
	if s.loop.running || s.epoch == nil {
		return
	}
	l := &s.loop
	l.running = true
	for {
		for len(l.events) > 0 {
			in := l.events[0]
			l.events = l.events[1:]
			s.sort(s.epoch.state.Step(in.event), in.peer)
		}
		s.pursue()
		if len(l.events) > 0 {
			continue
		}
		s.sync()
		if len(l.outputs) == 0 {
			break
		}
		outputs := l.outputs
		l.outputs = nil
		for _, o := range outputs {
			s.perform(o)
		}
	}
	l.running = false
	s.publish()
	s.foresee()
}

// foresee prepares for the current round while the proposer or the leader is waited for, unless there is something else to do.
func (s *Subsystem) foresee() {
	e := s.epoch
	signer, able := e.committee.Signer.(Foresighted)
	round := e.state.Round()
	if !able || e.self == simplex.Observer || e.foreseen == round.View || s.Handle.inbox.Tally().Depth > 0 {
		return
	}
	e.foreseen = round.View
	if parent, ok := s.tree.head(e.state.Highest().BlockHash); ok && parent.header.Epoch == round.Epoch {
		signer.Prepare(round, parent.epochSeed, uint64(parent.header.Height)+1)
	}
}

// sync makes the batch durable.
func (s *Subsystem) sync() {
	b := s.loop.batch
	s.loop.batch = batch{}
	if !b.empty() && !s.epoch.mute {
		must(s.journal.add(&b))
	}
}

// sort takes the effects of one step: what may be done before the sync is begun, the rest waits.
func (s *Subsystem) sort(effects []simplex.Effect, peer *link.Peer) {
	for _, e := range effects {
		switch e := e.(type) {
		case simplex.Persist:
			s.persist(e.Record)
		case simplex.SignVote:
			if s.epoch.committee.Signer.Remote() {
				s.later(e, peer)
			} else {
				s.signVote(e.Vote)
			}
		case simplex.SignNewView:
			if s.epoch.committee.Signer.Remote() {
				s.later(e, peer)
			} else {
				s.signNewView(e.NewView)
			}
		case simplex.SignAccusation:
			if s.epoch.committee.Signer.Remote() {
				s.later(e, peer)
			} else {
				s.signAccusation(e.Accusation)
			}
		case simplex.Build:
			s.questions.build = &e
		case simplex.Check:
			s.questions.checks = append(s.questions.checks, e)
		case simplex.Certify:
			s.questions.certify = append(s.questions.certify, e)
		case simplex.Arm:
			s.arm(e)
		case simplex.Entered:
			s.enter(e)
		default:
			s.later(e, peer)
		}
	}
}

func (s *Subsystem) later(e simplex.Effect, peer *link.Peer) {
	s.loop.outputs = append(s.loop.outputs, output{e, peer})
}

// persist puts a record into the batch, and with a vote to notarize its block.
func (s *Subsystem) persist(r simplex.Record) {
	b := &s.loop.batch
	if v, ok := r.(*simplex.OwnVote); ok && v.Kind == sig.Notarization {
		if n := s.tree.nodes[v.Subject.BlockHash]; n != nil && !s.journal.holds(n.hash) {
			b.blocks = append(b.blocks, journaled{n.hash, n.height(), n.raw})
		}
	}
	b.records = append(b.records, r)
}

// perform does what had to wait for the sync.
func (s *Subsystem) perform(o output) {
	switch e := o.effect.(type) {
	case simplex.Forget:
		s.journal.forget(e.View)
		s.epoch.guard.forget(e.View)
	case simplex.SignVote:
		s.signVote(e.Vote)
	case simplex.SignNewView:
		s.signNewView(e.NewView)
	case simplex.SignAccusation:
		s.signAccusation(e.Accusation)
	case simplex.Announce:
		s.announce(e)
	case simplex.Broadcast:
		s.broadcast(e)
	case simplex.Send:
		s.send(e, o.peer)
	case simplex.Notarized:
		s.notarized(e.Certificate)
	case simplex.Committed:
		s.committed = max(s.committed, unit.Height(e.Subject.Height))
	case simplex.Finalized:
		s.finalized(e.Certificate)
	case simplex.Accuse:
		if s.Accuse != nil {
			s.Accuse(e.Evidence)
		}
	case simplex.Disputed:
		if s.Disputed != nil {
			s.Disputed(e.Accusation)
		}
	case simplex.Blame:
		s.blame(e, o.peer)
	case simplex.GaveUp:
		s.gaveUp(e)
		s.abandon(e.Round.View + 1)
	case simplex.Halt:
		must(&Contradiction{e.First, e.Second})
	}
}

// signVote signs what is decided and not yet forbidden.
func (s *Subsystem) signVote(request *simplex.Vote) {
	must(s.epoch.guard.vote(request))
	v, err := s.epoch.committee.Signer.SignVote(request)
	must(err)
	s.epoch.scheme.made(v.Preimage(s.namespace), v.Signature)
	s.epoch.scheme.made(s.namespace.Seed(v.Subject.Round), v.Partial)
	s.event(simplex.VoteSigned{Vote: v}, nil)
}

func (s *Subsystem) signNewView(request *simplex.NewView) {
	must(s.epoch.guard.nullify(request.Round))
	m, err := s.epoch.committee.Signer.SignNewView(request)
	must(err)
	s.epoch.scheme.made(s.namespace.Nullify(m.Round), m.Signature)
	s.epoch.scheme.made(s.namespace.Seed(m.Round), m.Partial)
	s.event(simplex.NewViewSigned{NewView: m}, nil)
}

// signAccusation accuses a leader. Whoever keeps the proposal is told first, so that it can be looked at whatever comes of it.
func (s *Subsystem) signAccusation(request *simplex.Accusation) {
	if n := s.tree.nodes[request.Subject.BlockHash]; s.Suspect != nil {
		p := &Suspect{Accusation: request}
		if n != nil {
			p.Block, p.Reason = n.raw, n.reason
		}
		s.Suspect(p)
	}
	a, err := s.epoch.committee.Signer.SignAccusation(request)
	must(err)
	s.event(simplex.AccusationSigned{Accusation: a}, nil)
}

// arm sets a deadline in place of the one of the same name.
func (s *Subsystem) arm(e simplex.Arm) {
	if t := s.timers[e.Timer]; t != nil {
		t.deadline.Stop()
	}
	s.serial++
	command := expired{s.life, s.serial, e.Timer, e.View}
	s.timers[e.Timer] = &timer{s.serial, s.after(time.Duration(e.Delay)*time.Millisecond, command)}
}

func (s *Subsystem) expired(c expired) {
	if t := s.timers[c.timer]; c.life == s.life && t != nil && t.serial == c.serial {
		s.event(simplex.Expired{Timer: c.timer, View: c.view}, nil)
	}
}

// enter begins a round: what was asked in an earlier one is not answered any more, and the proposals of earlier ones are forgotten.
func (s *Subsystem) enter(e simplex.Entered) {
	s.Handle.counters.views.Add(1)
	s.entered = s.Clock.Now()
	s.epoch.lead = e.Leader
	s.withdraw()
	s.abandon(e.Round.View)
	if s.pacing != nil {
		s.pacing.deadline.Stop()
		s.pacing = nil
	}
	s.tree.drop(e.Round, func(n *node) bool { return n.notarization != nil })
}

func (s *Subsystem) publish() {
	state := s.epoch.state
	final := max(unit.Height(state.Finalized().Height), s.durable)
	s.Handle.status.Store(&Status{
		Round: state.Round(), Leader: s.epoch.lead, Validators: len(s.epoch.committee.Stakes), Rank: s.epoch.self,
		Certified: unit.Height(state.Highest().Height), Committed: max(s.committed, final), Finalized: final,
		Durable: s.durable, Since: s.entered, Lost: state.Round().View - 1 - state.Highest().Round.View, Peers: len(s.peers.list), Known: s.peers.validators(),
	})
}

// proposal fills in what a proposer decides of a header. ok is false where the block would need a seed that is not known here.
// Spec: WP §3.4, §6.1; commonware §3.6.
func (s *Subsystem) proposal(b *simplex.Build, parent head) (p Proposal, ok bool) {
	now := uint64(max(s.Clock.Now().UnixMilli(), 0))
	h := block.Header{
		Version: params.ProtocolVersion, ChainID: s.Identity.ChainID, Height: parent.header.Height + 1, Epoch: b.Round.Epoch, View: b.Round.View,
		ParentView: parent.header.View, ParentHash: parent.hash, TimestampMs: max(now, parent.header.TimestampMs+1),
		ProposerIndex: s.epoch.self, Proposer: s.epoch.committee.Rewards[s.epoch.self], ParentSeed: b.Seed,
	}
	if b.Round.View == 1 {
		h.ParentSeed = s.epoch.seed
	}
	s.attendance(&h, parent, b.Parent)
	seed := s.tree.seedFor(&h, parent)
	if seed == nil {
		return p, false
	}
	proof, err := s.epoch.committee.Signer.ProveVRF(seed, uint64(h.Height))
	must(err)
	h.VRFProof, h.VRFOutput = proof, block.VRFOutput(proof)
	p.Header = h
	p.Parent.Header, p.Parent.State, p.Stalled = parent.header, parent.state, b.Stalled
	return p, true
}
