package bls

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

const base = sig.Namespace("cowboy") // the namespace of the published vectors

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func repeated(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

func key(t testing.TB, b byte) *PrivateKey {
	t.Helper()
	k, err := ParsePrivateKey(repeated(b))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Spec: commonware §4.6.
func TestKeyAndSignatureVectors(t *testing.T) {
	k := key(t, 0x11)
	pub := k.PublicKey().Bytes()
	if got := hex.EncodeToString(pub[:]); got != "97248533cef0908a5ebe52c3b487471301bf6369010e6167f63dd74feddac2dfb5336a59a331d38eb0e454d6f6fcb1a4" {
		t.Errorf("public key %s", got)
	}
	s := k.Sign(base.Seed(sig.Round{View: 5}))
	const inG2 = "a7c28355b91f9cbdfacc542203db29f9275e74c45c0d934b574f5d956018c197add70cb7654273448a084521d4e3fffc" +
		"02fd86c17fc83c330f4ec6fa40d1c288707a4b9d9abafd529850a005ba86ba750f25e14e834c97f4a0570eb3650e32ad"
	if got := hex.EncodeToString(s[:]); got != inG2 {
		t.Errorf("signature %s", got)
	}
	if err := Verify(k.PublicKey(), base.Seed(sig.Round{View: 5}), s); err != nil {
		t.Error(err)
	}
	if err := Verify(k.PublicKey(), base.Seed(sig.Round{View: 6}), s); !errors.Is(err, ErrVerify) {
		t.Errorf("other round: %v", err)
	}
}

// Spec: commonware §4.6, §4.2.
func TestThresholdVectors(t *testing.T) {
	sharing, shares, err := Deal([][]byte{repeated(0x11), repeated(0x22), repeated(0x33)}, 4)
	if err != nil {
		t.Fatal(err)
	}
	if sharing.GroupKey().Bytes() != key(t, 0x11).PublicKey().Bytes() {
		t.Error("group key is not the constant term's")
	}
	for i, want := range []string{
		"6666666666666666666666666666666666666666666666666666666666666666",
		"3a46d37bcee72791bbae72120ede72177aa6da1c22256a24222222242222221f",
		"009fffa47430d1db44230c1c141b0c29a1901035444c7849444444494444443d",
		"2d5f92337fe0e28b32fe0c8c7fbe0ca22edfacb4ccd9ecd4ccccccd4ccccccc1",
	} {
		if got := hex.EncodeToString(shares[i].Key.Bytes()); got != want {
			t.Errorf("share %d = %s", i, got)
		}
	}
	message := base.Seed(sig.Round{Epoch: 1, View: 300})
	partials := make([]Partial, 4)
	for i, s := range shares {
		partials[i] = s.Sign(message)
		pk, err := sharing.PartialKey(uint32(i))
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(pk, message, partials[i].Signature); err != nil {
			t.Errorf("partial %d: %v", i, err)
		}
	}
	const partial = "93351e4661c7e2484d6bcaa47fb8c7c82b4cb246285f4d4d646f23eeca74e4b712f6b08e00515384525e565bcd546145" +
		"13769bdb3def2672d11fe1ba8a3a61654c17f89ad3720081b51024e1149084416588403a44f4f4104738d39eaf92e97f"
	if got := hex.EncodeToString(partials[0].Signature[:]); got != partial {
		t.Errorf("partial 0 = %s", got)
	}
	want := unhex(t, "802f05f5a65e0809b80bee8b3f4f53aa204256603f31dc4f0fac2fb882c9e81a9a19ca9e2a77ec0143ab8e2a40505f4e"+
		"06c455b62acc6829d98fedec9da7f3108b4f13f1e2d690125fab231f42e3a4dbcb2a1542069e4fba7a05e14273c29f3b")
	for _, set := range [][]int{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}, {3, 2, 1}, {0, 1, 2, 3}, {2, 2, 0, 3}} {
		var chosen []Partial
		for _, i := range set {
			chosen = append(chosen, partials[i])
		}
		got, err := Recover(sharing.Threshold(), chosen)
		if err != nil || !bytes.Equal(got[:], want) {
			t.Errorf("recovered from %v: %x, %v", set, got[:8], err)
		}
		if err := Verify(sharing.GroupKey(), message, got); err != nil {
			t.Errorf("recovered from %v: %v", set, err)
		}
	}
	for _, few := range [][]Partial{nil, partials[:2], {partials[0], partials[0], partials[0]}} {
		if _, err := Recover(3, few); !errors.Is(err, ErrThreshold) {
			t.Errorf("%d partials: %v", len(few), err)
		}
	}
}

// The group of one: a devnet's only validator is its whole committee.
// Spec: commonware §4.2.
func TestThresholdOfOne(t *testing.T) {
	sharing, shares, err := Deal([][]byte{repeated(7)}, 1)
	if err != nil {
		t.Fatal(err)
	}
	message := base.Seed(sig.Round{View: 1})
	got, err := Recover(sharing.Threshold(), []Partial{shares[0].Sign(message)})
	if err != nil || got != key(t, 7).Sign(message) {
		t.Errorf("recovered %x, %v", got[:8], err)
	}
}

func TestSharingCodec(t *testing.T) {
	sharing, _, err := Deal([][]byte{repeated(1), repeated(2)}, 3)
	if err != nil {
		t.Fatal(err)
	}
	raw := sharing.Append(nil)
	back, err := DecodeSharing(raw)
	if err != nil || !bytes.Equal(back.Append(nil), raw) {
		t.Fatalf("round trip: %v", err)
	}
	for name, bad := range map[string][]byte{
		"empty":                         {},
		"mode":                          append([]byte{1}, raw[1:]...),
		"trailing":                      append(slices.Clone(raw), 0),
		"no commitment":                 {0, 0, 0, 0, 3, 0},
		"more commitments than holders": append([]byte{0, 0, 0, 0, 1}, raw[5:]...),
		"infinity":                      append(append([]byte{0, 0, 0, 0, 3, 1, 0xc0}, make([]byte, 46)...), 0),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := DecodeSharing(bad); err == nil {
				t.Errorf("%s accepted", name)
			}
		})
	}
}

// The library accepts the zero key and infinity; this package must not.
// Spec: commonware §4.5 (traps).
func TestTraps(t *testing.T) {
	order := unhex(t, "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001")
	for name, raw := range map[string][]byte{
		"zero": make([]byte, 32), "order": order, "all ones": bytes.Repeat([]byte{0xff}, 32),
		"short": repeated(1)[:31], "long": append(repeated(1), 1), "none": nil,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ParsePrivateKey(raw); !errors.Is(err, ErrPrivateKey) {
				t.Errorf("private key %s: %v", name, err)
			}
		})
	}
	infinityKey := sig.BLSPublicKey{0: 0xc0}
	infinitySig := sig.BLSSignature{0: 0xc0}
	good := key(t, 0x11).PublicKey().Bytes()
	offCurve := good
	offCurve[47] ^= 1
	for name, raw := range map[string]sig.BLSPublicKey{"infinity": infinityKey, "zero": {}, "changed": offCurve} {
		t.Run(name, func(t *testing.T) {
			if _, err := ParsePublicKey(raw); err == nil {
				if name != "changed" {
					t.Errorf("public key %s accepted", name)
				}
			} else if !errors.Is(err, ErrPublicKey) {
				t.Errorf("public key %s: %v", name, err)
			}
		})
	}
	k := key(t, 0x11)
	for name, s := range map[string]sig.BLSSignature{"infinity": infinitySig, "zero": {}} {
		t.Run(name, func(t *testing.T) {
			if err := Verify(k.PublicKey(), []byte("m"), s); !errors.Is(err, ErrSignature) {
				t.Errorf("signature %s: %v", name, err)
			}
		})
	}
	if _, err := Aggregate([]sig.BLSSignature{infinitySig}); !errors.Is(err, ErrSignature) {
		t.Errorf("aggregate of infinity: %v", err)
	}
	if _, err := Aggregate(nil); !errors.Is(err, ErrNoSigners) {
		t.Errorf("aggregate of nothing: %v", err)
	}
}

// expand_message_xmd with SHA-256 against the vectors of RFC 9380 appendix K.1.
// Spec: commonware §4.1.
func TestExpandMessageVectors(t *testing.T) {
	const dst = "QUUX-V01-CS02-with-expander-SHA256-128"
	for i, c := range []struct{ message, want string }{
		{"", "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"},
		{"abc", "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := hex.EncodeToString(expandMessage([]byte(c.message), dst, 32)); got != c.want {
				t.Errorf("%q: %s", c.message, got)
			}
		})
	}
}

// Three ways to the curve agree: blst's, herumi's, and the steps of RFC 9380 by
// hand; the domains are separate.
// Spec: commonware §4.5.
func TestHashToCurveAgrees(t *testing.T) {
	k := key(t, 0x42)
	for _, m := range []string{"", "abc", "a longer message, over several blocks of the hash function, to be sure of it"} {
		s := k.Sign([]byte(m))
		point, err := inside(s)
		if err != nil {
			t.Fatal(err)
		}
		pub := k.PublicKey()
		if !castSign(herumi.HashAndMapToSignature([]byte(m))).IsEqual(&hashToG2([]byte(m), messageDST).paired) {
			t.Errorf("%q: two hashes", m)
		}
		for _, dst := range []string{messageDST, possessionDST} {
			if !stepwise([]byte(m), dst).IsEqual(&hashToG2([]byte(m), dst).paired) {
				t.Errorf("%q: another point under %s", m, dst)
			}
		}
		if !pairs(point, pub, hashToG2([]byte(m), messageDST)) {
			t.Errorf("%q: pairing differs", m)
		}
		if pairs(point, pub, hashToG2([]byte(m), possessionDST)) {
			t.Errorf("%q: domains are not separate", m)
		}
	}
}

// Spec: commonware §4.1; governance-staking A1.
func TestProofOfPossession(t *testing.T) {
	a, b := key(t, 1), key(t, 2)
	proof := a.ProvePossession(base)
	if err := VerifyPossession(base, a.PublicKey(), proof); err != nil {
		t.Error(err)
	}
	if err := VerifyPossession(base, b.PublicKey(), proof); !errors.Is(err, ErrVerify) {
		t.Errorf("another key's proof: %v", err)
	}
	if err := VerifyPossession("cowboy-2", a.PublicKey(), proof); !errors.Is(err, ErrVerify) {
		t.Errorf("another chain's proof: %v", err)
	}
	// An ordinary signature over the same bytes is no proof: the domains differ.
	if err := VerifyPossession(base, a.PublicKey(), a.Sign(base.Possession(a.PublicKey().Bytes()))); !errors.Is(err, ErrVerify) {
		t.Errorf("signature as proof: %v", err)
	}
}

// A derived key is HKDF-SHA256 of 48 bytes (RFC 5869), modulo the group order, computed here with big integers.
// Spec: commonware §4.3.
func TestDeriveKey(t *testing.T) {
	order, _ := new(big.Int).SetString("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)
	seen := map[string]bool{}
	for _, c := range []struct{ secret, label string }{{"a", "b"}, {"a", "c"}, {"ab", "c"}, {"", "a"}} {
		t.Run(c.label, func(t *testing.T) {
			extract := hmac.New(sha256.New, make([]byte, 32))
			extract.Write([]byte(c.secret))
			var out, last []byte
			for i := byte(1); len(out) < 48; i++ {
				expand := hmac.New(sha256.New, extract.Sum(nil))
				expand.Write(last)
				expand.Write([]byte(c.label))
				expand.Write([]byte{i})
				last = expand.Sum(nil)
				out = append(out, last...)
			}
			want := make([]byte, 32)
			x := new(big.Int).SetBytes(out[:48])
			x.Mod(x, order).FillBytes(want)
			got, err := DeriveKey([]byte(c.secret), []byte(c.label))
			if err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%q %q: %x, want %x, %v", c.secret, c.label, got.Bytes(), want, err)
			}
			if seen[string(want)] {
				t.Error("two derivations, one key")
			}
			seen[string(want)] = true
		})
	}
}

// Spec: WP §6.1; commonware §2.1, §3.7.
func TestCertificate(t *testing.T) {
	sharing, shares, err := Deal([][]byte{repeated(0x11), repeated(0x22), repeated(0x33)}, 4)
	if err != nil {
		t.Fatal(err)
	}
	e := &Epoch{Namespace: base, Group: sharing.GroupKey(), Seed: []byte("genesis")}
	var keys []*PrivateKey
	for b := byte(1); b <= 4; b++ {
		keys = append(keys, key(t, b))
		e.Validators = append(e.Validators, keys[b-1].PublicKey())
	}
	round := sig.Round{Epoch: 1, View: 300}
	for _, kind := range []sig.CertificateKind{sig.Notarization, sig.Nullification, sig.Finalization} {
		c := &sig.Certificate{Kind: kind, Signers: sig.NewSigners(4)}
		c.Subject.Round = round
		if kind != sig.Nullification {
			c.Subject.Height = 7
			c.Subject.BlockHash[0] = 9
		}
		var votes []sig.BLSSignature
		var partials []Partial
		for _, i := range []int{0, 2, 3} {
			c.Signers.Add(i)
			votes = append(votes, keys[i].Sign(c.Preimage(base)))
			partials = append(partials, shares[i].Sign(base.Seed(round)))
		}
		if c.Aggregate, err = Aggregate(votes); err != nil {
			t.Fatal(err)
		}
		if c.Seed, err = Recover(3, partials); err != nil {
			t.Fatal(err)
		}
		if err := e.VerifyCertificate(c); err != nil {
			t.Errorf("%v: %v", kind, err)
		}
		back, err := sig.DecodeCertificate(c.Encode())
		if err != nil || e.VerifyCertificate(back) != nil {
			t.Errorf("%v does not survive its encoding: %v", kind, err)
		}
		back.Signers.Add(1)
		if err := e.VerifyCertificate(back); !errors.Is(err, ErrVerify) {
			t.Errorf("%v with a signer too many: %v", kind, err)
		}
		two := *c
		two.Signers = sig.NewSigners(4)
		two.Signers.Add(0)
		two.Signers.Add(2)
		if err := e.VerifyCertificate(&two); !errors.Is(err, ErrQuorum) {
			t.Errorf("%v below quorum: %v", kind, err)
		}
		five := *c
		five.Signers = sig.NewSigners(5)
		if err := e.VerifyCertificate(&five); !errors.Is(err, ErrBitmap) {
			t.Errorf("%v with another bitmap: %v", kind, err)
		}
		wrongSeed := *c
		wrongSeed.Seed = keys[0].Sign(base.Seed(round))
		if err := e.VerifyCertificate(&wrongSeed); !errors.Is(err, ErrVerify) {
			t.Errorf("%v with a wrong seed: %v", kind, err)
		}
	}
}

// Spec: WP §6.1; commonware §3.6.
func TestVRF(t *testing.T) {
	k := key(t, 3)
	e := &Epoch{Namespace: base, Validators: []*PublicKey{key(t, 2).PublicKey(), k.PublicKey()}, Seed: []byte("seed")}
	proof := e.ProveVRF(k, 10)
	if err := e.VerifyVRF(1, 10, proof); err != nil {
		t.Error(err)
	}
	if err := e.VerifyVRF(0, 10, proof); !errors.Is(err, ErrVerify) {
		t.Errorf("another validator: %v", err)
	}
	if err := e.VerifyVRF(1, 11, proof); !errors.Is(err, ErrVerify) {
		t.Errorf("another height: %v", err)
	}
	if err := e.VerifyVRF(2, 10, proof); !errors.Is(err, ErrValidator) {
		t.Errorf("no such validator: %v", err)
	}
}

func BenchmarkVerify(b *testing.B) {
	k := key(b, 5)
	message := base.Nullify(sig.Round{View: 1})
	s := k.Sign(message)
	b.Run("votes=1", func(b *testing.B) {
		for b.Loop() {
			if Verify(k.PublicKey(), message, s) != nil {
				b.Fatal("does not verify")
			}
		}
	})
	keys, signatures := make([]*PublicKey, 67), make([]sig.BLSSignature, 67)
	for i := range keys {
		k := key(b, byte(i+1))
		keys[i], signatures[i] = k.PublicKey(), k.Sign(message)
	}
	b.Run("votes=67", func(b *testing.B) {
		for b.Loop() {
			if VerifyMany(keys, message, signatures) != nil {
				b.Fatal("does not verify")
			}
		}
	})
}
