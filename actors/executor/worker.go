package executor

import (
	"errors"
	"runtime"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Runs is the supervised actor of one PVM worker. Runner belongs to this instance alone; it may keep compiled programs.
type Runs struct {
	Runner drain.Runner
	// Processor gives the processor time of the thread that calls it, so that a turn is not blamed for the time in which others ran; nil: it is not known.
	Processor func() time.Duration
}

// Receive is the worker's one switch.
func (w *Runs) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *Turn:
		w.run(command)
	}
}

func (w *Runs) run(t *Turn) {
	if i := t.Turn.Interrupt; i != nil && i.Raised() {
		t.Worked(1) // it waited for another's turn and did nothing itself
		t.Interrupted()
		return
	}
	o, err := w.measured(t)
	switch {
	case errors.Is(err, drain.ErrInterrupted):
		t.Interrupted()
	case err != nil:
		t.Failed(err)
	default:
		t.Done(o)
	}
}

func (w *Runs) measured(t *Turn) (drain.Outcome, error) {
	if w.Processor == nil {
		return w.Runner.Run(t.Turn)
	}
	runtime.LockOSThread() // whose time is measured
	defer runtime.UnlockOSThread()
	began := w.Processor()
	o, err := w.Runner.Run(t.Turn)
	t.Worked(w.Processor() - began)
	return o, err
}
