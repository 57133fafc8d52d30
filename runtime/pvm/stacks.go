package pvm

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Stacks are what a profile found, or several of them, one behind the other.
type Stacks []StackCost

// LineCost is what a source line used, in cycles.
type LineCost struct {
	File   string
	Line   int // from 1
	Cycles int64
}

// FunctionCost is what a function used, in cycles: itself, and with everything it
// called.
type FunctionCost struct {
	Name        string // qualified; <module> for a file's top level
	File        string
	Line        int
	Self, Total int64
}

// HandlerCost is what executions of a handler used, in cycles: in its own machine, with the functions it called, and with the handlers of other actors that it
// called and waited for.
type HandlerCost struct {
	Name, File  string
	Runs        int
	Self, Total int64
}

// Label is what a frame is called in a picture: a function by its name, an entry by its actor's file and the handler.
func (f Frame) Label() string {
	if f.Entry {
		return strings.TrimSpace(f.File + " " + f.Name)
	}
	return f.Name
}

// Total adds all cycles up.
func (s Stacks) Total() (sum int64) {
	for i := range s {
		sum += s[i].Cycles
	}
	return sum
}

// Merged has each stack once, in the order of the stacks.
func (s Stacks) Merged() Stacks {
	at := map[string]int{}
	var out Stacks
	for _, one := range s {
		key := one.key()
		if i, ok := at[key]; ok {
			out[i].Cycles += one.Cycles
			out[i].Runs += one.Runs
			continue
		}
		at[key] = len(out)
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b StackCost) int { return slices.CompareFunc(a.Frames, b.Frames, Frame.compare) })
	return out
}

// key is a text that only equal stacks have.
func (s *StackCost) key() string {
	var b strings.Builder
	for i := range s.Frames {
		f := &s.Frames[i]
		b.WriteString(strconv.Quote(f.File) + strconv.Quote(f.Name) + strconv.Itoa(f.First) + "," + strconv.Itoa(f.Line) + "," + strconv.FormatBool(f.Entry))
	}
	return b.String()
}

func (f Frame) compare(g Frame) int {
	entry := func(f Frame) int {
		if f.Entry {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(f.File, g.File), cmp.Compare(entry(f), entry(g)), cmp.Compare(f.First, g.First), cmp.Compare(f.Name, g.Name),
		cmp.Compare(f.Line, g.Line))
}

// Renamed has other names for files.
func (s Stacks) Renamed(name func(file string) string) Stacks {
	out := make(Stacks, len(s))
	for i, one := range s {
		out[i] = one
		out[i].Frames = slices.Clone(one.Frames)
		for k := range out[i].Frames {
			out[i].Frames[k].File = name(out[i].Frames[k].File)
		}
	}
	return out
}

// Lines lists the lines that used anything, by file and line.
func (s Stacks) Lines() []LineCost {
	type line struct {
		file string
		line int
	}
	sums := map[line]int64{}
	for i := range s {
		if n := len(s[i].Frames); n > 0 {
			last := s[i].Frames[n-1]
			sums[line{last.File, last.Line}] += s[i].Cycles
		}
	}
	var out []LineCost
	for at, cycles := range sums { // order-free: sorted below
		if cycles != 0 && at.line > 0 {
			out = append(out, LineCost{at.file, at.line, cycles})
		}
	}
	slices.SortFunc(out, func(a, b LineCost) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return out
}

// Caused lists the lines of own files with what the library used on their behalf, imports included: every charge belongs to the innermost line of an own file
// in the handler that ran. rest is what belongs to none: of those handlers, storage and arguments.
func (s Stacks) Caused(own func(file string) bool) (lines []LineCost, rest int64) {
	type line struct {
		file string
		line int
	}
	sums := map[line]int64{}
	for i := range s {
		var at line
		for _, f := range s[i].Frames {
			switch {
			case f.Entry:
				at = line{}
			case own(f.File):
				at = line{f.File, f.Line}
			}
		}
		if at.line > 0 {
			sums[at] += s[i].Cycles
		} else {
			rest += s[i].Cycles
		}
	}
	for at, cycles := range sums { // order-free: sorted below
		if cycles != 0 {
			lines = append(lines, LineCost{at.file, at.line, cycles})
		}
	}
	slices.SortFunc(lines, func(a, b LineCost) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return lines, rest
}

// function is a frame without its line.
func (f Frame) function() Frame {
	f.Line = 0
	return f
}

// Functions lists the functions that ran, dearest first.
func (s Stacks) Functions() []FunctionCost {
	index := map[Frame]int{}
	var out []FunctionCost
	for i := range s {
		seen := map[Frame]bool{}
		for k, f := range s[i].Frames {
			if f.Entry {
				continue
			}
			f = f.function()
			at, known := index[f]
			if !known {
				at = len(out)
				index[f] = at
				out = append(out, FunctionCost{Name: f.Name, File: f.File, Line: f.First})
			}
			if k == len(s[i].Frames)-1 {
				out[at].Self += s[i].Cycles
			}
			if !seen[f] {
				seen[f] = true
				out[at].Total += s[i].Cycles
			}
		}
	}
	slices.SortStableFunc(out, func(a, b FunctionCost) int { return cmp.Compare(b.Self, a.Self) })
	return out
}

// Handlers lists the handlers that ran, dearest first.
func (s Stacks) Handlers() []HandlerCost {
	index := map[Frame]int{}
	var out []HandlerCost
	for i := range s {
		seen := map[Frame]bool{}
		innermost := -1
		for k, f := range s[i].Frames {
			if !f.Entry {
				continue
			}
			at, known := index[f]
			if !known {
				at = len(out)
				index[f] = at
				out = append(out, HandlerCost{Name: f.Name, File: f.File})
			}
			if innermost = at; !seen[f] {
				seen[f] = true
				out[at].Total += s[i].Cycles
			}
			if k == len(s[i].Frames)-1 {
				out[at].Runs += s[i].Runs
			}
		}
		if innermost >= 0 {
			out[innermost].Self += s[i].Cycles
		}
	}
	slices.SortStableFunc(out, func(a, b HandlerCost) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(a.File, b.File), cmp.Compare(a.Name, b.Name))
	})
	return out
}
