package replica

import (
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// settings are what a state decides by.
type settings struct {
	life      uint64 // of the instance
	identity  Identity
	namespace sig.Namespace
	// interval is the least time between two blocks, and timeouts the deadlines of rounds as they are configured.
	interval time.Duration
	timeouts simplex.Timeouts
	// candidates and finals bound what blocks take, in bytes of memory.
	candidates, finals int64
	// seeks says that there is somebody to ask for ranges of final blocks.
	seeks bool
	// last is the last height this node takes part in; 0: there is none.
	last unit.Height
}

// state decides what is done about what peers, other subsystems and deadlines say: events in, effects out. It knows no clock, no network and no disk, and is
// told the time.
//
// An event is stepped until nothing follows from it at once. Signatures that agreement asks for are among what follows: while one is out, the events behind
// it wait. Then one write makes durable all that was decided, and only behind it stands what tells others.
//
// Spec: commonware §3.5 (one coalesced sync per iteration, nothing signed leaves before it).
type state struct {
	settings
	now time.Time

	effects []effect
	inputs  []input  // events of agreement, in order
	batch   batch    // what is to be durable before outputs are performed
	outputs []output // effects of agreement that wait for the batch
	opening bool     // an epoch; nothing is decided meanwhile
	halted  bool

	epoch     *epoch
	previous  *previous
	tree      tree
	requests  requests
	finals    finals
	peers     peers
	fetches   []*fetch
	pacing    uint64                   // serial of the deadline; 0: none
	hurried   unit.Height              // blocks up to this one wait for no interval
	timers    map[simplex.Timer]uint64 // serials
	serial    uint64                   // of the deadline set last
	run       uint64                   // of the execution asked for last
	entered   time.Time
	committed unit.Height
	durable   unit.Height
	early     []heard // of the next epoch
}

// input is an event of agreement, or the place of one that a signature is waited for.
type input struct {
	event simplex.Event // nil: not signed yet
	peer  *link.Peer    // who sent it
}

// output is an effect of agreement. peer is who sent the event it answers.
type output struct {
	effect simplex.Effect
	peer   *link.Peer
}

// newState is a state on a durable block, among the peers that are connected.
func newState(s settings, root head, connected []link.Peer) *state {
	x := &state{
		settings: s, durable: root.header.Height, committed: root.header.Height, timers: map[simplex.Timer]uint64{},
		tree: tree{genesis: s.identity.Genesis, root: root, nodes: map[digest.Hash]*node{}},
	}
	for _, p := range connected {
		x.peers.Add(p, simplex.Observer)
	}
	return x
}

// decide takes one event and gives what is to be done about it, in order. Any event is welcome at any time; what is outdated changes nothing.
func (s *state) decide(now time.Time, e event) []effect {
	s.now = now
	s.take(e)
	s.advance()
	effects := s.effects
	s.effects = nil
	return effects
}

// do wants something done.
func (s *state) do(e effect) { s.effects = append(s.effects, e) }

// halt ends the node: nothing is decided any more.
func (s *state) halt(why error) {
	if !s.halted {
		s.halted = true
		s.do(halt{why})
	}
}

// fails halts over an error of a source that has to answer, and reports whether there was one.
func (s *state) fails(err error) bool {
	if err != nil {
		s.halt(err)
	}
	return err != nil
}

func (s *state) take(e event) {
	if s.halted {
		return
	}
	if s.epoch == nil {
		switch e.(type) {
		case begun, opened, connected, disconnected:
		default:
			return
		}
	}
	switch e := e.(type) {
	case begun:
		s.begin(s.identity.Calendar.Epoch(s.durable + 1))
	case opened:
		s.opened(e)
	case signed:
		s.answer(e.answer)
	case withheld:
		s.giveUpSignature()
	case connected:
		s.connected(e.peer)
	case disconnected:
		s.peers.Remove(e.peer)
	case heard:
		s.heard(e)
	case Import:
		s.imported(e)
	case durable:
		s.stored(e.height)
	case ready:
		s.requests.asked = false
	case hurry:
		s.hurry(e)
	case pacer:
		s.interval = e.interval
		s.stopPacing()
	case proposed:
		s.proposed(e)
	case recovered:
		s.recovered(e)
	case executed:
		s.executed(e)
	case expired:
		s.expired(e)
	case due:
		s.due(e)
	case overdue:
		s.overdue(e)
	case awake:
		s.requests.alarm = s.requests.alarm && e.life != s.life
	}
}

// event queues an event of agreement.
func (s *state) event(e simplex.Event, peer *link.Peer) { s.inputs = append(s.inputs, input{e, peer}) }

// sign asks for a signature and keeps the place of the event that brings it.
func (s *state) sign(e effect) {
	s.do(e)
	s.inputs = append(s.inputs, input{})
}

// answer puts what was signed into the first place that is kept. The epoch's scheme need not verify it.
func (s *state) answer(e simplex.Event) {
	switch e := e.(type) {
	case simplex.VoteSigned:
		s.epoch.scheme.made(e.Vote.Preimage(s.namespace), e.Vote.Signature)
		s.epoch.scheme.made(s.namespace.Seed(e.Vote.Subject.Round), e.Vote.Partial)
	case simplex.NewViewSigned:
		s.epoch.scheme.made(s.namespace.Nullify(e.NewView.Round), e.NewView.Signature)
		s.epoch.scheme.made(s.namespace.Seed(e.NewView.Round), e.NewView.Partial)
	}
	for i := range s.inputs {
		if s.inputs[i].event == nil {
			s.inputs[i].event = e
			return
		}
	}
}

// giveUpSignature takes the first place away that is kept: what was to be signed is not sent.
func (s *state) giveUpSignature() {
	if i := slices.IndexFunc(s.inputs, func(in input) bool { return in.event == nil }); i >= 0 {
		s.inputs = slices.Delete(s.inputs, i, i+1)
	}
}

// advance steps until nothing is left to do, or a signature is waited for.
func (s *state) advance() {
	for s.epoch != nil && !s.opening && !s.halted {
		for len(s.inputs) > 0 && !s.halted {
			in := s.inputs[0]
			if in.event == nil {
				return
			}
			s.inputs = s.inputs[1:]
			s.sort(s.epoch.state.Step(in.event), in.peer)
		}
		if s.advanceRequests(); s.halted {
			return
		}
		if len(s.inputs) > 0 {
			continue
		}
		s.write()
		if len(s.outputs) == 0 {
			s.publish()
			return
		}
		outputs := s.outputs
		s.outputs = nil
		for _, o := range outputs {
			if s.release(o); s.halted {
				return
			}
		}
	}
}

// write makes durable what was decided.
func (s *state) write() {
	if len(s.batch.records) > 0 && !s.epoch.mute {
		s.do(write{s.batch})
	}
	s.batch = batch{}
}

// publish tells where agreement stands.
func (s *state) publish() {
	state, met := s.epoch.state, s.peers.validators()
	final := max(unit.Height(state.Finalized().Height), s.durable)
	s.do(publish{Status{
		Round: state.Round(), Leader: s.epoch.lead, Validators: len(s.epoch.committee.Stakes), Rank: s.epoch.self,
		Certified: unit.Height(state.Highest().Height), Committed: max(s.committed, final), Finalized: final,
		Durable: s.durable, Since: s.entered, Lost: state.Round().View - 1 - state.Highest().Round.View, Peers: len(s.peers.All()),
		Known: len(met), Met: met, Clocks: s.epoch.clocks,
	}})
}

// idle gives what is to be done while nothing waits: to make ready for the current round, once.
func (s *state) idle() []effect {
	e := s.epoch
	if e == nil || s.opening || s.halted || e.self == simplex.Observer || e.prepared == e.state.Round().View {
		return nil
	}
	round := e.state.Round()
	e.prepared = round.View
	parent, ok := s.tree.head(e.state.Highest().BlockHash)
	if !ok || parent.header.Epoch != round.Epoch {
		return nil
	}
	return []effect{prepare{round, parent.epochSeed, uint64(parent.header.Height) + 1}}
}

// start sets a deadline whose event is made of its serial.
func (s *state) start(delay time.Duration, e func(serial uint64) event) (serial uint64) {
	s.serial++
	s.do(start{s.serial, delay, e(s.serial)})
	return s.serial
}

// decoded is how much memory the bytes of blocks take.
func decoded(bytes int) int64 { return int64(bytes) * budget.Decoded }
