package bls

import "errors"

var (
	// ErrPrivateKey reports a scalar that is not 32 bytes, zero, or not below the
	// group order.
	ErrPrivateKey = errors.New("bls: private key is not a scalar in 1..r-1")
	// ErrPublicKey reports bytes that are not a point of G1 other than infinity.
	ErrPublicKey = errors.New("bls: public key is not a point of G1")
	// ErrSignature reports bytes that are not a point of G2 other than infinity.
	ErrSignature = errors.New("bls: signature is not a point of G2")
	// ErrVerify reports a signature that is not the key's over the message.
	ErrVerify = errors.New("bls: signature does not verify")
	// ErrNoSigners reports an aggregate over nobody.
	ErrNoSigners = errors.New("bls: aggregate without signers")
	// ErrThreshold reports fewer distinct partial signatures than needed.
	ErrThreshold = errors.New("bls: not enough distinct partial signatures")
	// ErrSharing reports a public polynomial that is empty, larger than its number
	// of shares, or not made of points.
	ErrSharing = errors.New("bls: malformed public polynomial")
	// ErrQuorum reports a certificate with fewer signers than a quorum.
	ErrQuorum = errors.New("bls: certificate below quorum")
	// ErrBitmap reports a certificate about a validator set of another size.
	ErrBitmap = errors.New("bls: signer bitmap of another validator set")
	// ErrValidator reports an index outside the validator set.
	ErrValidator = errors.New("bls: no such validator")
)
