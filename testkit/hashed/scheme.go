package hashed

import (
	"crypto/sha256"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// ErrSignature reports a signature, seed or certificate that does not verify.
var ErrSignature = errors.New("hashed: signature does not verify")

// Scheme is the simplex.Scheme of a validator set.
type Scheme struct {
	Namespace sig.Namespace
	Keys      [][]byte // by rank; distinct
}

// Sign is a validator's signature; that of whoever is none verifies for nobody.
func (s Scheme) Sign(signer uint32, preimage []byte) (signature sig.BLSSignature) {
	x := sha256.New()
	if int(signer) < len(s.Keys) {
		x.Write(s.Keys[signer])
	}
	x.Write(preimage)
	x.Sum(signature[:0])
	signature[len(signature)-1] = 1 // none is zero
	return signature
}

// Seed is a round's.
func (s Scheme) Seed(r sig.Round) (seed sig.BLSSignature) {
	x := sha256.Sum256(s.Namespace.Seed(r))
	for i := range 3 {
		copy(seed[32*i:], x[:])
		x = sha256.Sum256(x[:])
	}
	return seed
}

// VerifySeed compares a seed with its round's.
func (s Scheme) VerifySeed(seed sig.Seed) error {
	if s.Seed(seed.Round) != seed.Signature {
		return ErrSignature
	}
	return nil
}

// Aggregate is what the signers' signatures make.
func (s Scheme) Aggregate(signers []int, preimage []byte) (aggregate sig.BLSSignature) {
	for _, i := range signers {
		xor(&aggregate, s.Sign(uint32(i), preimage))
	}
	return aggregate
}

// Certificate is what the signers' votes make.
func (s Scheme) Certificate(kind sig.CertificateKind, subject sig.Subject, signers ...int) *sig.Certificate {
	c := &sig.Certificate{Kind: kind, Subject: subject, Signers: sig.NewSigners(len(s.Keys)), Seed: s.Seed(subject.Round)}
	for _, i := range signers {
		c.Signers.Add(i)
	}
	c.Aggregate = s.Aggregate(signers, c.Preimage(s.Namespace))
	return c
}

// Verify implements simplex.Scheme.
func (s Scheme) Verify(signer uint32, preimage []byte, signature sig.BLSSignature) error {
	if int(signer) >= len(s.Keys) || s.Sign(signer, preimage) != signature {
		return ErrSignature
	}
	return nil
}

// Assemble implements simplex.Scheme.
func (s Scheme) Assemble(signers []uint32, preimage []byte, signatures []sig.BLSSignature) (aggregate sig.BLSSignature, bad []int) {
	for i, signature := range signatures {
		if s.Verify(signers[i], preimage, signature) != nil {
			bad = append(bad, i)
		}
		xor(&aggregate, signature)
	}
	return aggregate, bad
}

// Recover implements simplex.Scheme.
func (s Scheme) Recover(round sig.Round, signers []uint32, partials []sig.BLSSignature) (seed sig.BLSSignature, bad []int) {
	_, bad = s.Assemble(signers, s.Namespace.Seed(round), partials)
	return s.Seed(round), bad
}

// Hold implements simplex.Scheme.
func (s Scheme) Hold(claims []simplex.Claim) bool {
	for _, c := range claims {
		var want sig.BLSSignature
		for _, rank := range c.Signers {
			xor(&want, s.Sign(rank, c.Preimage))
		}
		if want != c.Signature {
			return false
		}
	}
	return true
}

// VerifyCertificate implements simplex.Scheme.
func (s Scheme) VerifyCertificate(c *sig.Certificate) error {
	if c.Signers.Len() != len(s.Keys) {
		return ErrSignature
	}
	members := c.Signers.Members()
	if len(members) < sig.Quorum(len(s.Keys)) || s.Aggregate(members, c.Preimage(s.Namespace)) != c.Aggregate || c.Seed != s.Seed(c.Subject.Round) {
		return ErrSignature
	}
	return nil
}

func xor(into *sig.BLSSignature, s sig.BLSSignature) {
	for i := range into {
		into[i] ^= s[i]
	}
}

// Economical is a Scheme that answers several questions at once.
type Economical struct{ Scheme }

// Join implements simplex.Economical.
func (s Economical) Join(j *simplex.Joint) (aggregates []sig.BLSSignature, seed sig.BLSSignature, ok bool) {
	ok = s.Hold(j.Claims)
	for _, b := range j.Batches {
		aggregate, bad := s.Assemble(b.Signers, b.Preimage, b.Signatures)
		aggregates, ok = append(aggregates, aggregate), ok && len(bad) == 0
	}
	seed, bad := s.Recover(j.Round, j.Holders, j.Partials)
	return aggregates, seed, ok && len(bad) == 0
}

// Prove implements simplex.Economical.
func (s Economical) Prove(c *sig.Certificate, _ bool, claims []simplex.Claim) bool {
	return s.VerifyCertificate(c) == nil && s.Hold(claims)
}
