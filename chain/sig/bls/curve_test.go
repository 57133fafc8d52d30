package bls

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"testing"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// fieldOrder is the order of the field of BLS12-381, of its definition.
const fieldOrder = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab"

// decodedAlike fails unless herumi's library reads the same point or none.
func decodedAlike(t *testing.T, raw sig.BLSSignature) (ok bool) {
	t.Helper()
	ready()
	var other herumi.Sign
	accepts := other.Deserialize(raw[:]) == nil && !other.IsZero()
	p, err := uncompress(raw)
	switch {
	case (err == nil) != accepts:
		t.Errorf("%x: %v, and herumi's library accepts it: %v", raw, err, accepts)
	case err == nil && (!carry(p).IsEqual(castSign(&other)) || sig.BLSSignature(p.Compress()) != raw || !back(castSign(&other)).Equals(p)):
		t.Errorf("%x: two points", raw)
	}
	return err == nil
}

// Points are read alike by both libraries: signatures, points outside the
// subgroup, and what is no point: every flag, a coordinate not below the order of
// the field, infinity in several forms.
// Spec: commonware §4.1, §4.5.
func TestParsePoint(t *testing.T) {
	good := key(t, 3).Sign([]byte("a point"))
	if !decodedAlike(t, good) {
		t.Error("a signature is no point")
	}
	points := 0
	for i := range uint64(400) {
		var raw sig.BLSSignature
		h := sha256.Sum256(binary.BigEndian.AppendUint64(nil, i))
		for j := 0; j < len(raw); j += len(h) {
			copy(raw[j:], h[:])
		}
		raw[0], raw[48] = 0x80|raw[0]&0x2f, raw[48]&0x0f
		if decodedAlike(t, raw) {
			points++
		}
	}
	if points < 100 { // half of all coordinates are on the curve
		t.Errorf("only %d points", points)
	}
	order, _ := new(big.Int).SetString(fieldOrder, 16)
	for name, bend := range map[string]func(*sig.BLSSignature){
		"not compressed":     func(s *sig.BLSSignature) { s[0] &^= 0x80 },
		"infinity and more":  func(s *sig.BLSSignature) { s[0] |= 0x40 },
		"infinity":           func(s *sig.BLSSignature) { *s = sig.BLSSignature{0: 0xc0} },
		"infinity, negative": func(s *sig.BLSSignature) { *s = sig.BLSSignature{0: 0xe0} },
		"zero":               func(s *sig.BLSSignature) { *s = sig.BLSSignature{} },
		"zero, compressed":   func(s *sig.BLSSignature) { *s = sig.BLSSignature{0: 0x80} },
		"the order":          func(s *sig.BLSSignature) { order.FillBytes(s[48:]) },
		"more than the order": func(s *sig.BLSSignature) {
			x := new(big.Int).SetBytes(s[48:])
			x.Add(x, order).FillBytes(s[48:])
		},
	} {
		t.Run(name, func(t *testing.T) {
			raw := good
			bend(&raw)
			if decodedAlike(t, raw) {
				t.Errorf("%s: accepted", name)
			}
		})
	}
}

// Whatever bytes come, both libraries read the same point or none. Spec: commonware §4.5.
func FuzzParsePoint(f *testing.F) {
	good := key(f, 1).Sign([]byte("a point"))
	f.Add(good[:])
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == sig.BLSSignatureSize {
			decodedAlike(t, sig.BLSSignature(data))
		}
	})
}

// Both libraries pair alike. A key that is infinity pairs with nothing.
// Spec: commonware §4.1.
func TestPairs(t *testing.T) {
	m, held := hashToG2([]byte("a message"), messageDST), 0
	for i := range byte(4) {
		for j := range byte(4) {
			for _, text := range []string{"a message", "another"} {
				raw := key(t, i+1).Sign([]byte(text))
				if j == 3 {
					raw[0] ^= 0x20 // minus the point
				}
				point, err := inside(raw)
				if err != nil {
					t.Fatal(err)
				}
				pub := key(t, j+1).PublicKey()
				b := batch{message: &m.paired, negated: negatedGenerator()}
				want := b.deviation(*herumi.CastFromPublicKey(&pub.point), *carry(point)).IsOne()
				if pairs(point, pub, m) != want || want != (i == j && j < 3 && text == "a message") {
					t.Errorf("keys %d and %d, %s: not %v", i, j, text, want)
				}
				if pairs(point, new(PublicKey), m) {
					t.Errorf("key %d, %s: the signature of nobody", i, text)
				}
				if want {
					held++
				}
			}
		}
	}
	if held != 3 {
		t.Errorf("%d pairs are equal", held)
	}
}

// stepwise is hash_to_curve of RFC 9380 §3 step by step: two field elements from
// expand_message_xmd, each mapped to the curve by herumi's library, their sum. Its
// map clears the cofactor, and clearing a sum is the sum of the cleared.
func stepwise(message []byte, dst string) *herumi.G2 {
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

// fieldElementBytes is what RFC 9380 expands per field element of BLS12-381:
// ⌈(381 + 128)/8⌉.
const fieldElementBytes = 64

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
