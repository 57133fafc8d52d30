package executor

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// Subsystem is the supervised actor that holds a block's overlay and machine.
type Subsystem struct {
	Handle     *Handle
	Performers *Performers
	// Evidence, if set, keeps what is known about a block that failed twice, before the node stops.
	Evidence func(*Evidence)

	state state
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case Execute:
		s.do(s.state.submit(command))
	case outcome:
		s.do(s.state.take(command))
	case lost:
		s.do(s.state.lose(command))
	}
}

// do carries out steps until a turn is out or no job is left.
func (s *Subsystem) do(next step) {
	for {
		switch {
		case next.turn != nil:
			s.dispatch(next)
			return
		case next.evidence != nil:
			s.stop(next.evidence)
		case next.answer != nil:
			next.order.Reply(*next.answer)
		}
		if next = s.state.next(); next == (step{}) {
			return
		}
	}
}

func (s *Subsystem) dispatch(next step) {
	t := &Turn{Turn: next.turn, key: next.key, home: s.Handle}
	performer := s.Performers.pick(next.turn, next.key.attempt)
	if d := performer.Perform(t); d != supervision.Accepted {
		t.Failed(&Undelivered{d})
	}
}

func (s *Subsystem) stop(e *Evidence) {
	if s.Evidence != nil {
		s.Evidence(e)
	}
	panic(&supervision.Fatal{Err: e})
}

// Undelivered says that no worker took a turn.
type Undelivered struct{ Delivery supervision.Delivery }

// Error implements error.
func (u *Undelivered) Error() string { return "no worker took the turn: " + u.Delivery.String() }
