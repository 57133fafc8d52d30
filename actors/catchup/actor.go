package catchup

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Subsystem is the supervised actor that fetches and serves final blocks.
type Subsystem struct {
	Handle     *Handle
	Ledger     *ledger.Handle
	Replica    *replica.Handle
	Committees replica.Committees
	Calendar   params.Calendar // of the chain
	Link       link.Messenger
	Clock      supervision.Clock
	// Snapshot is how many blocks behind the others a node fetches a state instead of blocks; 0: never.
	Snapshot unit.Height
	// Memory is what blocks and chunks of a state that were fetched may take until they are on disk.
	Memory *budget.Account

	life      uint64
	blocks    rangeFetch
	budgets   map[link.Peer]*served
	all       served // what all peers may still be served
	committee *replica.Committee
	epoch     uint64 // of committee
	deadline  supervision.Deadline

	fetch     *fetch // nil: none
	stranded  bool   // nobody holds the next block any more
	notBefore time.Time
	trouble   error        // why the last fetch stopped, nil if none did
	pivot     *pivotAnswer // what others are pointed to
	pivotAt   unit.Height
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.deadline.Stop()
		s.leave()
		return
	case seek:
		s.blocks.seek(command.height)
	case final:
		s.blocks.durable(command.at, s.Clock.Now())
	case link.PeerUp:
		s.blocks.up(command.Peer)
	case link.PeerDown:
		s.blocks.down(command.Peer)
		delete(s.budgets, command.Peer)
		if s.fetch != nil {
			s.fetch.expire(func(c call) bool { return c.to == command.Peer })
		}
	case link.Delivered:
		s.Handle.Handled(command)
		s.heard(command)
	case look:
		if command.life == s.life {
			s.look()
			s.wait()
		}
	default:
		return
	}
	s.ask()
	held := int64(s.blocks.bytes()) * budget.Decoded
	if s.fetch != nil {
		held += int64(s.fetch.held())
	}
	s.Memory.Set(held)
}

func (s *Subsystem) start() {
	s.life = s.Handle.lives.Add(1)
	s.budgets, s.all = map[link.Peer]*served{}, served{times: allTimes}
	tip := s.Ledger.Tip()
	s.blocks.calendar, s.blocks.room = s.Calendar, int(s.Memory.Limit()/budget.Decoded)
	s.blocks.start(place{tip.Header.Height, tip.Hash}, s.Clock.Now())
	for _, p := range s.Handle.Connected() {
		s.blocks.up(p)
	}
	s.collect(true)
	s.wait()
}

func (s *Subsystem) look() {
	now := s.Clock.Now()
	s.blocks.look(now)
	if s.fetch != nil {
		s.fetch.expire(func(c call) bool { return now.Sub(c.since) >= chunkWithin })
	}
}

func (s *Subsystem) wait() {
	inbox, life := s.Handle.inbox, s.life
	s.deadline = s.Clock.AfterFunc(lookEvery, func() { inbox.Reply(look{life}) })
}

func (s *Subsystem) ask() {
	defer s.tell()
	if s.fetch != nil {
		s.gather()
		return
	}
	for q, to, ok := s.blocks.next(s.Clock.Now()); ok; q, to, ok = s.blocks.next(s.Clock.Now()) {
		s.Link.Send(to, link.Sync, q.encode())
	}
}

func (s *Subsystem) heard(d link.Delivered) {
	f, err := decode(d.Frame)
	if err != nil {
		s.Link.Report(d.From, "a frame that does not decode: "+err.Error())
		return
	}
	switch f := f.(type) {
	case *request:
		s.serve(d.From, 0, nil, func() (reply, error) { return collect(s.Calendar, s.Ledger, *f) })
	case *epochProofRequest:
		s.serve(d.From, 0, nil, func() (reply, error) { return s.showEpochProof(f) })
	case *pivotRequest:
		s.serve(d.From, pivotCost, nil, func() (reply, error) { return s.showPivot(f) })
	case *chunkRequest:
		later := func(wait time.Duration) reply { return &chunkAnswer{id: f.id, wait: uint64(wait.Milliseconds()) + 1} }
		s.serve(d.From, 0, later, func() (reply, error) { return s.showChunk(f) })
	case *answer:
		s.take(d.From, f)
	case *epochProofAnswer:
		s.shown(d.From, f)
	case *pivotAnswer:
		s.named(d.From, f)
	case *chunkAnswer:
		s.brought(d.From, f)
	}
}

// take uses an answer to a request that is out.
func (s *Subsystem) take(from link.Peer, a *answer) {
	asked, ok := s.blocks.answered(from, a.id)
	if !ok || s.fetch != nil {
		return
	}
	if s.stranded = s.blocks.gone(from, a.first); s.stranded || s.far(a.top) {
		s.blocks.asks = nil
		if s.collect(false); s.fetch != nil {
			return
		}
	}
	if len(a.blocks) == 0 {
		s.blocks.useless(asked)
		return
	}
	p, err := unpack(s.Calendar, asked.from, a)
	if err != nil {
		s.Link.Report(from, err.Error())
		s.blocks.useless(asked)
		return
	}
	p.from = from
	if s.blocks.park(p, a.top, s.Clock.Now()) {
		s.deliver()
	}
}

// deliver hands ranges over that go on where the last one ended.
func (s *Subsystem) deliver() {
	for p := s.blocks.ready(); p != nil; p = s.blocks.ready() {
		blocks, err := p.prove(s.blocks.held, s.verify)
		if err != nil {
			s.Link.Report(p.from, err.Error())
			s.blocks.barren[p.from] = true
			continue
		}
		if s.Replica.Import(replica.Import{Blocks: blocks, Finalization: p.finalization}) != supervision.Accepted {
			s.blocks.barren[p.from] = true
			return
		}
		s.blocks.took(p.last(), p.bytes, s.Clock.Now())
	}
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
	h, err := s.Ledger.Header(s.Calendar.Anchor(epoch))
	if err != nil {
		return digest.Hash{}, err
	}
	return h.Hash(), nil
}
