package bls

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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
		if _, err := DecodeSharing(bad); err == nil {
			t.Errorf("%s accepted", name)
		}
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
		if _, err := ParsePrivateKey(raw); !errors.Is(err, ErrPrivateKey) {
			t.Errorf("private key %s: %v", name, err)
		}
	}
	infinityKey := sig.BLSPublicKey{0: 0xc0}
	infinitySig := sig.BLSSignature{0: 0xc0}
	good := key(t, 0x11).PublicKey().Bytes()
	offCurve := good
	offCurve[47] ^= 1
	for name, raw := range map[string]sig.BLSPublicKey{"infinity": infinityKey, "zero": {}, "changed": offCurve} {
		if _, err := ParsePublicKey(raw); err == nil {
			if name != "changed" {
				t.Errorf("public key %s accepted", name)
			}
		} else if !errors.Is(err, ErrPublicKey) {
			t.Errorf("public key %s: %v", name, err)
		}
	}
	k := key(t, 0x11)
	for name, s := range map[string]sig.BLSSignature{"infinity": infinitySig, "zero": {}} {
		if err := Verify(k.PublicKey(), []byte("m"), s); !errors.Is(err, ErrSignature) {
			t.Errorf("signature %s: %v", name, err)
		}
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
	for _, c := range []struct{ message, want string }{
		{"", "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"},
		{"abc", "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"},
	} {
		if got := hex.EncodeToString(expandMessage([]byte(c.message), dst, 32)); got != c.want {
			t.Errorf("%q: %s", c.message, got)
		}
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

// Spec: WP §6.1 (aggregated_signature); commonware §2.4.
func TestAggregate(t *testing.T) {
	message := base.Nullify(sig.Round{Epoch: 1, View: 2})
	var keys []*PublicKey
	var signatures []sig.BLSSignature
	for b := byte(1); b <= 5; b++ {
		k := key(t, b)
		keys = append(keys, k.PublicKey())
		signatures = append(signatures, k.Sign(message))
	}
	sum, err := Aggregate(signatures)
	if err != nil {
		t.Fatal(err)
	}
	if err := VerifyAggregate(keys, message, sum); err != nil {
		t.Error(err)
	}
	if err := VerifyAggregate(keys[:4], message, sum); !errors.Is(err, ErrVerify) {
		t.Errorf("missing signer: %v", err)
	}
	if err := VerifyAggregate(nil, message, sum); !errors.Is(err, ErrNoSigners) {
		t.Errorf("nobody: %v", err)
	}
}

// Every subset of bad signatures among seven is found exactly.
// Spec: WP §6.1 (buffered batch verification); commonware §2.6.
func TestVerifyManyFindsTheBadOnes(t *testing.T) {
	message := base.Nullify(sig.Round{View: 9})
	const n = 7
	var keys []*PublicKey
	var good []sig.BLSSignature
	for b := range byte(n) {
		k := key(t, b+1)
		keys = append(keys, k.PublicKey())
		good = append(good, k.Sign(message))
	}
	for _, set := range []int{0, 1, 1 << 6, 0b1010101, 0b0011000, 1<<n - 1} {
		signatures := slices.Clone(good)
		var want []int
		for i := range n {
			if set>>i&1 == 1 {
				want = append(want, i)
				signatures[i] = good[(i+1)%n] // another validator's vote
			}
		}
		if got := VerifyMany(keys, message, signatures); !slices.Equal(got, want) {
			t.Errorf("set %b: %v, want %v", set, got, want)
		}
	}
	// Two wrong signatures that cancel out in an unweighted sum.
	swapped := slices.Clone(good)
	swapped[2], swapped[3] = swapped[3], swapped[2]
	if got := VerifyMany(keys, message, swapped); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("swapped: %v", got)
	}
	broken := slices.Clone(good)
	broken[4] = sig.BLSSignature{0: 0xc0}
	broken[1] = good[0]
	if got := VerifyMany(keys, message, broken); !slices.Equal(got, []int{1, 4}) {
		t.Errorf("undecodable: %v", got)
	}
	if got := VerifyMany(nil, message, nil); got != nil {
		t.Errorf("empty batch: %v", got)
	}
}

// The votes that keep an aggregate from verifying are named, every one of them bad, and without them the rest adds up to a valid aggregate. A pair
// whose errors cancel is let through: the aggregate is valid all the same.
// Spec: WP §6.1 (buffered batch verification at quorum); commonware §2.6.
func TestAggregateMany(t *testing.T) {
	message := base.Nullify(sig.Round{View: 9})
	const n = 7
	var keys []*PublicKey
	var good []sig.BLSSignature
	for b := range byte(n) {
		k := key(t, b+1)
		keys = append(keys, k.PublicKey())
		good = append(good, k.Sign(message))
	}
	sum, err := Aggregate(good)
	if err != nil {
		t.Fatal(err)
	}
	if got, bad := AggregateMany(keys, message, good); bad != nil || got != sum {
		t.Errorf("all good: %v", bad)
	}
	for set := range 1 << n {
		signatures := slices.Clone(good)
		var want []int
		for i := range n {
			if set>>i&1 == 1 {
				want = append(want, i)
				signatures[i] = key(t, byte(50+i)).Sign(message)
			}
		}
		if set == 1<<3|1 {
			signatures[3] = sig.BLSSignature{1}
		}
		if _, bad := AggregateMany(keys, message, signatures); !slices.Equal(bad, want) {
			t.Errorf("set %b: %v, want %v", set, bad, want)
		}
	}
	swapped := slices.Clone(good)
	swapped[2], swapped[3] = swapped[3], swapped[2]
	if got, bad := AggregateMany(keys, message, swapped); bad != nil || got != sum {
		t.Errorf("two that cancel: %v", bad)
	}
	swapped[6] = good[0]
	if _, bad := AggregateMany(keys, message, swapped); !slices.Contains(bad, 6) {
		t.Errorf("two that cancel and a bad one: %v", bad)
	}
	if got, bad := AggregateMany(nil, message, nil); bad != nil || got != (sig.BLSSignature{}) {
		t.Errorf("nobody: %v", bad)
	}
}

// Signatures over different messages verify together; whatever is wrong is found by itself. Swapped signatures, whose errors cancel without weights,
// are found too.
// Spec: commonware §2.6.
func TestVerifyEach(t *testing.T) {
	var good []Check
	for b := range byte(5) {
		k, m := key(t, b+1), base.Nullify(sig.Round{View: uint64(b)})
		good = append(good, Check{k.PublicKey(), m, k.Sign(m)})
	}
	for n := range len(good) + 1 {
		if bad := VerifyEach(good[:n]); bad != nil {
			t.Errorf("%d good ones: %v", n, bad)
		}
	}
	for set := 1; set < 1<<5; set++ {
		checks := slices.Clone(good)
		var want []int
		for i := range checks {
			if set>>i&1 == 1 {
				want = append(want, i)
				checks[i].Signature = good[(i+1)%5].Signature
			}
		}
		if bad := VerifyEach(checks); !slices.Equal(bad, want) {
			t.Errorf("set %b: %v", set, bad)
		}
	}
	same := []Check{good[0], {good[1].Key, good[0].Preimage, key(t, 2).Sign(good[0].Preimage)}}
	same[0].Signature, same[1].Signature = same[1].Signature, same[0].Signature
	if bad := VerifyEach(same); !slices.Equal(bad, []int{0, 1}) {
		t.Errorf("swapped: %v", bad)
	}
	none := append(slices.Clone(good), Check{good[0].Key, nil, sig.BLSSignature{0: 0xc0}})
	if bad := VerifyEach(none); !slices.Equal(bad, []int{5}) {
		t.Errorf("infinity: %v", bad)
	}
}

// A derived key is HKDF-SHA256 of 48 bytes (RFC 5869), modulo the group order, computed here with big integers.
// Spec: commonware §4.3.
func TestDeriveKey(t *testing.T) {
	order, _ := new(big.Int).SetString("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)
	seen := map[string]bool{}
	for _, c := range []struct{ secret, label string }{{"a", "b"}, {"a", "c"}, {"ab", "c"}, {"", "a"}} {
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
	}
}

// A combination of dealt sharings commits to the combination of the dealt shares, and with Lagrange's weights shares what the dealers share.
// Spec: commonware §4.3 (4).
func TestCombination(t *testing.T) {
	sharing, shares, err := Deal([][]byte{repeated(0x11), repeated(0x22), repeated(0x33)}, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, dealers := range [][]uint32{{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 1, 2, 3}} {
		c, err := Interpolation(dealers)
		if err != nil {
			t.Fatal(err)
		}
		var dealt []*Sharing
		parts := make([][]Share, 5)
		for _, d := range dealers {
			p, err := NewPolynomial(shares[d].Key, [][]byte{repeated(3 + 1<<d), repeated(50 - 1<<d)})
			if err != nil {
				t.Fatal(err)
			}
			commitment, err := p.Commit(5)
			if err != nil {
				t.Fatal(err)
			}
			dealt = append(dealt, commitment)
			for i := range parts {
				s, err := p.Share(uint32(i))
				if err != nil || !commitment.Holds(s) {
					t.Fatalf("share %d: %v", i, err)
				}
				parts[i] = append(parts[i], s)
			}
		}
		combined, err := c.Sharings(dealt)
		if err != nil || combined.GroupKey().Bytes() != sharing.GroupKey().Bytes() || combined.Total() != 5 || combined.Threshold() != 3 {
			t.Fatalf("dealers %v: %v", dealers, err)
		}
		for i := range parts {
			if s, err := c.Shares(parts[i]); err != nil || !combined.Holds(s) {
				t.Errorf("dealers %v: share %d does not lie on the combination: %v", dealers, i, err)
			}
		}
		if _, err := c.Sharings(dealt[1:]); !errors.Is(err, ErrSharing) {
			t.Errorf("one missing: %v", err)
		}
		if _, err := c.Sharings(append([]*Sharing{sharing}, dealt[1:]...)); !errors.Is(err, ErrSharing) {
			t.Errorf("among others: %v", err)
		}
		if _, err := c.Shares(append([]Share{parts[1][0]}, parts[0][1:]...)); !errors.Is(err, ErrSharing) {
			t.Errorf("another holder's part: %v", err)
		}
	}
	if _, err := Interpolation([]uint32{1, 2, 1}); !errors.Is(err, ErrSharing) {
		t.Errorf("one dealer twice: %v", err)
	}
	p, _ := NewPolynomial(shares[0].Key, [][]byte{repeated(1)})
	if _, err := p.Commit(1); !errors.Is(err, ErrSharing) {
		t.Errorf("fewer holders than coefficients: %v", err)
	}
	if _, err := NewPolynomial(shares[0].Key, [][]byte{make([]byte, 32)}); !errors.Is(err, ErrPrivateKey) {
		t.Errorf("a zero coefficient: %v", err)
	}
}

// One bad vote among a hundred takes three checks: the whole, the ranked, the one. b bad ones take at most 2 + b·⌈log₂ n⌉. Two that together point at
// an innocent one do not get it named: errors of −2 and 3 units at places 5 and 7 are like one unit at place 11.
// Spec: commonware §2.6 (b bad among k cost O(b·log k) pairings).
func TestChecks(t *testing.T) {
	message := base.Nullify(sig.Round{View: 9})
	const n = 100
	var keys []*PublicKey
	var good []sig.BLSSignature
	for b := range byte(n) {
		k := key(t, b+1)
		keys = append(keys, k.PublicKey())
		good = append(good, k.Sign(message))
	}
	other := key(t, 7).Sign([]byte("another message"))
	for _, bad := range [][]int{nil, {0}, {50}, {99}, {3, 70}, {1, 2, 3}} {
		signatures := slices.Clone(good)
		for _, i := range bad {
			signatures[i] = other
		}
		most := 2 + 7*len(bad)
		if len(bad) < 2 {
			most = 1 + 2*len(bad)
		}
		b, _ := newBatch(nil, keys, message, signatures)
		if got := b.failing(weighted{b, b.weights(keys, message, signatures)}); !slices.Equal(got, bad) || b.checks > most {
			t.Errorf("weighted: %v found with %d checks, want %v", got, b.checks, bad)
		}
		b, _ = newBatch(nil, keys, message, signatures)
		if got := b.failing(plain{b}); !slices.Equal(got, bad) || b.checks > most {
			t.Errorf("plain: %v found with %d checks, want %v", got, b.checks, bad)
		}
	}
	minus := other
	minus[0] ^= 0x20 // the sign bit of a compressed point
	shift := func(s sig.BLSSignature, by ...sig.BLSSignature) sig.BLSSignature {
		sum, err := Aggregate(append(by, s))
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	signatures := slices.Clone(good)
	signatures[4] = shift(good[4], minus, minus)
	signatures[6] = shift(good[6], other, other, other)
	b, _ := newBatch(nil, keys, message, signatures)
	if got := b.failing(plain{b}); !slices.Equal(got, []int{4, 6}) {
		t.Errorf("two that point at a third: %v", got)
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
