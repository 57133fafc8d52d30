package bls

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// The coefficients of the four quorums of four validators, by hand: 3 −3 1, and so on.
// Spec: commonware §4.2.
func TestFractions(t *testing.T) {
	for i, c := range []struct {
		holders     []uint32
		numerators  []int64
		denominator int64
	}{
		{[]uint32{0}, []int64{1}, 1},
		{[]uint32{0, 1, 2}, []int64{3, -3, 1}, 1},
		{[]uint32{0, 1, 3}, []int64{8, -6, 1}, 3}, // 8/3 −2 1/3
		{[]uint32{0, 2, 3}, []int64{2, -2, 1}, 1},
		{[]uint32{1, 2, 3}, []int64{6, -8, 3}, 1},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			n, d, ok := fractions(c.holders)
			if !ok || !slices.Equal(n, c.numerators) || d != c.denominator {
				t.Errorf("%v: %v over %d, %v", c.holders, n, d, ok)
			}
		})
	}
	var far, many []uint32
	for i := range uint32(wholeThreshold) {
		far, many = append(far, 4000*i), append(many, i)
	}
	if _, _, ok := fractions(far); ok {
		t.Error("coefficients of more than 31 bits")
	}
	if _, _, ok := fractions(append(many, wholeThreshold)); ok {
		t.Error("a threshold above the bound")
	}
}

// In whole numbers or in the field, the same signature comes out, which is the one of the
// polynomial's constant term.
// Spec: commonware §4.2.
func TestInterpolate(t *testing.T) {
	message := []byte("a round")
	for _, c := range []struct{ threshold, total, first, step int }{
		{1, 1, 0, 1}, {3, 4, 0, 1}, {3, 4, 1, 1}, {5, 7, 2, 1}, {7, 10, 3, 1}, {11, 16, 5, 1}, {16, 100, 1, 6}, {17, 25, 4, 1},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			var coefficients [][]byte
			for i := range c.threshold {
				coefficients = append(coefficients, new(big.Int).Lsh(big.NewInt(int64(i)+7), 200).FillBytes(make([]byte, 32)))
			}
			_, shares, err := Deal(coefficients, uint32(c.total))
			if err != nil {
				t.Fatal(err)
			}
			secret, err := ParsePrivateKey(coefficients[0])
			if err != nil {
				t.Fatal(err)
			}
			var holders []uint32
			var points []herumi.G2
			var signed []herumi.Sign
			var ids []herumi.ID
			for i := range c.threshold {
				share := shares[c.first+i*c.step]
				raw, err := inside(share.Sign(message).Signature)
				if err != nil {
					t.Fatal(err)
				}
				point := carry(raw)
				holders, points = append(holders, share.Index), append(points, *point)
				signed, ids = append(signed, *herumi.CastToSign(point)), append(ids, *evaluationPoint(share.Index))
			}
			got, err := interpolate(holders, points)
			if err != nil {
				t.Fatal(err)
			}
			var other herumi.Sign
			if err := other.Recover(signed, ids); err != nil || !castSign(&other).IsEqual(&got) {
				t.Errorf("another signature than herumi's library: %v", err)
			}
			if sig.BLSSignature(back(&got).Compress()) != secret.Sign(message) {
				t.Error("not the signature of the constant term")
			}
		})
	}
}
