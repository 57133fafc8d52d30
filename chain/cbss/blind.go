package cbss

import (
	"crypto/sha512"
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// proofDomain separates the challenges of receipts.
const proofDomain = "cbss/receipt-proof/v1"

// Blinded shows that its maker has the right partial for an identity, and gives nobody anything to combine.
//
// Spec: secrets-cbss §10 (1).
type Blinded struct {
	Sigma     Point // σ′ = ρ·σᵢ
	Share     Key   // T = ρ·Sᵢ
	Challenge [ScalarSize]byte
	Response  [ScalarSize]byte
}

// Blind makes a receipt of a partial. rho and k are drawn for it alone; context is what it is for, such as the hash of the request. Rejects: ErrPoint,
// ErrScalar.
//
// Spec: secrets-cbss §10 (1).
func Blind(partial Point, public Key, rho, k *Scalar, context digest.Hash) (*Blinded, error) {
	sigma, err := partial.decode()
	if err != nil {
		return nil, err
	}
	s, err := public.decode()
	if err != nil {
		return nil, err
	}
	b := &Blinded{Sigma: Point(rho.times1(sigma).Compress()), Share: Key(rho.times2(s).ToAffine().Compress())}
	c := b.challenge(public, Key(k.times2(s).ToAffine().Compress()), context)
	copy(b.Challenge[:], c)
	by, err := ParseScalar(c)
	if err != nil {
		return nil, err
	}
	z, ok := by.s.Mul(&rho.s)
	if !ok {
		return nil, ErrScalar
	}
	if _, ok = z.AddAssign(&k.s); !ok {
		return nil, ErrScalar
	}
	copy(b.Response[:], z.Serialize())
	return b, nil
}

// Check holds a receipt to the public share of a place and an identity: the proof first, then e(σ′, G2) = e(I, T). It takes a pairing of two. Rejects:
// ErrPoint for commitments that are none, ErrProof, ErrPartial.
//
// Spec: secrets-cbss §3, §10 (1).
func (b *Blinded) Check(to *Identity, commitments []Key, place uint32, context digest.Hash) error {
	s, err := publicShare(commitments, place)
	if err != nil {
		return err
	}
	t, err := b.Share.decode()
	if err != nil {
		return ErrProof
	}
	c, err := ParseScalar(b.Challenge[:])
	if err != nil {
		return ErrProof
	}
	z, err := ParseScalar(b.Response[:])
	if err != nil {
		return ErrProof
	}
	a := z.times2(s) // k·S = z·S − c·T
	a.SubAssign(c.times2(t))
	if [ScalarSize]byte(b.challenge(Key(s.Compress()), Key(a.ToAffine().Compress()), context)) != b.Challenge {
		return ErrProof
	}
	sigma, err := b.Sigma.decode()
	if err != nil || !paired(sigma, generator(), to.hashed(), t) {
		return ErrPartial
	}
	return nil
}

// challenge is SHA-512(domain ‖ S ‖ T ‖ A ‖ σ′ ‖ context) modulo the order, in 32 bytes.
func (b *Blinded) challenge(public, commitment Key, context digest.Hash) []byte {
	h := sha512.New()
	for _, part := range [...][]byte{[]byte(proofDomain), public[:], b.Share[:], commitment[:], b.Sigma[:], context[:]} {
		h.Write(part)
	}
	n := new(big.Int).SetBytes(h.Sum(nil))
	return n.Mod(n, groupOrder()).FillBytes(make([]byte, ScalarSize))
}
