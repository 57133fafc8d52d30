package replica

import (
	"errors"
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// epoch is agreement in one epoch.
type epoch struct {
	number    uint64
	committee *Committee
	self      uint32 // rank, or simplex.Observer: also of a validator that must not vote
	mute      bool   // the journal is of a later epoch and must stay as it is
	scheme    *trusting
	guard     *guard
	state     *simplex.State
	last      unit.Height
	// seed is that of the round of the anchor's header, nil where it is not known and in epoch 0: the first block of the epoch proposed in view 1
	// carries it.
	seed         *sig.Seed
	lead         uint32 // leader of the current round
	foreseen     uint64 // the view that was prepared for
	introduction []byte // this node's, once made
}

// former is the epoch before, kept for those who are still in it.
type former struct {
	number uint64
	state  *simplex.State
}

// plant makes a durable block the root of the tree.
func (s *Subsystem) plant(tip *ledger.Tip) error {
	seed, err := s.epochSeed(tip)
	if err != nil {
		return err
	}
	s.tree = tree{
		genesis: s.Identity.Genesis, root: head{header: tip.Header, hash: tip.Hash, state: tip.State, epochSeed: seed},
		nodes: map[digest.Hash]*node{},
	}
	return nil
}

// epochSeed is what header proofs of the epoch of the durable tip are made over. Where the epoch's first block is not held the registry tells.
// Spec: commonware §3.6.
func (s *Subsystem) epochSeed(tip *ledger.Tip) ([]byte, error) {
	h := tip.Header
	if h.Epoch == 0 {
		return s.Identity.Genesis[:], nil
	}
	first, err := s.Peers.Ledger.Header(s.Identity.Calendar.First(h.Epoch))
	if errors.Is(err, ledger.ErrAbsent) {
		set, err := stake.SetAt(tip.State, h.Epoch)
		if err != nil {
			return nil, err
		}
		return set.Seed, nil
	}
	if err != nil {
		return nil, err
	}
	if first.ParentSeed == nil {
		return nil, fmt.Errorf("replica: the first block of epoch %d carries no seed", h.Epoch)
	}
	return first.ParentSeed.Signature[:], nil
}

// begin opens an epoch whose anchor is durable. A node without the journal of what it may have signed in the epoch only follows it; in a set of one
// nobody else can hold anything it signed.
// Spec: WP "Validator Set"; commonware §3.5.
func (s *Subsystem) begin(number uint64) {
	anchor, err := s.Peers.Ledger.Header(s.Identity.Calendar.Anchor(number))
	must(err)
	hash := anchor.Hash()
	committee, err := s.Committees.At(number, hash)
	must(err)
	e := &epoch{
		number: number, committee: committee, self: committee.Self, last: s.Identity.Calendar.Last(number), scheme: newTrusting(committee.Scheme, s.namespace),
		mute: s.journal.title.epoch > number,
	}
	starting := s.epoch == nil
	// Who rejoins may have signed in every epoch that had begun when this process started, also in those it is only catching up with now.
	rejoins := s.Identity.Rejoin && time.UnixMilli(int64(anchor.TimestampMs)).Before(s.Identity.Started)
	lost := (rejoins || starting && s.journal.fresh && s.durable > 0) && len(committee.Stakes) > 1
	if e.mute || lost {
		e.self = simplex.Observer
	}
	var records []simplex.Record
	switch {
	case s.journal.title.epoch < number:
		must(s.journal.turn(number))
	case !e.mute:
		records = s.journal.records
	}
	e.guard, err = newGuard(number, records)
	must(err)
	e.seed, err = s.anchorSeed(anchor, hash)
	must(err)
	state, effects, err := simplex.New(simplex.Config{
		Namespace: s.namespace, Epoch: number, Stakes: committee.Stakes, Self: e.self, Anchor: hash, AnchorHeight: uint64(anchor.Height),
		LastHeight: uint64(e.last), Timeouts: s.timeouts(len(committee.Stakes)), Retention: retention, Scheme: e.scheme,
	}, records)
	must(err)
	e.state = state
	if !starting {
		s.former = &former{s.epoch.number, s.epoch.state}
	}
	s.epoch = e
	s.questions = questions{}
	s.peers.forget()
	s.introduce()
	s.sort(effects, nil)
	early := s.early
	s.early = nil
	for _, d := range early {
		s.heard(d)
	}
}

// anchorSeed finds the seed of the round of an anchor's header among the certificates that came with it.
func (s *Subsystem) anchorSeed(anchor *block.Header, hash digest.Hash) (*sig.Seed, error) {
	if anchor.Height == 0 {
		return nil, nil
	}
	if s.epoch != nil && s.epoch.number == anchor.Epoch {
		if seed, ok := s.epoch.state.Seed(anchor.View); ok {
			return &seed, nil
		}
	}
	certificates, err := s.Peers.Ledger.Certificates(anchor.Height)
	if err != nil {
		return nil, err
	}
	for _, c := range certificates {
		if c.Subject.Round == anchor.Round() {
			seed := c.SeedOf()
			return &seed, nil
		}
	}
	return nil, nil
}

// resume takes up the journaled blocks, and tells agreement of the durable tip in case the journal does not know it.
func (s *Subsystem) resume(tip *ledger.Tip) {
	for _, b := range s.journal.blocks {
		if n := s.tree.ingest(b.raw); n != nil {
			n.sound = true // it was voted for
		}
	}
	for _, r := range s.journal.records {
		if c, ok := r.(*simplex.Certificate); ok && c.Kind == sig.Notarization {
			s.notarized(c.Certificate)
		} else if ok && c.Kind == sig.Finalization {
			s.attest(c.Certificate)
		}
	}
	must(s.journal.settle(s.durable))
	if tip.Header.Height == 0 || uint64(tip.Header.Height) <= s.epoch.state.Finalized().Height {
		return
	}
	certificates, err := s.Peers.Ledger.Certificates(tip.Header.Height)
	must(err)
	for _, c := range certificates {
		if c.Kind == sig.Finalization {
			s.event(simplex.Received{From: simplex.Observer, Message: &simplex.Certificate{Certificate: c}}, nil)
		}
	}
}

// Deadlines are those of rounds before what depends on the number of validators: the given ones, or the recommended ones, stretched with blocks further apart
// than a second.
// Spec: commonware §3.2.
func Deadlines(t simplex.Timeouts, interval time.Duration) simplex.Timeouts {
	if t == (simplex.Timeouts{}) {
		t = simplex.DefaultTimeouts()
		if stretch := simplex.Millis((interval + time.Second - 1) / time.Second); stretch > 1 {
			t.Leader, t.Certification, t.Retry, t.Skip = stretch*t.Leader, stretch*t.Certification, stretch*t.Retry, stretch*t.Skip
		}
	}
	return t
}

// timeouts are the deadlines of rounds; a validator alone waits for nobody. Where the next block
// comes later than anything may wait for it, nothing waits. A proposal is in time within a quarter of the leader deadline after the block
// interval; one that others voted for is asked for after an eighth, and a certificate told after as long.
// Spec: commonware §3.2.
func (s *Subsystem) timeouts(validators int) simplex.Timeouts {
	t := Deadlines(s.Timeouts, s.Interval)
	if t.Relay == 0 {
		t.Relay = t.Leader / 8
	}
	if t.Tell == 0 {
		t.Tell = t.Leader / 8
	}
	if patience := simplex.Millis(s.Interval/time.Millisecond) + t.Leader/4; t.Patience == 0 && patience < t.Leader {
		t.Patience = patience
	}
	if s.Interval >= time.Duration(t.Settle)*time.Millisecond {
		t.Settle = 0
	}
	if s.Interval >= time.Duration(t.Leave)*time.Millisecond {
		t.Leave = 0
	}
	if validators == 1 {
		const day = 24 * 60 * 60 * 1000
		t.Leader, t.Certification, t.Retry, t.Skip, t.Patience, t.Relay, t.Tell, t.Settle, t.Leave = day, 2*day, 2*day, 3*day, 0, 0, 0, 0, 0
	}
	return t
}

// stored says that a block is durable: the epoch may be over.
func (s *Subsystem) stored(height unit.Height) {
	if height <= s.durable {
		return
	}
	s.durable = height
	s.finals.settle(height)
	s.committed = max(s.committed, height)
	must(s.journal.settle(height))
	if height == s.epoch.last {
		s.begin(s.epoch.number + 1)
	}
}
