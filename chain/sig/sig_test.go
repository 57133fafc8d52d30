package sig

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func vectorKey(t testing.TB) *PrivateKey {
	t.Helper()
	k, err := ParsePrivateKey(bytes.Repeat([]byte{0x11}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Spec: WP Appendix A; commonware §0.
func TestSignVector(t *testing.T) {
	k := vectorKey(t)
	pub := k.PublicKey()
	const point = "4f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa" +
		"385b6b1b8ead809ca67454d9683fcf2ba03456d6fe2c4abe2b07f0fbdbb2f1c1"
	if got := hex.EncodeToString(pub[:]); got != point {
		t.Errorf("public key %s", got)
	}
	if got := k.Address().Hex(); got != "19e7e376e7c213b7e7e7e46cc70a5dd086daff2a" {
		t.Errorf("address %s", got)
	}
	hash := digest.Hash(unhex(t, "203b9aa5435ad7de1164fa534c9d72de46e734a9d99703790756380c67b8304a"))
	s := k.Sign(hash)
	want := "f0dc586dcb01db4f7507163068728c49d112610bfbcf3516ed32bd0fa05a45553f8e8a695b94f6d9aa7d34657002746f30ce22cadc141bceea3129610de3035b01"
	if got := hex.EncodeToString(s[:]); got != want {
		t.Errorf("signature %s", got)
	}
	for _, r := range []Recoverer{Pure{}, Default()} {
		if a, err := r.Recover(hash, s); err != nil || a != k.Address() {
			t.Errorf("%T recovers %v, %v", r, a, err)
		}
	}
	edge := unhex(t, want)
	edge[64] = 28
	if got, err := FromEdge(edge); err != nil || got != s {
		t.Errorf("v = 28 at the edge: %v, %v", got, err)
	}
}

// Spec: commonware §0 (accepted form); WP §2.2 (c).
func TestSignatureForm(t *testing.T) {
	good := vectorKey(t).Sign(digest.Hash{1})
	change := func(fn func(*Signature)) Signature { s := good; fn(&s); return s }
	highS := change(func(s *Signature) { // n − s
		borrow := 0
		for i := 31; i >= 0; i-- {
			d := int(groupOrder[i]) - int(s[32+i]) - borrow
			borrow = 0
			if d < 0 {
				d, borrow = d+256, 1
			}
			s[32+i] = byte(d)
		}
		s[64] ^= 1
	})
	for name, s := range map[string]Signature{
		"zero":        {},
		"r zero":      change(func(s *Signature) { clear(s[:32]) }),
		"r = n":       change(func(s *Signature) { copy(s[:32], groupOrder) }),
		"s zero":      change(func(s *Signature) { clear(s[32:64]) }),
		"s high":      highS,
		"s = n":       change(func(s *Signature) { copy(s[32:64], groupOrder) }),
		"v 2":         change(func(s *Signature) { s[64] = 2 }),
		"v 27":        change(func(s *Signature) { s[64] = 27 }),
		"v 255":       change(func(s *Signature) { s[64] = 255 }),
		"s above n/2": change(func(s *Signature) { copy(s[32:64], halfGroupOrder); s[63]++ }),
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []Recoverer{Pure{}, Default()} {
				if _, err := r.Recover(digest.Hash{1}, s); !errors.Is(err, ErrSignatureForm) {
					t.Errorf("%s with %T: %v", name, r, err)
				}
			}
		})
	}
	if err := change(func(s *Signature) { copy(s[32:64], halfGroupOrder) }).Check(); err != nil {
		t.Errorf("s = n/2: %v", err)
	}
	for _, raw := range [][]byte{nil, good[:64], append(good[:], 0)} {
		if _, err := FromEdge(raw); !errors.Is(err, ErrSignatureForm) {
			t.Errorf("%d bytes at the edge: %v", len(raw), err)
		}
	}
}

// r = 5 is the abscissa of no curve point (5³+7 = 132 has no square root), and
// r = 1 is one of two.
func TestRecoverWithoutPoint(t *testing.T) {
	var s Signature
	s[31], s[63] = 5, 1
	for _, r := range []Recoverer{Pure{}, Default()} {
		if _, err := r.Recover(digest.Hash{1}, s); !errors.Is(err, ErrRecover) {
			t.Errorf("%T: %v", r, err)
		}
	}
}

func TestPrivateKeyRange(t *testing.T) {
	order := []byte(groupOrder)
	below := bytes.Clone(order)
	below[31]--
	for name, raw := range map[string][]byte{"zero": make([]byte, 32), "n": order, "short": make([]byte, 31), "long": make([]byte, 33)} {
		t.Run(name, func(t *testing.T) {
			if _, err := ParsePrivateKey(raw); !errors.Is(err, ErrPrivateKey) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	k, err := ParsePrivateKey(below)
	if err != nil || !bytes.Equal(k.Bytes(), below) {
		t.Errorf("n-1: %v", err)
	}
}

// Both backends give the same address or the same error for whatever they are
// shown. Spec: WP §1.1, §2.2 (c).
func FuzzRecoverersAgree(f *testing.F) {
	s := vectorKey(f).Sign(digest.Hash{3})
	f.Add(make([]byte, 32), s[:])
	f.Add(bytes.Repeat([]byte{0xff}, 32), bytes.Repeat([]byte{1}, 65))
	f.Fuzz(func(t *testing.T, h, raw []byte) {
		var hash digest.Hash
		var s Signature
		copy(hash[:], h)
		copy(s[:], raw)
		s[64] &= 1
		s[32] &= 0x7f
		a, errA := Pure{}.Recover(hash, s)
		b, errB := Default().Recover(hash, s)
		if a != b || !errors.Is(errA, errB) {
			t.Errorf("hash %x signature %x: pure %v %v, default %v %v", hash, s, a, errA, b, errB)
		}
	})
}

// Signing then recovering over many keys and hashes, with both backends.
func TestRecoverManyKeys(t *testing.T) {
	for i := range 200 {
		seed := digest.Keccak256([]byte{byte(i)})
		k, err := ParsePrivateKey(seed[:])
		if err != nil {
			t.Fatal(err)
		}
		hash := digest.Keccak256(seed[:])
		s := k.Sign(hash)
		if s != k.Sign(hash) {
			t.Fatal("signing is not deterministic")
		}
		for _, r := range []Recoverer{Pure{}, Default()} {
			if a, err := r.Recover(hash, s); err != nil || a != k.Address() {
				t.Fatalf("%T, key %d: %v, %v", r, i, a, err)
			}
		}
	}
}

// Spec: commonware §2.3 (worked examples).
func TestPreimages(t *testing.T) {
	n := Namespace("cowboy")
	if got := hex.EncodeToString(n.Seed(Round{1, 300})); got != "0b636f77626f795f5345454401ac02" {
		t.Errorf("seed %s", got)
	}
	if got := hex.EncodeToString(n.Seed(Round{0, 5})); got != "0b636f77626f795f534545440005" {
		t.Errorf("seed of Round(0,5) %s", got)
	}
	if got := hex.EncodeToString(n.Nullify(Round{1, 300})); got != "0e636f77626f795f4e554c4c49465901ac02" {
		t.Errorf("nullify %s", got)
	}
	proposal := append(unhex(t, "01ac02ab02"), bytes.Repeat([]byte{0xaa}, 32)...)
	if got := hex.EncodeToString(n.UnionUnique("_NOTARIZE", proposal)); got != "0f636f77626f795f4e4f544152495a45"+hex.EncodeToString(proposal) {
		t.Errorf("union %s", got)
	}
	if NewNamespace(42) != "cowboy-42" {
		t.Error(NewNamespace(42))
	}
	s := Subject{BlockHash: digest.Hash{1}, Height: 300, Round: Round{1, 2}}
	all := map[string]string{}
	for name, p := range map[string][]byte{
		"notarize": n.Notarize(s), "finalize": n.Finalize(s), "nullify": n.Nullify(s.Round), "seed": n.Seed(s.Round),
		"highest": n.HighestQC(s.Round, Round{1, 1}, s.BlockHash), "vrf": n.VRF([]byte("seed"), 300),
		"possession": n.Possession(BLSPublicKey{}), "other chain": NewNamespace(2).Notarize(s),
	} {
		t.Run(name, func(t *testing.T) {
			if other, twice := all[string(p)]; twice {
				t.Errorf("%s and %s sign the same bytes", name, other)
			}
			all[string(p)] = name
		})
	}
}

// HKDF-SHA256 of RFC 5869 test case 3 (no salt, no info) gives the first 32 bytes
// of its output. Spec: WP §3.4; commonware §8 (10).
func TestRandomnessVector(t *testing.T) {
	got := Randomness(bytes.Repeat([]byte{0x0b}, 22), "")
	if got.Hex() != "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d" {
		t.Errorf("%v", got)
	}
	if Randomness([]byte("r"), "a") == Randomness([]byte("r"), "b") {
		t.Error("the label does not matter")
	}
}

// The label is the info of HKDF: by RFC 5869, section 2, the first block of output is HMAC(PRK, info ‖ 1), and PRK is HMAC(32 zero bytes, beacon).
// Spec: WP §3.4; commonware §8 (10).
func TestRandomnessOfLabels(t *testing.T) {
	mac := func(key []byte, parts ...string) []byte {
		h := hmac.New(sha256.New, key)
		for _, p := range parts {
			h.Write([]byte(p))
		}
		return h.Sum(nil)
	}
	prk := mac(make([]byte, 32), "the parent's seed")
	for _, label := range []string{"", "dice", "a label of more than sixty-four bytes, which is the block size of the hash"} {
		want := mac(prk, label, "\x01")
		if got := Randomness([]byte("the parent's seed"), label); !bytes.Equal(got[:], want) {
			t.Errorf("label %q: %v, want %x", label, got, want)
		}
	}
}

// Spec: commonware §2.1.
func TestQuorum(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 3, 5: 4, 6: 5, 7: 5, 10: 7, 13: 9, 100: 67} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := Quorum(n); got != want {
				t.Errorf("Quorum(%d) = %d, want %d", n, got, want)
			}
		})
	}
}

// Spec: commonware §1.1, §1.4 (bitmap).
func TestSignersEncoding(t *testing.T) {
	s := NewSigners(4)
	for _, i := range []int{0, 1, 3} {
		if !s.Add(i) {
			t.Errorf("%d was there", i)
		}
	}
	if s.Add(3) || s.Add(4) || s.Add(-1) || s.Size() != 3 || s.Has(2) || s.Has(4) {
		t.Error("membership")
	}
	if got := hex.EncodeToString(s.Append(nil)); got != "00000000000000040b00000000000000" {
		t.Errorf("%s", got)
	}
}

func certificate() *Certificate {
	c := &Certificate{Kind: Notarization, Subject: Subject{digest.Hash{1}, 5, Round{1, 2}}, Signers: NewSigners(70)}
	c.Signers.Add(69)
	c.Aggregate[0], c.Seed[0] = 2, 3
	return c
}

// Spec: commonware §2.2, §3.7.
func TestCertificateEncoding(t *testing.T) {
	for k := range certificateKinds {
		c := certificate()
		c.Kind = k
		if k == Nullification {
			c.Subject = Subject{Round: c.Subject.Round}
		}
		raw := c.Encode()
		back, err := DecodeCertificate(raw)
		if err != nil || !bytes.Equal(back.Encode(), raw) || back.Subject != c.Subject || !back.Signers.Has(69) {
			t.Errorf("%v: %+v, %v", k, back, err)
		}
	}
	raw := certificate().Encode()
	raw[1+32+1+2+8+15] |= 0x80 // a bit after the 70th
	if _, err := DecodeCertificate(raw); err == nil {
		t.Error("a bit after the end is accepted")
	}
	raw = certificate().Encode()
	raw[0] = byte(certificateKinds)
	if _, err := DecodeCertificate(raw); err == nil {
		t.Error("an unknown kind is accepted")
	}
	if _, err := DecodeCertificate(append([]byte{1, 0, 0}, bytes.Repeat([]byte{0xff}, 8)...)); err == nil {
		t.Error("2⁶⁴−1 signers are accepted")
	}
}

func FuzzDecodeCertificate(f *testing.F) {
	f.Add(certificate().Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := DecodeCertificate(data); err == nil && !bytes.Equal(c.Encode(), data) {
			t.Errorf("%x encodes to %x", data, c.Encode())
		}
	})
}

func BenchmarkRecover(b *testing.B) {
	k := vectorKey(b)
	hash := digest.Hash{9}
	s := k.Sign(hash)
	for name, r := range map[string]Recoverer{"backend=pure": Pure{}, "backend=default": Default()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if a, _ := r.Recover(hash, s); a != k.Address() {
					b.Fatal(a)
				}
			}
		})
	}
}
