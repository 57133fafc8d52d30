package bls

import (
	"math/big"

	herumi "github.com/herumi/bls-eth-go-binary/bls"
)

// Bounds within which interpolation in whole numbers costs less than that in the field.
const (
	wholeThreshold = 16
	wholeBits      = 31
)

// interpolate is the value at zero of the polynomial that has the given points of the
// curve at the holders' evaluation points, which are distinct.
//
// Lagrange's coefficients are fractions. Among few holders their numerators, over one
// denominator, are small: multiplying by them costs little, and three of the four
// quorums of four validators need no division.
// Spec: commonware §4.2.
func interpolate(holders []uint32, points []herumi.G2) (value herumi.G2, err error) {
	numerators, denominator, ok := fractions(holders)
	if !ok {
		ids, shares := make([]herumi.ID, len(holders)), make([]herumi.Sign, len(holders))
		for i, h := range holders {
			ids[i], shares[i] = *evaluationPoint(h), *herumi.CastToSign(&points[i])
		}
		err = herumi.CastToSign(&value).Recover(shares, ids)
		return value, err
	}
	for i, n := range numerators {
		var by herumi.Fr
		var term herumi.G2
		by.SetInt64(max(n, -n))
		herumi.G2Mul(&term, &points[i], &by)
		if n < 0 {
			herumi.G2Neg(&term, &term)
		}
		herumi.G2Add(&value, &value, &term)
	}
	if denominator != 1 {
		var by herumi.Fr
		by.SetInt64(denominator)
		herumi.FrInv(&by, &by)
		herumi.G2Mul(&value, &value, &by)
	}
	return value, nil
}

// fractions is Lagrange's basis at zero, Π xⱼ/(xⱼ − xᵢ) over the holders' evaluation
// points, as whole numbers over a denominator above zero; ok is false beyond the bounds.
func fractions(holders []uint32) (numerators []int64, denominator int64, ok bool) {
	if len(holders) > wholeThreshold {
		return nil, 0, false
	}
	basis := make([]*big.Rat, len(holders))
	common := big.NewInt(1)
	for i, h := range holders {
		basis[i] = big.NewRat(1, 1)
		for j, other := range holders {
			if i != j {
				basis[i].Mul(basis[i], big.NewRat(int64(other)+1, int64(other)-int64(h)))
			}
		}
		d := basis[i].Denom()
		common.Mul(common, new(big.Int).Div(d, new(big.Int).GCD(nil, nil, common, d)))
	}
	for _, x := range basis {
		n := new(big.Int).Mul(x.Num(), new(big.Int).Div(common, x.Denom()))
		if n.BitLen() > wholeBits || common.BitLen() > wholeBits {
			return nil, 0, false
		}
		numerators = append(numerators, n.Int64())
	}
	return numerators, common.Int64(), true
}
