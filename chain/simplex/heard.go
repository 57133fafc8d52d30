package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

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

func (s *State) setOf(signers []uint32) sig.Signers {
	set := sig.NewSigners(s.n)
	for _, i := range signers {
		set.Add(int(i))
	}
	return set
}
