package supervision

import (
	"hash/fnv"
	"reflect"
	"runtime"
	"sync"
)

// Scheduler decides when and where an inbox runs. Schedule is called once each
// time an inbox becomes runnable; the scheduler must then call Step until it
// returns false, never from two goroutines at a time.
type Scheduler interface {
	Schedule(in *Inbox)
}

// Goroutines runs each runnable inbox on a goroutine of its own until it is
// empty. Goroutines that have run dry are kept for the next inbox: a fresh one
// would spend more time growing its stack than handling a command. There are
// never more of them than inboxes. The zero value keeps none.
type Goroutines struct {
	next   chan *Inbox // received by idle goroutines; nil ends one
	mu     sync.Mutex
	live   int // goroutines that wait on next when idle
	closed bool
}

// NewGoroutines returns a scheduler whose goroutines live until Close.
func NewGoroutines() *Goroutines {
	return &Goroutines{next: make(chan *Inbox)}
}

// Close lets the goroutines end as they run dry. The scheduler keeps working
// without them.
func (g *Goroutines) Close() {
	g.mu.Lock()
	n := g.live
	g.live, g.closed = 0, true
	g.mu.Unlock()
	go func() {
		for range n {
			g.next <- nil
		}
	}()
}

// yieldEvery is how many messages an inbox handles before it lets others run.
const yieldEvery = 256

// Schedule implements Scheduler.
func (g *Goroutines) Schedule(in *Inbox) {
	select {
	case g.next <- in:
	default:
		g.spawn(in)
	}
}

func (g *Goroutines) spawn(in *Inbox) {
	g.mu.Lock()
	keep := g.next != nil && !g.closed
	if keep {
		g.live++
	}
	g.mu.Unlock()
	if keep {
		go g.work(in)
	} else {
		go run(in)
	}
}

func (g *Goroutines) work(in *Inbox) {
	for in != nil {
		run(in)
		in = <-g.next
	}
}

func run(in *Inbox) {
	for n := 1; in.Step(); n++ {
		if n%yieldEvery == 0 {
			runtime.Gosched()
		}
	}
}

// Order decides which of several runnable inboxes of a Sequence steps next.
type Order interface {
	// Next gives the index of the one to step. The inbox that stepped last comes
	// first if it is still runnable, then the others in the order in which they
	// became so; there is at least one.
	Next(runnable []*Inbox) int
}

// Sequence runs every inbox on the caller's goroutine, one message per step.
// Its Order says which runnable inbox steps next, so a schedule is a function of
// the order and of the commands sent.
type Sequence struct {
	mu       sync.Mutex
	order    Order
	seen     func(in *Inbox, message any)
	steps    uint64
	digest   uint64
	runnable []*Inbox
	names    map[reflect.Type]uint64
}

// NewSequence returns an empty schedule whose order is drawn from seed.
func NewSequence(seed uint64) *Sequence { return NewOrdered(&drawn{seed: seed}, nil) }

// NewOrdered returns an empty schedule in the given order. seen, if set, is told
// every message before its actor handles it; nil stands for a message that only
// concerned the inbox itself.
func NewOrdered(order Order, seen func(in *Inbox, message any)) *Sequence {
	return &Sequence{order: order, seen: seen, names: map[reflect.Type]uint64{}}
}

// drawn is an order that depends on a seed and the number of the step.
type drawn struct{ seed, steps uint64 }

// Next implements Order.
func (d *drawn) Next(runnable []*Inbox) int {
	d.steps++
	return int(mix(d.seed^mix(d.steps)) % uint64(len(runnable)))
}

// Schedule implements Scheduler.
func (s *Sequence) Schedule(in *Inbox) {
	s.mu.Lock()
	s.runnable = append(s.runnable, in)
	s.mu.Unlock()
}

// Step lets one inbox handle one message. It reports false when none is
// runnable.
func (s *Sequence) Step() bool {
	s.mu.Lock()
	if len(s.runnable) == 0 {
		s.mu.Unlock()
		return false
	}
	s.steps++
	if i := s.order.Next(s.runnable); i > 0 {
		in := s.runnable[i]
		copy(s.runnable[1:i+1], s.runnable[:i])
		s.runnable[0] = in
	}
	in := s.runnable[0]
	s.mu.Unlock()

	message, again := in.step(s.seen)
	s.mu.Lock()
	s.digest = mix(s.digest ^ in.hash ^ s.typeHash(message))
	s.mu.Unlock()
	if again && !in.rest() {
		return true
	}
	s.mu.Lock() // it is still the first: others only join at the end
	s.runnable = append(s.runnable[:0], s.runnable[1:]...)
	s.mu.Unlock()
	return true
}

// typeHash is a digest of the name of a message's type.
func (s *Sequence) typeHash(message any) uint64 {
	t := reflect.TypeOf(message)
	h, known := s.names[t]
	if !known {
		h = hashOf(typeName(message))
		s.names[t] = h
	}
	return mix(h)
}

// hashOf is a digest of a name that is the same in every process.
func hashOf(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}

// Run steps until nothing is runnable or limit steps were made, and returns the
// number of steps.
func (s *Sequence) Run(limit int) int {
	for n := range limit {
		if !s.Step() {
			return n
		}
	}
	return limit
}

// Front is the inbox an Order is shown first at the next step; nil when nothing
// is runnable.
func (s *Sequence) Front() *Inbox {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.runnable) == 0 {
		return nil
	}
	return s.runnable[0]
}

// Trace returns a digest over the inbox and the message type of every step:
// equal digests mean equal schedules.
func (s *Sequence) Trace() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.digest
}

// Steps returns how many steps were made.
func (s *Sequence) Steps() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.steps
}
