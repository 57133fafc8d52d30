package catchup

import (
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
	// aheadMax and aheadBytes are how far above the durable tip ranges are fetched, in blocks and in bytes.
	aheadMax   = 1_024
	aheadBytes = 64 << 20

	// budgetBurst and budgetRate bound what one peer is served, in bytes at once and a second.
	budgetBurst = 64 << 20
	budgetRate  = 32 << 20
	// questionCost is what a question costs beside its answer.
	questionCost = 4 << 10
)

// chase decides when to ask whom for what.
type chase struct {
	calendar params.Calendar

	peers  []link.Peer
	turn   int // whom to ask next
	target unit.Height
	held   place // up to where blocks were fetched and proven
	tip    place // durable
	moved  time.Time
	ranges []fetched // not durable yet, ascending

	id        uint64 // of the question that is out
	asked     *link.Peer
	after     place // that its answer must follow
	since     time.Time
	fruitless int                // answers without a use in a row
	pruned    map[link.Peer]bool // they no longer hold the block after held
	fetched   time.Time
}

// fetched is a range that was handed over.
type fetched struct {
	to    unit.Height
	bytes int
}

// start begins at a durable tip.
func (s *chase) start(tip place, now time.Time) {
	s.tip, s.held, s.moved, s.fetched = tip, tip, now, now
	s.ranges, s.asked, s.fruitless, s.pruned = nil, nil, 0, nil
}

// durable tells that the tip has moved.
func (s *chase) durable(tip place, now time.Time) {
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
}

// seek tells that there are final blocks up to a height.
func (s *chase) seek(height unit.Height) {
	if height > s.target {
		s.target, s.fruitless = height, 0
	}
}

func (s *chase) up(p link.Peer) {
	s.down(p)
	s.peers = append(s.peers, p)
	s.fruitless = 0
}

func (s *chase) down(p link.Peer) {
	kept := s.peers[:0:0]
	for _, q := range s.peers {
		if q != p {
			kept = append(kept, q)
		}
	}
	s.peers = kept
	delete(s.pruned, p)
	if s.asked != nil && *s.asked == p {
		s.asked = nil
	}
}

// look is called now and then. It gives up a peer that does not answer and ranges that do not become durable.
func (s *chase) look(now time.Time) {
	if s.asked != nil && now.Sub(s.since) >= answerWithin {
		s.asked = nil
		s.fruitless++
	}
	still := now.Sub(s.moved) >= standstill
	if still && s.held != s.tip && now.Sub(s.fetched) >= standstill {
		s.held, s.ranges = s.tip, nil
	}
	if still && now.Sub(s.fetched) >= standstill {
		s.fruitless = 0
		s.target = max(s.target, s.tip.height+1)
		s.fetched = now
	}
}

// next gives the question to ask now, if any, and whom.
func (s *chase) next(now time.Time) (q question, to link.Peer, ok bool) {
	if s.asked != nil || len(s.peers) == 0 || s.fruitless >= len(s.peers) {
		return q, to, false
	}
	if s.held.height >= s.target || s.full() {
		return q, to, false
	}
	to = s.peers[s.turn%len(s.peers)]
	s.id++
	s.asked, s.since, s.after = &to, now, s.held
	return question{s.id, s.held.height + 1}, to, true
}

// full reports whether nothing more may be fetched before something becomes durable: enough is under way, or an epoch ends, whose successor's
// validators are not known yet.
func (s *chase) full() bool {
	bytes := 0
	for _, r := range s.ranges {
		bytes += r.bytes
	}
	return s.held.height >= s.tip.height+aheadMax || bytes >= aheadBytes ||
		s.calendar.Epoch(s.held.height+1) != s.calendar.Epoch(s.tip.height+1)
}

// expects reports whether an answer is to the question that is out.
func (s *chase) expects(from link.Peer, a *answer) bool {
	return s.asked != nil && *s.asked == from && a.id == s.id
}

// gone takes note of what a peer no longer holds, and reports whether nobody holds the next block any more.
func (s *chase) gone(from link.Peer, a *answer) bool {
	if s.pruned == nil {
		s.pruned = map[link.Peer]bool{}
	}
	s.pruned[from] = a.first > s.after.height+1
	for _, p := range s.peers {
		if !s.pruned[p] {
			return false
		}
	}
	return true
}

// useless ends a question that brought nothing: the next peer is asked.
func (s *chase) useless() {
	s.asked = nil
	s.turn++
	s.fruitless++
	if s.fruitless >= len(s.peers) {
		s.target = min(s.target, s.held.height) // nobody has more; the next standstill looks again
	}
}

// took ends a question that brought blocks up to a place; the peer knows of more up to top.
func (s *chase) took(to place, bytes int, top unit.Height, now time.Time) {
	s.asked, s.fruitless, s.fetched = nil, 0, now
	if to.height > s.held.height {
		s.ranges = append(s.ranges, fetched{to.height, bytes})
		s.held = to
	}
	s.target = max(s.target, top)
}

// budget is what one peer may still be served.
type budget struct {
	left    int
	at      time.Time
	refused int // what refusals cost since something was served
}

// spend takes bytes from a budget and reports whether it allowed them. A range may be served as long as anything is left.
func (b *budget) spend(bytes int, now time.Time) bool {
	if b.at.IsZero() {
		b.left = budgetBurst
	} else {
		b.left = min(budgetBurst, b.left+int(now.Sub(b.at).Seconds()*budgetRate))
	}
	b.at = now
	if b.left <= 0 {
		return false
	}
	b.left -= bytes
	b.refused = 0
	return true
}

// wait is how long it takes until something may be spent again; 0 for who was refused so often that refusals are no longer worth sending.
func (b *budget) wait() time.Duration {
	const patience = 1 << 20
	if b.refused += questionCost; b.refused > patience {
		return 0
	}
	return max(time.Millisecond, time.Duration(float64(-b.left)/budgetRate*float64(time.Second)))
}
