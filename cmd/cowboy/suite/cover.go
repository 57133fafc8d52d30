package suite

import (
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
)

// cover gathers the lines that ran over all tests.
type cover struct {
	mu   sync.Mutex
	ran  map[string]map[int]bool
	able map[string]map[int]bool
	outs map[string]map[int]bool // outcomes of conditions that were met
	from map[string][]int        // the line of each outcome
}

func newCover() *cover {
	return &cover{ran: map[string]map[int]bool{}, able: map[string]map[int]bool{}, outs: map[string]map[int]bool{}, from: map[string][]int{}}
}

func (c *cover) add(lines map[string][]int) { c.note(c.ran, lines) }
func (c *cover) can(lines map[string][]int) { c.note(c.able, lines) }

func (c *cover) met(outcomes map[string][]int) { c.note(c.outs, outcomes) }

// conditions notes the lines of the outcomes of each file.
func (c *cover) conditions(lines map[string][]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for file, list := range lines {
		c.from[file] = list
	}
}

func (c *cover) note(into map[string]map[int]bool, lines map[string][]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for file, list := range lines {
		if into[file] == nil {
			into[file] = map[int]bool{}
		}
		for _, n := range list {
			into[file][n] = true
		}
	}
}

// report gives the coverage of each file, in order.
func (c *cover) report() []Coverage {
	var list []Coverage
	for file, able := range c.able {
		one := Coverage{File: file, Of: len(able)}
		for n := range able {
			if c.ran[file][n] {
				one.Ran++
			} else {
				one.Missed = append(one.Missed, n)
			}
		}
		sort.Ints(one.Missed)
		one.Lines, one.Outcomes = c.ran[file], nil
		for n, line := range c.from[file] {
			one.Outcomes = append(one.Outcomes, Outcomes{line, c.outs[file][n]})
			if one.Branches++; c.outs[file][n] {
				one.Taken++
			}
		}
		list = append(list, one)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].File < list[j].File })
	return list
}

// WriteLCOV writes the coverage as a tracefile of LCOV, which genhtml, editors and build servers read: each line with whether it ran, and each outcome of a
// condition with whether it was met.
func (r *Report) WriteLCOV(path string) error {
	var b strings.Builder
	for _, c := range r.Coverage {
		if c.File == "<text>" {
			continue
		}
		fmt.Fprintf(&b, "TN:\nSF:%s\n", c.File)
		block := map[int]int{}
		for _, o := range c.Outcomes {
			fmt.Fprintf(&b, "BRDA:%d,0,%d,%d\n", o.Line, block[o.Line], truth(o.Met))
			block[o.Line]++
		}
		fmt.Fprintf(&b, "BRF:%d\nBRH:%d\n", c.Branches, c.Taken)
		lines := slices.Clone(c.Missed)
		for n := range c.Lines {
			lines = append(lines, n)
		}
		slices.Sort(lines)
		for _, n := range lines {
			fmt.Fprintf(&b, "DA:%d,%d\n", n, truth(c.Lines[n]))
		}
		fmt.Fprintf(&b, "LF:%d\nLH:%d\nend_of_record\n", c.Of, c.Ran)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func truth(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
