package flood

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/gossip"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// DefaultEvery gathers transactions into frames without adding much to their way.
const DefaultEvery = 5 * time.Millisecond

// Subsystem is the supervised actor.
type Subsystem struct {
	Handle *Handle
	Link   link.Link
	// Admit offers transactions to the pool. It must not wait; reply is called once, from any goroutine, with a verdict on each.
	Admit func(from link.Peer, items [][]byte, reply func([]gossip.Verdict))
	// Every is the time between flushes; zero means DefaultEvery.
	Every time.Duration
	// Clock defaults to the machine's.
	Clock  supervision.Clock
	Limits gossip.FloodConfig

	state state
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.state.disarm()
	case hear:
		s.state.hear(command.from, command.frame)
	case local:
		s.state.local(command.items)
	case judged:
		s.state.judged(command.names, command.verdicts)
	case up:
		s.state.up(command.peer)
	case down:
		s.state.down(command.peer)
	case flush:
		s.state.flush()
	}
}

func (s *Subsystem) start() {
	if s.Clock == nil {
		s.Clock = supervision.RealClock{}
	}
	if s.Every == 0 {
		s.Every = DefaultEvery
	}
	inbox, clock, every := s.Handle.inbox, s.Clock, s.Every
	s.state = state{
		flood: gossip.NewFlood(s.Limits), link: s.Link, now: clock.Now,
		arm: func() supervision.Deadline { return clock.AfterFunc(every, func() { inbox.Reply(flush{}) }) },
		admit: func(from link.Peer, names []gossip.Name, items [][]byte) {
			s.Admit(from, items, func(v []gossip.Verdict) { inbox.Reply(judged{names, v}) })
		},
	}
	for _, p := range s.Handle.connected() {
		s.state.up(p)
	}
}
