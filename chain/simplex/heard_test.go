package simplex_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestVotes gives the votes of a certificate, and those that came after it once they verify. Spec: WP "Slashing"; governance-staking A3.
func TestVotes(t *testing.T) {
	scheme := newFake(5) // a quorum is four
	cfg := simplex.Config{
		Namespace: namespace, Stakes: []unit.Amount{1, 1, 1, 1, 1}, Self: simplex.Observer, Anchor: anchor, Timeouts: simplex.DefaultTimeouts(),
		Retention: simplex.DefaultRetention, Scheme: scheme,
	}
	s, _, err := simplex.New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := blok{height: 1, round: sig.Round{View: 1}, proposer: 1, parentHash: anchor}
	vote := func(signer uint32, spoil byte) {
		v := scheme.SignVote(signer, &simplex.Vote{Kind: sig.Notarization, Subject: b.subject(), Signer: signer})
		v.Signature[0] ^= spoil
		s.Step(simplex.Received{From: signer, Message: v})
	}
	if s.Votes(b.subject()) != nil {
		t.Error("votes without a certificate")
	}
	for _, signer := range []uint32{0, 1, 2, 4} {
		vote(signer, 0)
	}
	check := func(want int) {
		t.Helper()
		v := s.Votes(b.subject())
		if v == nil || v.Signers.Size() != want {
			t.Fatalf("%+v, want %d", v, want)
		}
		c := sig.Certificate{Kind: sig.Notarization, Subject: b.subject(), Signers: v.Signers, Aggregate: v.Aggregate, Seed: newFake(0).Seed(b.round)}
		if err := scheme.VerifyCertificate(&c); err != nil {
			t.Error(err)
		}
		if claim, ok := s.VotesClaim(b.subject(), v); !ok || (claim == nil) != (want == 4) {
			t.Errorf("its own votes claim %v, %v", claim, ok)
		} else if claim != nil && (len(claim.Signers) != want || !scheme.Hold([]simplex.Claim{*claim})) {
			t.Errorf("its own votes do not hold: %v", claim)
		}
		few, more := sig.NewSigners(5), sig.NewSigners(6)
		for i := range 3 {
			few.Add(i)
		}
		for i := range 6 {
			more.Add(i)
		}
		for name, bad := range map[string]*sig.Votes{
			"another aggregate": {Signers: v.Signers, Aggregate: sig.BLSSignature{1}},
			"below the quorum":  {Signers: few, Aggregate: v.Aggregate},
			"of six":            {Signers: more, Aggregate: v.Aggregate},
		} {
			if claim, ok := s.VotesClaim(b.subject(), bad); ok && (claim == nil || scheme.Hold([]simplex.Claim{*claim})) {
				t.Errorf("votes with %s hold", name)
			}
		}
	}
	check(4)
	vote(3, 1) // late and bad
	check(4)
	vote(3, 0)
	check(5)
	other := b.subject()
	other.Height++
	if s.Votes(other) != nil {
		t.Error("votes for another block")
	}
	other.Round.View = 77
	if claim, ok := s.VotesClaim(other, s.Votes(b.subject())); claim != nil || !ok {
		t.Error("a verdict on a view nothing is known of")
	}
}
