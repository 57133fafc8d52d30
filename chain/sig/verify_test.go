package sig

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The curve of Ed25519 in big integers: slow, short, and nothing like the library. Spec: RFC 8032 §5.1.
var (
	fieldP = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	orderL = func() *big.Int {
		l, _ := new(big.Int).SetString("27742317777372353535851937790883648493", 10)
		return l.Add(l, new(big.Int).Lsh(big.NewInt(1), 252))
	}()
	curveD = mulP(big.NewInt(-121665), new(big.Int).ModInverse(big.NewInt(121666), fieldP))
)

func mulP(a, b *big.Int) *big.Int { c := new(big.Int).Mul(a, b); return c.Mod(c, fieldP) }

type edwards struct{ x, y *big.Int }

func (a edwards) add(b edwards) edwards {
	xy, yx, xx, yy := mulP(a.x, b.y), mulP(a.y, b.x), mulP(a.x, b.x), mulP(a.y, b.y)
	t := mulP(curveD, mulP(xx, yy))
	one := big.NewInt(1)
	x := mulP(new(big.Int).Add(xy, yx), new(big.Int).ModInverse(new(big.Int).Mod(new(big.Int).Add(one, t), fieldP), fieldP))
	y := mulP(new(big.Int).Add(yy, xx), new(big.Int).ModInverse(new(big.Int).Mod(new(big.Int).Sub(one, t), fieldP), fieldP))
	return edwards{x, y}
}

func (a edwards) times(n *big.Int) edwards {
	sum := edwards{big.NewInt(0), big.NewInt(1)}
	for i := n.BitLen() - 1; i >= 0; i-- {
		if sum = sum.add(sum); n.Bit(i) == 1 {
			sum = sum.add(a)
		}
	}
	return sum
}

func (a edwards) encode() []byte {
	raw := make([]byte, 32)
	a.y.FillBytes(raw)
	slices.Reverse(raw)
	raw[31] |= byte(a.x.Bit(0)) << 7
	return raw
}

// decodeEdwards is RFC 8032 §5.1.3, which refuses y of p or more and x = 0 with a sign.
func decodeEdwards(raw []byte) (p edwards, ok bool) {
	le := slices.Clone(raw)
	sign := le[31] >> 7
	le[31] &= 0x7f
	slices.Reverse(le)
	y := new(big.Int).SetBytes(le)
	if y.Cmp(fieldP) >= 0 {
		return p, false
	}
	yy := mulP(y, y)
	u := new(big.Int).Sub(yy, big.NewInt(1))
	v := new(big.Int).Add(mulP(curveD, yy), big.NewInt(1))
	x := new(big.Int).ModSqrt(mulP(new(big.Int).Mod(u, fieldP), new(big.Int).ModInverse(v, fieldP)), fieldP)
	if x == nil || x.Sign() == 0 && sign == 1 {
		return p, false
	}
	if byte(x.Bit(0)) != sign {
		x.Sub(fieldP, x)
	}
	return edwards{x, y}, true
}

func base() edwards {
	raw, _ := hex.DecodeString("5866666666666666666666666666666666666666666666666666666666666666")
	b, _ := decodeEdwards(raw)
	return b
}

// slowEd25519 is the documented rule of VerifyEd25519.
func slowEd25519(key, message, signature []byte) bool {
	if len(key) != 32 || len(signature) != 64 {
		return false
	}
	a, ok := decodeEdwards(key)
	if !ok {
		return false
	}
	if e := a.times(big.NewInt(8)); e.x.Sign() == 0 && e.y.Cmp(big.NewInt(1)) == 0 {
		return false
	}
	le := slices.Clone(signature[32:])
	slices.Reverse(le)
	s := new(big.Int).SetBytes(le)
	if s.Cmp(orderL) >= 0 {
		return false
	}
	h := sha512.Sum512(slices.Concat(signature[:32], key, message))
	slices.Reverse(h[:])
	k := new(big.Int).Mod(new(big.Int).SetBytes(h[:]), orderL)
	minus := edwards{new(big.Int).Mod(new(big.Int).Neg(a.x), fieldP), a.y}
	return bytes.Equal(base().times(s).add(minus.times(k)).encode(), signature[:32])
}

func fromHex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// RFC 8032 §7.1, tests 1 to 3 and SHA(abc), and what a bit more or less does to them, by the library and by the slow one.
//
// Spec: WP §17.3 (verify_signature); RFC 8032 §5.1.7, §7.1.
func TestVerifyEd25519(t *testing.T) {
	for _, v := range [][3]string{
		{"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
			"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
		{"3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
			"92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
		{"fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
			"6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"},
		{"ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
			"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
			"dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"},
	} {
		key, message, signature := fromHex(t, v[0]), fromHex(t, v[1]), fromHex(t, v[2])
		check := func(what string, want bool, key, message, signature []byte) {
			t.Helper()
			if got := VerifyEd25519(key, message, signature); got != want {
				t.Errorf("%s: %v", what, got)
			}
			if got := slowEd25519(key, message, signature); got != want {
				t.Errorf("%s, slowly: %v", what, got)
			}
		}
		check("vector", true, key, message, signature)
		check("longer message", false, key, append(slices.Clone(message), 0), signature)
		check("short key", false, key[:31], message, signature)
		check("long key", false, append(slices.Clone(key), 0), message, signature)
		check("short signature", false, key, message, signature[:63])
		check("long signature", false, key, message, append(slices.Clone(signature), 0))
		check("no signature", false, key, message, nil)
		for _, bit := range []int{0, 7, 255, 256, 300, 511} {
			bad := slices.Clone(signature)
			bad[bit/8] ^= 1 << (bit % 8)
			check("a bit of the signature", false, key, message, bad)
		}
		// s + L is the same number modulo L, and is not accepted.
		le := slices.Clone(signature[32:])
		slices.Reverse(le)
		more := new(big.Int).Add(new(big.Int).SetBytes(le), orderL).FillBytes(make([]byte, 32))
		slices.Reverse(more)
		check("s of L or more", false, key, message, slices.Concat(signature[:32], more))
	}
}

// Every point of small order is refused as a key, in every way of writing it, though a signature "fits": with such a key of order 1 any R = [s]B does.
// The points come from the curve, not from the list in the code.
//
// Spec: WP §17.3 (verify_signature); RFC 8032 §5.1.3.
func TestEd25519SmallOrder(t *testing.T) {
	small := map[string]bool{}
	for seed := int64(2); len(small) < 8; seed++ {
		raw := make([]byte, 32)
		big.NewInt(seed).FillBytes(raw)
		slices.Reverse(raw)
		if p, ok := decodeEdwards(raw); ok {
			small[string(p.times(orderL).encode())] = true // what is left is of the part of order 8
		}
		if seed > 500 {
			t.Fatalf("%d points", len(small))
		}
	}
	one := new(big.Int).SetInt64(1)
	s := make([]byte, 32)
	s[0] = 7
	fits := slices.Concat(base().times(big.NewInt(7)).encode(), s)
	for key := range small {
		t.Run(key, func(t *testing.T) { // order-free: each is checked alone
			for _, raw := range spellings([]byte(key)) {
				if VerifyEd25519(raw, []byte("m"), fits) {
					t.Errorf("%x is accepted", raw)
				}
			}
		})
	}
	identity := edwards{big.NewInt(0), one}.encode()
	if !small[string(identity)] || !ed25519.Verify(identity, []byte("m"), fits) {
		t.Error("the library refuses the identity by itself: the test shows nothing")
	}
	// y of p or more: 2²⁵⁵ − 19 + n for n below 19.
	for n := range int64(19) {
		raw := new(big.Int).Add(fieldP, big.NewInt(n)).FillBytes(make([]byte, 32))
		slices.Reverse(raw)
		for _, sign := range []byte{0, 0x80} {
			raw[31] = raw[31]&0x7f | sign
			if soundEd25519(raw) {
				t.Errorf("p + %d is a y", n)
			}
		}
	}
	last := new(big.Int).Sub(fieldP, big.NewInt(2)).FillBytes(make([]byte, 32)) // −1 is of order 2
	slices.Reverse(last)
	if !soundEd25519(last) {
		t.Error("p − 2 is no y")
	}
}

// spellings are the ways bytes can name a point's y and sign.
func spellings(raw []byte) [][]byte {
	flipped := slices.Clone(raw)
	flipped[31] ^= 0x80
	return [][]byte{raw, flipped}
}

// Random and spoilt input gives what the slow verifier gives.
//
// Spec: WP §17.3 (verify_signature).
func TestEd25519Differential(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 13))
	for range 60 {
		seed := make([]byte, 32)
		for i := range seed {
			seed[i] = byte(draw.Uint32())
		}
		secret := ed25519.NewKeyFromSeed(seed)
		key, message := slices.Clone([]byte(secret.Public().(ed25519.PublicKey))), seed[:draw.IntN(33)]
		signature := ed25519.Sign(secret, message)
		switch draw.IntN(4) {
		case 0:
			key[draw.IntN(32)] ^= 1 << draw.IntN(8)
		case 1:
			signature[draw.IntN(64)] ^= 1 << draw.IntN(8)
		}
		if got, want := VerifyEd25519(key, message, signature), slowEd25519(key, message, signature); got != want {
			t.Errorf("%x %x %x: %v, slowly %v", key, message, signature, got, want)
		}
	}
}

// libsecp256k1 and btcec agree on every input, good and spoilt, and what an account signs verifies under its key in both forms.
//
// Spec: WP §1.1, §17.3 (verify_signature); SEC 1 §2.3.4, §4.1.4.
func TestVerifySecp256k1(t *testing.T) {
	k := vectorKey(t)
	message := []byte("said")
	s := k.Sign(digest.Keccak256(message))
	rs := s[:64]
	xy := k.PublicKey()
	long := append([]byte{4}, xy[:]...)
	short := append([]byte{2 + xy[63]&1}, xy[:32]...)
	order := new(big.Int).SetBytes([]byte(groupOrder))
	number := func(n *big.Int) []byte { return n.FillBytes(make([]byte, 32)) }
	of := func(raw []byte) *big.Int { return new(big.Int).SetBytes(raw) }
	with := func(b byte, raw []byte) []byte { return append([]byte{b}, raw[1:]...) }
	field := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1<<32+977))
	zeros := make([]byte, 32)
	for _, c := range []struct {
		what           string
		key, signature []byte
		want           bool
	}{
		{"long key", long, rs, true}, {"short key", short, rs, true},
		{"other parity", with(short[0]^1, short), rs, false}, {"hybrid", with(6+xy[63]&1, long), rs, false}, {"prefix 0", with(0, short), rs, false},
		{"prefix 5", with(5, long), rs, false}, {"no prefix", xy[:], rs, false}, {"no key", nil, rs, false}, {"key one shorter", long[:64], rs, false},
		{"key one longer", append(slices.Clone(short), 0), rs, false}, {"infinity", []byte{0}, rs, false},
		{"x of p", append([]byte{2}, number(field)...), rs, false}, {"x off the curve", append([]byte{2}, number(big.NewInt(5))...), rs, false},
		{"y off the curve", append(slices.Clone(long[:64]), long[64]^1), rs, false},
		{"high s", long, slices.Concat(rs[:32], number(new(big.Int).Sub(order, of(rs[32:])))), false},
		{"r zero", long, slices.Concat(zeros, rs[32:]), false}, {"s zero", long, slices.Concat(rs[:32], zeros), false},
		{"r of n", long, slices.Concat(number(order), rs[32:]), false}, {"s of n", long, slices.Concat(rs[:32], number(order)), false},
		{"with v", long, s[:], false}, {"one shorter", long, rs[:63], false}, {"nothing", long, nil, false},
		{"another s", long, slices.Concat(rs[:32], number(new(big.Int).Xor(of(rs[32:]), big.NewInt(1)))), false},
	} {
		t.Run(c.what, func(t *testing.T) {
			if got := VerifySecp256k1(c.key, message, c.signature); got != c.want {
				t.Errorf("%s: %v", c.what, got)
			}
		})
	}
	if VerifySecp256k1(long, []byte("saie"), rs) {
		t.Error("another message")
	}
	draw := rand.New(rand.NewPCG(2, 13))
	hash := digest.Keccak256(message)
	yes := 0
	for range 2_000 {
		key, signature := slices.Clone([][]byte{long, short}[draw.IntN(2)]), slices.Clone(rs)
		if at := draw.IntN(200); at < len(key) {
			key[at] ^= 1 << draw.IntN(8)
			if at == 0 {
				continue // another form, which is refused before either library sees it
			}
		} else if at < len(key)+64 {
			signature[at-len(key)] ^= 1 << draw.IntN(8)
			if string(signature[32:]) > halfGroupOrder {
				continue
			}
		}
		one, other := verifySecp256k1(key, hash, signature), pureSecp256k1(key, hash, signature)
		if one != other {
			t.Errorf("%x %x: %v and %v", key, signature, one, other)
		}
		if one {
			yes++
		}
	}
	if yes < 200 || yes > 1_800 {
		t.Errorf("%d of 2,000 verify", yes)
	}
}
