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

// hashed is where a message lies on the curve, as it is signed and as it is paired.
type hashed struct {
	signed blst.P2
	paired herumi.G2
}

// hashToG2 is hash_to_curve of RFC 9380 §3 under a domain.
func hashToG2(message []byte, dst string) *hashed {
	p := blst.HashToG2(message, []byte(dst))
	return &hashed{*p, *herumi.CastFromSign(carry(p.ToAffine()))}
}

// infinityFlag marks the encoding of the point at infinity, in its first byte.
const infinityFlag = 0x40

// uncompress decodes a point of the curve other than infinity, or gives ErrSignature.
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

// parsePoint decodes a point of the curve other than infinity. It may lie outside the subgroup: whoever adds points up checks the sum.
func parsePoint(raw sig.BLSSignature) (*herumi.Sign, error) {
	p, err := uncompress(raw)
	if err != nil {
		return nil, err
	}
	return carry(p), nil
}

// parseSignature decodes a compressed signature under the same rules as a key.
func parseSignature(raw sig.BLSSignature) (*herumi.Sign, error) {
	p, err := uncompress(raw)
	if err != nil || !p.InG2() {
		return nil, ErrSignature
	}
	return carry(p), nil
}

// sealed is the bytes of a sum of points; ok is false for infinity and outside the subgroup.
func sealed(sum *herumi.G2) (s sig.BLSSignature, ok bool) {
	if sum.IsZero() {
		return s, false
	}
	p := new(blst.P2Affine).Deserialize(herumi.CastToSign(sum).SerializeUncompressed())
	if p == nil {
		panic("bls: a sum of points is no point")
	}
	return sig.BLSSignature(p.Compress()), p.InG2()
}

// carry takes a point of the curve from one library to the other, by its coordinates.
func carry(p *blst.P2Affine) *herumi.Sign {
	ready()
	var s herumi.Sign
	if err := s.DeserializeUncompressed(p.Serialize()); err != nil {
		panic("bls: " + err.Error())
	}
	return &s
}
