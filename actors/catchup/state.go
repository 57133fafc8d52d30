package catchup

import (
	"cmp"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// lookEvery is how often a node looks whether it stands still.
	lookEvery = 500 * time.Millisecond
	// answerWithin is how long one peer is waited for.
	answerWithin = 2 * time.Second
	// standstill is how long the durable tip may stay where it is before somebody is asked.
	standstill = 3 * time.Second
	// asksMax and asksEach are how many requests about blocks are out, in all and to one peer.
	asksMax, asksEach = 4, 2
	// askMin is the fewest blocks a request is about while there are more: after answers that did not come in time.
	askMin = 16
	// aheadMax is how far above the durable tip ranges are fetched, in blocks.
	aheadMax = 4_096
)

// rangeFetch decides when to ask whom for what. Several ranges are asked for at once, of different peers where there are some; they are handed over in order.
type rangeFetch struct {
	calendar params.Calendar
	// room is how far above the durable tip ranges are fetched, in bytes. A request that is out counts as the most its answer may bring; one may always be.
	room int

	peers  []link.Peer
	turn   int // whom to ask next
	target unit.Height
	held   place // up to where blocks were handed over
	tip    place // durable
	moved  time.Time
	ranges []fetched // handed over and not durable yet, ascending
	parked []*batch  // arrived and not handed over yet, ascending

	id      uint64 // of the request asked last
	asks    []ask
	size    unit.Height        // blocks a request is about; 0: the most
	barren  map[link.Peer]bool // they had nothing of use
	pruned  map[link.Peer]bool // they no longer hold the block after held
	fetched time.Time
}

// fetched is a range that was handed over.
type fetched struct {
	to    unit.Height
	bytes int
	since time.Time
}

// ask is a request that is out.
type ask struct {
	request
	to    link.Peer
	since time.Time
}

// start begins at a durable tip.
func (s *rangeFetch) start(tip place, now time.Time) {
	*s = rangeFetch{calendar: s.calendar, room: s.room, peers: s.peers, turn: s.turn, target: s.target, id: s.id, tip: tip, held: tip, moved: now, fetched: now}
	s.barren, s.pruned = map[link.Peer]bool{}, map[link.Peer]bool{}
}

// durable tells that the tip has moved.
func (s *rangeFetch) durable(tip place, now time.Time) {
	if tip.height <= s.tip.height {
		return
	}
	s.tip, s.moved = tip, now
	if s.held.height < tip.height {
		s.held = tip
	}
	for len(s.ranges) > 0 && s.ranges[0].to <= tip.height {
		s.ranges = s.ranges[1:]
	}
	for len(s.parked) > 0 && s.parked[0].last().height <= tip.height {
		s.parked = s.parked[1:]
	}
}

// seek tells that there are final blocks up to a height.
func (s *rangeFetch) seek(height unit.Height) {
	if height > s.target {
		s.target = height
		clear(s.barren)
	}
}

func (s *rangeFetch) up(p link.Peer) {
	s.down(p)
	s.peers = append(s.peers, p)
}

func (s *rangeFetch) down(p link.Peer) {
	s.peers = slices.DeleteFunc(s.peers, func(q link.Peer) bool { return q == p })
	s.asks = slices.DeleteFunc(s.asks, func(a ask) bool { return a.to == p })
	delete(s.pruned, p)
	delete(s.barren, p)
}

// look is called now and then. It gives up peers that do not answer and ranges that do not become durable: whoever they were handed to may have lost them,
// and later ones do not help.
func (s *rangeFetch) look(now time.Time) {
	for _, a := range slices.Clone(s.asks) {
		if now.Sub(a.since) >= answerWithin {
			s.size = max(askMin, a.count/2)
			s.useless(a)
		}
	}
	if now.Sub(s.moved) < standstill {
		return
	}
	if len(s.ranges) > 0 && now.Sub(s.ranges[0].since) >= standstill {
		s.held, s.ranges = s.tip, nil
	}
	if now.Sub(s.fetched) < standstill {
		return
	}
	clear(s.barren)
	s.target = max(s.target, s.tip.height+1)
	s.fetched = now
}

// next gives the request to ask now, if any, and whom: about the first blocks that nobody was asked for.
func (s *rangeFetch) next(now time.Time) (q request, to link.Peer, ok bool) {
	from, count := s.gap()
	held := s.bytes() + len(s.asks)*maxBytes
	if count == 0 || len(s.asks) == asksMax || held > 0 && held+maxBytes > s.room {
		return q, to, false
	}
	if to, ok = s.peer(); !ok {
		return q, to, false
	}
	s.id++
	q = request{id: s.id, from: from, count: count}
	s.asks = append(s.asks, ask{q, to, now})
	slices.SortFunc(s.asks, func(a, b ask) int { return cmp.Compare(a.from, b.from) })
	return q, to, true
}

// gap gives the first blocks that are wanted and were neither fetched nor asked for, as many as one request is about: nothing beyond the end of an epoch,
// whose successor's validators are not known yet, nor too far ahead of the disk.
func (s *rangeFetch) gap() (from, count unit.Height) {
	epoch := s.calendar.Epoch(s.tip.height + 1)
	end := min(s.target, s.tip.height+aheadMax, s.calendar.Last(epoch))
	from, parked, asks := s.held.height+1, s.parked, s.asks
	for {
		stop := end + 1
		switch {
		case len(parked) > 0 && parked[0].first() <= from:
			from, parked = max(from, parked[0].last().height+1), parked[1:]
			continue
		case len(asks) > 0 && asks[0].from <= from:
			from, asks = max(from, asks[0].from+asks[0].count), asks[1:]
			continue
		case from > end:
			return 0, 0
		case len(parked) > 0:
			stop = min(stop, parked[0].first())
		}
		if len(asks) > 0 {
			stop = min(stop, asks[0].from)
		}
		size := s.size
		if size == 0 {
			size = maxBlocks
		}
		return from, min(stop-from, size)
	}
}

// bytes is what was fetched and is not durable.
func (s *rangeFetch) bytes() (n int) {
	for _, r := range s.ranges {
		n += r.bytes
	}
	for _, p := range s.parked {
		n += p.bytes
	}
	return n
}

// peer picks whom to ask: the least asked one that may have something, in turn.
func (s *rangeFetch) peer() (to link.Peer, ok bool) {
	least := asksEach
	for i := range s.peers {
		p, n := s.peers[(s.turn+i)%len(s.peers)], 0
		for _, a := range s.asks {
			if a.to == p {
				n++
			}
		}
		if !s.barren[p] && n < least {
			to, least, ok = p, n, true
		}
	}
	if ok {
		s.turn++
	}
	return to, ok
}

// answered ends the request an answer is to; ok is false when there is none.
func (s *rangeFetch) answered(from link.Peer, id uint64) (a ask, ok bool) {
	i := slices.IndexFunc(s.asks, func(a ask) bool { return a.id == id && a.to == from })
	if i < 0 {
		return a, false
	}
	a = s.asks[i]
	s.asks = slices.Delete(s.asks, i, i+1)
	return a, true
}

// gone takes note of what a peer no longer holds, and reports whether nobody holds the next block any more.
func (s *rangeFetch) gone(from link.Peer, first unit.Height) bool {
	s.pruned[from] = first > s.held.height+1
	for _, p := range s.peers {
		if !s.pruned[p] {
			return false
		}
	}
	return true
}

// useless ends a request that brought nothing: others are asked.
func (s *rangeFetch) useless(a ask) {
	s.answered(a.to, a.id)
	s.barren[a.to] = true
	for _, p := range s.peers {
		if !s.barren[p] {
			return
		}
	}
	s.target = min(s.target, s.held.height) // nobody has more; the next standstill looks again
}

// park keeps a range until those before it were handed over. It says whether it did: the blocks may be here meanwhile.
func (s *rangeFetch) park(p *batch, top unit.Height, now time.Time) bool {
	s.fetched, s.target = now, max(s.target, top)
	delete(s.barren, p.from)
	if s.size > 0 {
		s.size = min(2*s.size, maxBlocks)
	}
	i, taken := slices.BinarySearchFunc(s.parked, p, func(a, b *batch) int { return cmp.Compare(a.first(), b.first()) })
	if taken || p.last().height <= s.held.height {
		return false
	}
	s.parked = slices.Insert(s.parked, i, p)
	return true
}

// ready gives the parked range that goes on where what was handed over ends, and takes it off; nil if there is none.
func (s *rangeFetch) ready() *batch {
	for len(s.parked) > 0 && s.parked[0].first() <= s.held.height+1 {
		p := s.parked[0]
		s.parked = s.parked[1:]
		if p.last().height > s.held.height {
			return p
		}
	}
	return nil
}

// took notes a range that was handed over.
func (s *rangeFetch) took(to place, bytes int, now time.Time) {
	s.ranges = append(s.ranges, fetched{to.height, bytes, now})
	s.held = to
}
