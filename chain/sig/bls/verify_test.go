package bls

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	herumi "github.com/herumi/bls-eth-go-binary/bls"
)

// A vector of Ethereum's consensus tests (bls12-381-tests, verify_valid_case of the first key and the message of 0x56), and every way to spoil it:
// lengths, infinity, points off the curve and outside the subgroup, the uncompressed form, the sign, the message.
//
// Spec: WP §17.3 (verify_signature); commonware §2.5, §4.1.
func TestVerifyRaw(t *testing.T) {
	key := unhex(t, "a491d1b0ecd9bb917989f0e74f0dea0422eac4a873e5e2644f368dffb9a6e20fd6e10c1b77654d067c0618f6e5a7f79a")
	signature := unhex(t, "882730e5d03f6b42c3abc26d3372625034e1d871b65a8a6b900a56dae22da98abbe1b68f85e49fe7652a55ec3d0591c2"+
		"0767677e33e5cbb1207315c41a9ac03be39c2e7668edc043d6cb1d9fd93033caa8a1c5b0e84bedaeb6c64972503a43eb")
	message := bytes.Repeat([]byte{0x56}, 32)
	edit := func(raw []byte, at int, by byte) []byte { c := slices.Clone(raw); c[at] ^= by; return c }
	infinity := func(n int) []byte { return append([]byte{0xc0}, make([]byte, n-1)...) }
	out := outsider(t)
	for _, c := range []struct {
		what                    string
		key, message, signature []byte
		want                    bool
	}{
		{"vector", key, message, signature, true},
		{"another message", key, message[1:], signature, false}, {"another sign", key, message, edit(signature, 0, 0x20), false},
		{"key's other sign", edit(key, 0, 0x20), message, signature, false}, {"key off the curve", edit(key, 47, 1), message, signature, false},
		{"signature spoilt", key, message, edit(signature, 95, 1), false}, {"short key", key[:47], message, signature, false},
		{"long key", append(slices.Clone(key), 0), message, signature, false}, {"no key", nil, message, signature, false},
		{"short signature", key, message, signature[:95], false}, {"long signature", key, message, append(slices.Clone(signature), 0), false},
		{"no signature", key, message, nil, false}, {"infinity as key", infinity(48), message, signature, false},
		{"infinity as signature", key, message, infinity(96), false}, {"infinity twice", infinity(48), message, infinity(96), false},
		{"not compressed", edit(key, 0, 0x80), message, signature, false}, {"outside the subgroup", key, message, out[:], false},
		{"zeros", make([]byte, 48), message, make([]byte, 96), false},
		{"x of p or more", append([]byte{0x9f}, bytes.Repeat([]byte{0xff}, 47)...), message, signature, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			if got := VerifyRaw(c.key, c.message, c.signature); got != c.want {
				t.Errorf("%s: %v", c.what, got)
			}
		})
	}
}

// The verifier of the other library, which pairs, hashes and decodes by itself, gives the same answers.
//
// Spec: WP §17.3 (verify_signature).
func TestVerifyRawDifferential(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 13))
	for i := range 40 {
		k := key(t, byte(1+i%7))
		message := bytes.Repeat([]byte{byte(i)}, draw.IntN(300))
		public, made := k.PublicKey().Bytes(), k.Sign(message)
		raw, signature := public[:], made[:]
		switch draw.IntN(4) {
		case 0:
			raw[draw.IntN(48)] ^= 1 << draw.IntN(8)
		case 1:
			signature[draw.IntN(96)] ^= 1 << draw.IntN(8)
		case 2:
			message = append(message, 1)
		}
		var p herumi.PublicKey
		var s herumi.Sign
		want := p.Deserialize(raw) == nil && !p.IsZero() && s.Deserialize(signature) == nil && !s.IsZero() && s.VerifyByte(&p, message)
		if got := VerifyRaw(raw, message, signature); got != want {
			t.Errorf("%x %x %x: %v, the other says %v", raw, message, signature, got, want)
		}
	}
}
