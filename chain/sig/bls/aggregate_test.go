package bls

import (
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

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
