package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/cowboyinc/cowboy-go/testkit/sim"
)

// tellRun prints what happens in a run.
func (o *options) tellRun(name string) (ok bool, err error) {
	p, err := o.planOf(name)
	if err != nil {
		return false, err
	}
	r, err := sim.Tell(p, os.Stdout)
	if err != nil {
		return false, err
	}
	fmt.Println(r)
	return len(r.Wrong) == 0, nil
}

// recordRun prints a run as a plan.
func (o *options) recordRun(name string) (ok bool, err error) {
	p, err := o.planOf(name)
	if err != nil {
		return false, err
	}
	r, err := sim.Run(p)
	if err != nil {
		return false, err
	}
	fmt.Printf("# %v\n%s", r, r.Recorded().Text())
	return len(r.Wrong) == 0, nil
}

// playPlan plays a plan twice.
func (o *options) playPlan(name string) (ok bool, err error) {
	p, err := o.planOf(name)
	if err != nil {
		return false, err
	}
	t := &tally{verbose: true}
	if err := t.run(p); err != nil {
		return false, err
	}
	return len(t.bad) == 0, nil
}

// told is how much of the end of a run is printed with a plan that was reduced.
const told = 60

// shrinkRun prints the shortest plan that breaks the same rule, and as remarks the end of its run.
func (o *options) shrinkRun(name string) (ok bool, err error) {
	p, err := o.planOf(name)
	if err != nil {
		return false, err
	}
	s := &sim.Shrinker{Run: sim.Play, Tries: o.tries, Tell: func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	}}
	small, err := s.Shrink(p)
	if err != nil {
		return false, err
	}
	fmt.Printf("# %s\n# trace %016x, after %d runs", small.Result.Wrong[0], small.Result.Trace, small.Tries)
	if small.Fewest {
		fmt.Print("; no schedule with fewer switches breaks the rule")
	}
	fmt.Printf("\n%s", small.Plan.Text())
	var story bytes.Buffer
	r, err := sim.Tell(small.Plan, &story)
	if err != nil {
		return false, err
	}
	lines := strings.Split(strings.TrimSpace(story.String()), "\n")
	fmt.Printf("# The last of %d lines, as -tell prints them:\n", len(lines))
	for _, line := range lines[max(0, len(lines)-told):] {
		fmt.Println("# " + line)
	}
	for _, v := range r.Wrong {
		fmt.Println("# " + v)
	}
	return false, nil
}
