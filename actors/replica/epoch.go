package replica

import (
	"time"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// epoch is agreement in one epoch.
type epoch struct {
	number    uint64
	committee *Committee
	self      uint32 // rank, or simplex.Observer: also of a validator that must not vote
	remote    bool   // the keys are elsewhere
	mute      bool   // the journal is of a later epoch and must stay as it is
	scheme    *trusting
	state     *simplex.State
	last      unit.Height
	// seed is that of the round of the anchor's header, nil where it is not known and in epoch 0: the first block of the epoch proposed in view 1
	// carries it.
	seed     *sig.Seed
	lead     uint32  // leader of the current round
	prepared uint64  // the view that was made ready for
	clocks   []Clock // of other leaders, by rank
}

// previous is the epoch before, kept for those who are still in it.
type previous struct {
	number uint64
	state  *simplex.State
}

// begin opens an epoch whose anchor is durable.
func (s *state) begin(number uint64) {
	s.opening = true
	s.do(open{number})
}

// opened begins an epoch. A node without the journal of what it may have signed in the epoch only follows it; in a set of one nobody else can hold anything
// it signed.
// Spec: WP "Validator Set"; commonware §3.5.
func (s *state) opened(o opened) {
	starting := s.epoch == nil
	s.opening = false
	e := &epoch{
		number: o.number, committee: o.committee, self: o.committee.Self, last: s.identity.Calendar.Last(o.number),
		scheme: newTrusting(o.committee.Scheme, s.namespace), remote: o.committee.Signer != nil && o.committee.Signer.Remote(),
		mute: o.journal.epoch > o.number, seed: s.anchorSeed(o),
	}
	// Who rejoins may have signed in every epoch that had begun when this process started, also in those it is only catching up with now.
	rejoins := s.identity.Rejoin && time.UnixMilli(int64(o.anchor.TimestampMs)).Before(s.identity.Started)
	lost := (rejoins || starting && o.journal.fresh && s.durable > 0) && len(o.committee.Stakes) > 1
	if e.mute || lost {
		e.self = simplex.Observer
	}
	records := o.journal.records
	if e.mute {
		records = nil
	}
	state, effects, err := simplex.New(simplex.Config{
		Namespace: s.namespace, Epoch: e.number, Stakes: o.committee.Stakes, Self: e.self, Anchor: o.hash, AnchorHeight: uint64(o.anchor.Height),
		LastHeight: uint64(e.last), Timeouts: s.deadlines(len(o.committee.Stakes)), Retention: retention, Scheme: e.scheme,
	}, records)
	if s.fails(err) {
		return
	}
	e.state = state
	if !starting {
		s.previous = &previous{s.epoch.number, s.epoch.state}
	}
	s.epoch = e
	s.requests = requests{}
	s.peers.forget()
	s.introduce(s.peers.IDs(func(*peer) bool { return true })...)
	s.sort(effects, nil)
	early := s.early
	s.early = nil
	for _, x := range early {
		s.heard(x)
	}
	if starting {
		s.resume(o)
	}
}

// anchorSeed finds the seed of the round of an anchor's header among the certificates that came with it.
func (s *state) anchorSeed(o opened) *sig.Seed {
	if o.anchor.Height == 0 {
		return nil
	}
	if s.epoch != nil && s.epoch.number == o.anchor.Epoch {
		if seed, ok := s.epoch.state.Seed(o.anchor.View); ok {
			return &seed
		}
	}
	for _, c := range o.certificates {
		if c.Subject.Round == o.anchor.Round() {
			seed := c.SeedOf()
			return &seed
		}
	}
	return nil
}

// resume takes up the journaled blocks, and tells agreement of the durable tip in case the journal does not know it.
func (s *state) resume(o opened) {
	for _, b := range o.journal.blocks {
		if n := s.tree.ingest(b.raw); n != nil {
			n.sound = true // it was voted for
		}
	}
	for _, r := range o.journal.records {
		if c, ok := r.(*simplex.Certificate); ok && c.Kind == sig.Notarization {
			s.notarized(c.Certificate)
		} else if ok && c.Kind == sig.Finalization {
			s.attachFinalization(c.Certificate)
		}
	}
	s.do(settle{s.durable})
	if s.durable == 0 || uint64(s.durable) <= s.epoch.state.Finalized().Height {
		return
	}
	for _, c := range o.tip {
		if c.Kind == sig.Finalization {
			s.event(simplex.Received{From: simplex.Observer, Message: &simplex.Certificate{Certificate: c}}, nil)
		}
	}
}

// longestInterval is the block interval above which deadlines do not grow any more: those of a network whose blocks are made by hand would overflow.
const longestInterval = 30 * 24 * time.Hour

// Deadlines are those of rounds before what depends on the number of validators: the given ones, or the recommended ones, stretched with blocks further apart
// than a second.
// Spec: commonware §3.2.
func Deadlines(t simplex.Timeouts, interval time.Duration) simplex.Timeouts {
	if t == (simplex.Timeouts{}) {
		t = simplex.DefaultTimeouts()
		if stretch := simplex.Millis((min(interval, longestInterval) + time.Second - 1) / time.Second); stretch > 1 {
			t.Leader, t.Certification, t.Retry, t.Skip = stretch*t.Leader, stretch*t.Certification, stretch*t.Retry, stretch*t.Skip
		}
	}
	return t
}

// deadlines are those of rounds; a validator alone waits for nobody. Where the next block
// comes later than anything may wait for it, nothing waits. A proposal is in time within a quarter of the leader deadline after the block
// interval; one that others voted for is asked for after an eighth, and a certificate told after as long.
// Spec: commonware §3.2.
func (s *state) deadlines(validators int) simplex.Timeouts {
	t := Deadlines(s.timeouts, s.interval)
	if t.Relay == 0 {
		t.Relay = t.Leader / 8
	}
	if t.Tell == 0 {
		t.Tell = t.Leader / 8
	}
	if patience := simplex.Millis(s.interval/time.Millisecond) + t.Leader/4; t.Patience == 0 && patience < t.Leader {
		t.Patience = patience
	}
	if s.interval >= time.Duration(t.Settle)*time.Millisecond {
		t.Settle = 0
	}
	if s.interval >= time.Duration(t.Leave)*time.Millisecond {
		t.Leave = 0
	}
	if validators == 1 {
		const day = 24 * 60 * 60 * 1000
		t.Leader, t.Certification, t.Retry, t.Skip, t.Patience, t.Relay, t.Tell, t.Settle, t.Leave = day, 2*day, 2*day, 3*day, 0, 0, 0, 0, 0
	}
	return t
}

// stored says that a block is durable: the epoch may be over.
func (s *state) stored(height unit.Height) {
	if height <= s.durable {
		return
	}
	s.durable = height
	s.finals.settle(height)
	s.committed = max(s.committed, height)
	s.do(settle{height})
	if height == s.epoch.last {
		s.begin(s.epoch.number + 1)
	}
}
