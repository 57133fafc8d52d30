package state

import (
	"bytes"
	"sort"
)

const runMax = 128

// sortedWrites keeps the writes of an overlay in ascending order of their keys,
// in runs of at most runMax, so that an insertion moves few entries.
type sortedWrites struct {
	runs  [][]*write
	len   int
	edits uint64 // changes whenever a write is inserted
}

// seek gives the place of the first write whose key is not below key.
func (s *sortedWrites) seek(key []byte) (run, at int) {
	run = sort.Search(len(s.runs), func(i int) bool {
		r := s.runs[i]
		return bytes.Compare(r[len(r)-1].key, key) >= 0
	})
	if run == len(s.runs) {
		return run, 0
	}
	r := s.runs[run]
	at = sort.Search(len(r), func(i int) bool { return bytes.Compare(r[i].key, key) >= 0 })
	return run, at
}

// insert adds a write whose key is not there yet.
func (s *sortedWrites) insert(w *write) {
	s.edits++
	s.len++
	run, at := s.seek(w.key)
	if run == len(s.runs) {
		if run == 0 {
			s.runs = append(s.runs, append(make([]*write, 0, overlayBatch), w))
			return
		}
		run--
		at = len(s.runs[run])
	}
	r := append(s.runs[run], nil)
	copy(r[at+1:], r[at:])
	r[at] = w
	s.runs[run] = r
	if len(r) <= runMax {
		return
	}
	cut := len(r) / 2
	if run == len(s.runs)-1 && at == len(r)-1 {
		cut = len(r) - 1 // ascending input leaves full runs behind
	}
	right := append(make([]*write, 0, runMax+1), r[cut:]...)
	clear(r[cut:])
	s.runs[run] = r[:cut]
	s.runs = append(s.runs, nil)
	copy(s.runs[run+2:], s.runs[run+1:])
	s.runs[run+1] = right
}

// remove takes a write out that is there.
func (s *sortedWrites) remove(w *write) {
	s.edits++
	s.len--
	run, at := s.seek(w.key)
	r := s.runs[run]
	copy(r[at:], r[at+1:])
	r[len(r)-1] = nil
	if r = r[:len(r)-1]; len(r) > 0 {
		s.runs[run] = r
		return
	}
	copy(s.runs[run:], s.runs[run+1:])
	s.runs[len(s.runs)-1] = nil
	s.runs = s.runs[:len(s.runs)-1]
}

// each calls fn with every write, ascending, until it answers false.
func (s *sortedWrites) each(fn func(w *write) bool) {
	for _, r := range s.runs {
		for _, w := range r {
			if !fn(w) {
				return
			}
		}
	}
}

// writeCursor walks the writes of an overlay that may grow meanwhile.
type writeCursor struct {
	from    *sortedWrites
	run, at int
	edits   uint64
}

func (s *sortedWrites) cursor(key []byte) writeCursor {
	run, at := s.seek(key)
	return writeCursor{s, run, at, s.edits}
}

// peek gives the current write or nil. last is the key given last: writes up to
// it are passed over if the overlay grew since.
func (c *writeCursor) peek(last []byte, passed bool) *write {
	if c.edits != c.from.edits && passed {
		*c = c.from.cursor(last)
		if w := c.current(); w != nil && bytes.Equal(w.key, last) {
			c.next()
		}
	}
	return c.current()
}

func (c *writeCursor) current() *write {
	if c.run == len(c.from.runs) {
		return nil
	}
	return c.from.runs[c.run][c.at]
}

func (c *writeCursor) next() {
	if c.at++; c.at == len(c.from.runs[c.run]) {
		c.run, c.at = c.run+1, 0
	}
}
