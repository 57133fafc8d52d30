package fairness

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Found is a case and what it cost, in nanoseconds a cycle of the reference machine.
type Found struct {
	Family, Name string
	PerCycle     float64
	Sample       Sample
	Expr, Mode   string // of native calls
	Ending       string // type of the result or the exception
	Source       string // of programs
}

// Hunt looks for cases with much time a cycle.
type Hunt struct {
	Reference Reference
	Seed      uint64
	Most      int // of the worst, how many
	Log       io.Writer
	Only      *regexp.Regexp // names of the turns, statements and uses to measure; nil: all

	worst    map[string]Found // by family and function
	tried    map[string]int
	ordinary []Found // programs of the corpus
}

// suspicious is the time a cycle above which a case is measured again, in nanoseconds of the reference machine.
const suspicious = 5.0

// count counts what was tried.
func (h *Hunt) count(family string) {
	if h.tried == nil {
		h.tried = map[string]int{}
	}
	h.tried[family]++
}

// ends notes an ordinary program, for the two ends of the price list.
func (h *Hunt) ends(f Found) { h.ordinary = append(h.ordinary, f) }

// note keeps a case if it is the dearest of its kind.
func (h *Hunt) note(key string, f Found) {
	if h.worst == nil {
		h.worst = map[string]Found{}
	}
	if old, ok := h.worst[key]; !ok || f.PerCycle > old.PerCycle {
		h.worst[key] = f
	}
}

// Worst returns the dearest cases, each function once.
func (h *Hunt) Worst() []Found {
	var out []Found
	for _, f := range h.worst { // order-free: sorted below
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.PerCycle, a.PerCycle), cmp.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), h.Most)]
}

// Natives tries native calls until the time is over.
func (h *Hunt) Natives(until time.Time) error {
	n, err := NewNatives(h.Seed)
	if err != nil {
		return err
	}
	fmt.Fprintf(h.Log, "%d functions, %d kinds of arguments and their methods\n", n.Functions(), len(n.values))
	for time.Now().Before(until) {
		calls := n.Batch(40)
		b, err := NewBatch(calls)
		if err != nil {
			return err
		}
		for i, c := range calls {
			h.count("natives")
			s, ok := b.Try(i, c.Mode)
			if !ok {
				if b, err = NewBatch(calls); err != nil {
					return err
				}
				continue
			}
			if s.PerCycle()*h.Reference.Now() < suspicious {
				continue
			}
			h.confirm(c)
		}
	}
	return nil
}

// confirm measures a call again in a machine of its own, as often as it takes to be sure, and keeps it if it is dear.
func (h *Hunt) confirm(c Call) {
	if s, ending, ok := h.Reference.MeasureCall(c, suspicious); ok && s.PerCycle() >= suspicious {
		h.note(c.Function, Found{Family: "native", Name: c.Mode + " " + c.Name, PerCycle: s.PerCycle(), Sample: s, Expr: c.Expr, Mode: c.Mode, Ending: ending})
	}
}

// MeasureCall measures a call in machines of its own, as quarter does.
func (r Reference) MeasureCall(c Call, enough float64) (best Sample, ending string, ok bool) {
	return r.quarter(enough, func() (Sample, string, bool) {
		b, err := NewBatch([]Call{c})
		if err != nil {
			return Sample{}, "", false
		}
		s, made := b.Try(0, c.Mode)
		if !made {
			return s, "", false
		}
		how, _ := b.Outcome(0)
		return s, how, true
	})
}

// A case is measured at least fewRounds times, then up to manyRounds times while that takes less than roundsTime.
const (
	fewRounds  = 5
	manyRounds = 25
	roundsTime = 100 * time.Millisecond
)

// quarter repeats a measurement, with a plain loop before and after each, and gives the sample whose time a cycle is greater
// than that of a quarter of all, in the time of the reference machine. What else the machine does at the time slows a case and the loop beside it alike, or one
// of them for a moment. It stops when a cycle costs less than enough.
func (r Reference) quarter(enough float64, measure func() (Sample, string, bool)) (found Sample, ending string, ok bool) {
	var all []Sample
	start, before := spent(), r.Now()
	for round := 0; round < fewRounds || round < manyRounds && spent()-start < roundsTime; round++ {
		s, how, measured := measure()
		if !measured {
			break
		}
		after := r.Now()
		s.Time = time.Duration(float64(s.Time) * (before + after) / 2)
		all, before, ending, ok = append(all, s), after, how, true
		if s.PerCycle() < enough {
			return s, ending, ok
		}
	}
	if !ok {
		return Sample{}, "", false
	}
	slices.SortFunc(all, func(a, b Sample) int { return cmp.Compare(a.PerCycle(), b.PerCycle()) })
	return all[len(all)/4], ending, ok
}

// Run looks at the kinds named: "turns", "statements" and "uses" once, "natives" and "programs" until the time is over, half of it each.
func (h *Hunt) Run(kinds string, length time.Duration) error {
	if strings.Contains(kinds, "turns") {
		if err := h.Turns(); err != nil {
			return err
		}
	}
	if strings.Contains(kinds, "statements") {
		h.Statements()
	}
	if strings.Contains(kinds, "uses") {
		if err := h.Uses(); err != nil {
			return err
		}
	}
	both := strings.Contains(kinds, "natives") && strings.Contains(kinds, "programs")
	if both {
		length /= 2
	}
	if strings.Contains(kinds, "natives") {
		if err := h.Natives(time.Now().Add(length)); err != nil {
			return err
		}
	}
	if strings.Contains(kinds, "programs") {
		return h.Programs(".", time.Now().Add(length))
	}
	return nil
}
