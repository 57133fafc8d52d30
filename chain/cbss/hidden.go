package cbss

import (
	"crypto/sha512"
	"math/big"

	blst "github.com/supranational/blst/bindings/go"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Domains of ours: of the second generator of G2, and of the challenges of openings.
const (
	hiddenDomain  = "cbss/dkg-pedersen/v1"
	openingDomain = "cbss/dkg-opening/v1"
)

// second is a generator of G2 whose logarithm nobody knows: a hash to the curve.
func second() *blst.P2Affine { return blst.HashToG2([]byte("H"), []byte(hiddenDomain)).ToAffine() }

// Hide commits to a polynomial so that nobody learns its key before all dealers are fixed: each coefficient times the generator, plus one of blind times the
// second generator (Pedersen). Both have the same length. Reject: ErrPoint.
//
// Spec: secrets-cbss §3 (making keys: Gennaro-style, bias-free).
func Hide(p, blind Polynomial) ([]Key, error) {
	if len(p) != len(blind) {
		return nil, ErrPoint
	}
	list := make([]Key, len(p))
	for k := range p {
		sum := p[k].times2(generator())
		sum.AddAssign(blind[k].times2(second()).ToAffine())
		list[k] = Key(sum.ToAffine().Compress())
	}
	return list, nil
}

// CheckHidden holds a place's share and its blind to what Hide gave. Rejects: ErrPoint for commitments that are none, ErrShare.
//
// Spec: secrets-cbss §3 (complaints).
func CheckHidden(hidden []Key, place uint32, share, blind *Scalar) error {
	want, err := publicShare(hidden, place)
	if err != nil {
		return err
	}
	sum := share.times2(generator())
	sum.AddAssign(blind.times2(second()).ToAffine())
	if Key(sum.ToAffine().Compress()) != Key(want.Compress()) {
		return ErrShare
	}
	return nil
}

// Opening is a place's public share, with a proof that it is the one that was hidden. A committee whose dealers are fixed makes its key of openings, so that no
// dealer can take its part back.
//
// Spec: secrets-cbss §3 (bias-free).
type Opening struct {
	Place     uint32
	Public    Key
	Challenge [ScalarSize]byte
	Response  [ScalarSize]byte // for the share
	Second    [ScalarSize]byte // for the blind
}

// Open makes an opening of sums of shares and blinds under the sum of hidden commitments. k1 and k2 are drawn for it alone; context is what it is for. Rejects:
// ErrPoint, ErrScalar.
func Open(hidden []Key, place uint32, share, blind, k1, k2 *Scalar, context digest.Hash) (*Opening, error) {
	all, err := publicShare(hidden, place)
	if err != nil {
		return nil, err
	}
	o := &Opening{Place: place, Public: share.Public()}
	raw := o.challenge(all, k1.times2(generator()).ToAffine(), k2.times2(second()).ToAffine(), context)
	c, err := ParseScalar(raw)
	if err != nil {
		return nil, err
	}
	copy(o.Challenge[:], raw)
	for _, part := range [...]struct {
		into          []byte
		secret, nonce *Scalar
	}{{o.Response[:], share, k1}, {o.Second[:], blind, k2}} {
		z, ok := c.s.Mul(&part.secret.s)
		if !ok {
			return nil, ErrScalar
		}
		if _, ok = z.AddAssign(&part.nonce.s); !ok {
			return nil, ErrScalar
		}
		copy(part.into, z.Serialize())
	}
	return o, nil
}

// Check holds an opening to the sum of hidden commitments: it shows that its maker knows s and b with S = s·G and E = s·G + b·H, so that S is the share which
// was hidden. Rejects: ErrPoint for commitments that are none, ErrProof.
//
// Spec: secrets-cbss §3 (bias-free).
func (o *Opening) Check(hidden []Key, context digest.Hash) error {
	all, err := publicShare(hidden, o.Place)
	if err != nil {
		return err
	}
	public, err := o.Public.decode()
	if err != nil {
		return ErrProof
	}
	var scalars [3]*Scalar
	for i, raw := range [...][]byte{o.Challenge[:], o.Response[:], o.Second[:]} {
		if scalars[i], err = ParseScalar(raw); err != nil {
			return ErrProof
		}
	}
	c := scalars[0]
	a1 := scalars[1].times2(generator()) // k1·G = z1·G − c·S
	a1.SubAssign(c.times2(public))
	var rest blst.P2
	rest.FromAffine(all)
	rest.SubAssign(public)
	a2 := scalars[2].times2(second()) // k2·H = z2·H − c·(E − S)
	a2.SubAssign(c.times2(rest.ToAffine()))
	if [ScalarSize]byte(o.challenge(all, a1.ToAffine(), a2.ToAffine(), context)) != o.Challenge {
		return ErrProof
	}
	return nil
}

// challenge is SHA-512(domain ‖ place ‖ E ‖ S ‖ A1 ‖ A2 ‖ context) modulo the order, in 32 bytes.
func (o *Opening) challenge(all, a1, a2 *blst.P2Affine, context digest.Hash) []byte {
	h := sha512.New()
	for _, part := range [...][]byte{
		[]byte(openingDomain), {byte(o.Place)}, all.Compress(), o.Public[:], a1.Compress(), a2.Compress(), context[:],
	} {
		h.Write(part)
	}
	n := new(big.Int).SetBytes(h.Sum(nil))
	return n.Mod(n, groupOrder()).FillBytes(make([]byte, ScalarSize))
}

// Interpolate gives the commitments of the polynomial of the lowest degree through public shares: Cₖ = Σ lᵢₖ·Sᵢ, of Lagrange's polynomials lᵢ. Rejects:
// ErrQuorum for places that are none or come twice, ErrPoint.
//
// Spec: secrets-cbss §3.
func Interpolate(list []Opening) ([]Key, error) {
	n := groupOrder()
	if len(list) == 0 || len(list) > MaxCommittee {
		return nil, ErrQuorum
	}
	sums := make([]blst.P2, len(list))
	for i := range list {
		row, err := basis(list, i, n)
		if err != nil {
			return nil, err
		}
		s, err := list[i].Public.decode()
		if err != nil {
			return nil, err
		}
		for k, raw := range row {
			factor, err := ParseScalar(raw.FillBytes(make([]byte, ScalarSize)))
			if err != nil {
				return nil, ErrQuorum
			}
			term := factor.times2(s)
			if i == 0 {
				sums[k] = *term
				continue
			}
			sums[k].AddAssign(term.ToAffine())
		}
	}
	out := make([]Key, len(list))
	for k := range sums {
		if out[k] = Key(sums[k].ToAffine().Compress()); out[k].Check() != nil {
			return nil, ErrPoint
		}
	}
	return out, nil
}

// basis are the coefficients of lᵢ(x) = Π (x − xⱼ)/(xᵢ − xⱼ), the constant one first.
func basis(list []Opening, i int, n *big.Int) ([]*big.Int, error) {
	row := []*big.Int{big.NewInt(1)}
	below := big.NewInt(1)
	at := int64(list[i].Place)
	if at == 0 {
		return nil, ErrQuorum
	}
	for j := range list {
		if j == i {
			continue
		}
		x := int64(list[j].Place)
		if x == at {
			return nil, ErrQuorum
		}
		next := make([]*big.Int, len(row)+1)
		for k := range next {
			next[k] = new(big.Int)
			if k > 0 {
				next[k].Add(next[k], row[k-1])
			}
			if k < len(row) {
				next[k].Sub(next[k], new(big.Int).Mul(row[k], big.NewInt(x)))
			}
		}
		row = next
		below.Mul(below, big.NewInt(at-x))
	}
	below.ModInverse(below.Mod(below, n), n)
	for k := range row {
		row[k].Mul(row[k], below).Mod(row[k], n)
	}
	return row, nil
}
