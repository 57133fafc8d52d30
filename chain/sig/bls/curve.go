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

// hashToG2 is hash_to_curve of RFC 9380 §3 under a domain.
func hashToG2(message []byte, dst string) *herumi.G2 {
	return herumi.CastFromSign(carry(blst.HashToG2(message, []byte(dst)).ToAffine()))
}

// infinityFlag marks the encoding of the point at infinity, in its first byte.
const infinityFlag = 0x40

// parsePoint decodes a point of the curve other than infinity. It may lie outside the subgroup: whoever adds points up checks the sum.
func parsePoint(raw sig.BLSSignature) (*herumi.Sign, error) {
	if raw[0]&infinityFlag != 0 {
		return nil, ErrSignature
	}
	p := new(blst.P2Affine).Uncompress(raw[:])
	if p == nil {
		return nil, ErrSignature
	}
	return carry(p), nil
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
