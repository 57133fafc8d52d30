package supervision

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// Config supplies what a tree needs from outside.
type Config struct {
	// Clock defaults to RealClock.
	Clock Clock
	// Scheduler defaults to Goroutines that end with the tree.
	Scheduler Scheduler
	// System defaults to one of the tree's own. Many trees in one process are
	// cheaper on a common one.
	System *actor.ActorSystem
	// Seed feeds the jitter of every group.
	Seed uint64
	// Observe receives every event, on the goroutine where it happened. It must
	// not block and must not call the tree.
	Observe func(Event)
	// Inject, if set, is called before a leaf starts (with *actor.Started) and
	// before it handles a command, and may panic in its place. It exists for fault
	// injection.
	Inject func(subsystem string, command any)
}

// Tree is a declared tree of actors, started at most once.
type Tree struct {
	config      Config
	root        *member
	system      *actor.ActorSystem
	halts       chan Halt
	haltOnce    sync.Once
	spawnOnce   sync.Once
	started     chan struct{}
	startedOnce sync.Once
	stopped     chan struct{}
	cleanup     func() // once, when the tree is down
	stoppedOnce sync.Once
	tokens      atomic.Uint64 // names holds and stops, so that late ones are recognized
}

// ErrHung is wrapped by the error of a Stop that had to give members up.
var ErrHung = errors.New("supervision: some members did not stop in time")

// ErrHalted is wrapped by the error of a Start during which the tree halted.
var ErrHalted = errors.New("supervision: the tree halted")

// New checks spec and builds the tree without starting it. The root must be a
// group.
func New(spec Spec, config Config) (*Tree, error) {
	if !spec.Group() {
		return nil, fmt.Errorf("%w: the root must be a group", ErrSpec)
	}
	if err := spec.Check(); err != nil {
		return nil, err
	}
	if config.Clock == nil {
		config.Clock = RealClock{}
	}
	closeScheduler := func() {}
	if config.Scheduler == nil {
		own := NewGoroutines()
		config.Scheduler, closeScheduler = own, own.Close
	}
	t := &Tree{
		config:  config,
		halts:   make(chan Halt, 1),
		started: make(chan struct{}),
		stopped: make(chan struct{}),
		cleanup: closeScheduler,
	}
	t.root = newMember(t, &spec, nil, 0)
	return t, nil
}

// guardian receives a failure of the root group itself, which only a bug in this
// package can cause. It halts instead of restarting.
type guardian struct{ tree *Tree }

// HandleFailure implements actor.SupervisorStrategy.
func (g *guardian) HandleFailure(_ *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID,
	_ *actor.RestartStatistics, reason, _ any) {
	g.tree.halt(g.tree.root.path, fmt.Sprint(reason))
	supervisor.StopChildren(child)
}

// NewSystem returns an actor system without a log, for Config.System.
func NewSystem() *actor.ActorSystem {
	return actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler)
	}))
}

// Spawn begins to start the tree and returns at once. Started tells when it is up.
func (t *Tree) Spawn() {
	t.spawnOnce.Do(func() {
		if t.system = t.config.System; t.system == nil {
			t.system = NewSystem()
		}
		props := t.root.props().Configure(actor.WithGuardian(&guardian{tree: t}))
		name := t.root.spec.Name + t.system.ProcessRegistry.NextId()
		if _, err := t.system.Root.SpawnNamed(props, name); err != nil {
			panic(fmt.Sprintf("supervision: %s: %v", t.root.path, err))
		}
	})
}

// Start brings the whole tree up. On error everything that was started has been
// stopped again.
func (t *Tree) Start(ctx context.Context) error {
	t.Spawn()
	select {
	case <-t.started:
		return nil
	case <-t.stopped:
	case <-ctx.Done():
		return errors.Join(ctx.Err(), t.Stop(context.WithoutCancel(ctx)))
	}
	select {
	case h := <-t.halts:
		t.halts <- h
		return fmt.Errorf("%w: %s: %s", ErrHalted, h.Subsystem, h.Reason)
	default:
		return ErrHalted
	}
}

// Stop takes the tree down in reverse order and waits for it. Members that do
// not stop within their deadline are left behind and named in the error.
func (t *Tree) Stop(ctx context.Context) error {
	t.Halt()
	select {
	case <-t.stopped:
	case <-ctx.Done():
		return ctx.Err()
	}
	var hung []string
	t.root.each(func(m *member) {
		if m.is(Hung) {
			hung = append(hung, m.path)
		}
	})
	if len(hung) > 0 {
		return fmt.Errorf("%w: %s", ErrHung, strings.Join(hung, ", "))
	}
	return nil
}

// Halt begins an orderly stop and returns at once. Stopped tells when it is done.
func (t *Tree) Halt() {
	t.spawnOnce.Do(func() { t.down() })
	t.root.inbox.Reply(&stopGroup{final: true})
}

func (t *Tree) down() {
	t.stoppedOnce.Do(func() {
		t.cleanup()
		close(t.stopped)
	})
}

// Started is closed when every member came up once.
func (t *Tree) Started() <-chan struct{} { return t.started }

// Stopped is closed when the tree is down.
func (t *Tree) Stopped() <-chan struct{} { return t.stopped }

// Halted delivers the one Halt of a tree whose failures reached the root. The
// tree stops itself in order; whoever receives waits for Stopped.
func (t *Tree) Halted() <-chan Halt { return t.halts }

func (t *Tree) halt(origin, reason string) {
	t.haltOnce.Do(func() {
		h := Halt{At: t.config.Clock.Now(), Subsystem: origin, Reason: reason, Report: t.find(origin).last()}
		t.observe(Event{Kind: EventHalted, Subsystem: origin, Text: reason})
		t.halts <- h
	})
}

func (t *Tree) find(path string) *member {
	found := t.root
	t.root.each(func(m *member) {
		if m.path == path {
			found = m
		}
	})
	return found
}

func (t *Tree) observe(e Event) {
	if t.config.Observe == nil {
		return
	}
	if e.At.IsZero() {
		e.At = t.config.Clock.Now()
	}
	t.config.Observe(e)
}
