package sim

import (
	"math"
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
	// random steps. Whatever goes wrong in a machine when Depth particular commands are handled in one particular order is found by a run with
	// probability 1/(n·k^(Depth-1)) at least, for n subsystems and k steps.
	PCT Order = "pct"
)

// Schedule says who comes next. Machines reach each other through the network alone, so each has a schedule of its own.
type Schedule struct {
	Order    Order
	Depth    int                 // of PCT
	Steps    int                 // over which PCT spreads its changes, from the first
	Switches map[string][]Switch // of Steady: by machine, ascending
}

// Switch is one exception from the steady order of a machine.
type Switch struct {
	Step  uint64        // of the machine, from 1, over all its lives
	Pick  int           // which of the runnable inboxes steps, 0 being the steady one
	Pause time.Duration // before it does
}

// stalls is one over the chance that a machine with work pauses before a step, for up to a millisecond.
const stalls = 20

// pilot makes the choices of one machine, and keeps them as switches.
type pilot struct {
	m       *machine
	plan    *Schedule
	steps   uint64 // made
	paused  uint64 // the step before which the machine paused last
	ahead   []Switch
	kept    []Switch
	ranks   map[string]uint64 // of PCT
	changes map[uint64]uint64 // of PCT: rank by step
}

func newPilot(m *machine, plan *Schedule) *pilot {
	p := &pilot{m: m, plan: plan, ahead: plan.Switches[m.name]}
	if plan.Order == PCT {
		p.ranks, p.changes = map[string]uint64{}, map[uint64]uint64{}
		for i := uint64(1); i < uint64(plan.Depth) && plan.Steps > 0; i++ {
			p.changes[1+m.w.draw(drawSchedule, m.id, 1, i)%uint64(plan.Steps)] = i
		}
	}
	return p
}

// pause is how long the machine waits before its next step.
func (p *pilot) pause() time.Duration {
	step, w := p.steps+1, p.m.w
	if p.paused == step || !w.chaos {
		return 0
	}
	var d time.Duration
	switch p.plan.Order {
	case Steady:
		if s := p.next(step); s != nil {
			d = s.Pause
		}
	case Drawn:
		if x := w.draw(drawSchedule, p.m.id, 2, step); x%stalls == 0 {
			d = time.Duration(x/stalls%1_001) * time.Microsecond
		}
	}
	if d > 0 {
		p.paused = step
		p.kept = append(p.kept, Switch{Step: step, Pause: d})
	}
	return d
}

// next is the exception from the steady order at a step, or nil.
func (p *pilot) next(step uint64) *Switch {
	for len(p.ahead) > 0 && p.ahead[0].Step < step {
		p.ahead = p.ahead[1:]
	}
	if len(p.ahead) > 0 && p.ahead[0].Step == step {
		return &p.ahead[0]
	}
	return nil
}

// Next implements supervision.Order.
func (p *pilot) Next(runnable []*supervision.Inbox) int {
	p.steps++
	pick := 0
	switch p.plan.Order {
	case Steady:
		if s := p.next(p.steps); s != nil && s.Pick < len(runnable) {
			pick = s.Pick
		}
	case Drawn:
		pick = int(p.m.w.draw(drawSchedule, p.m.id, 3, p.steps) % uint64(len(runnable)))
	case PCT:
		pick = p.highest(runnable)
		if rank, change := p.changes[p.steps]; change {
			p.ranks[runnable[pick].Name()] = rank
			pick = p.highest(runnable)
		}
	}
	if pick > 0 {
		if n := len(p.kept); n > 0 && p.kept[n-1].Step == p.steps {
			p.kept[n-1].Pick = pick
		} else {
			p.kept = append(p.kept, Switch{Step: p.steps, Pick: pick})
		}
		p.m.w.tell("%s switches to %s", p.m.name, runnable[pick].Name())
	}
	return pick
}

// highest is the runnable inbox of the highest priority. Ranks that changes give are below all that are drawn.
func (p *pilot) highest(runnable []*supervision.Inbox) (best int) {
	top := uint64(0)
	for i, in := range runnable {
		rank, known := p.ranks[in.Name()]
		if !known {
			rank = p.m.w.draw(drawSchedule, p.m.id, 4, named(in.Name())) | 1<<63
			p.ranks[in.Name()] = rank
		}
		if i == 0 || rank > top {
			best, top = i, rank
		}
	}
	return best
}

// Bound says what one run of a network in PCT order is worth: whatever takes Depth ordered commands among the first Steps commands of one machine, which
// has that many Subsystems, is found with probability Chance at least.
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
		b.Subsystems = max(b.Subsystems, len(m.pilot.ranks))
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
