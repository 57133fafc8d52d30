package quorum

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Claims are seen to with the votes, with a certificate, or by themselves, and a false one is noticed each way.
// Spec: WP §6.1, "Slashing" (downtime); commonware §2.6, §3.6.
func TestClaims(t *testing.T) {
	keys, signers := deal(t, 4)
	s := subject(3)
	ranks, signatures, partials := votes(signers, s)
	proof := []byte("a header proof")
	parent := namespace.Notarize(subject(2))
	var cast []sig.BLSSignature
	for _, x := range signers {
		cast = append(cast, x.Key.Sign(parent))
	}
	aggregate, err := bls.Aggregate(cast)
	if err != nil {
		t.Fatal(err)
	}
	good := []simplex.Claim{
		{Signers: []uint32{2}, Preimage: proof, Signature: signers[2].Key.Sign(proof)}, {Signers: ranks, Preimage: parent, Signature: aggregate},
	}
	commits := simplex.Batch{Signers: ranks[:3], Preimage: namespace.Finalize(subject(2))}
	for _, r := range commits.Signers {
		commits.Signatures = append(commits.Signatures, signers[r].Key.Sign(commits.Preimage))
	}
	var second sig.BLSSignature
	join := func(claims []simplex.Claim) (*sig.Certificate, bool) {
		a, seed, ok := keys.Join(&simplex.Joint{
			Batches: []simplex.Batch{{Signers: ranks[:3], Preimage: namespace.Notarize(s), Signatures: signatures[:3]}, commits},
			Round:   s.Round, Holders: ranks[1:], Partials: partials[1:], Claims: claims,
		})
		if !ok {
			return nil, false
		}
		second = a[1]
		c := &sig.Certificate{Kind: sig.Notarization, Subject: s, Signers: sig.NewSigners(4), Aggregate: a[0], Seed: seed}
		for i := range 3 {
			c.Signers.Add(i)
		}
		return c, ok
	}
	c, ok := join(good)
	if !ok || keys.VerifyCertificate(c) != nil {
		t.Fatal("good claims are not joined")
	}
	check := func(name string, claims []simplex.Claim, want bool) {
		t.Helper()
		if _, ok := join(claims); ok != want {
			t.Errorf("%s: joined %v", name, ok)
		}
		if keys.Hold(claims) != want || keys.Prove(c, true, claims) != want || keys.Prove(c, false, claims) != want {
			t.Errorf("%s: does not give %v each way", name, want)
		}
	}
	check("all", good, true)
	commits.Signatures[1] = signatures[1]
	if _, ok := join(good); ok {
		t.Error("a vote to notarize is a commit")
	}
	commits.Signatures[1] = signers[1].Key.Sign(commits.Preimage)
	if sum, bad := keys.Assemble(commits.Signers, commits.Preimage, commits.Signatures); len(bad) > 0 || sum != second {
		t.Errorf("another aggregate of commits, %v", bad)
	}
	check("none", nil, true)
	check("a proof of another", []simplex.Claim{{Signers: []uint32{1}, Preimage: proof, Signature: good[0].Signature}}, false)
	check("votes of too many", []simplex.Claim{good[0], {Signers: ranks[:3], Preimage: parent, Signature: aggregate}}, false)
	check("nobody's", []simplex.Claim{{Preimage: proof, Signature: good[0].Signature}}, false)
	check("a stranger's", []simplex.Claim{{Signers: []uint32{4}, Preimage: proof, Signature: good[0].Signature}}, false)
	check("no signature", []simplex.Claim{{Signers: []uint32{2}, Preimage: proof}}, false)

	other := *c
	other.Seed = signers[0].Key.Sign(namespace.Seed(s.Round))
	if keys.Prove(&other, false, good) {
		t.Error("a wrong seed is proven")
	}
	other = *c
	other.Aggregate = aggregate
	if keys.Prove(&other, true, good) {
		t.Error("a wrong aggregate is proven")
	}
	other = *c
	other.Signers = sig.NewSigners(4)
	other.Signers.Add(1)
	if keys.Prove(&other, true, nil) {
		t.Error("less than a quorum is proven")
	}
}

// A partial prepared in advance is the one the vote would have, for its round only. Spec: WP §3.4; commonware §2.5.
func TestPrepare(t *testing.T) {
	_, signers := deal(t, 4)
	for view := uint64(1); view <= 3; view++ {
		s, plain := *signers[1], *signers[1]
		s.Prepare(subject(2).Round)
		request := &simplex.Vote{Kind: sig.Notarization, Subject: subject(view), Signer: 1}
		if got, want := s.SignVote(request), plain.SignVote(request); *got != *want {
			t.Errorf("view %d: a vote differs", view)
		}
	}
}
