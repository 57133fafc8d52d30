package supervision

import (
	"fmt"
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// Delivery is what a sender learns about a command.
type Delivery uint8

const (
	// Accepted: the command is in the inbox.
	Accepted Delivery = iota
	// Shed: the inbox is full; the command was dropped and counted.
	Shed
	// Closed: the subsystem has stopped for good; the command was dropped and counted.
	Closed
)

// String returns the delivery in lower case.
func (d Delivery) String() string {
	switch d {
	case Accepted:
		return "accepted"
	case Shed:
		return "shed"
	case Closed:
		return "closed"
	}
	return fmt.Sprintf("delivery(%d)", uint8(d))
}

// Abandoner is implemented by commands whose sender waits for an answer. It is
// called once when the command was accepted but will get none: its handler
// panicked (the effect is then unknown), or its inbox closed before it was
// handled. It must not block.
type Abandoner interface {
	Abandoned(cause error)
}

// Counted is implemented by commands whose sender answers for how often they
// fail. A panic over one is charged to nobody.
type Counted interface{ Counted() }

// Tally is a snapshot of an inbox's counters.
type Tally struct {
	Depth    int    // commands waiting
	Peak     int    // highest depth so far
	Capacity int    // commands that may wait; 0 means unlimited
	Handled  uint64 // commands given to the actor
	Shed     uint64 // commands dropped because the inbox was full
	Dead     uint64 // commands dropped because the inbox was closed
	LastDead string // type of the last dead command
	Closed   bool
}

// Inbox is the bounded mailbox of one actor. It implements actor.Mailbox and
// outlives actor instances: it is made when the tree is declared, accepts
// commands before its actor starts, keeps them over a restart, and closes when
// its subsystem stops for good.
type Inbox struct {
	name      string
	path      string
	hash      uint64 // of the name
	capacity  int
	mu        sync.Mutex
	user      ring
	system    ring
	invoker   actor.MessageInvoker
	scheduler Scheduler
	running   bool // a scheduler has promised to step this inbox
	suspended bool // a failure is being decided, or the instance is stopping
	tally     Tally
}

var _ actor.Mailbox = (*Inbox)(nil)

// NewInbox returns an open inbox in which at most capacity commands wait
// (0 = unlimited, for supervisors' own control traffic only). The name appears
// in traces.
func NewInbox(name string, capacity int) *Inbox {
	return &Inbox{name: name, hash: hashOf(name), capacity: capacity}
}

// Name returns the name given to NewInbox.
func (in *Inbox) Name() string { return in.name }

// Path returns the path of its member in the tree, which no other inbox of the
// tree shares; empty before the tree is made.
func (in *Inbox) Path() string { return in.path }

// Send offers a command.
func (in *Inbox) Send(command any) Delivery {
	return in.offer(command, in.capacity)
}

// Reply delivers the answer to a command the inbox's own actor sent, or a
// deadline it set. It is never shed: the actor bounded the number of answers by
// the number of questions it asked.
func (in *Inbox) Reply(command any) Delivery {
	return in.offer(command, 0)
}

func (in *Inbox) offer(command any, capacity int) Delivery {
	in.mu.Lock()
	if in.tally.Closed {
		in.tally.Dead++
		in.tally.LastDead = typeName(command)
		in.mu.Unlock()
		return Closed
	}
	if capacity > 0 && in.user.n >= capacity {
		in.tally.Shed++
		in.mu.Unlock()
		return Shed
	}
	in.user.push(command)
	in.tally.Peak = max(in.tally.Peak, in.user.n)
	in.wake()
	return Accepted
}

// Tally returns the inbox's counters.
func (in *Inbox) Tally() Tally {
	in.mu.Lock()
	defer in.mu.Unlock()
	t := in.tally
	t.Depth, t.Capacity = in.user.n, in.capacity
	return t
}

// wake is called with the lock held and releases it. It hands the inbox to its
// scheduler if there is something to do and no promise is outstanding.
func (in *Inbox) wake() {
	if in.running || in.invoker == nil || !in.ready() {
		in.mu.Unlock()
		return
	}
	in.running = true
	s := in.scheduler
	in.mu.Unlock()
	s.Schedule(in)
}

func (in *Inbox) ready() bool {
	return in.system.n > 0 || in.user.n > 0 && !in.suspended
}

// Step handles one message, system messages first. It reports whether the
// scheduler must step the inbox again; after false the inbox calls Schedule when
// it has work. Only the scheduler that was handed the inbox may call Step.
func (in *Inbox) Step() (again bool) {
	_, again = in.step(nil)
	return again
}

// step is Step that also returns the message it handled, or nil, and tells it to
// seen before.
func (in *Inbox) step(seen func(*Inbox, any)) (message any, again bool) {
	in.mu.Lock()
	message, system, ok := in.take()
	invoker := in.invoker
	if !ok {
		in.running = false
		in.mu.Unlock()
		return nil, false
	}
	in.mu.Unlock()
	if seen != nil {
		seen(in, message)
	}
	if message != nil {
		deliver(invoker, message, system)
	}
	return message, true
}

// rest ends the scheduler's promise to step the inbox if nothing is left to do,
// and reports whether it did.
func (in *Inbox) rest() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.running = in.ready()
	return !in.running
}

// take pops the next message. A message that only changes the inbox's own state
// is consumed here and returned as nil.
func (in *Inbox) take() (message any, system, ok bool) {
	if message, ok = in.system.pop(); ok {
		switch message.(type) {
		case *actor.SuspendMailbox:
			in.suspended = true
			return nil, true, true
		case *actor.ResumeMailbox:
			in.suspended = false
			return nil, true, true
		case *actor.Stop:
			// A stopped context drops user messages silently; they must wait for the next instance.
			in.suspended = true
		}
		return message, true, true
	}
	if in.suspended {
		return nil, false, false
	}
	if message, ok = in.user.pop(); ok {
		in.tally.Handled++
	}
	return message, false, ok
}

func deliver(invoker actor.MessageInvoker, message any, system bool) {
	defer func() {
		if r := recover(); r != nil {
			invoker.EscalateFailure(r, message)
		}
	}()
	if system {
		invoker.InvokeSystemMessage(message)
	} else {
		invoker.InvokeUserMessage(message)
	}
}

// attach names the scheduler used from the next registration on.
func (in *Inbox) attach(s Scheduler) {
	in.mu.Lock()
	in.scheduler = s
	in.mu.Unlock()
}

// close refuses commands from now on.
func (in *Inbox) close() {
	in.mu.Lock()
	in.tally.Closed = true
	in.mu.Unlock()
}

// discard drops the commands that are still waiting in a closed inbox, counts
// them as dead and tells their senders.
func (in *Inbox) discard(cause error) {
	in.mu.Lock()
	var left []any
	for {
		c, ok := in.user.pop()
		if !ok {
			break
		}
		left = append(left, c)
		in.tally.Dead++
		in.tally.LastDead = typeName(c)
	}
	in.mu.Unlock()
	for _, c := range left {
		abandon(c, cause)
	}
}

// PostUserMessage implements actor.Mailbox for senders inside the framework.
func (in *Inbox) PostUserMessage(message any) {
	in.offer(message, 0)
}

// PostSystemMessage implements actor.Mailbox.
func (in *Inbox) PostSystemMessage(message any) {
	in.mu.Lock()
	in.system.push(message)
	in.wake()
}

// RegisterHandlers implements actor.Mailbox: a new instance takes the inbox
// over. Messages of the framework meant for the former instance are dropped;
// commands are kept. The dispatcher is ignored in favour of the Scheduler.
func (in *Inbox) RegisterHandlers(invoker actor.MessageInvoker, _ actor.Dispatcher) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.scheduler == nil {
		in.scheduler = &Goroutines{}
	}
	in.invoker = invoker
	in.system = ring{}
	in.suspended = false
	in.tally.Closed = false
}

// Start implements actor.Mailbox.
func (in *Inbox) Start() {
	in.mu.Lock()
	in.wake()
}

// UserMessageCount implements actor.Mailbox.
func (in *Inbox) UserMessageCount() int { return in.Tally().Depth }

// abandon tells the sender of a command that it will get no answer.
func abandon(command any, cause error) {
	if a, ok := command.(Abandoner); ok {
		defer func() { _ = recover() }()
		a.Abandoned(cause)
	}
}

func typeName(v any) string { return fmt.Sprintf("%T", v) }
