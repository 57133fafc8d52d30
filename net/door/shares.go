package door

import (
	"context"
	"net/netip"
	"slices"
	"sync"
)

// Source is the part of an address that one party is taken to control: of IPv6 the first 64 bits.
func Source(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}

// Shares is a number of places that sources hold. When all are taken, a source that holds fewer than another by two or more gets one of the other's: the oldest
// that may be taken away. It is safe for many goroutines.
type Shares struct {
	most, each int

	mu      sync.Mutex
	taken   int
	held    map[netip.Addr][]*Place // no list is empty; oldest first
	waiting []*waiter               // oldest first
}

// Place is one that is held, until Leave.
type Place struct {
	shares *Shares
	source netip.Addr
	evict  func()
	kept   bool // it is not taken away
	gone   bool // evict was called
	left   bool
}

type waiter struct {
	place *Place
	came  chan struct{} // closed with the place
}

// NewShares has so many places, of which a source holds at most each; 0 for no such bound.
func NewShares(most, each int) *Shares {
	if each <= 0 || each > most {
		each = most
	}
	return &Shares{most: most, each: each, held: map[netip.Addr][]*Place{}}
}

// Taken is how many places are taken.
func (s *Shares) Taken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// Try takes a place, or reports that there is none for the source. evict is called at most once, when another source gets the place; it returns at once, and
// whoever held the place gives up soon. The new holder does not wait for that.
func (s *Shares) Try(source netip.Addr, evict func()) (*Place, bool) {
	s.mu.Lock()
	p := &Place{shares: s, source: source, evict: evict}
	if len(s.held[source]) >= s.each {
		s.mu.Unlock()
		return nil, false
	}
	var loser *Place
	if s.taken >= s.most {
		if loser = s.loser(source); loser == nil {
			s.mu.Unlock()
			return nil, false
		}
		loser.gone = true
		s.drop(loser)
	}
	s.enter(p)
	s.mu.Unlock()
	if loser != nil {
		loser.evict()
	}
	return p, true
}

// Wait takes a place, and waits for one until the context ends. Where another source's is taken away, it waits until that one has left.
func (s *Shares) Wait(ctx context.Context, source netip.Addr, evict func()) (*Place, error) {
	p := &Place{shares: s, source: source, evict: evict}
	s.mu.Lock()
	if s.taken < s.most && len(s.held[source]) < s.each {
		s.enter(p)
		s.mu.Unlock()
		return p, nil
	}
	w := &waiter{p, make(chan struct{})}
	s.waiting = append(s.waiting, w)
	loser := s.makeRoom(source)
	s.mu.Unlock()
	if loser != nil {
		loser.evict()
	}
	select {
	case <-w.came:
		return p, nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	at := slices.Index(s.waiting, w)
	if at >= 0 {
		s.waiting = slices.Delete(s.waiting, at, at+1)
	}
	s.mu.Unlock()
	if at < 0 { // it came meanwhile
		p.Leave()
	}
	return nil, ctx.Err()
}

// Keep says whether the place is not to be taken away, as while its holder works by itself and waits for nobody. It reports whether the place is held still.
func (p *Place) Keep(kept bool) bool {
	s := p.shares
	s.mu.Lock()
	p.kept = kept
	held := !p.gone && !p.left
	var loser *Place
	if first := s.first(); held && !kept && first >= 0 {
		loser = s.makeRoom(s.waiting[first].place.source)
	}
	s.mu.Unlock()
	if loser != nil {
		loser.evict()
	}
	return held
}

// Leave gives the place back. It may be called more than once.
func (p *Place) Leave() {
	s := p.shares
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.left {
		return
	}
	s.drop(p)
	s.serve()
}

// enter counts a place. The lock is held, here and below.
func (s *Shares) enter(p *Place) {
	s.taken++
	s.held[p.source] = append(s.held[p.source], p)
}

// drop counts a place no more.
func (s *Shares) drop(p *Place) {
	list := s.held[p.source]
	at := slices.Index(list, p)
	if p.left = true; at < 0 {
		return
	}
	s.taken--
	if list = slices.Delete(list, at, at+1); len(list) == 0 {
		delete(s.held, p.source)
	} else {
		s.held[p.source] = list
	}
}

// staying is how many places of a source are not about to be left.
func (s *Shares) staying(source netip.Addr) (n int) {
	for _, p := range s.held[source] {
		if !p.gone {
			n++
		}
	}
	return n
}

// loser is the place that a source may have of another one; nil for none.
func (s *Shares) loser(source netip.Addr) *Place {
	least := s.staying(source) + 2
	var from netip.Addr
	var loser *Place
	for other := range s.held { // order-free: the source with most places, of those the one with the smallest address
		n := s.staying(other)
		if n < least || n == least && loser != nil && from.Less(other) {
			continue
		}
		at := slices.IndexFunc(s.held[other], func(p *Place) bool { return !p.kept && !p.gone })
		if at >= 0 {
			least, from, loser = n, other, s.held[other][at]
		}
	}
	return loser
}

// makeRoom marks a place as taken away for whoever waits, and gives it, unless those that are about to be left are enough for all who wait.
func (s *Shares) makeRoom(source netip.Addr) *Place {
	if s.taken < s.most || len(s.held[source]) >= s.each {
		return nil
	}
	leaving := 0
	for other := range s.held { // order-free: a sum
		leaving += len(s.held[other]) - s.staying(other)
	}
	if leaving >= len(s.waiting) {
		return nil
	}
	loser := s.loser(source)
	if loser != nil {
		loser.gone = true
	}
	return loser
}

// first is who of those that wait gets the next place: of the source that holds fewest, the oldest; -1 for nobody.
func (s *Shares) first() int {
	best, least := -1, s.each
	for i, w := range s.waiting {
		if n := len(s.held[w.place.source]); n < least {
			best, least = i, n
		}
	}
	return best
}

// serve gives free places to those who wait.
func (s *Shares) serve() {
	for s.taken < s.most {
		i := s.first()
		if i < 0 {
			return
		}
		w := s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.enter(w.place)
		close(w.came)
	}
}
