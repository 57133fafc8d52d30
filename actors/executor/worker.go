package executor

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Runs is the supervised actor of one PVM worker. Runner belongs to this instance alone; it may keep compiled programs.
type Runs struct{ Runner drain.Runner }

// Receive is the worker's one switch.
func (w *Runs) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *Turn:
		w.run(command)
	}
}

func (w *Runs) run(t *Turn) {
	o, err := w.Runner.Run(t.Turn)
	if err != nil {
		t.Failed(err)
		return
	}
	t.Done(o)
}
