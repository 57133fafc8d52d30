package system

import (
	"errors"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// Subsystem is the supervised actor of one address.
type Subsystem struct{ runner drain.Runner }

// programBytes is what an address keeps of the compiled programs its chapters call: there is one actor for every address, and few chapters call any.
const programBytes = 1 << 20

// New makes the actor. It compiles what Python actors its chapters call.
func New() *Subsystem { return &Subsystem{host.New(host.NewProgramsWithin(programBytes, nil))} }

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *executor.Turn:
		s.run(command)
	}
}

func (s *Subsystem) run(t *executor.Turn) {
	o, err := s.runner.Run(t.Turn)
	switch {
	case errors.Is(err, drain.ErrInterrupted):
		t.Interrupted()
	case err != nil:
		t.Failed(err)
	default:
		t.Done(o)
	}
}
