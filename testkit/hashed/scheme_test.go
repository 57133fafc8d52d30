package hashed

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// What is signed verifies as what it is, and as nothing else.
func TestScheme(t *testing.T) {
	s := Scheme{"test", [][]byte{{0}, {1}, {2}, {3}}}
	subject := sig.Subject{Height: 7, Round: sig.Round{View: 9}}
	c := s.Certificate(sig.Notarization, subject, 0, 2, 3)
	if err := s.VerifyCertificate(c); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(c *sig.Certificate){
		"aggregate":  func(c *sig.Certificate) { c.Aggregate[40]++ },
		"seed":       func(c *sig.Certificate) { c.Seed[3]++ },
		"height":     func(c *sig.Certificate) { c.Subject.Height++ },
		"kind":       func(c *sig.Certificate) { c.Kind = sig.Finalization },
		"signers":    func(c *sig.Certificate) { c.Signers.Add(1) },
		"quorum":     func(c *sig.Certificate) { *c = *s.Certificate(sig.Notarization, subject, 0, 2) },
		"other sets": func(c *sig.Certificate) { c.Signers = sig.NewSigners(5) },
	} {
		t.Run(name, func(t *testing.T) {
			bad := s.Certificate(sig.Notarization, subject, 0, 2, 3)
			change(bad)
			if !errors.Is(s.VerifyCertificate(bad), ErrSignature) {
				t.Errorf("%s: a changed certificate verifies", name)
			}
		})
	}
	v := s.Vote(1, &simplex.Vote{Kind: sig.Notarization, Subject: subject, Signer: 1})
	if s.Verify(1, v.Preimage(s.Namespace), v.Signature) != nil || s.Verify(2, v.Preimage(s.Namespace), v.Signature) == nil ||
		s.Verify(4, nil, v.Signature) == nil {
		t.Error("a vote is not its signer's alone")
	}
	m := s.NewView(1, &simplex.NewView{Round: subject.Round, Signer: 1}, digest.Hash{1})
	aggregate, bad := s.Assemble([]uint32{1, 2}, s.Namespace.Nullify(m.Round), []sig.BLSSignature{m.Signature, m.Signature})
	if len(bad) != 1 || bad[0] != 1 || aggregate != (sig.BLSSignature{}) {
		t.Error(bad, aggregate)
	}
	if seed, bad := s.Recover(subject.Round, []uint32{1}, []sig.BLSSignature{m.Partial}); len(bad) != 0 ||
		s.VerifySeed(sig.Seed{Round: subject.Round, Signature: seed}) != nil {
		t.Error("the seed is not its round's")
	}
	claim := simplex.Claim{Signers: []uint32{0, 3}, Preimage: []byte("x"), Signature: s.Aggregate([]int{0, 3}, []byte("x"))}
	if e := (Economical{s}); !s.Hold([]simplex.Claim{claim}) || !e.Prove(c, true, []simplex.Claim{claim}) {
		t.Error("a claim does not hold")
	}
	claim.Preimage = []byte("y")
	if s.Hold([]simplex.Claim{claim}) {
		t.Error("a wrong claim holds")
	}
}
