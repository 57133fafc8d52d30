package bls

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	blst "github.com/supranational/blst/bindings/go"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// outsider is a point of the curve that is not of the subgroup: a small x for which there is one.
func outsider(t *testing.T) sig.BLSSignature {
	t.Helper()
	for x := range byte(200) {
		raw := sig.BLSSignature{0: 0x80, 95: x}
		if p, err := uncompress(raw); err == nil && !p.InG2() {
			return raw
		}
	}
	t.Fatal("no such point")
	panic("unreachable")
}

// shadowed adds a point that no pairing sees: the order of the subgroup times an outsider. Sums with it verify as they did without and have other bytes.
func shadowed(t *testing.T, s sig.BLSSignature) sig.BLSSignature {
	t.Helper()
	order, _ := new(big.Int).SetString("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)
	affine, err := uncompress(outsider(t))
	if err != nil {
		t.Fatal(err)
	}
	var shadow, sum blst.P2
	for i := order.BitLen() - 1; i >= 0; i-- {
		double := shadow
		shadow.AddAssign(&double)
		if order.Bit(i) == 1 {
			shadow.AddAssign(affine)
		}
	}
	point, err := uncompress(s)
	if err != nil {
		t.Fatal(err)
	}
	sum.FromAffine(point)
	sum.AddAssign(&shadow)
	out := sig.BLSSignature(sum.ToAffine().Compress())
	if out == s || sum.ToAffine().InG2() {
		t.Fatal("the shadow is nothing")
	}
	return out
}

// Remembered or not, a message gives the same signatures and verdicts, and few are remembered.
//
// Spec: commonware §4.1.
func TestHashes(t *testing.T) {
	h := &Hashes{}
	k, other := key(t, 3), key(t, 4)
	for i := range 3 * hashesKept {
		message := []byte(fmt.Sprint("message ", i%40))
		s := k.Sign(message)
		if h.Sign(k, message) != s || (*Hashes)(nil).Sign(k, message) != s {
			t.Fatalf("message %d: another signature", i)
		}
		if h.Verify(k.PublicKey(), message, s) != nil || (*Hashes)(nil).Verify(k.PublicKey(), message, s) != nil {
			t.Errorf("message %d does not verify", i)
		}
		if h.Verify(other.PublicKey(), message, s) == nil || h.Verify(k.PublicKey(), append(message, 0), s) == nil {
			t.Errorf("message %d verifies for another key or message", i)
		}
	}
	if len(h.points) != hashesKept || len(h.recent) != hashesKept {
		t.Errorf("%d points are remembered", len(h.points))
	}
	if h.Verify(k.PublicKey(), nil, outsider(t)) != ErrSignature {
		t.Error("a point outside the subgroup is a signature")
	}
}

// joint is a quorum's votes of two kinds with its partials, what they come to, and somebody who is not in it.
type joint struct {
	Joint
	votes, commits Batch
	shares         []Share
	sums           []sig.BLSSignature
	seed           sig.BLSSignature
	stranger       *PrivateKey
}

func joins(t *testing.T) *joint {
	t.Helper()
	sharing, shares, err := Deal([][]byte{repeated(0x11), repeated(0x22), repeated(0x33)}, 4)
	if err != nil {
		t.Fatal(err)
	}
	x := &joint{
		votes: Batch{Preimage: []byte("votes")}, commits: Batch{Preimage: []byte("commits")}, shares: shares, stranger: key(t, 9),
		Joint: Joint{Group: sharing.GroupKey(), Threshold: 3, Round: []byte("round")},
	}
	for i := range 3 {
		k := key(t, byte(i+1))
		for _, b := range []*Batch{&x.votes, &x.commits} {
			b.Keys = append(b.Keys, k.PublicKey())
			b.Signatures = append(b.Signatures, k.Sign(b.Preimage))
		}
		x.Partials = append(x.Partials, shares[i+1].Sign(x.Round))
	}
	x.Batches = []Batch{x.votes, x.commits}
	sum, bad := AggregateMany(x.votes.Keys, x.votes.Preimage, x.votes.Signatures)
	second, worse := AggregateMany(x.commits.Keys, x.commits.Preimage, x.commits.Signatures)
	if x.seed, err = Recover(3, x.Partials); err != nil || bad != nil || worse != nil {
		t.Fatal(err, bad, worse)
	}
	x.sums = []sig.BLSSignature{sum, second}
	return x
}

// says is a message of somebody's, with a good signature.
func says(k *PrivateKey, message string) Check {
	return Check{k.PublicKey(), []byte(message), k.Sign([]byte(message))}
}

// minus is a signature's inverse: the sum of both is infinity.
func minus(s sig.BLSSignature) sig.BLSSignature { s[0] ^= 0x20; return s }

// plus is the sum of two signatures.
func plus(t *testing.T, a, b sig.BLSSignature) sig.BLSSignature {
	t.Helper()
	sum, err := Aggregate([]sig.BLSSignature{a, b})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// A quorum's votes and partials verify together exactly when they verify apart: of two kinds, of different signers, with messages of others beside them.
//
// Spec: WP §6.1; commonware §2.5, §2.6.
func TestJoin(t *testing.T) {
	j := joins(t)
	for _, h := range []*Hashes{nil, {}} {
		for n := 1; n <= 2; n++ {
			few := j.Joint
			few.Batches = j.Batches[:n]
			if a, s, ok := h.Join(few); !ok || !slices.Equal(a, j.sums[:n]) || s != j.seed {
				t.Errorf("%d batches: %v", n, ok)
			}
		}
		apart := j.Joint
		apart.Batches = []Batch{j.votes, {j.commits.Keys[1:], j.commits.Preimage, j.commits.Signatures[1:]}}
		if a, s, ok := h.Join(apart); !ok || a[0] != j.sums[0] || s != j.seed {
			t.Errorf("batches of different signers: %v", ok)
		}
		more := j.Joint
		more.Others = []Check{says(key(t, 1), "one"), says(j.stranger, "two"), says(key(t, 1), "three"), says(j.stranger, "four")}
		if a, s, ok := h.Join(more); !ok || !slices.Equal(a, j.sums) || s != j.seed {
			t.Errorf("with others: %v", ok)
		}
	}
}

// Whatever is wrong with a vote, a partial or a message of others, nothing is joined; points outside the subgroup are found, also where their sum lies inside.
//
// Spec: WP §6.1; commonware §2.5, §2.6.
func TestJoinRefuses(t *testing.T) {
	x := joins(t)
	votes, commits, shares, stranger := x.votes, x.commits, x.shares, x.stranger
	for name, edit := range map[string]func(t *testing.T, j *Joint){
		"vote":        func(_ *testing.T, j *Joint) { j.Batches[0].Signatures[1] = stranger.Sign(votes.Preimage) },
		"no point":    func(_ *testing.T, j *Joint) { j.Batches[1].Signatures[1] = sig.BLSSignature{1} },
		"outside":     func(t *testing.T, j *Joint) { j.Batches[1].Signatures[1] = outsider(t) },
		"partial":     func(_ *testing.T, j *Joint) { j.Partials[1].Signature = shares[0].Key.Sign(j.Round) },
		"other round": func(_ *testing.T, j *Joint) { j.Partials[1] = shares[2].Sign([]byte("another")) },
		"outside too": func(t *testing.T, j *Joint) { j.Partials[1].Signature = outsider(t) },
		"a shadow":    func(t *testing.T, j *Joint) { j.Partials[1].Signature = shadowed(t, j.Partials[1].Signature) },
		"a shadow alone": func(t *testing.T, j *Joint) { // with a weight of one
			j.Batches, j.Partials[1].Signature = nil, shadowed(t, j.Partials[1].Signature)
		},
		"few":    func(_ *testing.T, j *Joint) { j.Partials = j.Partials[:2] },
		"nobody": func(_ *testing.T, j *Joint) { j.Batches[0].Keys, j.Batches[0].Signatures = nil, nil },
		"group":  func(_ *testing.T, j *Joint) { j.Group = stranger.PublicKey() },
		"other": func(_ *testing.T, j *Joint) {
			j.Others = []Check{{stranger.PublicKey(), []byte("one"), votes.Signatures[0]}}
		},
		"other outside": func(t *testing.T, j *Joint) {
			j.Others = []Check{{stranger.PublicKey(), []byte("one"), outsider(t)}}
		},
		"second other": func(_ *testing.T, j *Joint) {
			j.Others = []Check{says(stranger, "one"), {stranger.PublicKey(), []byte("two"), stranger.Sign([]byte("one"))}}
		},
		"errors of others that cancel": func(t *testing.T, j *Joint) {
			a, b, e := says(stranger, "one"), says(stranger, "two"), stranger.Sign(j.Round)
			a.Signature, b.Signature = plus(t, a.Signature, e), plus(t, b.Signature, minus(e))
			j.Others = []Check{a, b}
		},
		"swapped halves": func(_ *testing.T, j *Joint) { j.Batches[0].Preimage, j.Round = j.Round, votes.Preimage },
		"swapped batches": func(_ *testing.T, j *Joint) {
			j.Batches[0].Preimage, j.Batches[1].Preimage = commits.Preimage, votes.Preimage
		},
		"commit": func(_ *testing.T, j *Joint) { j.Batches[1].Signatures[2] = stranger.Sign(commits.Preimage) },
		"a signer too many": func(_ *testing.T, j *Joint) {
			j.Batches[1].Keys = append(slices.Clone(commits.Keys), stranger.PublicKey())
		},
		"errors of batches that cancel": func(t *testing.T, j *Joint) {
			e := stranger.Sign(j.Round)
			for i, shift := range []sig.BLSSignature{e, minus(e)} {
				j.Batches[i].Signatures[0] = plus(t, j.Batches[i].Signatures[0], shift)
			}
		},
		"errors that cancel": func(t *testing.T, j *Joint) { // without the weight the product would not see them
			e := stranger.Sign(j.Round)
			j.Batches[0].Signatures[0] = plus(t, votes.Signatures[0], e)
			j.Partials[0].Signature = minus(e)
		},
	} {
		t.Run(name, func(t *testing.T) {
			changed := x.Joint
			changed.Partials, changed.Batches = slices.Clone(x.Partials), slices.Clone(x.Batches)
			for i := range changed.Batches {
				changed.Batches[i].Signatures = slices.Clone(x.Batches[i].Signatures)
			}
			edit(t, &changed)
			if _, _, ok := (&Hashes{}).Join(changed); ok {
				t.Error("joined")
			}
		})
	}
}

// Points outside the subgroup are found among many signatures, also where their sum lies inside.
//
// Spec: commonware §2.6.
func TestOutsiders(t *testing.T) {
	votes := joins(t).votes
	inside := slices.Clone(votes.Signatures)
	inside[0] = outsider(t)
	if _, bad := AggregateMany(votes.Keys, votes.Preimage, inside); !slices.Equal(bad, []int{0}) {
		t.Errorf("an outsider: %v", bad)
	}
	if bad := VerifyMany(votes.Keys, votes.Preimage, inside); !slices.Equal(bad, []int{0}) {
		t.Errorf("an outsider among many: %v", bad)
	}
	inside[1] = minus(inside[0])
	if _, bad := AggregateMany(votes.Keys, votes.Preimage, inside); !slices.Equal(bad, []int{0, 1}) {
		t.Errorf("two outsiders: %v", bad)
	}
}

// The first weight of a product is one: an error of the first signature still has
// to meet the weights of the others.
// Spec: commonware §2.6.
func TestVerifyAll(t *testing.T) {
	a, b := key(t, 1), key(t, 2)
	good := []Check{{a.PublicKey(), []byte("one"), a.Sign([]byte("one"))}, {b.PublicKey(), []byte("two"), b.Sign([]byte("two"))}}
	for n := range 3 {
		if !(&Hashes{}).VerifyAll(good[:n]) {
			t.Errorf("%d good ones", n)
		}
	}
	for at := range good {
		bad := slices.Clone(good)
		bad[at].Signature = key(t, 3).Sign(good[at].Preimage)
		if (&Hashes{}).VerifyAll(bad) || (&Hashes{}).VerifyAll(bad[at:at+1]) {
			t.Errorf("a bad one at %d", at)
		}
	}
	e := key(t, 3).Sign([]byte("an error"))
	cancel := slices.Clone(good)
	for i, s := range []sig.BLSSignature{e, minus(e)} {
		cancel[i].Signature = plus(t, good[i].Signature, s)
	}
	if (&Hashes{}).VerifyAll(cancel) {
		t.Error("errors that cancel out")
	}
	if bad := VerifyEach(cancel); !slices.Equal(bad, []int{0, 1}) {
		t.Errorf("bad ones: %v", bad)
	}
}

// blst signs what herumi's library signs, also with the smallest and the largest key and
// where windows of the scalar are zero or full.
// Spec: commonware §4.1.
func TestSignAgrees(t *testing.T) {
	for _, scalar := range []string{
		"0000000000000000000000000000000000000000000000000000000000000001",
		"73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000", // the order less one
		"000000000000000000000000000000000000000000000000d201000000010000", // the curve's parameter
		"00000000000000000000000000000000ac45a4010001a40200000000ffffffff", // λ
		"00000000ffffffff00000000ffffffff00000000ffffffff00000000ffffffff",
		"6fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"1111111111111111111111111111111111111111111111111111111111111111",
	} {
		k, err := ParsePrivateKey(unhex(t, scalar))
		if err != nil {
			t.Fatal(err)
		}
		for i := range byte(4) {
			if k.Sign([]byte{i}) != sig.BLSSignature(k.scalar.SignByte([]byte{i}).Serialize()) {
				t.Errorf("%s: two signatures", scalar)
			}
		}
	}
}

// λ is a root of x² + x + 1 modulo the group order, and weights are a + λ·b.
// Spec: commonware §2.6.
func TestWeights(t *testing.T) {
	ready()
	order, _ := new(big.Int).SetString("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)
	lambda, _ := new(big.Int).SetString(eigenvalue, 16)
	root := new(big.Int).Mul(lambda, lambda)
	root.Add(root, lambda).Add(root, big.NewInt(1))
	if root.Mod(root, order).Sign() != 0 {
		t.Error("λ is no eigenvalue")
	}
	for i, w := range weightsOf([]byte("a root"), 40) {
		n, ok := new(big.Int).SetString(w.GetString(10), 10)
		if !ok {
			t.Fatal(w.GetString(10))
		}
		b, a := new(big.Int).DivMod(n, lambda, new(big.Int))
		if a.BitLen() > 64 || b.BitLen() > 64 || a.Bit(0) != 1 || b.BitLen() < 32 {
			t.Errorf("weight %d is %x + λ·%x", i, a, b)
		}
	}
}

// What was signed with a memory is not decoded again, and is the same point; the
// memory of signatures is bounded.
func TestOwnSignatures(t *testing.T) {
	h, k := &Hashes{}, key(t, 5)
	for i := range byte(3 * ownKept) {
		s := h.Sign(k, []byte{i})
		if s != k.Sign([]byte{i}) {
			t.Fatalf("signature %d differs", i)
		}
		kept, err := h.uncompress(s)
		if err != nil {
			t.Fatal(err)
		}
		if decoded, err := uncompress(s); err != nil || !decoded.Equals(kept) {
			t.Errorf("signature %d: another point, %v", i, err)
		}
	}
	if len(h.own) != ownKept {
		t.Errorf("%d signatures kept", len(h.own))
	}
	if _, err := h.uncompress(sig.BLSSignature{}); err == nil {
		t.Error("nothing is a point")
	}
	other := k.Sign([]byte("not with the memory"))
	if p, err := h.uncompress(other); err != nil || sig.BLSSignature(p.Compress()) != other {
		t.Errorf("a signature from elsewhere: %v", err)
	}
}
