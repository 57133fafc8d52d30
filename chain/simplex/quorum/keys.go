package quorum

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
)

// Keys are the public keys of one epoch. It implements simplex.Scheme and simplex.Economical. It remembers messages and is not for concurrent use.
type Keys struct {
	epoch    *bls.Epoch
	partials []*bls.PublicKey // by rank: of the validators' shares
}

var (
	_ simplex.Scheme     = (*Keys)(nil)
	_ simplex.Economical = (*Keys)(nil)
)

// NewKeys takes an epoch's validators and the public side of their shared key. It gives bls.ErrSharing unless the sharing is among exactly
// the validators with the quorum as threshold.
// Spec: commonware §4.2 (threshold t = quorum(n)).
func NewKeys(epoch *bls.Epoch, sharing *bls.Sharing) (*Keys, error) {
	n := len(epoch.Validators)
	if int(sharing.Total()) != n || sharing.Threshold() != sig.Quorum(n) {
		return nil, fmt.Errorf("%w: %d of %d for %d validators", bls.ErrSharing, sharing.Threshold(), sharing.Total(), n)
	}
	own := *epoch
	own.Hashes = &bls.Hashes{}
	k := &Keys{epoch: &own, partials: make([]*bls.PublicKey, n)}
	for i := range k.partials {
		key, err := sharing.PartialKey(uint32(i))
		if err != nil {
			return nil, err
		}
		k.partials[i] = key
	}
	return k, nil
}

// Of takes the keys of a validator set as the registry holds it. Its errors mean a state no chain has.
// Spec: WP "Validator Set"; commonware §4.2.
func Of(n sig.Namespace, set *stake.Set) (*Keys, error) {
	epoch, sharing, err := set.Keys(n)
	if err != nil {
		return nil, err
	}
	return NewKeys(epoch, sharing)
}

// Verify gives an error of package bls unless s is the validator's signature over preimage.
// Spec: WP §6.1.
func (k *Keys) Verify(signer uint32, preimage []byte, s sig.BLSSignature) error {
	if int(signer) >= len(k.epoch.Validators) {
		return bls.ErrValidator
	}
	return k.epoch.Hashes.Verify(k.epoch.Validators[signer], preimage, s)
}

// Assemble verifies a batch and gives its aggregate, or who signed badly.
// Spec: WP §6.1 (buffered batch verification); commonware §2.6.
func (k *Keys) Assemble(signers []uint32, preimage []byte, signatures []sig.BLSSignature) (sig.BLSSignature, []int) {
	return k.epoch.Hashes.AggregateMany(pick(k.epoch.Validators, signers), preimage, signatures)
}

// Recover combines partials and gives the verified seed, or whose partial is bad.
// Spec: WP §3.4; commonware §2.5, §4.2.
func (k *Keys) Recover(round sig.Round, signers []uint32, partials []sig.BLSSignature) (sig.BLSSignature, []int) {
	signature, err := bls.Recover(sig.Quorum(len(k.partials)), listed(signers, partials))
	if err == nil && k.epoch.VerifySeed(sig.Seed{Round: round, Signature: signature}) == nil {
		return signature, nil
	}
	bad := bls.VerifyMany(pick(k.partials, signers), k.epoch.Namespace.Seed(round), partials)
	return sig.BLSSignature{}, culprits(bad, len(signers))
}

// Join implements simplex.Economical: votes, partials and claims in one product of pairings.
// Spec: WP §3.4, §6.1; commonware §2.5, §2.6.
func (k *Keys) Join(j *simplex.Joint) (aggregates []sig.BLSSignature, seed sig.BLSSignature, ok bool) {
	others, ok := k.checks(j.Claims)
	if !ok {
		return nil, seed, false
	}
	batches := make([]bls.Batch, len(j.Batches))
	for i, b := range j.Batches {
		batches[i] = bls.Batch{Keys: pick(k.epoch.Validators, b.Signers), Preimage: b.Preimage, Signatures: b.Signatures}
	}
	return k.epoch.Hashes.Join(bls.Joint{
		Batches: batches,
		Group:   k.epoch.Group, Threshold: sig.Quorum(len(k.partials)), Round: k.epoch.Namespace.Seed(j.Round), Partials: listed(j.Holders, j.Partials),
		Others: others,
	})
}

// Prove implements simplex.Economical: one product of pairings.
// Spec: WP §6.1; commonware §2.6, §3.7.
func (k *Keys) Prove(c *sig.Certificate, seeded bool, claims []simplex.Claim) bool {
	others, ok := k.checks(claims)
	return ok && k.epoch.Prove(c, seeded, others)
}

// Hold implements simplex.Scheme.
// Spec: WP §6.1, "Slashing" (downtime).
func (k *Keys) Hold(claims []simplex.Claim) bool {
	checks, ok := k.checks(claims)
	return ok && k.epoch.Hashes.VerifyAll(checks)
}

// checks are claims with the sums of their keys; not ok for signers that are no validators, or none.
func (k *Keys) checks(claims []simplex.Claim) (list []bls.Check, ok bool) {
	for _, c := range claims {
		check, err := k.epoch.CheckOf(c.Signers, c.Preimage, c.Signature)
		if err != nil {
			return nil, false
		}
		list = append(list, check)
	}
	return list, true
}

// Hashes are the messages the keys remember: for a Signer that is used by the same goroutine.
func (k *Keys) Hashes() *bls.Hashes { return k.epoch.Hashes }

func listed(signers []uint32, partials []sig.BLSSignature) []bls.Partial {
	list := make([]bls.Partial, len(signers))
	for i, s := range signers {
		list[i] = bls.Partial{Index: s, Signature: partials[i]}
	}
	return list
}

// VerifyCertificate gives an error of package bls unless the certificate proves what it says.
// Spec: WP §6.1; commonware §3.7.
func (k *Keys) VerifyCertificate(c *sig.Certificate) error { return k.epoch.VerifyCertificate(c) }

// culprits names everybody where a batch fails though each entry passes, which no known input does: the caller must get rid of the batch.
func culprits(bad []int, n int) []int {
	if len(bad) > 0 {
		return bad
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func pick(keys []*bls.PublicKey, signers []uint32) []*bls.PublicKey {
	out := make([]*bls.PublicKey, len(signers))
	for i, s := range signers {
		out[i] = keys[s]
	}
	return out
}
