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

// LateVotes are the statements that are here by now about the view of a certified block of this epoch, by validators that are not among those reported:
// verified, one entry for each kind, no validator twice. Whoever signed badly is out of the view's collections.
// Spec: WP "Slashing" (downtime); governance-staking A3.
func (s *State) LateVotes(block sig.Subject, reported sig.Signers) (list []sig.LateVotes) {
	r := s.rounds[block.Round.View]
	if r == nil || s.n > sig.MaxVoters || block.Round.Epoch != s.cfg.Epoch || reported.Len() != s.n {
		return nil
	}
	for _, kind := range [...]sig.CertificateKind{sig.Notarization, sig.Nullification, sig.Finalization} {
		late := sig.LateVotes{Height: block.Height, Kind: kind}
		about := block
		if kind == sig.Nullification {
			about = sig.Subject{Round: block.Round}
		}
		if s.lateVotes(r, about, reported, &late) {
			reported = reported.With(late.Signers)
			list = append(list, late)
		}
	}
	return list
}

// lateVotes fills in who made a statement of a kind besides those reported, and reports whether anybody did.
func (s *State) lateVotes(r *round, about sig.Subject, reported sig.Signers, late *sig.LateVotes) bool {
	for {
		var signers []uint32
		var signatures []sig.BLSSignature
		all, each := r.votes[late.Kind].about(about)
		for i, who := range all {
			if !reported.Has(int(who)) {
				signers, signatures = append(signers, who), append(signatures, each[i])
			}
		}
		if len(signers) == 0 {
			return false
		}
		aggregate, bad := s.cfg.Scheme.Assemble(signers, late.Preimage(s.cfg.Namespace, about), signatures)
		if len(bad) == 0 {
			late.Signers, late.Aggregate = s.setOf(signers), aggregate
			return true
		}
		for _, i := range bad {
			r.ignoreSigner(signers[i])
		}
	}
}

func (s *State) setOf(signers []uint32) sig.Signers {
	set := sig.NewSigners(s.n)
	for _, i := range signers {
		set.Add(int(i))
	}
	return set
}
