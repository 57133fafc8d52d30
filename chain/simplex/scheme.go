package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// Scheme verifies and combines one epoch's signatures. Its methods are functions of their arguments and the epoch's public keys. Package
// quorum implements it over BLS12-381.
type Scheme interface {
	// Verify gives an error unless s is the validator's signature over preimage.
	Verify(signer uint32, preimage []byte, s sig.BLSSignature) error
	// Assemble verifies a batch of signatures over one preimage, signatures[i] by signers[i], distinct. It gives their aggregate, or the
	// indices that fail, ascending.
	Assemble(signers []uint32, preimage []byte, signatures []sig.BLSSignature) (aggregate sig.BLSSignature, bad []int)
	// Recover combines at least a quorum of partials, partials[i] by signers[i], distinct, into the round's seed. It gives the verified seed,
	// or the indices that fail, ascending.
	Recover(round sig.Round, signers []uint32, partials []sig.BLSSignature) (seed sig.BLSSignature, bad []int)
	// VerifyCertificate gives an error unless a quorum of the epoch's validators signed what the certificate says and its seed is its round's.
	VerifyCertificate(c *sig.Certificate) error
	// Hold reports whether every claim holds.
	Hold(claims []Claim) bool
}

// Economical is what a Scheme may offer besides: the same answers for less.
type Economical interface {
	// Join is Assemble of each batch, Recover and Hold at once. ok is false where any would fail, or where there is nothing to gain: the caller then
	// asks for each.
	Join(j *Joint) (aggregates []sig.BLSSignature, seed sig.BLSSignature, ok bool)
	// Prove reports whether VerifyCertificate gives no error and every claim holds. Where seeded the certificate's seed is known to be its round's.
	Prove(c *sig.Certificate, seeded bool, claims []Claim) bool
}

// Batch is signatures over one preimage.
type Batch struct {
	Signers    []uint32 // distinct; of Signatures
	Preimage   []byte
	Signatures []sig.BLSSignature
}

// Joint is a quorum of one round's votes and of those to commit the parent, a quorum of the round's partials, and what the block claims.
type Joint struct {
	Batches []Batch // one or more

	Round    sig.Round
	Holders  []uint32 // distinct; of Partials
	Partials []sig.BLSSignature

	Claims []Claim // of the block that is voted for
}
