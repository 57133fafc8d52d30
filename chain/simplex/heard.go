package simplex

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Votes are the votes to notarize a certified block of this epoch that are here by now: those of its certificate and whatever came late, verified.
// A leader asks when it builds on the block, so that its header tells who takes part. nil if the block's certificate is not here, or is no
// notarization, or the set is too large for a header.
// Spec: WP "Slashing" (downtime); governance-staking A3.
func (s *State) Votes(block sig.Subject) *sig.Votes {
	r := s.rounds[block.Round.View]
	if r == nil || s.n > sig.MaxVoters || block.Round.Epoch != s.cfg.Epoch {
		return nil
	}
	certificate := r.certificates[sig.Notarization]
	if certificate == nil || certificate.Subject != block {
		return nil
	}
	signers, signatures := r.votes[sig.Notarization].about(block)
	preimage := s.cfg.Namespace.Notarize(block)
	for len(signers) > certificate.Signers.Size() {
		aggregate, bad := s.cfg.Scheme.Assemble(signers, preimage, signatures)
		if len(bad) == 0 {
			return &sig.Votes{Signers: s.setOf(signers), Aggregate: aggregate}
		}
		for i := len(bad) - 1; i >= 0; i-- { // without blame: a late vote changes nothing any more
			at := bad[i]
			r.votes[sig.Notarization].remove(signers[at])
			signers, signatures = append(signers[:at], signers[at+1:]...), append(signatures[:at], signatures[at+1:]...)
		}
	}
	return &sig.Votes{Signers: certificate.Signers, Aggregate: certificate.Aggregate}
}

// CheckVotes reports whether the votes for a block, in the header of a block on it, were cast. Those of the certificate held here cost nothing. known is
// false where no certificate of the block's view is here, as for a parent below the retention: that is no verdict. Whoever is asked to Check a block
// holds its parent's.
// Spec: WP "Slashing" (downtime); governance-staking A3.
func (s *State) CheckVotes(block sig.Subject, v *sig.Votes) (ok, known bool) {
	r := s.rounds[block.Round.View]
	if r == nil || r.block() == nil || r.seed == nil {
		return false, false
	}
	if v.Signers.Len() != s.n || block.Round.Epoch != s.cfg.Epoch {
		return false, true
	}
	c := sig.Certificate{Kind: sig.Notarization, Subject: block, Signers: v.Signers, Aggregate: v.Aggregate, Seed: *r.seed}
	if held := r.certificates[sig.Notarization]; held != nil && bytes.Equal(held.Encode(), c.Encode()) {
		return true, true
	}
	if scheme, able := s.cfg.Scheme.(Economical); able {
		if ok, known := scheme.VerifyVotes(v.Signers, c.Preimage(s.cfg.Namespace), v.Aggregate); known {
			return ok, true
		}
	}
	return s.cfg.Scheme.VerifyCertificate(&c) == nil, true
}

func (s *State) setOf(signers []uint32) sig.Signers {
	set := sig.NewSigners(s.n)
	for _, i := range signers {
		set.Add(int(i))
	}
	return set
}
