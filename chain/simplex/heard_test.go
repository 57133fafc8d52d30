package simplex_test

import (
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// heard is agreement among five, who see each other's votes for one block.
type heard struct {
	*simplex.State
	scheme fake
	block  blok
}

func hears(t *testing.T) *heard {
	t.Helper()
	scheme := newFake(5) // a quorum is four
	s, _, err := simplex.New(simplex.Config{
		Namespace: namespace, Stakes: []unit.Amount{1, 1, 1, 1, 1}, Self: simplex.Observer, Anchor: anchor, Timeouts: simplex.DefaultTimeouts(),
		Retention: simplex.DefaultRetention, Scheme: scheme,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &heard{s, scheme, blok{height: 1, round: sig.Round{View: 1}, proposer: 1, parentHash: anchor}}
}

// vote brings a vote of a kind, whose signature is spoiled unless spoil is 0.
func (h *heard) vote(signer uint32, kind sig.CertificateKind, spoil byte) {
	v := h.scheme.SignVote(signer, &simplex.Vote{Kind: kind, Subject: h.block.subject(), Signer: signer})
	v.Signature[0] ^= spoil
	h.Step(simplex.Received{From: signer, Message: v})
}

// TestVotes gives the votes of a certificate, and those that came after it once they verify. Spec: WP "Slashing"; governance-staking A3.
func TestVotes(t *testing.T) {
	h := hears(t)
	scheme, b := h.scheme, h.block
	if h.Votes(b.subject()) != nil {
		t.Error("votes without a certificate")
	}
	for _, signer := range []uint32{0, 1, 2, 4} {
		h.vote(signer, sig.Notarization, 0)
	}
	check := func(want int) {
		t.Helper()
		v := h.Votes(b.subject())
		if v == nil || v.Signers.Size() != want {
			t.Fatalf("%+v, want %d", v, want)
		}
		c := sig.Certificate{Kind: sig.Notarization, Subject: b.subject(), Signers: v.Signers, Aggregate: v.Aggregate, Seed: newFake(0).Seed(b.round)}
		if err := scheme.VerifyCertificate(&c); err != nil {
			t.Error(err)
		}
		if claim, ok := h.VotesClaim(b.subject(), v); !ok || (claim == nil) != (want == 4) {
			t.Errorf("its own votes claim %v, %v", claim, ok)
		} else if claim != nil && (len(claim.Signers) != want || !scheme.Hold([]simplex.Claim{*claim})) {
			t.Errorf("its own votes do not hold: %v", claim)
		}
		for name, bad := range map[string]*sig.Votes{
			"another aggregate": {Signers: v.Signers, Aggregate: sig.BLSSignature{1}},
			"below the quorum":  {Signers: signers(5, 0, 1, 2), Aggregate: v.Aggregate},
			"of six":            {Signers: signers(6, 0, 1, 2, 3, 4, 5), Aggregate: v.Aggregate},
		} {
			t.Run(name, func(t *testing.T) {
				if claim, ok := h.VotesClaim(b.subject(), bad); ok && (claim == nil || scheme.Hold([]simplex.Claim{*claim})) {
					t.Errorf("votes with %s hold", name)
				}
			})
		}
	}
	check(4)
	h.vote(3, sig.Notarization, 1) // late and bad
	check(4)
	h.vote(3, sig.Notarization, 0)
	check(5)
	other := b.subject()
	other.Height++
	if h.Votes(other) != nil {
		t.Error("votes for another block")
	}
	other.Round.View = 77
	if claim, ok := h.VotesClaim(other, h.Votes(b.subject())); claim != nil || !ok {
		t.Error("a verdict on a view nothing is known of")
	}
}

// TestLateVotes gives the votes that a report left out, and holds them to their kind, signers and signatures. Spec: WP "Slashing"; governance-staking A3.
func TestLateVotes(t *testing.T) {
	h := hears(t)
	for signer := range uint32(5) {
		h.vote(signer, sig.Notarization, 0)
	}
	subject := h.block.subject()
	if list := h.LateVotes(subject, signers(5, 0, 1, 2, 3, 4)); list != nil {
		t.Errorf("late votes of those reported: %v", list)
	}
	list := h.LateVotes(subject, signers(5, 0, 2))
	if len(list) != 1 || list[0].Height != 1 || list[0].Kind != sig.Notarization || !slices.Equal(list[0].Signers.Members(), []int{1, 3, 4}) {
		t.Fatalf("late votes %+v", list)
	}
	hold := func(v sig.LateVotes) bool {
		claim, ok := h.LateVotesClaim(subject, &v)
		return ok && h.scheme.Hold([]simplex.Claim{claim})
	}
	if !hold(list[0]) {
		t.Error("late votes do not hold")
	}
	for name, spoil := range map[string]func(*sig.LateVotes){
		"another kind":      func(v *sig.LateVotes) { v.Kind = sig.Finalization },
		"another aggregate": func(v *sig.LateVotes) { v.Aggregate[3]++ },
		"another signer":    func(v *sig.LateVotes) { v.Signers = signers(5, 0) },
		"six":               func(v *sig.LateVotes) { v.Signers = signers(6, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			v := list[0]
			spoil(&v)
			if hold(v) {
				t.Errorf("late votes of %s hold", name)
			}
		})
	}
	other := subject
	other.Height++
	if list := h.LateVotes(other, sig.NewSigners(5)); list != nil {
		t.Errorf("late votes for another block: %v", list)
	}
}

// TestLateVotesOfEachKind: a vote to commit, or to give the round up, shows that its signer was there as well as one to notarize; nobody is told of twice, and
// whoever signed badly is out of the view. Spec: WP "Slashing" (downtime); governance-staking A3.
func TestLateVotesOfEachKind(t *testing.T) {
	s := hears(t)
	scheme, b, vote := s.scheme, s.block, s.vote
	vote(0, sig.Notarization, 0)
	vote(0, sig.Finalization, 0)
	m := scheme.SignNewView(1, &simplex.NewView{Round: b.round, Signer: 1})
	s.Step(simplex.Received{From: 1, Message: m})
	vote(2, sig.Finalization, 0)
	vote(3, sig.Finalization, 1)
	want := map[sig.CertificateKind][]int{sig.Notarization: {0}, sig.Nullification: {1}, sig.Finalization: {2}}
	list := s.LateVotes(b.subject(), sig.NewSigners(5))
	if len(list) != len(want) {
		t.Fatalf("%+v", list)
	}
	for _, v := range list {
		claim, ok := s.LateVotesClaim(b.subject(), &v)
		if !ok || !scheme.Hold([]simplex.Claim{claim}) || !slices.Equal(v.Signers.Members(), want[v.Kind]) {
			t.Errorf("%v of %v, %v", v.Kind, v.Signers.Members(), ok)
		}
	}
	told := signers(5, 0)
	if list = s.LateVotes(b.subject(), told); len(list) != 2 || list[0].Kind != sig.Nullification || list[1].Kind != sig.Finalization {
		t.Errorf("without one told of: %+v", list)
	}
	vote(3, sig.Notarization, 0)
	vote(4, sig.Notarization, 0)
	if list = s.LateVotes(b.subject(), told); len(list) != 3 || !slices.Equal(list[0].Signers.Members(), []int{4}) {
		t.Errorf("the good vote of who signed another badly counts: %+v", list)
	}
}
