package simplex_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// oracle drives one State by bytes: three bytes make an event, signed as its sender would, and restarts come in between. It checks on the way that
// the State never asks for a signature that excludes an earlier one, and only after the decision was persisted.
type oracle struct {
	t       *testing.T
	keys    fake
	cfg     simplex.Config
	state   *simplex.State
	journal []simplex.Record
	said    map[uint64]*said
	final   uint64
	lives   int
	charged map[uint64]int // the life in which it accused a leader, by view
	blocks  []blok
}

func newOracle(t *testing.T) *oracle {
	o := &oracle{t: t, keys: newFake(4), said: map[uint64]*said{}, charged: map[uint64]int{}}
	timeouts := quick
	timeouts.Settle = 25
	o.cfg = simplex.Config{
		Namespace: namespace, Stakes: []unit.Amount{1, 1, 1, 1}, Anchor: anchor, LastHeight: 3, Timeouts: timeouts, Retention: 2, Scheme: newThrifty(4),
	}
	// Two blocks per view 1..6, one on the anchor and one, idle, on a block of the view before.
	for view := uint64(1); view <= 6; view++ {
		leader := o.cfg.Leader(view, newFake(0).Seed(sig.Round{View: view - 1}))
		b := blok{height: 1, round: sig.Round{View: view}, proposer: leader, parentHash: anchor}
		c := b
		c.label = 1 | idle
		if view > 1 {
			p := o.blocks[len(o.blocks)-1]
			c.height, c.parentHash, c.parentView = p.height+1, p.hash(), p.round.View
		}
		o.blocks = append(o.blocks, b, c)
	}
	o.boot()
	return o
}

func (o *oracle) boot() {
	state, effects, err := simplex.New(o.cfg, o.journal)
	if err != nil {
		o.t.Fatalf("its own journal is refused: %v", err)
	}
	o.state = state
	o.lives++
	o.perform(effects)
}

func (o *oracle) event(a, b, c byte) {
	blk := o.blocks[int(b)%len(o.blocks)]
	subject := blk.subject()
	from := uint32(1 + c%3)
	signers := [][]int{{0, 1, 2}, {1, 2, 3}, {0, 2, 3}}[c%3]
	view := uint64(1 + b%6)
	var m simplex.Message
	switch a % 17 {
	case 0, 1:
		v := o.keys.SignVote(blk.proposer, &simplex.Vote{Kind: sig.Notarization, Subject: subject, Signer: blk.proposer})
		m, from = &simplex.Propose{Vote: *v, Block: blk.encode(), Ref: blk.link()}, blk.proposer
	case 2, 3:
		v := &simplex.Vote{Kind: sig.Notarization, Subject: subject, Signer: from}
		if blk.parentView > 0 && c > 127 {
			v.Half = &simplex.Half{Parent: o.parent(blk)}
		}
		m = o.keys.SignVote(from, v)
	case 4:
		m = o.keys.SignVote(from, &simplex.Vote{Kind: sig.Finalization, Subject: subject, Signer: from})
	case 5, 6:
		m = o.keys.SignNewView(from, &simplex.NewView{Round: sig.Round{View: view}, Signer: from})
	case 7:
		m = &simplex.Certificate{Certificate: newFake(4).Certificate(sig.Notarization, subject, signers...)}
	case 8:
		m = &simplex.Certificate{Certificate: newFake(4).Certificate(sig.Nullification, sig.Subject{Round: sig.Round{View: view}}, signers...)}
	case 9:
		m = &simplex.Certificate{Certificate: newFake(4).Certificate(sig.Finalization, subject, signers...)}
	case 10:
		claims := blk.claims(o.keys)
		claims[0].Signature[1] ^= c & 1
		o.step(simplex.Checked{Subject: subject, Valid: c < 200, Claims: claims, Flaw: flawOf(c < 200)})
		return
	case 11:
		o.step(simplex.CertifiedBlock{Subject: subject, Valid: c < 200, Ref: blk.link(), Flaw: flawOf(c < 200)})
		return
	case 12:
		o.step(simplex.Expired{Timer: simplex.Timer(c % byte(simplex.TellTimer+1)), View: view})
		return
	case 13:
		o.step(simplex.Built{Round: blk.round, Ref: blk.link()})
		return
	case 14:
		m = &simplex.Request{ID: 1, Views: []uint64{view}}
	case 15:
		if c < 40 {
			o.boot()
			return
		}
		subject.Round.View = view // proposed again
		v := o.keys.SignVote(from, &simplex.Vote{Kind: sig.Notarization, Subject: subject, Signer: from})
		m = &simplex.Propose{Vote: *v}
	case 16:
		vote := o.keys.SignVote(blk.proposer, &simplex.Vote{Kind: sig.Notarization, Subject: subject, Signer: blk.proposer})
		x := &simplex.Accusation{Subject: subject, Accused: blk.proposer, Vote: vote.Signature, Flaw: simplex.FlawedBlock + simplex.Flaw(c>>7), Signer: from}
		m = o.keys.SignAccusation(from, x)
	}
	o.step(simplex.Received{From: from, Message: m})
}

func (o *oracle) parent(b blok) sig.Subject {
	return sig.Subject{BlockHash: b.parentHash, Height: b.height - 1, Round: sig.Round{View: b.parentView}}
}

func (o *oracle) step(e simplex.Event) { o.perform(o.state.Step(e)) }

func (o *oracle) perform(effects []simplex.Effect) {
	var answers []simplex.Event
	for _, e := range effects {
		switch e := e.(type) {
		case simplex.Persist:
			o.journal = append(o.journal, e.Record)
		case simplex.SignVote:
			o.vote(e.Vote)
			answers = append(answers, simplex.VoteSigned{Vote: o.keys.SignVote(0, e.Vote)})
		case simplex.SignNewView:
			s := o.in(e.NewView.Round.View)
			s.nullify = true
			if s.commit != nil || !o.recorded(&simplex.OwnNullify{Round: e.NewView.Round}) {
				o.t.Errorf("nullify of view %d: committed %v", e.NewView.Round.View, s.commit != nil)
			}
			answers = append(answers, simplex.NewViewSigned{NewView: o.keys.SignNewView(0, e.NewView)})
		case simplex.Finalized:
			if e.Certificate.Subject.Round.View < o.final {
				o.t.Errorf("final view %d after %d", e.Certificate.Subject.Round.View, o.final)
			}
			o.final = e.Certificate.Subject.Round.View
		case simplex.SignAccusation:
			if e.Accusation.Accused == 0 || o.charged[e.Accusation.Subject.Round.View] == o.lives {
				o.t.Errorf("accuses itself, or twice in view %d", e.Accusation.Subject.Round.View)
			}
			o.charged[e.Accusation.Subject.Round.View] = o.lives
			answers = append(answers, simplex.AccusationSigned{Accusation: o.keys.SignAccusation(0, e.Accusation)})
		case simplex.Accuse:
			verifier := &simplex.EvidenceVerifier{Namespace: namespace, Validators: 4, Anchor: anchor, LastHeight: 3, Scheme: o.keys, Inspect: inspect}
			again, err := simplex.DecodeEvidence(e.Evidence.Encode())
			if err != nil || e.Evidence.Offence == simplex.InvalidProposal && verifier.Verify(again) != nil {
				o.t.Errorf("evidence of %v does not hold: %v", e.Evidence.Offence, err)
			}
		}
	}
	for _, e := range answers {
		o.step(e)
	}
}

func (o *oracle) vote(v *simplex.Vote) {
	s := o.in(v.Subject.Round.View)
	subject := v.Subject
	if v.Kind == sig.Finalization {
		o.commit(subject)
		return
	}
	if s.notarize != nil && *s.notarize != subject || s.notarize == nil && s.nullify {
		o.t.Errorf("notarize %v in view %d after %v, nullify %v", subject, subject.Round.View, s.notarize, s.nullify)
	}
	s.notarize = &subject
	if v.Half != nil {
		o.commit(v.Half.Parent)
	}
}

func (o *oracle) commit(subject sig.Subject) {
	s := o.in(subject.Round.View)
	if s.nullify || s.commit != nil && *s.commit != subject {
		o.t.Errorf("commit in view %d against its word", subject.Round.View)
	}
	s.commit = &subject
}

func (o *oracle) in(view uint64) *said {
	if o.said[view] == nil {
		o.said[view] = &said{}
	}
	return o.said[view]
}

func (o *oracle) recorded(want *simplex.OwnNullify) bool {
	for _, r := range o.journal {
		if own, ok := r.(*simplex.OwnNullify); ok && *own == *want {
			return true
		}
	}
	return false
}

// FuzzStep feeds a State any sequence of genuine events: it neither panics nor signs against its word, and its own journal is always valid.
// Spec: commonware §3.3 (invariants), §3.5.
func FuzzStep(f *testing.F) {
	f.Add([]byte{0, 0, 1, 10, 0, 0, 2, 0, 1, 2, 0, 2, 4, 0, 1, 4, 0, 2})
	f.Add([]byte{12, 0, 1, 5, 0, 1, 5, 0, 2, 15, 0, 0, 0, 2, 0, 10, 2, 0})
	f.Add([]byte{0, 0, 1, 10, 0, 201, 16, 0, 1, 16, 0, 2, 16, 1, 129, 8, 0, 0})
	f.Add([]byte{7, 1, 0, 11, 1, 0, 8, 1, 0, 0, 5, 0, 10, 5, 0, 9, 1, 0, 15, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		o := newOracle(t)
		data = data[:min(len(data), 1_200)]
		for len(data) >= 3 {
			o.event(data[0], data[1], data[2])
			data = data[3:]
		}
		o.boot()
	})
}
