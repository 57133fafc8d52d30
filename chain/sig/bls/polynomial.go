package bls

import (
	"slices"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Polynomial is a secret polynomial of a dealer. Spec: commonware §4.3.
type Polynomial struct {
	coefficients []herumi.SecretKey
}

// NewPolynomial has the constant term and further coefficients, 32-byte scalars from
// a random source, ascending by degree; a zero or malformed one gives
// ErrPrivateKey.
// Spec: commonware §4.3 (1).
func NewPolynomial(constant *PrivateKey, coefficients [][]byte) (*Polynomial, error) {
	p := &Polynomial{coefficients: []herumi.SecretKey{constant.scalar}}
	for _, c := range coefficients {
		k, err := ParsePrivateKey(c)
		if err != nil {
			return nil, err
		}
		p.coefficients = append(p.coefficients, k.scalar)
	}
	return p, nil
}

// Share is the holder's part: the value at index+1. A value of zero, which no
// random polynomial has, gives ErrSharing.
func (p *Polynomial) Share(index uint32) (Share, error) {
	var k PrivateKey
	if err := k.scalar.Set(p.coefficients, evaluationPoint(index)); err != nil || k.scalar.IsZero() {
		return Share{}, ErrSharing
	}
	return Share{Index: index, Key: &k}, nil
}

// Commit is the polynomial's public side among total holders, or ErrSharing for
// fewer holders than coefficients.
func (p *Polynomial) Commit(total uint32) (*Sharing, error) {
	if len(p.coefficients) > int(total) || total > sig.MaxParticipants {
		return nil, ErrSharing
	}
	return &Sharing{total: total, commitments: herumi.GetMasterPublicKey(p.coefficients)}, nil
}

// Holds reports whether the share is one of the sharing's: g·key is the partial key
// of its index.
// Spec: commonware §4.3 (2).
func (s *Sharing) Holds(share Share) bool {
	want, err := s.PartialKey(share.Index)
	return err == nil && want.point.IsEqual(share.Key.scalar.GetPublicKey())
}

// Equal reports whether two sharings are the same polynomial among as many holders.
func (s *Sharing) Equal(t *Sharing) bool {
	return s.total == t.total && slices.EqualFunc(s.commitments, t.commitments, func(a, b herumi.PublicKey) bool {
		return a.IsEqual(&b)
	})
}

// Combination is how dealt sharings add up to one: with weight one each for a fresh
// key, or weighted by Lagrange's basis at zero over the dealers' own evaluation
// points, which keeps the constant term the dealers share.
// Spec: commonware §4.3 (4).
type Combination struct {
	weights []herumi.Fr
}

// Sum is the combination of n dealers that makes a fresh key.
func Sum(n int) Combination {
	ready()
	c := Combination{weights: make([]herumi.Fr, n)}
	for i := range c.weights {
		c.weights[i].SetInt64(1)
	}
	return c
}

// Interpolation is the combination of dealers who hold shares of one key, by their
// indices. Repeated indices give ErrSharing.
// Spec: commonware §4.3 (Desmedt–Jajodia resharing).
func Interpolation(dealers []uint32) (Combination, error) {
	ready()
	c := Combination{weights: make([]herumi.Fr, len(dealers))}
	var x, factor, numerator, denominator herumi.Fr
	for i, d := range dealers {
		numerator.SetInt64(1)
		denominator.SetInt64(1)
		for j, other := range dealers {
			if i == j {
				continue
			}
			if other == d {
				return Combination{}, ErrSharing
			}
			x.SetInt64(int64(other) + 1)
			factor.SetInt64(int64(other) - int64(d))
			herumi.FrMul(&numerator, &numerator, &x)
			herumi.FrMul(&denominator, &denominator, &factor)
		}
		herumi.FrDiv(&c.weights[i], &numerator, &denominator)
	}
	return c, nil
}

// Sharings combines the dealers' commitments, all of one length and among as many
// holders, into the public side of the new key; ErrSharing otherwise.
func (c Combination) Sharings(dealt []*Sharing) (*Sharing, error) {
	if len(dealt) == 0 || len(dealt) != len(c.weights) {
		return nil, ErrSharing
	}
	out := &Sharing{total: dealt[0].total, commitments: make([]herumi.PublicKey, len(dealt[0].commitments))}
	column := make([]herumi.G1, len(dealt))
	for i := range out.commitments {
		for j, d := range dealt {
			if d.total != out.total || len(d.commitments) != len(out.commitments) {
				return nil, ErrSharing
			}
			column[j] = *herumi.CastFromPublicKey(&d.commitments[i])
		}
		var sum herumi.G1
		herumi.G1MulVec(&sum, column, c.weights)
		if sum.IsZero() {
			return nil, ErrSharing
		}
		out.commitments[i] = *herumi.CastToPublicKey(&sum)
	}
	return out, nil
}

// Shares combines what the dealers gave one holder, all of its index, into its share
// of the new key; ErrSharing otherwise.
func (c Combination) Shares(dealt []Share) (Share, error) {
	if len(dealt) == 0 || len(dealt) != len(c.weights) {
		return Share{}, ErrSharing
	}
	var sum, part herumi.Fr
	sum.SetInt64(0)
	for i, s := range dealt {
		if s.Index != dealt[0].Index {
			return Share{}, ErrSharing
		}
		herumi.FrMul(&part, herumi.CastFromSecretKey(&s.Key.scalar), &c.weights[i])
		herumi.FrAdd(&sum, &sum, &part)
	}
	k := &PrivateKey{scalar: *herumi.CastToSecretKey(&sum)}
	if k.scalar.IsZero() {
		return Share{}, ErrSharing
	}
	return Share{Index: dealt[0].Index, Key: k}, nil
}
