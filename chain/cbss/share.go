package cbss

import (
	"math/big"

	blst "github.com/supranational/blst/bindings/go"
)

// order is the order of the groups.
const order = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"

func groupOrder() *big.Int {
	n, _ := new(big.Int).SetString(order, 16)
	return n
}

// Partial is what the proxy at a place of its committee, counted from 1, gives for an identity.
type Partial struct {
	Place uint32
	Point Point
}

// Sign is a share's partial for an identity: σᵢ = sᵢ·I.
//
// Spec: secrets-cbss §3.
func Sign(share *Scalar, to *Identity) Point { return Point(share.times1(to.hashed()).Compress()) }

// PublicShare is Sᵢ = Σ Cₖ·iᵏ for a place above zero. Rejects: ErrPoint for commitments that are none, or that give infinity.
//
// Spec: secrets-cbss §3.
func PublicShare(commitments []Key, place uint32) (Key, error) {
	s, err := publicShare(commitments, place)
	if err != nil {
		return Key{}, err
	}
	return Key(s.Compress()), nil
}

func publicShare(commitments []Key, place uint32) (*blst.P2Affine, error) {
	if len(commitments) == 0 || place == 0 || place > MaxCommittee {
		return nil, ErrPoint
	}
	var sum blst.P2
	for k := len(commitments) - 1; k >= 0; k-- {
		c, err := commitments[k].decode()
		if err != nil {
			return nil, err
		}
		if k == len(commitments)-1 {
			sum.FromAffine(c)
			continue
		}
		sum.MultAssign([]byte{byte(place)}, 4) // MaxCommittee fits 4 bits
		sum.AddAssign(c)
	}
	s := sum.ToAffine()
	if !s.KeyValidate() {
		return nil, ErrPoint
	}
	return s, nil
}

// CheckPartial holds a clear partial to the place's public share: e(σᵢ, G2) = e(I, Sᵢ). Rejects: ErrPoint for commitments that are none, ErrPartial for a
// partial that is not a point, or another's.
//
// Spec: secrets-cbss §3.
func CheckPartial(to *Identity, commitments []Key, p Partial) error {
	s, err := publicShare(commitments, p.Place)
	if err != nil {
		return err
	}
	sigma, err := p.Point.decode()
	if err != nil || !paired(sigma, generator(), to.hashed(), s) {
		return ErrPartial
	}
	return nil
}

// Combine is σ = Σ λᵢ(0)·σᵢ of partials at different places. With t right ones it is the master secret times the identity; whether it is shows in Open.
// Rejects: ErrQuorum, ErrPoint.
//
// Spec: secrets-cbss §3.
func Combine(partials []Partial) (Point, error) {
	places := make([]uint32, len(partials))
	for i, p := range partials {
		places[i] = p.Place
	}
	weights, err := Weights(places)
	if err != nil {
		return Point{}, err
	}
	var sum blst.P1
	for i, p := range partials {
		a, err := p.Point.decode()
		if err != nil {
			return Point{}, err
		}
		term := weights[i].times1(a)
		if i == 0 {
			sum.FromAffine(term)
			continue
		}
		sum.AddAssign(term)
	}
	return Point(sum.ToAffine().Compress()), nil
}

// Weights are Lagrange's coefficients at zero of the places: λᵢ = Π xⱼ/(xⱼ − xᵢ). Reject: ErrQuorum for no places, too many, one twice, or zero.
//
// Spec: secrets-cbss §3.
func Weights(places []uint32) ([]*Scalar, error) {
	if len(places) == 0 || len(places) > MaxCommittee {
		return nil, ErrQuorum
	}
	n := groupOrder()
	list := make([]*Scalar, len(places))
	for i, x := range places {
		above, below := big.NewInt(1), big.NewInt(1)
		for j, y := range places {
			if i == j {
				continue
			}
			above.Mul(above, big.NewInt(int64(y)))
			below.Mul(below, big.NewInt(int64(y)-int64(x)))
		}
		if below.Sign() == 0 || above.Sign() == 0 || x == 0 {
			return nil, ErrQuorum
		}
		above.Mul(above, below.ModInverse(below.Mod(below, n), n)).Mod(above, n)
		weight, err := ParseScalar(above.FillBytes(make([]byte, ScalarSize)))
		if err != nil {
			return nil, ErrQuorum
		}
		list[i] = weight
	}
	return list, nil
}

// Polynomial is a dealer's secret: its coefficients, the constant one first.
type Polynomial []*Scalar

// Commitments are the coefficients times the generator of G2.
func (p Polynomial) Commitments() []Key {
	list := make([]Key, len(p))
	for i, c := range p {
		list[i] = c.Public()
	}
	return list
}

// At is the polynomial's value at a place above zero. Reject: ErrScalar for zero, which no random polynomial gives.
func (p Polynomial) At(place uint32) (*Scalar, error) {
	var x blst.Scalar
	x.FromBEndian(big.NewInt(int64(place)).FillBytes(make([]byte, ScalarSize)))
	sum := p[len(p)-1].s
	for k := len(p) - 2; k >= 0; k-- {
		if _, ok := sum.MulAssign(&x); !ok {
			return nil, ErrScalar
		}
		if _, ok := sum.AddAssign(&p[k].s); !ok {
			return nil, ErrScalar
		}
	}
	return &Scalar{sum}, nil
}

// Times is k·m, what a dealer of a resharing shares: its share times its weight. Reject: ErrScalar.
//
// Spec: secrets-cbss §3 (dealers share s_j·λ_j).
func (k *Scalar) Times(m *Scalar) (*Scalar, error) {
	s, ok := k.s.Mul(&m.s)
	if !ok {
		return nil, ErrScalar
	}
	return &Scalar{*s}, nil
}

// Sum adds what dealers gave one place. Reject: ErrScalar.
func Sum(parts []*Scalar) (*Scalar, error) {
	if len(parts) == 0 {
		return nil, ErrScalar
	}
	sum := parts[0].s
	for _, p := range parts[1:] {
		if _, ok := sum.AddAssign(&p.s); !ok {
			return nil, ErrScalar
		}
	}
	return &Scalar{sum}, nil
}

// SumCommitments adds dealers' commitments, all of one length. Reject: ErrPoint.
func SumCommitments(dealt [][]Key) ([]Key, error) {
	if len(dealt) == 0 {
		return nil, ErrPoint
	}
	out := make([]Key, len(dealt[0]))
	for k := range out {
		var sum blst.P2
		for j, d := range dealt {
			if len(d) != len(out) {
				return nil, ErrPoint
			}
			c, err := d[k].decode()
			if err != nil {
				return nil, err
			}
			if j == 0 {
				sum.FromAffine(c)
				continue
			}
			sum.AddAssign(c)
		}
		if out[k] = Key(sum.ToAffine().Compress()); out[k].Check() != nil {
			return nil, ErrPoint
		}
	}
	return out, nil
}

// CheckShare holds a share to a dealer's commitments: s·G2 = Σ Cₖ·iᵏ. Rejects: ErrPoint for commitments that are none, ErrShare.
//
// Spec: secrets-cbss §3, §5 (DkgSabotage).
func CheckShare(commitments []Key, place uint32, share *Scalar) error {
	want, err := PublicShare(commitments, place)
	if err != nil {
		return err
	}
	if share.Public() != want {
		return ErrShare
	}
	return nil
}

// Scaled is a key times a public number: the commitment to s_j·λ_j, which a dealer of a resharing begins with, is S_j times λ_j. Reject: ErrPoint.
//
// Spec: secrets-cbss §3, §10 (3).
func (k Key) Scaled(by *Scalar) (Key, error) {
	p, err := k.decode()
	if err != nil {
		return Key{}, err
	}
	return Key(by.times2(p).ToAffine().Compress()), nil
}

// SignBytes is a share's partial for an identity whose associated data is known. Reject: ErrPoint for data of another size.
//
// Spec: secrets-cbss §3.
func SignBytes(share *Scalar, data []byte) (Point, error) {
	if len(data) != IdentitySize {
		return Point{}, ErrPoint
	}
	return Point(share.times1(blst.HashToG1(data, []byte(Domain)).ToAffine()).Compress()), nil
}
