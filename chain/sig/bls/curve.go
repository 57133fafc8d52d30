package bls

import (
	herumi "github.com/herumi/bls-eth-go-binary/bls"
	blst "github.com/supranational/blst/bindings/go"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// messageDST is the domain of ordinary signatures.
const messageDST = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"

// possessionDST is the domain under which proofs of possession are hashed to the
// curve. Spec: commonware §4.1.
const possessionDST = "BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"

// hashed is where a message lies on the curve, as it is signed, paired with a key, and
// paired with several.
type hashed struct {
	signed blst.P2
	point  blst.P2Affine
	paired herumi.G2
}

// hashToG2 is hash_to_curve of RFC 9380 §3 under a domain.
func hashToG2(message []byte, dst string) *hashed {
	p := blst.HashToG2(message, []byte(dst))
	point := p.ToAffine()
	return &hashed{*p, *point, *carry(point)}
}

// infinityFlag marks the encoding of the point at infinity, in its first byte.
const infinityFlag = 0x40

// uncompress decodes a point of the curve other than infinity, or gives ErrSignature. It
// may lie outside the subgroup: whoever adds points up checks the sum.
func uncompress(raw sig.BLSSignature) (*blst.P2Affine, error) {
	if raw[0]&infinityFlag != 0 {
		return nil, ErrSignature
	}
	p := new(blst.P2Affine).Uncompress(raw[:])
	if p == nil {
		return nil, ErrSignature
	}
	return p, nil
}

// inside decodes a signature under the same rules as a key: a point of the subgroup.
func inside(raw sig.BLSSignature) (*blst.P2Affine, error) {
	p, err := uncompress(raw)
	if err != nil || !p.InG2() {
		return nil, ErrSignature
	}
	return p, nil
}

// sealed is the bytes of a sum of points; ok is false for infinity and outside the subgroup.
func sealed(sum *blst.P2Affine) (s sig.BLSSignature, ok bool) {
	s = sig.BLSSignature(sum.Compress())
	return s, s[0]&infinityFlag == 0 && sum.InG2()
}

// carry takes a point of the curve, not infinity, from blst to herumi's library, by its coordinates.
func carry(p *blst.P2Affine) *herumi.G2 {
	ready()
	var s herumi.Sign
	if err := s.DeserializeUncompressed(p.Serialize()); err != nil {
		panic("bls: " + err.Error())
	}
	return herumi.CastFromSign(&s)
}

// back takes a point of the curve the other way.
func back(p *herumi.G2) *blst.P2Affine {
	q := new(blst.P2Affine)
	if !p.IsZero() && q.Deserialize(herumi.CastToSign(p).SerializeUncompressed()) == nil {
		panic("bls: a point of the curve is none")
	}
	return q
}
