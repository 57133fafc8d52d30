package peers

import (
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// effect is what a state wants done. The actor performs effects in order.
type effect interface{ effect() }

type (
	// send sends a discovery frame to a peer.
	send struct {
		to    transport.ID
		frame []byte
	}
	// dial opens a connection.
	dial struct{ target transport.Target }
	// drop ends the connection to a peer; why is sent to it.
	drop struct {
		id  transport.ID
		why *transport.Refusal
	}
	// block refuses connections of a peer until a time, or no longer if the time is zero.
	block struct {
		id    transport.ID
		until time.Time
	}
	// resolve looks up a name; the answer is a resolved command.
	resolve struct {
		name Name
		boot bool
	}
	// observe tells the operator.
	observe struct{ event Event }
)

func (send) effect()    {}
func (dial) effect()    {}
func (drop) effect()    {}
func (block) effect()   {}
func (resolve) effect() {}
func (observe) effect() {}

// perform carries out what the state wants done.
func (s *Subsystem) perform() {
	for _, e := range s.state.take() {
		switch e := e.(type) {
		case send:
			s.network.Send(e.to, transport.Discovery, e.frame)
		case dial:
			s.network.Dial(e.target)
		case drop:
			s.network.Drop(e.id, e.why)
		case block:
			s.network.Block(e.id, e.until)
		case resolve:
			s.resolver.look(s.Handle.inbox, s.generation, e)
		case observe:
			s.Observe(e.event)
		}
	}
}
