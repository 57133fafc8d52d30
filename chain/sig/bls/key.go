package bls

import (
	"crypto/hkdf"
	"crypto/sha256"

	herumi "github.com/herumi/bls-eth-go-binary/bls"
	blst "github.com/supranational/blst/bindings/go"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// PrivateKey is a scalar that signs. Made only by this package's functions.
type PrivateKey struct {
	scalar herumi.SecretKey
}

// ParsePrivateKey reads a 32-byte big-endian scalar, or gives ErrPrivateKey.
// Spec: commonware §4.1, §4.5.
func ParsePrivateKey(raw []byte) (*PrivateKey, error) {
	ready()
	var k PrivateKey
	if len(raw) != sig.BLSPrivateKeySize || k.scalar.Deserialize(raw) != nil || k.scalar.IsZero() {
		return nil, ErrPrivateKey
	}
	return &k, nil
}

// Bytes is the 32-byte big-endian scalar.
func (k *PrivateKey) Bytes() []byte { return k.scalar.Serialize() }

// PublicKey is the key others verify with.
func (k *PrivateKey) PublicKey() *PublicKey {
	return &PublicKey{point: *k.scalar.GetPublicKey()}
}

// Sign signs a pre-image made by sig.Namespace. Signing is deterministic.
// Spec: commonware §4.1.
func (k *PrivateKey) Sign(preimage []byte) sig.BLSSignature {
	return (*Hashes)(nil).Sign(k, preimage)
}

// Attest is Sign; keys in other processes have one that can fail.
func (k *PrivateKey) Attest(preimage []byte) (sig.BLSSignature, error) { return k.Sign(preimage), nil }

// Derive is a scalar that follows from this key, a constant and a label.
// Spec: commonware §4.3 (1: polynomials a restarted dealer makes again).
func (k *PrivateKey) Derive(constant *PrivateKey, label []byte) (*PrivateKey, error) {
	return DeriveKey(append(k.Bytes(), constant.Bytes()...), label)
}

// multiply is a point of the subgroup times the key. Neither its time nor the memory
// it looks at depends on the key.
func (k *PrivateKey) multiply(point *blst.P2) *blst.P2Affine {
	return point.Mult(new(blst.Scalar).FromBEndian(k.scalar.Serialize())).ToAffine()
}

// PublicKey is a point of G1 other than infinity.
type PublicKey struct {
	point herumi.PublicKey
}

// ParsePublicKey decodes a compressed key, or gives ErrPublicKey for bytes off the
// curve, outside the subgroup, or infinity.
// Spec: commonware §4.1, §4.5.
func ParsePublicKey(raw sig.BLSPublicKey) (*PublicKey, error) {
	ready()
	var k PublicKey
	if k.point.Deserialize(raw[:]) != nil || k.point.IsZero() {
		return nil, ErrPublicKey
	}
	return &k, nil
}

// Bytes is the compressed form.
func (k *PublicKey) Bytes() sig.BLSPublicKey { return sig.BLSPublicKey(k.point.Serialize()) }

// Verify gives ErrSignature or ErrVerify unless s is key's signature over
// preimage.
// Spec: WP §6.1; commonware §4.1.
func Verify(key *PublicKey, preimage []byte, s sig.BLSSignature) error {
	return (*Hashes)(nil).Verify(key, preimage, s)
}

// Aggregate adds signatures up into one, or gives ErrNoSigners or ErrSignature.
// Spec: WP §6.1 (aggregated_signature).
func Aggregate(signatures []sig.BLSSignature) (sig.BLSSignature, error) {
	if len(signatures) == 0 {
		return sig.BLSSignature{}, ErrNoSigners
	}
	var sum blst.P2
	for _, s := range signatures {
		p, err := inside(s)
		if err != nil {
			return sig.BLSSignature{}, err
		}
		sum.AddAssign(p)
	}
	return sig.BLSSignature(sum.Compress()), nil
}

// VerifyAggregate gives an error unless s is the sum of every key's signature over
// the one preimage. The keys must have proven possession: without it a rogue key
// could cancel the others.
// Spec: WP §6.1; commonware §2.4.
func VerifyAggregate(keys []*PublicKey, preimage []byte, s sig.BLSSignature) error {
	sum, err := sumOf(keys)
	if err != nil {
		return err
	}
	return Verify(sum, preimage, s)
}

// sumOf adds keys up: ErrNoSigners for none, ErrVerify for keys that cancel out.
func sumOf(keys []*PublicKey) (*PublicKey, error) {
	if len(keys) == 0 {
		return nil, ErrNoSigners
	}
	sum := &PublicKey{point: keys[0].point}
	for _, k := range keys[1:] {
		sum.point.Add(&k.point)
	}
	if sum.point.IsZero() {
		return nil, ErrVerify
	}
	return sum, nil
}

// scalarBytes is what a scalar is reduced from: 48 bytes leave no bias worth
// anything.
const scalarBytes = 48

// DeriveKey is a scalar that follows from a secret and a label, and tells nothing
// about either: HKDF-SHA256 of 48 bytes, reduced. It gives ErrPrivateKey for the
// zero scalar, which no known input gives.
// Spec: commonware §4.3 (1: polynomials a restarted dealer makes again).
func DeriveKey(secret, label []byte) (*PrivateKey, error) {
	ready()
	raw, err := hkdf.Key(sha256.New, secret, nil, string(label), scalarBytes)
	if err != nil {
		return nil, ErrPrivateKey
	}
	var reduced herumi.Fr
	if err := reduced.SetBigEndianMod(raw); err != nil || reduced.IsZero() {
		return nil, ErrPrivateKey
	}
	return &PrivateKey{scalar: *herumi.CastToSecretKey(&reduced)}, nil
}
