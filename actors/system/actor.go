package system

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/executor"
)

// Subsystem is the supervised actor of one address.
type Subsystem struct{}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *executor.Turn:
		s.run(command)
	}
}

func (s *Subsystem) run(t *executor.Turn) {
	o, err := perform(t.Turn)
	if err != nil {
		t.Failed(err)
		return
	}
	t.Done(o)
}
