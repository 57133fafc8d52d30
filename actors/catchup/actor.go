package catchup

import (
	"bytes"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Subsystem is the supervised actor that fetches and serves final blocks.
type Subsystem struct {
	Handle     *Handle
	Ledger     *ledger.Handle
	Replica    *replica.Handle
	Committees replica.Committees
	Calendar   params.Calendar // of the chain
	Link       link.Link
	Clock      supervision.Clock

	life      uint64
	state     state
	budgets   map[link.Peer]*budget
	committee *replica.Committee
	epoch     uint64 // of committee
	deadline  supervision.Deadline
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.deadline.Stop()
		return
	case seek:
		s.state.seek(command.height)
	case final:
		s.state.durable(command.at, s.Clock.Now())
	case peerUp:
		s.state.up(command.peer)
	case peerDown:
		s.state.down(command.peer)
		delete(s.budgets, command.peer)
	case delivered:
		s.heard(command)
	case look:
		if command.life == s.life {
			s.state.look(s.Clock.Now())
			s.wait()
		}
	default:
		return
	}
	s.ask()
}

func (s *Subsystem) start() {
	s.life = s.Handle.lives.Add(1)
	s.budgets = map[link.Peer]*budget{}
	tip := s.Ledger.Tip()
	s.state.calendar = s.Calendar
	s.state.start(place{tip.Header.Height, tip.Hash}, s.Clock.Now())
	for _, p := range s.Handle.connected() {
		s.state.up(p)
	}
	s.wait()
}

func (s *Subsystem) wait() {
	inbox, life := s.Handle.inbox, s.life
	s.deadline = s.Clock.AfterFunc(lookEvery, func() { inbox.Reply(look{life}) })
}

func (s *Subsystem) ask() {
	if q, to, ok := s.state.next(s.Clock.Now()); ok {
		s.Link.Send(to, link.Sync, q.encode())
	}
}

func (s *Subsystem) heard(d delivered) {
	f, err := decode(d.frame)
	if err != nil {
		s.Link.Report(d.from, "a range that does not decode: "+err.Error())
		return
	}
	switch f := f.(type) {
	case *question:
		s.serve(d.from, *f)
	case *answer:
		s.take(d.from, f)
	}
}

// serve answers a question within the asker's budget. Beyond it there is no answer: the asker goes to somebody else.
func (s *Subsystem) serve(to link.Peer, q question) {
	b := s.budgets[to]
	if b == nil {
		b = &budget{}
		s.budgets[to] = b
	}
	now := s.Clock.Now()
	if !b.spend(questionCost, now) {
		return
	}
	a, err := collect(s.Calendar, s.Ledger, q)
	if err != nil {
		panic(err) // the store failed
	}
	data := a.encode()
	b.spend(len(data), now)
	s.Link.Send(to, link.Sync, data)
}

// take uses an answer to the question that is out.
func (s *Subsystem) take(from link.Peer, a *answer) {
	if !s.state.expects(from, a) {
		return
	}
	if len(a.blocks) == 0 {
		s.state.useless()
		return
	}
	to, err := prove(s.Calendar, s.state.after, a, s.verify)
	if err != nil {
		s.Link.Report(from, err.Error())
		s.state.useless()
		return
	}
	blocks, total := make([][]byte, len(a.blocks)), 0
	for i := range blocks {
		blocks[i] = bytes.Clone(a.blocks[i])
		total += len(blocks[i])
	}
	if s.Replica.Import(replica.Import{Blocks: blocks, Finalization: a.finalization}) != supervision.Accepted {
		s.state.useless()
		return
	}
	s.state.took(to, total, a.top, s.Clock.Now())
}

// verify checks a finalization against its epoch's validators.
func (s *Subsystem) verify(c *sig.Certificate) error {
	epoch := c.Subject.Round.Epoch
	if s.committee == nil || s.epoch != epoch {
		anchor, err := s.anchor(epoch)
		if err != nil {
			return err
		}
		committee, err := s.Committees.At(epoch, anchor)
		if err != nil {
			return err
		}
		s.committee, s.epoch = committee, epoch
	}
	return s.committee.Scheme.VerifyCertificate(c)
}

// anchor is the hash of the block an epoch builds on.
func (s *Subsystem) anchor(epoch uint64) (digest.Hash, error) {
	b, err := s.Ledger.Block(s.Calendar.Anchor(epoch))
	if err != nil {
		return digest.Hash{}, err
	}
	return b.Hash(), nil
}
