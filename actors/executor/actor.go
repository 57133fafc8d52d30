package executor

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Subsystem is the supervised actor that holds a block's overlay and machine.
type Subsystem struct {
	Handle     *Handle
	Performers *Performers
	// Clock measures turns and ends the time of builds; nil: nobody does.
	Clock supervision.Clock
	// Slow is how long one turn may take before it is reported; 0: as long as it likes.
	Slow time.Duration
	// Report, if set, is told of every job that was executed or taken back and has transactions or slow turns. It must only send a command.
	Report func(Report)
	// Evidence, if set, keeps what is known about a block that failed twice, before it is answered or the node stops.
	Evidence func(*Evidence)

	state     state
	out       *interrupt // of the turn that is out
	handed    time.Time  // the turn that is out, or was last
	timed     uint64     // job whose time is measured
	deadlines []supervision.Deadline
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.state.slow = s.Slow
	case *actor.Stopping, *actor.Restarting:
		s.rest()
	case Execute:
		s.do(s.state.submit(command))
	case outcome:
		s.do(s.state.take(command, s.took(command.work)))
	case interrupted:
		s.do(s.state.give(command, s.took(command.work)))
	case lost:
		s.do(s.state.lose(command))
	case spent:
		s.do(s.state.due(command.job))
	case overrun:
		s.do(s.state.late(command, s.took(0)))
	case abandon:
		s.do(s.state.abandon(command.token, s.took(0)))
	}
}

// do carries out steps until a turn is out or no job is left.
func (s *Subsystem) do(next step) {
	for {
		if next.stop && s.out != nil {
			s.out.raised.Store(true)
		}
		if next.evidence != nil && s.Evidence != nil {
			s.Evidence(next.evidence)
		}
		switch {
		case next.turn != nil:
			s.dispatch(next)
			return
		case next.answer != nil:
			s.answer(next)
		case next.evidence != nil:
			panic(&supervision.Fatal{Err: next.evidence})
		case next.lacks != nil:
			panic(&supervision.Fatal{Err: next.lacks})
		}
		if next = s.state.next(); next == (step{}) {
			return
		}
	}
}

func (s *Subsystem) answer(done step) {
	if s.state.current == nil {
		s.rest()
	}
	if s.Report != nil && done.report != nil {
		s.Report(*done.report)
	}
	if done.order.Reply != nil {
		done.order.Reply(*done.answer)
	}
}

// rest forgets the deadlines of the job that is over.
func (s *Subsystem) rest() {
	for _, d := range s.deadlines {
		d.Stop()
	}
	s.deadlines = s.deadlines[:0]
}

func (s *Subsystem) dispatch(next step) {
	s.out = &interrupt{}
	next.turn.Interrupt = s.out
	if s.Clock != nil {
		s.handed = s.Clock.Now()
		s.time(next.key.job)
	}
	t := &Turn{Turn: next.turn, key: next.key, home: s.Handle}
	performer := s.Performers.pick(next.turn, s.state.lost)
	if d := performer.Perform(t); d != supervision.Accepted {
		t.Failed(&Undelivered{d})
	}
}

// time begins to measure a job with its first turn. What comes before takes no time worth a deadline.
func (s *Subsystem) time(job uint64) {
	budget := s.state.current.order.Budget
	if budget == 0 || s.timed == job || s.state.current.order.Job.Mode != transition.Build {
		return
	}
	s.rest()
	s.timed = job
	inbox := s.Handle.inbox
	s.deadlines = append(s.deadlines,
		s.Clock.AfterFunc(budget, func() { inbox.Reply(spent{job}) }),
		s.Clock.AfterFunc(budget+budget/8, func() { inbox.Reply(overrun{job, true}) }),
		s.Clock.AfterFunc(2*budget, func() { inbox.Reply(overrun{job, false}) }))
}

// took is how long the turn that is out took: as long as a processor was at it, if that is known.
func (s *Subsystem) took(work time.Duration) time.Duration {
	if work > 0 || s.Clock == nil {
		return work
	}
	return s.Clock.Now().Sub(s.handed)
}

// Undelivered says that no worker took a turn.
type Undelivered struct{ Delivery supervision.Delivery }

// Error implements error.
func (u *Undelivered) Error() string { return "no worker took the turn: " + u.Delivery.String() }
