package suite

import (
	"sort"
	"sync"
)

// cover gathers the lines that ran over all tests.
type cover struct {
	mu   sync.Mutex
	ran  map[string]map[int]bool
	able map[string]map[int]bool
}

func newCover() *cover {
	return &cover{ran: map[string]map[int]bool{}, able: map[string]map[int]bool{}}
}

func (c *cover) add(lines map[string][]int) { c.note(c.ran, lines) }
func (c *cover) can(lines map[string][]int) { c.note(c.able, lines) }

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
		list = append(list, one)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].File < list[j].File })
	return list
}
