package simplex

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Claim is a signature in a block's header: over Preimage by all of Signers, added up. Whether it is one does not change what the block leads to, so
// it is seen to with the votes for the block, in the same product of pairings, and before the block is certified here.
type Claim struct {
	Signers   []uint32 // distinct
	Preimage  []byte
	Signature sig.BLSSignature
}

// VotesClaim is what the votes for a parent, in the header of a block on it, claim: nil where they are those of the certificate held here, or where none
// of the parent's view is held, as for a parent below the retention: then somebody else's quorum has looked at them. ok is false for votes that are no
// quorum of this epoch's. Whoever is asked to Check a block holds its parent's.
// Spec: WP "Slashing" (downtime); governance-staking A3.
func (s *State) VotesClaim(parent sig.Subject, v *sig.Votes) (claim *Claim, ok bool) {
	r := s.rounds[parent.Round.View]
	if r == nil || r.block() == nil {
		return nil, true
	}
	if v.Signers.Len() != s.n || v.Signers.Size() < s.quorum || parent.Round.Epoch != s.cfg.Epoch {
		return nil, false
	}
	if c := r.certificates[sig.Notarization]; c != nil && c.Subject == parent && c.Aggregate == v.Aggregate &&
		bytes.Equal(c.Signers.Append(nil), v.Signers.Append(nil)) {
		return nil, true
	}
	c := newClaim(v.Signers, s.cfg.Namespace.Notarize(parent), v.Aggregate)
	return &c, true
}

// LateVotesClaim is what late votes in a header claim; block is the one at their height. ok is false for votes of another set than this epoch's.
// Spec: WP "Slashing" (downtime); governance-staking A3.
func (s *State) LateVotesClaim(block sig.Subject, v *sig.LateVotes) (claim Claim, ok bool) {
	if v.Signers.Len() != s.n || block.Round.Epoch != s.cfg.Epoch {
		return Claim{}, false
	}
	return newClaim(v.Signers, v.Preimage(s.cfg.Namespace, block), v.Aggregate), true
}

func newClaim(signers sig.Signers, preimage []byte, aggregate sig.BLSSignature) Claim {
	c := Claim{Preimage: preimage, Signature: aggregate}
	for _, i := range signers.Members() {
		c.Signers = append(c.Signers, uint32(i))
	}
	return c
}

// claimed gives the claims of a block that are not seen to yet, where a certificate of it is at hand.
func (r *round) claimed(kind sig.CertificateKind, subject sig.Subject) []Claim {
	if p := r.proposal; kind == sig.Notarization && p != nil && p.status == valid && p.vote.Subject == subject {
		return p.claims
	}
	return nil
}

// holds reports whether a valid proposal's claims hold. A leader that claims what is not so has its block dropped by everybody.
func (s *State) holds(p *proposal) bool {
	claims := p.claims
	p.claims = nil
	if len(claims) == 0 || s.cfg.Scheme.Hold(claims) {
		return true
	}
	p.status = invalid
	s.blame(p.vote.Signer, BadProposal)
	s.charge(s.at(p.vote.Subject.Round.View), p, FlawedBlock)
	return false
}
