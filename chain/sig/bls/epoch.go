package bls

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Epoch is what verifying one epoch's votes, seeds and proofs takes.
type Epoch struct {
	Namespace  sig.Namespace
	Validators []*PublicKey // by rank
	Group      *PublicKey   // verifies round seeds
	// Seed is what header proofs are made over: the genesis hash in epoch 0, else
	// the seed signature the epoch's first block took over.
	Seed []byte
	// Hashes, if set, remembers messages; the Epoch is then not for concurrent use.
	Hashes *Hashes
}

// VerifySeed gives an error unless s is the seed of its round under the group key.
// Spec: WP §3.4; commonware §2.5.
func (e *Epoch) VerifySeed(s sig.Seed) error {
	return e.Hashes.Verify(e.Group, e.Namespace.Seed(s.Round), s.Signature)
}

// VerifyVRF gives an error unless proof is the validator's for height.
// Spec: WP §6.1; commonware §3.6.
func (e *Epoch) VerifyVRF(validator uint32, height uint64, proof sig.BLSSignature) error {
	if int(validator) >= len(e.Validators) {
		return ErrValidator
	}
	return e.Hashes.Verify(e.Validators[validator], e.Namespace.VRF(e.Seed, height), proof)
}

// ProveVRF is the proof the holder of k makes as proposer of height.
// Spec: WP §6.1; commonware §3.6.
func (e *Epoch) ProveVRF(k *PrivateKey, height uint64) sig.BLSSignature {
	return k.Sign(e.Namespace.VRF(e.Seed, height))
}

// VerifyCertificate gives an error unless a quorum of the epoch's validators
// signed what the certificate says and its seed is the round's: ErrBitmap,
// ErrQuorum or ErrVerify. That the round belongs to this epoch is
// the caller's to check.
// Spec: WP §6.1; commonware §2.1, §3.7.
func (e *Epoch) VerifyCertificate(c *sig.Certificate) error {
	sum, err := e.quorumOf(c.Signers)
	if err != nil {
		return err
	}
	seed := c.SeedOf()
	bad := e.Hashes.VerifyEach([]Check{
		{Key: sum, Preimage: c.Preimage(e.Namespace), Signature: c.Aggregate},
		{Key: e.Group, Preimage: e.Namespace.Seed(seed.Round), Signature: seed.Signature},
	})
	if len(bad) > 0 {
		return ErrVerify
	}
	return nil
}

// Prove reports whether VerifyCertificate gives no error and all of others verify,
// in one product. Where seeded the certificate's seed is known to be its round's.
// Spec: WP §6.1; commonware §2.1, §2.6.
func (e *Epoch) Prove(c *sig.Certificate, seeded bool, others []Check) bool {
	sum, err := e.quorumOf(c.Signers)
	if err != nil {
		return false
	}
	checks := []Check{{Key: sum, Preimage: c.Preimage(e.Namespace), Signature: c.Aggregate}}
	if !seeded {
		checks = append(checks, Check{Key: e.Group, Preimage: e.Namespace.Seed(c.Subject.Round), Signature: c.Seed})
	}
	return e.Hashes.VerifyAll(append(checks, others...))
}

// CheckOf is the check of a sum of signatures by validators over one pre-image. It
// gives ErrValidator, or the errors of VerifyAggregate for keys without a sum.
func (e *Epoch) CheckOf(signers []uint32, preimage []byte, s sig.BLSSignature) (Check, error) {
	keys := make([]*PublicKey, len(signers))
	for i, m := range signers {
		if int(m) >= len(e.Validators) {
			return Check{}, ErrValidator
		}
		keys[i] = e.Validators[m]
	}
	sum, err := sumOf(keys)
	return Check{Key: sum, Preimage: preimage, Signature: s}, err
}

// quorumOf adds up the keys of a quorum: ErrBitmap or ErrQuorum.
func (e *Epoch) quorumOf(signers sig.Signers) (*PublicKey, error) {
	if signers.Len() != len(e.Validators) {
		return nil, ErrBitmap
	}
	members := signers.Members()
	if len(members) < sig.Quorum(len(e.Validators)) {
		return nil, ErrQuorum
	}
	keys := make([]*PublicKey, len(members))
	for i, m := range members {
		keys[i] = e.Validators[m]
	}
	return sumOf(keys)
}
