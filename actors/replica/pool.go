package replica

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// vote is one validator's vote about a block. Half is the commit half for the block's direct parent, if the vote carries one; it is
// the same signature as an explicit vote to commit the parent.
//
// Spec: WP §6.1 (VOTE); commonware §3.7, §3.8.
type vote struct {
	kind      sig.CertificateKind // Notarization or Finalization
	subject   sig.Subject
	signer    uint32
	signature sig.BLSSignature
	partial   bls.Partial
	half      *half
}

type half struct {
	parent    sig.Subject
	signature sig.BLSSignature
}

// pool collects the votes of one kind about one subject.
type pool struct {
	signers    sig.Signers
	signatures []sig.BLSSignature // in order of arrival
	partials   []bls.Partial      // of votes, not of commit halves
	done       bool               // a certificate was made
}

// add counts a signature once per validator and reports whether there is a quorum. Aggregates do not depend on the order.
//
// Spec: commonware §2.1 (quorum n − f).
func (p *pool) add(validators int, signer uint32, signature sig.BLSSignature) bool {
	if p.signers.Len() == 0 {
		p.signers = sig.NewSigners(validators)
	}
	if p.signers.Add(int(signer)) {
		p.signatures = append(p.signatures, signature)
	}
	return len(p.signatures) >= sig.Quorum(validators)
}

// certificate makes the certificate of a quorum. Spec: WP §6.1 (QC); commonware §3.7.
func (p *pool) certificate(kind sig.CertificateKind, subject sig.Subject, seed sig.Seed) (*sig.Certificate, error) {
	aggregate, err := bls.Aggregate(p.signatures)
	if err != nil {
		return nil, err
	}
	return &sig.Certificate{
		Kind: kind, Subject: subject, Signers: p.signers, Aggregate: aggregate, Seed: seed.Signature,
	}, nil
}
