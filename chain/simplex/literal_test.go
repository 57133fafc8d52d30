package simplex_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// lab runs States whose messages reach whom the test says.
type lab struct {
	t      *testing.T
	cfg    simplex.Config
	keys   fake
	states map[uint32]*simplex.State
	posted []posted
	blocks map[digest.Hash]blok
	final  map[uint32][]sig.Subject
	qcs    []*sig.Certificate
}

// posted is a message on its way.
type posted struct {
	from, to uint32
	message  simplex.Message
}

func newLab(t *testing.T, stakes []unit.Amount, honest ...uint32) *lab {
	l := &lab{
		t: t, keys: newFake(len(stakes)), states: map[uint32]*simplex.State{}, blocks: map[digest.Hash]blok{}, final: map[uint32][]sig.Subject{},
		cfg: simplex.Config{
			Namespace: namespace, Stakes: stakes, Anchor: anchor, Timeouts: quick, Retention: 10, Scheme: newFake(len(stakes)),
		},
	}
	for _, rank := range honest {
		cfg := l.cfg
		cfg.Self = rank
		state, effects, err := simplex.New(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		l.states[rank] = state
		l.perform(rank, effects)
	}
	return l
}

func (l *lab) step(rank uint32, e simplex.Event) { l.perform(rank, l.states[rank].Step(e)) }

func (l *lab) perform(rank uint32, effects []simplex.Effect) {
	var answers []simplex.Event
	for _, e := range effects {
		switch e := e.(type) {
		case simplex.SignVote:
			answers = append(answers, simplex.VoteSigned{Vote: l.keys.SignVote(rank, e.Vote)})
		case simplex.SignNewView:
			answers = append(answers, simplex.NewViewSigned{NewView: l.keys.SignNewView(rank, e.NewView)})
		case simplex.Announce:
			l.post(rank, &simplex.Propose{Vote: *e.Vote, Block: l.blocks[e.Vote.Subject.BlockHash].encode()})
		case simplex.Broadcast:
			l.post(rank, e.Message)
		case simplex.Send:
			l.posted = append(l.posted, posted{rank, e.To, e.Message})
		case simplex.Build:
			b := l.block(e.Round.View, rank, e.Parent, 0)
			answers = append(answers, simplex.Built{Round: e.Round, Ref: b.link()})
		case simplex.Check:
			answers = append(answers, simplex.Checked{Subject: e.Subject, Valid: true})
		case simplex.Certify:
			answers = append(answers, simplex.CertifiedBlock{Subject: e.Subject, Valid: true, Ref: l.blocks[e.Subject.BlockHash].link()})
		case simplex.Notarized:
			l.qcs = append(l.qcs, e.Certificate)
		case simplex.Finalized:
			l.final[rank] = append(l.final[rank], e.Certificate.Subject)
		case simplex.Halt:
			l.t.Errorf("validator %d halts", rank)
		}
	}
	for _, e := range answers {
		l.step(rank, e)
	}
}

func (l *lab) block(view uint64, proposer uint32, parent sig.Subject, label uint64) blok {
	b := blok{
		height: parent.Height + 1, round: sig.Round{View: view}, proposer: proposer, parentHash: parent.BlockHash,
		parentView: parent.Round.View, label: label,
	}
	l.blocks[b.hash()] = b
	return b
}

func (l *lab) post(from uint32, m simplex.Message) {
	for to := range uint32(len(l.cfg.Stakes)) {
		if to != from {
			l.posted = append(l.posted, posted{from, to, m})
		}
	}
}

// deliver hands over what passes, until nothing is on its way; the rest is lost.
func (l *lab) deliver(pass func(posted) bool) {
	for len(l.posted) > 0 {
		p := l.posted[0]
		l.posted = l.posted[1:]
		if l.states[p.to] != nil && pass(p) {
			l.step(p.to, simplex.Received{From: p.from, Message: reencode(p.message)})
		}
	}
}

func (l *lab) expire(timer simplex.Timer, ranks ...uint32) {
	for _, r := range ranks {
		l.step(r, simplex.Expired{Timer: timer, View: l.states[r].Round().View})
	}
}

// certify makes a certificate the way somebody who has heard every vote can.
func (l *lab) certify(kind sig.CertificateKind, s sig.Subject, signers ...int) *sig.Certificate {
	return newFake(len(l.cfg.Stakes)).Certificate(kind, s, signers...)
}

// literal finalizes a block as soon as a child has a QC: the whitepaper's sentence, taken literally.
func literal(blocks map[digest.Hash]blok, qcs []*sig.Certificate) (final map[uint64]digest.Hash, conflict bool) {
	final = map[uint64]digest.Hash{}
	for _, c := range qcs {
		child := blocks[c.Subject.BlockHash]
		if child.height < 2 {
			continue
		}
		if other, ok := final[child.height-1]; ok && other != child.parentHash {
			conflict = true
		}
		final[child.height-1] = child.parentHash
	}
	return final, conflict
}

// TestLiteralRule replays the withheld notarizations that break "a block is final when its direct child has a QC": D hides the QCs of X1 and of
// its child X2, honest validators give both views up and finalize Y3 on genesis, then D shows QC(X2). The literal rule finalizes X1 and Y3 at
// height 1; here only Y3 is final and X1 was at most committed.
// Spec: commonware §3.8 (a); WP §6.1 (finality rule, deviation).
func TestLiteralRule(t *testing.T) {
	const d = 1 // D leads view 1
	honest := []uint32{0, 2, 3}
	stakes := []unit.Amount{100, 0, 100, 100}
	cfg := simplex.Config{Stakes: stakes}
	for stakes[d] = 1; cfg.Leader(2, newFake(0).Seed(sig.Round{View: 1})) == d || cfg.Leader(3, newFake(0).Seed(sig.Round{View: 2})) != d; stakes[d]++ {
		if stakes[d] > 10_000 {
			t.Fatal("no stake makes D lead views 1 and 3 but not 2")
		}
	}
	l := newLab(t, stakes, honest...)
	leader := cfg.Leader(2, newFake(0).Seed(sig.Round{View: 1}))
	genesis := sig.Subject{BlockHash: anchor}

	propose := func(b blok) {
		v := l.keys.SignVote(d, &simplex.Vote{Kind: sig.Notarization, Subject: b.subject(), Signer: d})
		l.post(d, &simplex.Propose{Vote: *v, Block: b.encode()})
	}
	fromD := func(p posted) bool { return p.from == d }
	noVotes := func(p posted) bool { _, vote := p.message.(*simplex.Vote); return !vote }

	// View 1: everybody notarizes X1; the votes reach D alone.
	x1 := l.block(1, d, genesis, 1)
	propose(x1)
	l.deliver(fromD)
	hidden := l.certify(sig.Notarization, x1.subject(), 0, 2, 3)
	l.expire(simplex.CertificationTimer, honest...)
	// D shows QC(X1) to the leader of view 2 before it hears the others give up.
	l.step(leader, simplex.Received{From: d, Message: &simplex.Certificate{Certificate: hidden}})
	// The leader builds X2 on it, as ordered; everybody enters view 2 and notarizes X2; the votes reach D alone.
	var x2 blok
	l.deliver(func(p posted) bool {
		if m, ok := p.message.(*simplex.Propose); ok {
			x2 = l.blocks[m.Vote.Subject.BlockHash]
			return true
		}
		return noVotes(p)
	})
	if x2.parentHash != x1.hash() {
		t.Fatalf("the leader of view 2 did not build on the highest QC")
	}
	hidden = l.certify(sig.Notarization, x2.subject(), 0, 2, 3)
	l.expire(simplex.CertificationTimer, honest...)
	l.deliver(noVotes)
	// View 3: D proposes Y3 on genesis, justified by two nullifications, and everybody must accept.
	for _, r := range honest {
		if got := l.states[r].Round().View; got != 3 {
			t.Fatalf("validator %d is in view %d", r, got)
		}
	}
	y3 := l.block(3, d, genesis, 3)
	propose(y3)
	l.deliver(func(p posted) bool { _, proposal := p.message.(*simplex.Propose); return proposal })
	// D shows QC(X2) to one validator before Y3 is final, then to all.
	l.step(leader, simplex.Received{From: d, Message: &simplex.Certificate{Certificate: hidden}})
	if got := l.states[leader].Committed(); got != x1.subject() {
		t.Errorf("committed %v, want X1", got)
	}
	l.qcs = append(l.qcs, hidden)
	for _, r := range honest {
		v := l.keys.SignVote(r, &simplex.Vote{Kind: sig.Notarization, Subject: y3.subject(), Signer: r})
		l.post(r, v) // the votes of view 3 arrive after all
	}
	l.deliver(func(posted) bool { return true })
	for _, r := range honest {
		l.step(r, simplex.Received{From: d, Message: &simplex.Certificate{Certificate: hidden}})
		if len(l.final[r]) == 0 || l.final[r][0] != y3.subject() {
			t.Errorf("validator %d: final %v, want Y3 first", r, l.final[r])
		}
		for _, s := range l.final[r] {
			if b := l.blocks[s.BlockHash]; b.height == 2 && b.parentHash != y3.hash() {
				t.Errorf("validator %d finalized a block beside Y3", r)
			}
		}
	}
	// Views after 3 extend Y3, so the literal rule finalizes Y3 too.
	for range 4 {
		if _, conflict := literal(l.blocks, l.qcs); conflict {
			return
		}
		l.expire(simplex.CertificationTimer, honest...)
		l.deliver(func(posted) bool { return true })
	}
	t.Error("the literal rule survived its counter-example")
}
