package cbss

import (
	"errors"

	blst "github.com/supranational/blst/bindings/go"
)

// Sizes in bytes.
const (
	PointSize  = 48 // an identity or a partial
	KeySize    = 96 // a key, a commitment or the ephemeral point of an envelope
	ScalarSize = 32
)

// MaxCommittee bounds a committee, and so the threshold.
//
// Spec: secrets-cbss §3 (n 5 to 15).
const MaxCommittee = 15

// Domain separates identities and keys of this service from others'.
//
// Spec: secrets-cbss §3.
const Domain = "cbss/ibe/v1"

// The rejects.
var (
	ErrPoint   = errors.New("cbss: not a point of the group, or infinity")
	ErrScalar  = errors.New("cbss: a scalar is between 1 and the order of the group")
	ErrPartial = errors.New("cbss: the partial is not that of the proxy's share")
	ErrProof   = errors.New("cbss: nobody shows that the receipt's points are the proxy's")
	ErrShare   = errors.New("cbss: the share does not follow from its commitments")
	ErrQuorum  = errors.New("cbss: partials of different places of one committee are combined")
	ErrOpen    = errors.New("cbss: the envelope does not open")
)

// Point is a compressed point of G1. Whether it is one is known only once it is used.
type Point [PointSize]byte

// Key is a compressed point of G2, likewise.
type Key [KeySize]byte

// decode gives the point, or ErrPoint for bytes that are no point of the subgroup and for infinity.
func (p Point) decode() (*blst.P1Affine, error) {
	a := new(blst.P1Affine).Uncompress(p[:])
	if a == nil || !a.SigValidate(true) {
		return nil, ErrPoint
	}
	return a, nil
}

// decode gives the point, or ErrPoint for bytes that are no point of the subgroup and for infinity.
func (k Key) decode() (*blst.P2Affine, error) {
	a := new(blst.P2Affine).Uncompress(k[:])
	if a == nil || !a.KeyValidate() {
		return nil, ErrPoint
	}
	return a, nil
}

// Check gives ErrPoint for bytes that are no point of G2's subgroup, and for infinity.
//
// Spec: secrets-cbss §5 (no identity points), §10 (3).
func (k Key) Check() error {
	_, err := k.decode()
	return err
}

// Scalar is a number between 1 and the order of the group. Made only by ParseScalar and this package's functions.
type Scalar struct{ s blst.Scalar }

// ParseScalar reads 32 bytes, big-endian. Reject: ErrScalar.
func ParseScalar(raw []byte) (*Scalar, error) {
	k := new(Scalar)
	if len(raw) != ScalarSize || k.s.Deserialize(raw) == nil || !k.s.Valid() {
		return nil, ErrScalar
	}
	return k, nil
}

// Bytes is the number in 32 bytes, big-endian.
func (k *Scalar) Bytes() []byte { return k.s.Serialize() }

// Erase overwrites the number.
//
// Spec: secrets-cbss §3 (old shares must be zeroed).
func (k *Scalar) Erase() { *k = Scalar{} }

// Public is the number times the generator of G2.
func (k *Scalar) Public() Key { return Key(blst.P2Generator().Mult(&k.s).ToAffine().Compress()) }

// times1 and times2 are a point times a secret.
func (k *Scalar) times1(p *blst.P1Affine) *blst.P1Affine {
	q := new(blst.P1)
	q.FromAffine(p)
	return q.Mult(&k.s).ToAffine()
}

func (k *Scalar) times2(p *blst.P2Affine) *blst.P2 {
	q := new(blst.P2)
	q.FromAffine(p)
	return q.Mult(&k.s)
}

// value is e(p, q) in the bytes of the tower. blst writes the coefficients of 1, w, w², …, where v is w².
//
// Spec: secrets-cbss §3 (how a pairing's value is written).
func value(p *blst.P1Affine, q *blst.P2Affine) []byte {
	const coefficient = 2 * PointSize
	f := blst.Fp12MillerLoop(q, p)
	f.FinalExp()
	raw := f.ToBendian()
	out := make([]byte, 0, len(raw))
	for _, power := range [...]int{0, 2, 4, 1, 3, 5} {
		out = append(out, raw[power*coefficient:(power+1)*coefficient]...)
	}
	return out
}

// paired reports e(a, b) = e(c, d).
func paired(a *blst.P1Affine, b *blst.P2Affine, c *blst.P1Affine, d *blst.P2Affine) bool {
	return blst.Fp12FinalVerify(blst.Fp12MillerLoop(b, a), blst.Fp12MillerLoop(d, c))
}
