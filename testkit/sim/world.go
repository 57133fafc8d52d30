package sim

import (
	"container/heap"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/check"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// World is one run.
type World struct {
	plan   Plan
	setup  *setup
	rnd    *rand.Rand
	now    time.Time
	start  time.Time
	agenda agenda
	serial uint64
	trace  hash.Hash64
	events uint64
	chaos  bool

	machines []*machine
	busy     []*life
	severed  map[[2]int]bool
	oaths    []*check.Oath // by rank, of honest validators
	chain    *check.Chain
	clients  []*client
	accused  map[string]int
	crashes  int
	panics   int
}

// item is something that happens at an instant.
type item struct {
	at     time.Time
	serial uint64
	run    func()
}

type agenda []*item

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at.Before(a[j].at) || a[i].at.Equal(a[j].at) && a[i].serial < a[j].serial
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(*item)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// NewWorld is a world in which nothing has happened yet.
func NewWorld(p Plan) (*World, error) {
	s, err := setupOf(p.Validators)
	if err != nil {
		return nil, err
	}
	w := &World{
		plan: p, setup: s, rnd: rand.New(rand.NewPCG(p.Seed, 0x51)), start: time.UnixMilli(genesis.DevnetTimestampMs + 1_000), trace: fnv.New64a(),
		chaos: p.Chaos > 0, severed: map[[2]int]bool{}, chain: s.chain(), accused: map[string]int{},
	}
	w.now = w.start
	for rank := range uint32(p.Validators) {
		kind := p.Faulty[rank]
		w.oaths = append(w.oaths, check.NewOath())
		w.addMachine(int(rank), kind)
		if kind == faulty.Twin {
			w.addMachine(int(rank), kind)
		}
	}
	for range p.Observers {
		w.addMachine(-1, "")
	}
	for i := range p.Clients {
		w.clients = append(w.clients, newClient(w, i))
	}
	for _, m := range w.machines {
		w.after(w.between(0, 300*time.Millisecond), m.boot)
	}
	w.trouble()
	return w, nil
}

func (w *World) after(d time.Duration, run func()) *item {
	w.serial++
	it := &item{w.now.Add(max(d, 0)), w.serial, run}
	heap.Push(&w.agenda, it)
	return it
}

func (w *World) between(lo, hi time.Duration) time.Duration {
	if hi <= lo {
		return lo
	}
	return lo + time.Duration(w.rnd.Int64N(int64(hi-lo)+1))
}

func (w *World) chance(p float64) bool { return p > 0 && w.rnd.Float64() < p }

// Step lets one thing happen: a command is handled, or time passes to the next instant at which something does. It reports false when nothing ever will.
func (w *World) Step() bool {
	w.events++
	if len(w.busy) > 0 && !w.slow() {
		i := w.rnd.IntN(len(w.busy))
		l := w.busy[i]
		if l.over || !l.sequence.Step() {
			l.busy = false
			w.busy[i] = w.busy[len(w.busy)-1]
			w.busy = w.busy[:len(w.busy)-1]
			return true
		}
		l.looked()
		return true
	}
	if len(w.agenda) == 0 {
		return len(w.busy) > 0
	}
	it := heap.Pop(&w.agenda).(*item)
	w.now = it.at
	if it.run != nil {
		it.run()
	}
	return true
}

// slow lets time pass now and then although there is work: machines are not infinitely fast. It reports whether something falls due before the work.
func (w *World) slow() bool {
	if !w.chaos || w.rnd.IntN(20) > 0 {
		return false
	}
	later := w.now.Add(w.between(0, time.Millisecond))
	if len(w.agenda) > 0 && !w.agenda[0].at.After(later) {
		return true
	}
	w.now = later
	return false
}

// RunUntil lets things happen until done, a violation, or a time after the start. It reports whether done.
func (w *World) RunUntil(limit time.Duration, done func() bool) bool {
	end := w.start.Add(limit)
	for n := 0; len(w.chain.Wrong) == 0; n++ {
		if n%16 == 0 && done != nil && done() {
			return true
		}
		if len(w.busy) == 0 && (len(w.agenda) == 0 || w.agenda[0].at.After(end)) || !w.Step() {
			break
		}
		if w.now.After(end) {
			break
		}
	}
	return done != nil && done()
}

// note adds to the trace.
func (w *World) note(machine int, what string, data []byte) {
	var head [16]byte
	binary.BigEndian.PutUint64(head[:], uint64(w.now.Sub(w.start)))
	binary.BigEndian.PutUint64(head[8:], uint64(machine))
	w.trace.Write(head[:])
	w.trace.Write([]byte(what))
	w.trace.Write(data)
}

func (w *World) violation(format string, args ...any) {
	w.chain.Violation("t=%v: %s", w.now.Sub(w.start), fmt.Sprintf(format, args...))
}

// lowest is the least durable height of an honest machine.
func (w *World) lowest() unit.Height {
	low := unit.Height(1 << 60)
	for _, m := range w.machines {
		if m.honest() {
			low = min(low, m.durable)
		}
	}
	return low
}

// Result is what a run came to.
type Result struct {
	Plan    Plan
	Trace   uint64
	Events  uint64
	Blocks  unit.Height
	Virtual time.Duration
	Crashes int
	Panics  int
	Accused map[string]int
	Wrong   []string
}

// String tells a run in one line.
func (r *Result) String() string {
	verdict := "ok"
	if len(r.Wrong) > 0 {
		verdict = "VIOLATION"
	}
	return fmt.Sprintf("%v: %s, trace %016x, %d events, %d blocks in %v, %d crashes, %d panics, evidence %v", r.Plan, verdict, r.Trace, r.Events,
		r.Blocks, r.Virtual.Round(time.Millisecond), r.Crashes, r.Panics, r.Accused)
}

// bound is how long after the network healed every honest machine may need for three more blocks.
const bound = 120 * time.Second

// Run plays a plan to its end: chaos, healing, progress.
func Run(p Plan) (*Result, error) {
	w, err := NewWorld(p)
	if err != nil {
		return nil, err
	}
	w.RunUntil(p.Chaos, nil)
	w.heal()
	target := w.chain.Height() + 3
	if !w.RunUntil(p.Chaos+bound, func() bool { return w.lowest() >= target }) && len(w.chain.Wrong) == 0 {
		w.violation("no progress to height %d within %v: %s", target, bound, w.standings())
	}
	return w.result(), nil
}

func (w *World) result() *Result {
	for _, m := range w.machines {
		if m.life != nil {
			m.life.seal()
		}
	}
	return &Result{
		Plan: w.plan, Trace: w.trace.Sum64(), Events: w.events, Blocks: w.chain.Height(), Virtual: w.now.Sub(w.start), Crashes: w.crashes,
		Panics: w.panics, Accused: w.accused, Wrong: w.chain.Wrong,
	}
}
