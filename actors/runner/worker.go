package runner

import (
	"context"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/runner/queue"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Worker is the supervised actor of one place: it does one job at a time.
type Worker struct {
	Inbox      *supervision.Inbox
	Capability string
	Join       func() (*queue.Worker, error)
	Set        *work.Set
	Observe    func(kind job.Kind, err error) // may be nil; must not wait

	cancel context.CancelFunc
	ended  chan struct{}
}

// Receive starts and ends the loop that does jobs. What goes wrong in it is this actor's failure.
func (w *Worker) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		w.start()
	case *actor.Stopping, *actor.Restarting:
		if w.cancel != nil {
			w.cancel()
			<-w.ended
		}
	case lost:
		panic(command.err)
	}
}

func (w *Worker) start() {
	from, err := w.Join()
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel, w.ended = cancel, make(chan struct{})
	go func() {
		defer close(w.ended)
		defer from.Close()
		if err := w.work(ctx, from); ctx.Err() == nil {
			w.Inbox.Reply(lost{err})
		}
	}()
}

// work does jobs until the context ends. A panic is an error.
func (w *Worker) work(ctx context.Context, from *queue.Worker) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("runner: a job panics: %v", r)
		}
	}()
	return from.Work(ctx, w.Capability, func(ctx context.Context, data []byte) []byte {
		result, kind, err := Perform(ctx, w.Set, data, func(note []byte) { from.Progress(w.Capability, note) })
		if w.Observe != nil && ctx.Err() == nil {
			w.Observe(kind, err)
		}
		return result
	})
}
