package discovery

import (
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

const (
	parallel     = 3  // questions under way in a lookup
	candidateMax = 64 // nodes a lookup has heard of
)

// stage is how far a candidate has come.
type stage uint8

const (
	fresh stage = iota
	asked
	answered
	silent
)

type candidate struct {
	id     transport.ID
	record Record
	stage  stage
}

// lookup walks towards a target.
type lookup struct {
	target     transport.ID
	began      time.Time
	candidates []candidate // nearest first
	found      int         // records it had not heard of
}

func newLookup(target transport.ID, from []Record, now time.Time) *lookup {
	l := &lookup{target: target, began: now}
	for _, r := range from {
		l.add(r)
	}
	l.found = 0
	return l
}

// add notes a node; of too many the farthest is forgotten.
func (l *lookup) add(r Record) {
	c := candidate{id: r.ID(), record: r}
	i, known := slices.BinarySearchFunc(l.candidates, c.id, func(x candidate, id transport.ID) int { return closer(l.target, x.id, id) })
	if known || i >= candidateMax {
		return
	}
	l.candidates = slices.Insert(l.candidates, i, c)
	l.candidates = l.candidates[:min(len(l.candidates), candidateMax)]
	l.found++
}

// next gives a node to ask, or nil: the nearest one fresh among the nearest that have not failed, while less than parallel are
// being asked.
func (l *lookup) next() *candidate {
	busy, near := 0, 0
	for i := range l.candidates {
		if l.candidates[i].stage == asked {
			busy++
		}
	}
	for i := range l.candidates {
		c := &l.candidates[i]
		if busy >= parallel || near >= answerMax {
			return nil
		}
		if c.stage == fresh {
			return c
		}
		if c.stage != silent {
			near++
		}
	}
	return nil
}

// over reports whether nobody is being asked and nobody is left to ask.
func (l *lookup) over() bool {
	return l.next() == nil && !slices.ContainsFunc(l.candidates, func(c candidate) bool { return c.stage == asked })
}

// settle notes how a question ended.
func (l *lookup) settle(id transport.ID, s stage) {
	for i := range l.candidates {
		if c := &l.candidates[i]; c.id == id && c.stage == asked {
			c.stage = s
		}
	}
}
