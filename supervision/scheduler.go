package supervision

import (
	"fmt"
	"hash/fnv"
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

// Sequence runs every inbox on the caller's goroutine, one message per step.
// Which runnable inbox steps next is drawn from a seed, so a schedule is a
// function of the seed and of the commands sent.
type Sequence struct {
	mu       sync.Mutex
	seed     uint64
	steps    uint64
	digest   uint64
	runnable []*Inbox
}

// NewSequence returns an empty schedule drawn from seed.
func NewSequence(seed uint64) *Sequence {
	return &Sequence{seed: seed}
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
	i := int(mix(s.seed^mix(s.steps)) % uint64(len(s.runnable)))
	in := s.runnable[i]
	s.runnable[i] = s.runnable[len(s.runnable)-1]
	s.runnable = s.runnable[:len(s.runnable)-1]
	s.mu.Unlock()

	message, again := in.step()
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s %T", in.name, message)
	s.mu.Lock()
	s.digest = mix(s.digest ^ h.Sum64())
	if again {
		s.runnable = append(s.runnable, in)
	}
	s.mu.Unlock()
	return true
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
