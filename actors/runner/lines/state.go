package lines

import (
	"bytes"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Sight is what the chain says of its validators, and what they say of themselves.
type Sight struct {
	Height      uint64
	Set         []sig.BLSPublicKey // ascending
	Invitations []*protocol.Invitation
}

// When the chain is looked at.
const (
	lookWell = 30 * time.Second // where nobody is missing
	lookIll  = 3 * time.Second
	refused  = 30 * time.Second // after a refusal that time alone may mend
)

// The states of a line.
const (
	waiting uint8 = iota
	dialing
	open
)

// line is a validator that this runner connects to.
type line struct {
	invitation *protocol.Invitation
	stands     uint8
	failures   int
	next       time.Time // waiting: when to try
	leaves     uint64    // the height from which on it is none of the subset; 0: it is one
	why        string    // why it was not reached last
	pushed     uint64    // assignments that came over it
}

// What is to be done.
type (
	dial  struct{ to *protocol.Invitation }
	leave struct{ key sig.BLSPublicKey }
)

// state decides whom a runner is connected to. Time is an argument, and so is chance.
type state struct {
	party  protocol.Party
	chain  uint64
	height uint64
	set    []sig.BLSPublicKey
	subset []sig.BLSPublicKey
	known  map[sig.BLSPublicKey]*protocol.Invitation // of the set
	lines  map[sig.BLSPublicKey]*line
	acts   []any
}

func newState(party protocol.Party, chain uint64) *state {
	return &state{party: party, chain: chain, known: map[sig.BLSPublicKey]*protocol.Invitation{}, lines: map[sig.BLSPublicKey]*line{}}
}

// saw takes a look at the chain. The subset is computed anew only when the set is another one.
//
// Spec: runner-marketplace §9.1.
func (s *state) saw(v *Sight, now time.Time) {
	s.height = max(s.height, v.Height)
	if !slices.Equal(v.Set, s.set) {
		s.set, s.subset = v.Set, protocol.Subset(s.party, v.Set)
		for key, l := range s.lines { // order-free: each by itself
			switch in := slices.Contains(s.subset, key); {
			case in:
				l.leaves = 0
			case l.leaves == 0:
				l.leaves = s.height + protocol.OverlapBlocks
			}
		}
	}
	for _, one := range v.Invitations {
		known := s.known[one.Validator]
		if !slices.Contains(s.subset, one.Validator) || known != nil && (known.Number > one.Number || *known == *one) || one.Check(s.chain) != nil {
			continue
		}
		s.known[one.Validator] = one
		if l := s.lines[one.Validator]; l == nil {
			s.lines[one.Validator] = &line{invitation: one, next: now}
		} else if l.invitation = one; l.stands == waiting {
			l.next, l.failures = now, 0
		}
	}
	for key := range s.known { // order-free: each by itself
		if !slices.Contains(s.subset, key) {
			delete(s.known, key)
		}
	}
}

// due dials whom it is time to dial, and lets those go that have lingered. It gives the time of the next one; zero for none.
func (s *state) due(now time.Time) (next time.Time) {
	for _, key := range s.keys() {
		l := s.lines[key]
		if l.leaves > 0 && (s.height >= l.leaves || l.stands == waiting) {
			s.acts = append(s.acts, leave{key})
			delete(s.lines, key)
			continue
		}
		if l.stands != waiting {
			continue
		}
		if !l.next.After(now) {
			l.stands = dialing
			s.acts = append(s.acts, dial{l.invitation})
		} else if next.IsZero() || l.next.Before(next) {
			next = l.next
		}
	}
	return next
}

func (s *state) keys() (list []sig.BLSPublicKey) {
	for key := range s.lines { // order-free: sorted below
		list = append(list, key)
	}
	slices.SortFunc(list, func(a, b sig.BLSPublicKey) int { return bytes.Compare(a[:], b[:]) })
	return list
}

// up notes that a validator has shown who it is.
func (s *state) up(key sig.BLSPublicKey) {
	if l := s.lines[key]; l != nil {
		l.stands, l.failures, l.why = open, 0, ""
	}
}

// down notes that a line ended, or did not come about. draw is protocol.Backoff's.
func (s *state) down(key sig.BLSPublicKey, why string, forLong bool, now time.Time, draw int) {
	l := s.lines[key]
	if l == nil || l.stands == waiting {
		return
	}
	wait := protocol.Backoff(l.failures, draw)
	if forLong {
		wait = refused
	}
	l.stands, l.next, l.why = waiting, now.Add(wait), why
	l.failures++
}

// missing reports whether there is somebody of the subset without a line that is open.
func (s *state) missing() bool {
	n := 0
	for _, l := range s.lines { // order-free: counted
		if l.stands == open && l.leaves == 0 {
			n++
		}
	}
	return n < max(len(s.subset), 1)
}

// look is how long it is until the next look at the chain.
func (s *state) look() time.Duration {
	if s.missing() {
		return lookIll
	}
	return lookWell
}
