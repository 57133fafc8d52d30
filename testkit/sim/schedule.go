package sim

import (
	"math"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// Order is the way in which the commands of one machine's subsystems take turns.
type Order string

const (
	// Drawn draws every choice from the seed, and pauses a machine now and then although it has work: machines are not infinitely fast.
	Drawn Order = ""
	// Steady lets a subsystem go on until its inbox is empty, and then the one that has waited longest. Schedule.Switches are the exceptions.
	Steady Order = "steady"
	// PCT gives every subsystem of a machine a random priority, runs the highest, and lowers the priority of whoever is about to run at Depth-1
	// random steps. Whatever goes wrong in a machine whenever Depth pairs of commands are each handled in one particular order is found by a run with
	// probability 1/(n·k^(Depth-1)) at least, for n subsystems and k steps.
	PCT Order = "pct"
)

// Schedule says who comes next. Machines reach each other through the network alone, so each has a schedule of its own.
type Schedule struct {
	Order    Order
	Depth    int                 // of PCT
	Steps    int                 // over which PCT spreads its changes, from the first
	Switches map[string][]Switch // of Steady: by machine
}

// Switch is one exception from the steady order of a machine: when it would be the turn of subsystem Front to handle its N-th message, counted from 1 and
// over all lives of the machine, Run goes first, or the machine pauses. Several for one message apply one after the other.
type Switch struct {
	Front string
	N     uint64
	Run   string        // empty: pause
	Pause time.Duration // 0: run
}

// stalls is one over the chance that a machine with work pauses before a message, for up to a millisecond.
const stalls = 20

// lane is one subsystem's inbox over all lives of its machine.
type lane struct {
	name    string
	id      uint64 // of the name, for draws
	handled uint64
	asked   uint64   // choices made while its next message was the next
	paused  bool     // the machine paused before its next message
	ahead   []Switch // planned, in order
	rank    uint64   // of PCT
}

// pilot makes the choices of one machine, and keeps them as switches.
type pilot struct {
	m       *machine
	plan    *Schedule
	steps   uint64
	lanes   map[string]*lane
	of      map[*supervision.Inbox]*lane // of this life
	kept    []Switch
	changes map[uint64]uint64 // of PCT: rank by step
	options func(Switch)      // told every switch that could have been made
}

func newPilot(m *machine, plan *Schedule) *pilot {
	p := &pilot{m: m, plan: plan, lanes: map[string]*lane{}, of: map[*supervision.Inbox]*lane{}}
	if plan.Order == PCT {
		p.changes = map[uint64]uint64{}
		for i := uint64(1); i < uint64(plan.Depth) && plan.Steps > 0; i++ {
			p.changes[1+m.w.draw(drawSchedule, m.id, 1, i)%uint64(plan.Steps)] = i
		}
	}
	for _, s := range plan.Switches[m.name] {
		l := p.laneOf(s.Front)
		l.ahead = append(l.ahead, s)
	}
	return p
}

// boot forgets the inboxes of the former life.
func (p *pilot) boot() { clear(p.of) }

// laneOf finds or makes the lane of a subsystem.
func (p *pilot) laneOf(name string) *lane {
	l := p.lanes[name]
	if l == nil {
		l = &lane{name: name, id: keyOf(name)}
		l.rank = p.m.w.draw(drawSchedule, p.m.id, 4, l.id) | 1<<63
		p.lanes[name] = l
	}
	return l
}

func (p *pilot) lane(in *supervision.Inbox) *lane {
	l := p.of[in]
	if l == nil {
		l = p.laneOf(strings.TrimPrefix(in.Path(), "node/"))
		p.of[in] = l
	}
	return l
}

// pause is how long the machine waits before the inbox in front steps.
func (p *pilot) pause(front *supervision.Inbox) (d time.Duration) {
	l, w := p.lane(front), p.m.w
	if l.paused || !w.chaos {
		return 0
	}
	switch p.plan.Order {
	case Steady:
		if s := l.next(); s != nil && s.Pause > 0 {
			d = s.Pause
			l.ahead = l.ahead[1:]
		}
	case Drawn:
		if x := w.draw(drawSchedule, p.m.id, 2, l.id, l.handled); x%stalls == 0 {
			d = time.Duration(x/stalls%1_001) * time.Microsecond
		}
	}
	if d > 0 {
		l.paused = true
		p.keep(Switch{Front: l.name, N: l.handled + 1, Pause: d})
	}
	return d
}

// next is the planned switch at the lane's next message, or nil.
func (l *lane) next() *Switch {
	for len(l.ahead) > 0 && l.ahead[0].N <= l.handled {
		l.ahead = l.ahead[1:]
	}
	if len(l.ahead) > 0 && l.ahead[0].N == l.handled+1 {
		return &l.ahead[0]
	}
	return nil
}

// Next implements supervision.Order.
func (p *pilot) Next(runnable []*supervision.Inbox) int {
	p.steps++
	front := p.lane(runnable[0])
	pick := p.choose(front, runnable)
	if p.options != nil {
		for _, in := range runnable[1:] {
			p.options(Switch{Front: front.name, N: front.handled + 1, Run: p.lane(in).name})
		}
	}
	l := front
	if pick > 0 {
		l = p.lane(runnable[pick])
		p.keep(Switch{Front: front.name, N: front.handled + 1, Run: l.name})
	}
	front.asked++
	l.handled++
	l.asked, l.paused = 0, false
	return pick
}

func (p *pilot) choose(front *lane, runnable []*supervision.Inbox) int {
	switch p.plan.Order {
	case Steady:
		return p.planned(front, runnable)
	case Drawn:
		return int(p.m.w.draw(drawSchedule, p.m.id, 3, front.id, front.handled, front.asked) % uint64(len(runnable)))
	}
	pick := p.highest(runnable)
	if rank, change := p.changes[p.steps]; change {
		p.lane(runnable[pick]).rank = rank
		pick = p.highest(runnable)
	}
	return pick
}

// planned is the index of whom the next switch names. One that names nobody who is runnable is passed over.
func (p *pilot) planned(front *lane, runnable []*supervision.Inbox) int {
	for s := front.next(); s != nil; s = front.next() {
		front.ahead = front.ahead[1:]
		for i, in := range runnable {
			if i > 0 && p.lane(in).name == s.Run {
				return i
			}
		}
	}
	return 0
}

// keep notes a choice that is not the steady one.
func (p *pilot) keep(s Switch) {
	p.kept = append(p.kept, s)
	if p.m.w.listener == nil {
		return
	}
	if s.Run == "" {
		p.m.w.tell("%s ** pauses %v before %s handles its message %d", p.m.name, s.Pause, s.Front, s.N)
	} else {
		p.m.w.tell("%s ** %s goes before %s handles its message %d", p.m.name, s.Run, s.Front, s.N)
	}
}

// highest is the runnable inbox of the highest priority. Ranks that changes give are below all that are drawn.
func (p *pilot) highest(runnable []*supervision.Inbox) (best int) {
	for i, in := range runnable {
		if p.lane(in).rank > p.lane(runnable[best]).rank {
			best = i
		}
	}
	return best
}

// Bound says what one run of a network in PCT order is worth: whatever takes Depth pairs of commands in one particular order, among the first Steps
// commands of a machine that has that many Subsystems, is found with probability Chance at least.
type Bound struct {
	Depth, Subsystems, Steps int
	Chance                   float64
}

// bound is that of the machine with the most subsystems; nil in other orders.
func (w *World) bound() *Bound {
	s := w.plan.Schedule
	if s.Order != PCT {
		return nil
	}
	b := &Bound{Depth: max(s.Depth, 1), Steps: s.Steps}
	for _, m := range w.machines {
		b.Subsystems = max(b.Subsystems, len(m.pilot.lanes))
	}
	b.Chance = 1 / (float64(b.Subsystems) * math.Pow(float64(b.Steps), float64(b.Depth-1)))
	return b
}

// recorded is the schedule of the run so far, as exceptions from the steady one.
func (w *World) recorded() Schedule {
	s := Schedule{Order: Steady, Switches: map[string][]Switch{}}
	for _, m := range w.machines {
		if len(m.pilot.kept) > 0 {
			s.Switches[m.name] = m.pilot.kept
		}
	}
	return s
}
