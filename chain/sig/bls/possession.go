package bls

import (
	"crypto/sha256"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// possessionDST is the domain under which proofs of possession are hashed to the
// curve. Spec: commonware §4.1.
const possessionDST = "BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"

// fieldElementBytes is what RFC 9380 expands per field element of BLS12-381:
// ⌈(381 + 128)/8⌉.
const fieldElementBytes = 64

// ProvePossession signs key's own public key under the domain of proofs. The
// library's own function hashes the raw key under the message domain, so the hash
// to the curve is done here.
// Spec: commonware §4.1, §4.5.
func (k *PrivateKey) ProvePossession(n sig.Namespace) sig.BLSSignature {
	point := hashToG2(n.Possession(k.PublicKey().Bytes()), possessionDST)
	var proof herumi.G2
	herumi.G2Mul(&proof, point, herumi.CastFromSecretKey(&k.scalar))
	return sig.BLSSignature(proof.Serialize())
}

// VerifyPossession gives ErrSignature or ErrVerify unless proof shows that whoever
// registers key holds its private key: e(g, proof) = e(key, H(key)).
// Spec: commonware §4.1; governance-staking A1.
func VerifyPossession(n sig.Namespace, key *PublicKey, proof sig.BLSSignature) error {
	s, err := parseSignature(proof)
	if err != nil {
		return err
	}
	hashed := hashToG2(n.Possession(key.Bytes()), possessionDST)
	if !equalPairings(herumi.CastFromSign(s), herumi.CastFromPublicKey(&key.point), hashed) {
		return ErrVerify
	}
	return nil
}

// equalPairings reports e(g, signature) = e(key, hashed), g the generator of G1.
func equalPairings(signature *herumi.G2, key *herumi.G1, hashed *herumi.G2) bool {
	var product herumi.GT
	herumi.MillerLoopVec(&product, []herumi.G1{negatedGenerator(), *key}, []herumi.G2{*signature, *hashed})
	herumi.FinalExp(&product, &product)
	return product.IsOne()
}

// negatedGenerator is −g.
func negatedGenerator() (negated herumi.G1) {
	ready()
	var generator herumi.PublicKey
	herumi.GetGeneratorOfPublicKey(&generator)
	herumi.G1Neg(&negated, herumi.CastFromPublicKey(&generator))
	return negated
}

// hashToG2 is hash_to_curve of RFC 9380 §3: two field elements from
// expand_message_xmd, each mapped to the curve, their sum. The library's map
// clears the cofactor, and clearing a sum is the sum of the cleared.
func hashToG2(message []byte, dst string) *herumi.G2 {
	ready()
	uniform := expandMessage(message, dst, 4*fieldElementBytes)
	var sum, point herumi.G2
	for i := range 2 {
		var u herumi.Fp2
		for j := range u.D {
			start := (2*i + j) * fieldElementBytes
			if err := u.D[j].SetBigEndianMod(uniform[start : start+fieldElementBytes]); err != nil {
				panic("bls: " + err.Error())
			}
		}
		if err := herumi.MapToG2(&point, &u); err != nil {
			panic("bls: " + err.Error())
		}
		if i == 0 {
			sum = point
		} else {
			herumi.G2Add(&sum, &sum, &point)
		}
	}
	return &sum
}

// expandMessage is expand_message_xmd of RFC 9380 §5.3.1 with SHA-256, for dst of
// at most 255 bytes and n of at most 255·32.
func expandMessage(message []byte, dst string, n int) []byte {
	suffix := append([]byte(dst), byte(len(dst)))
	h := sha256.New()
	h.Write(make([]byte, sha256.BlockSize))
	h.Write(message)
	h.Write([]byte{byte(n >> 8), byte(n), 0})
	h.Write(suffix)
	first := h.Sum(nil)
	block := make([]byte, sha256.Size)
	out := make([]byte, 0, n+sha256.Size)
	for i := byte(1); len(out) < n; i++ {
		for j := range block {
			block[j] ^= first[j]
		}
		h.Reset()
		h.Write(block)
		h.Write([]byte{i})
		h.Write(suffix)
		block = h.Sum(block[:0])
		out = append(out, block...)
	}
	return out[:n]
}
