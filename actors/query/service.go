package query

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// Limits bound what clients may have executed.
type Limits struct {
	Workers  int           // queries and trials at the same time, at least 1; explanations and traces have one worker of their own
	Waiting  int           // further ones that may wait, of either
	Each     int           // of one client, waiting ones included; 0: all
	Within   time.Duration // a query or a trial may take, with its waiting
	Replay   time.Duration // an explanation or a trace may take, with its waiting
	Cycles   unit.Cycles   // of a query that asks for none
	Most     unit.Cycles   // of any query
	Programs int           // bytes of compiled programs that each worker keeps
}

// DefaultLimits leave half of the processors to the chain.
//
// Spec: gateway-payments-streams §B (query cycles 10 M, ceiling 100 M).
func DefaultLimits() Limits {
	return Limits{
		Workers: max(runtime.NumCPU()/2, 1), Waiting: 64, Each: 16, Within: 2 * time.Second, Replay: 10 * time.Second,
		Cycles: 10_000_000, Most: 100_000_000, Programs: 8 << 20,
	}
}

// ErrBusy refuses an execution for which there is no room.
var ErrBusy = errors.New("query: as many executions are under way as may be")

// ErrTime says that an execution's time was over before it was.
var ErrTime = errors.New("query: the time for the execution is over")

// Broken says that the machine failed under an execution. It says nothing about the program.
type Broken struct{ Cause error }

// Error implements error.
func (b *Broken) Error() string { return "query: the execution failed: " + b.Cause.Error() }

// Unwrap gives the cause.
func (b *Broken) Unwrap() error { return b.Cause }

// worker is a host and what it tells.
type worker struct {
	host  *host.Host
	watch *host.Watch
}

// Service executes for clients. Any goroutine may use it.
type Service struct {
	limits    Limits
	queries   *pool // for queries and trials
	historian *pool // for what executes blocks again
	memory    memory
}

// New opens a service.
func New(limits Limits) *Service {
	limits.Workers = max(limits.Workers, 1)
	return &Service{limits: limits, queries: newPool(limits, limits.Workers), historian: newPool(limits, 1)}
}

// Limits are the service's.
func (d *Service) Limits() Limits { return d.limits }

// pool is workers, and the places of those who have them work or wait for one.
type pool struct {
	limits  Limits
	workers chan *worker

	mu     sync.Mutex
	inside int
	of     map[netip.Addr]int // no entry is zero
}

func newPool(limits Limits, workers int) *pool {
	d := &pool{limits: limits, workers: make(chan *worker, workers), of: map[netip.Addr]int{}}
	for range workers {
		d.workers <- d.newWorker()
	}
	return d
}

func (d *pool) newWorker() *worker {
	w := &worker{watch: &host.Watch{}}
	w.host = host.New(host.NewProgramsWithin(d.limits.Programs, nil)).Watch(w.watch)
	return w
}

// enter takes a place for a client, or reports that there is none.
func (d *pool) enter(client netip.Addr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inside >= cap(d.workers)+d.limits.Waiting || d.limits.Each > 0 && d.of[client] >= d.limits.Each {
		return false
	}
	d.inside++
	d.of[client]++
	return true
}

func (d *pool) leave(client netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inside--
	if d.of[client]--; d.of[client] == 0 {
		delete(d.of, client)
	}
}

// interrupt is raised when an execution's time is over or nobody waits for it any more.
type interrupt struct{ raised atomic.Bool }

// Raised implements drain.Interrupt.
func (i *interrupt) Raised() bool { return i.raised.Load() }

// run has a worker do one piece of work in time.
func (d *pool) run(ctx context.Context, client netip.Addr, within time.Duration, work func(w *worker, i drain.Interrupt) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !d.enter(client) {
		return ErrBusy
	}
	defer d.leave(client)
	timed, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var w *worker
	select {
	case w = <-d.workers:
	case <-timed.Done():
		return ended(ctx)
	}
	i := &interrupt{}
	stop := context.AfterFunc(timed, func() { i.raised.Store(true) })
	defer stop()
	err := d.guarded(w, i, work)
	switch {
	case errors.Is(err, drain.ErrInterrupted):
		return ended(ctx)
	case err != nil:
		return &Broken{err}
	}
	return nil
}

// ended is why an execution has no outcome: its client is gone, or its time is over.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return ErrTime
}

// guarded does the work and gives the worker back; one that panicked is replaced.
func (d *pool) guarded(w *worker, i drain.Interrupt, work func(w *worker, i drain.Interrupt) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			w = d.newWorker()
		}
		d.workers <- w
	}()
	return work(w, i)
}
