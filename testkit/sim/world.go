package sim

import (
	"container/heap"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/supervision"
	"github.com/cowboyinc/cowboy-go/testkit/check"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// World is one run.
type World struct {
	plan    Plan
	setup   *setup
	system  *actor.ActorSystem
	now     time.Time
	start   time.Time
	agenda  agenda
	serial  uint64
	trace   hash.Hash64
	events  uint64
	chaos   bool
	planned map[spot]Fault

	machines []*machine
	joiners  []*machine // of machines
	busy     []*life    // first in, first out; machines with work that do not pause
	frames   map[[2]int]uint64
	severed  map[[2]int]int
	signed   []*check.Signed // by rank, of honest validators
	chain    *check.Chain
	clients  []*client
	faults   []Fault // that took effect
	accused  map[string]int
	offences map[*machine]offence // of offenders, since the network healed
	guilty   map[*machine]bool    // evidence against them held in court
	crashes  int
	panics   int

	listener func(line string)
	// plant adds members to the intake group of every node. Tests put subsystems of their own there.
	plant func(*node.Node) []supervision.Spec
	// breaks, if set, says which turns break the machine of whoever runs them.
	breaks func(*drain.Turn) bool
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
	s, err := setupOf(p)
	if err != nil {
		return nil, err
	}
	w := &World{
		plan: p, setup: s, system: supervision.NewSystem(), start: time.UnixMilli(genesis.DevnetTimestampMs + 1_000), trace: fnv.New64a(),
		chaos: p.Chaos > 0, frames: map[[2]int]uint64{}, severed: map[[2]int]int{}, chain: s.chain(), accused: map[string]int{},
		offences: map[*machine]offence{}, guilty: map[*machine]bool{},
	}
	w.now = w.start
	for rank := range p.Validators {
		kind := p.Faulty[uint32(rank)]
		w.signed = append(w.signed, check.NewSigned())
		w.addMachine(fmt.Sprintf("node-%d", rank), rank, kind)
		if kind == faulty.Twin {
			w.addMachine(fmt.Sprintf("twin-%d", rank), rank, kind)
		}
	}
	for i := range p.Observers {
		w.addMachine(fmt.Sprintf("observer-%d", i), -1, "")
	}
	if err := w.addJoiners(); err != nil {
		return nil, err
	}
	w.migrate()
	for i := range p.Clients {
		w.clients = append(w.clients, newClient(w, i))
	}
	w.expect()
	for _, m := range w.machines {
		w.after(w.between(0, 300*time.Millisecond, drawBoot, m.id), m.boot)
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

// work lets one command be handled, or one machine pause. It reports false when no machine has work.
func (w *World) work() bool {
	for len(w.busy) > 0 {
		l := w.busy[0]
		front := l.sequence.Front()
		if l.over || front == nil {
			l.busy = false
			w.busy = append(w.busy[:0], w.busy[1:]...)
			continue
		}
		w.events++
		if d := l.m.pilot.pause(front); d > 0 {
			w.busy = append(w.busy[:0], w.busy[1:]...)
			w.after(d, func() { w.busy = append(w.busy, l) })
			return true
		}
		l.sequence.Step()
		l.looked()
		return true
	}
	return false
}

// pass lets time pass to the next instant at which something happens, and lets it happen. It reports false when there is none before the end.
func (w *World) pass(end time.Time) bool {
	if len(w.agenda) == 0 || w.agenda[0].at.After(end) {
		w.now = end
		return false
	}
	it := heap.Pop(&w.agenda).(*item)
	w.now = it.at
	if it.run != nil {
		w.events++
		it.run()
	}
	return true
}

// RunUntil lets things happen until done, a violation, or a time after the start. It reports whether done.
func (w *World) RunUntil(limit time.Duration, done func() bool) bool {
	end := w.start.Add(limit)
	for len(w.chain.Wrong) == 0 {
		if w.work() {
			continue
		}
		if done != nil && done() {
			return true
		}
		if !w.pass(end) {
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
	// Convicted are the kinds of offenders that evidence was brought against, on chain where signatures are real.
	Convicted []string
	Wrong     []string
	// Faults are those that took effect, and Schedule the choices that were made: Recorded puts both into a plan.
	Faults   []Fault
	Schedule Schedule
	// Bound is what the run was worth as a search, if its order was PCT.
	Bound *Bound
}

// String tells a run in one line.
func (r *Result) String() string {
	verdict := "ok"
	if len(r.Wrong) > 0 {
		verdict = "VIOLATION"
	}
	return fmt.Sprintf("%v: %s, trace %016x, %d events, %d blocks in %v, %d crashes, %d panics, evidence %v, convicted %v", r.Plan, verdict, r.Trace, r.Events,
		r.Blocks, r.Virtual.Round(time.Millisecond), r.Crashes, r.Panics, r.Accused, r.Convicted)
}

// bound is how long after the network healed every honest machine may need for three more blocks: twenty certification deadlines of the drawn
// plans, of which most need none.
const bound = 30 * time.Second

// Run plays a plan to its end: chaos, healing, progress.
func Run(p Plan) (*Result, error) {
	w, err := NewWorld(p)
	if err != nil {
		return nil, err
	}
	return w.play(), nil
}

func (w *World) play() *Result {
	if end := w.plan.End; end > 0 && end <= w.plan.Chaos {
		w.RunUntil(end, nil)
		return w.result()
	}
	w.RunUntil(w.plan.Chaos, nil)
	w.heal()
	if w.plan.End > 0 {
		w.RunUntil(w.plan.End, nil)
		return w.result()
	}
	target := w.chain.Height() + 3
	if !w.RunUntil(w.plan.Chaos+bound, func() bool { return w.lowest() >= target }) && len(w.chain.Wrong) == 0 {
		w.violation("no progress to height %d within %v | %s", target, bound, w.standings())
	}
	w.try()
	return w.result()
}

func (w *World) result() *Result {
	w.acquit()
	for _, m := range w.machines {
		if m.life != nil {
			m.life.seal()
		}
	}
	return &Result{
		Plan: w.plan, Trace: w.trace.Sum64(), Events: w.events, Blocks: w.chain.Height(), Virtual: w.now.Sub(w.start), Crashes: w.crashes,
		Panics: w.panics, Accused: w.accused, Convicted: w.convicted(), Wrong: w.chain.Wrong, Faults: w.faults, Schedule: w.recorded(), Bound: w.bound(),
	}
}
