package sim

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// ErrPasses is the answer to shrinking a plan in which nothing is wrong.
var ErrPasses = errors.New("sim: nothing is wrong in this run")

// Shrinker looks for the shortest plan that still breaks the same rule.
type Shrinker struct {
	// Run plays a plan, telling options, if it is not nil, every switch from the steady order that could have been made.
	Run func(p Plan, options func(machine string, s Switch)) (*Result, error)
	// Tries is the most runs that are made; what was found by then counts.
	Tries int
	// Tell, if set, is told each step forward.
	Tell func(format string, args ...any)

	rule  string
	tries int
	best  *Result
	err   error
}

// Shrunk is what is left of a plan.
type Shrunk struct {
	Result *Result // of Plan
	Plan   Plan    // with every fault named, in steady order with switches
	Rule   string  // that is broken
	Tries  int     // runs that were made
	// Fewest says that no schedule with fewer switches breaks the rule in the plan's network: every one was tried, of those without pauses.
	Fewest bool
}

// Rule names what a violation is about: the same rule, broken at another time and height, by another machine, has the same name.
func Rule(violation string) string {
	violation, _, _ = strings.Cut(violation, " | ")
	var words []string
	for _, w := range strings.Fields(violation) {
		if !strings.ContainsAny(w, "0123456789") {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// Shrink reduces a failing plan: the time, the machines, the faults, and then the schedule.
func (s *Shrinker) Shrink(p Plan) (*Shrunk, error) {
	r, err := s.Run(p, nil)
	if err != nil {
		return nil, err
	}
	if len(r.Wrong) == 0 {
		return nil, ErrPasses
	}
	s.rule, s.tries, s.best = Rule(r.Wrong[0]), 1, r
	s.tell("%s: %d faults, %d machines", s.rule, len(r.Faults), r.Plan.Validators+r.Plan.Observers)
	s.fails(r.Explicit())
	s.network()
	fewest := false
	if s.record() {
		s.fewer()
		s.late()
		s.network() // with the few switches that matter, more can go
		s.fewer()
		fewest = s.search()
		s.late()
	}
	return &Shrunk{Result: s.best, Plan: s.best.Plan, Rule: s.rule, Tries: s.tries, Fewest: fewest}, s.err
}

// network takes away what is not the schedule, for as long as anything can go, and then ends the run with its violation.
func (s *Shrinker) network() {
	p := s.best.Plan
	p.End = 0
	s.fails(p)
	s.plain()
	for before := -1; before != s.size() && s.more(); {
		before = s.size()
		s.shorten()
		s.thin()
		s.still()
		s.clear()
	}
	s.mend()
	p = s.best.Plan
	p.End = s.best.Virtual
	s.fails(p)
}

// Play is the Run of a Shrinker for production nodes.
func Play(p Plan, options func(machine string, s Switch)) (*Result, error) {
	w, err := NewWorld(p)
	if err != nil {
		return nil, err
	}
	w.offer(options)
	return w.play(), nil
}

// offer lets the options of every machine be told.
func (w *World) offer(options func(machine string, s Switch)) {
	if options == nil {
		return
	}
	for _, m := range w.machines {
		m.pilot.options = func(s Switch) { options(m.name, s) }
	}
}

func (s *Shrinker) tell(format string, args ...any) {
	if s.Tell != nil {
		s.Tell(fmt.Sprintf("%d runs: ", s.tries)+format, args...)
	}
}

func (s *Shrinker) more() bool { return s.tries < s.Tries && s.err == nil }

// size is what there is to take away, beside the schedule.
func (s *Shrinker) size() int {
	p := s.best.Plan
	return p.Validators + p.Observers + p.Clients + p.Joiners + p.Leavers + len(p.Faulty) + len(p.Faults) + int(p.Chaos/time.Millisecond)
}

// fails plays a plan and, if it breaks the rule, goes on from it. Faults that had no effect are left out.
func (s *Shrinker) fails(p Plan) bool {
	if !s.more() {
		return false
	}
	s.tries++
	r, err := s.Run(p, nil)
	if err != nil {
		s.err = err
		return false
	}
	if len(r.Wrong) == 0 || Rule(r.Wrong[0]) != s.rule {
		return false
	}
	r.Plan = r.Explicit()
	s.best = r
	return true
}

// plain has agreement put nothing off.
func (s *Shrinker) plain() {
	p := s.best.Plan
	if p.Timeouts.Settle+p.Timeouts.Leave > 0 {
		p.Timeouts.Settle, p.Timeouts.Leave = 0, 0
		s.fails(p)
	}
}

// shorten ends the chaos earlier.
func (s *Shrinker) shorten() {
	p := s.best.Plan
	if s.best.Virtual < p.Chaos {
		p.Chaos = s.best.Virtual + time.Millisecond
		s.fails(p)
	}
	for step := s.best.Plan.Chaos / 2; step >= 10*time.Millisecond; step /= 2 {
		p = s.best.Plan
		p.Chaos -= step
		s.fails(p)
	}
	s.tell("chaos of %v", s.best.Plan.Chaos)
}

// thin takes machines and clients away.
func (s *Shrinker) thin() {
	for n := 1; n < s.best.Plan.Validators; n++ {
		p := s.best.Plan
		p.Validators, p.Faulty = n, maps.Clone(p.Faulty)
		maps.DeleteFunc(p.Faulty, func(rank uint32, _ string) bool { return int(rank) >= n })
		long := p.onFirst() // fewer may take longer to come as far
		long.Chaos *= 2
		if s.fails(p) || s.fails(p.onFirst()) || s.fails(long) {
			break
		}
	}
	for _, count := range []func(*Plan) *int{
		func(p *Plan) *int { return &p.Observers }, func(p *Plan) *int { return &p.Clients }, func(p *Plan) *int { return &p.Joiners },
		func(p *Plan) *int { return &p.Leavers },
	} {
		for n := range *count(&s.best.Plan) {
			p := s.best.Plan
			if *count(&p) = n; s.fails(p) {
				break
			}
		}
	}
	reduce(s.best.Plan.ranks(), func(left []uint32) bool {
		p := s.best.Plan
		p.Faulty = maps.Clone(p.Faulty)
		maps.DeleteFunc(p.Faulty, func(rank uint32, _ string) bool { return !slices.Contains(left, rank) })
		return s.fails(p)
	})
	p := s.best.Plan
	p.Faults = slices.DeleteFunc(slices.Clone(p.Faults), func(f Fault) bool { return !p.has(f) })
	s.fails(p)
	p = s.best.Plan
	s.tell("%d validators, %d observers, %d clients, faulty %v", p.Validators, p.Observers, p.Clients, p.Faulty)
}

// onFirst is the plan with all switches of its schedule on the first machine.
func (p Plan) onFirst() Plan {
	if list := p.Schedule.flat(); len(list) > 0 {
		p.Schedule.Switches = nil
		for _, x := range list {
			p.Schedule.add("node-0", x.Switch)
		}
	}
	return p
}

// has reports whether the machines a fault is about are there.
func (p Plan) has(f Fault) bool {
	known := map[string]bool{"": true}
	for rank := range p.Validators {
		known[fmt.Sprintf("node-%d", rank)] = true
		known[fmt.Sprintf("twin-%d", rank)] = p.Faulty[uint32(rank)] == faulty.Twin
	}
	for i := range p.Observers {
		known[fmt.Sprintf("observer-%d", i)] = true
	}
	for i := range p.Joiners {
		known[fmt.Sprintf("joiner-%d", i)] = true
	}
	for _, l := range f.Links {
		if !known[l.From] || !known[l.To] {
			return false
		}
	}
	return known[f.Node] && known[f.To]
}

// clear takes faults away.
func (s *Shrinker) clear() {
	reduce(s.best.Plan.Faults, func(left []Fault) bool {
		p := s.best.Plan
		p.Faults = left
		return s.fails(p)
	})
	s.tell("%d faults", len(s.best.Plan.Faults))
}

// mend takes links away from faults that cut several.
func (s *Shrinker) mend() {
	for i := range s.best.Plan.Faults {
		if i >= len(s.best.Plan.Faults) || len(s.best.Plan.Faults[i].Links) < 2 {
			continue
		}
		reduce(s.best.Plan.Faults[i].Links, func(left []Direction) bool {
			p := s.best.Plan
			if i >= len(p.Faults) || len(left) == 0 {
				return false
			}
			p.Faults = slices.Clone(p.Faults)
			p.Faults[i].Links = left
			return s.fails(p)
		})
	}
}

// still takes out what varies without need: the order of commands, if it does not matter, and the latency of frames.
func (s *Shrinker) still() {
	p := s.best.Plan
	if p.Schedule.Order != Steady {
		p.Schedule = Schedule{Order: Steady}
		s.fails(p)
	}
	p = s.best.Plan
	if p.Delay[0] != p.Delay[1] {
		p.Delay[1] = p.Delay[0]
		s.fails(p)
	}
}

// placed is a switch of a machine.
type placed struct {
	machine string
	Switch
}

// flat lists the switches of a schedule.
func (s Schedule) flat() (list []placed) {
	for _, name := range s.machines() {
		for _, x := range s.Switches[name] {
			list = append(list, placed{name, x})
		}
	}
	return list
}

// steady is the schedule with these switches and no others.
func steady(list []placed) Schedule {
	s := Schedule{Order: Steady}
	for _, x := range list {
		s.add(x.machine, x.Switch)
	}
	return s
}

// record names the choices of the schedule. It reports false if that changes the run, which no run does whose draws are its own.
func (s *Shrinker) record() bool {
	return s.best.Plan.Schedule.Order == Steady || s.fails(s.best.Recorded())
}

// search looks for a schedule with fewer switches, and reports whether it is certain that there is none.
func (s *Shrinker) search() (fewest bool) {
	fewest = true
	for n := 0; n < len(s.switches()); n++ {
		found, none := s.seek(n)
		if found {
			s.fewer()
			break
		}
		fewest = fewest && none
	}
	s.tell("%d switches", len(s.switches()))
	return fewest
}

// late lets every switch come as late as it may, so that what is left does not depend on how it was found.
func (s *Shrinker) late() {
	for i := len(s.switches()) - 1; i >= 0; i-- {
		list := s.switches()
		x, p := list[i], s.best.Plan
		if x.Run == "" {
			continue
		}
		p.Schedule = steady(slices.Delete(slices.Clone(list), i, i+1))
		options := s.options(p)
		for j := len(options) - 1; j >= 0 && options[j] != x; j-- {
			if options[j].machine != x.machine || options[j].Run != x.Run {
				continue
			}
			list[i] = options[j]
			p.Schedule = steady(list)
			if s.fails(p) {
				break
			}
		}
	}
}

func (s *Shrinker) switches() []placed { return s.best.Plan.Schedule.flat() }

func (s *Shrinker) fewer() {
	reduce(s.switches(), func(left []placed) bool {
		p := s.best.Plan
		p.Schedule = steady(left)
		return s.fails(p)
	})
}

// seek looks for a schedule of n switches, and goes on from it if it is found. Switches to subsystems that the present schedule switches to are tried
// first: all of them if that is not too much, else at random. none says that there is no such schedule: that can be known of no switch and of one.
func (s *Shrinker) seek(n int) (found, none bool) {
	p := s.best.Plan
	p.Schedule = Schedule{Order: Steady}
	if n == 0 {
		return s.fails(p), s.more()
	}
	wanted := map[string]bool{}
	for _, x := range s.switches() {
		wanted[x.Run] = true
	}
	var near, far []placed
	for _, x := range s.options(p) {
		if wanted[x.Run] {
			near = append(near, x)
		} else {
			far = append(far, x)
		}
	}
	fails := func(list []placed) bool {
		p.Schedule = steady(list)
		return s.fails(p)
	}
	if n == 1 {
		return choose(append(near, far...), 1, fails), s.more()
	}
	if combinations(len(near), n) <= float64(s.Tries-s.tries)/2 {
		return choose(near, n, fails), false
	}
	r := rand.New(rand.NewPCG(p.Seed, uint64(n)))
	for range (s.Tries - s.tries) / 4 {
		picked := r.Perm(len(near))[:n]
		slices.Sort(picked)
		var list []placed
		for _, i := range picked {
			list = append(list, near[i])
		}
		if fails(list) {
			return true, false
		}
	}
	return false, false
}

// choose tries every n of the items, in their order, until one choice is taken.
func choose[T any](items []T, n int, take func([]T) bool) bool {
	var try func(chosen []T, rest []T) bool
	try = func(chosen, rest []T) bool {
		if len(chosen) == n {
			return take(slices.Clone(chosen))
		}
		for i := range rest {
			if try(append(chosen, rest[i]), rest[i+1:]) {
				return true
			}
		}
		return false
	}
	return try(nil, items)
}

// combinations is how many choices there are.
func combinations(items, n int) float64 {
	c := 1.0
	for i := range n {
		c *= float64(items-i) / float64(i+1)
	}
	return c
}

// options lists the switches that a run of the plan could make.
func (s *Shrinker) options(p Plan) (list []placed) {
	s.tries++
	if _, err := s.Run(p, func(machine string, x Switch) { list = append(list, placed{machine, x}) }); err != nil {
		s.err = err
	}
	return list
}
