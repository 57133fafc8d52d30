package bls

import (
	herumi "github.com/herumi/bls-eth-go-binary/bls"
	blst "github.com/supranational/blst/bindings/go"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Batch is signatures by several keys over one pre-image.
type Batch struct {
	Keys       []*PublicKey
	Preimage   []byte
	Signatures []sig.BLSSignature // Signatures[i] by Keys[i]
}

// Joint is votes, each batch a quorum's over one pre-image, with partials over another.
type Joint struct {
	Batches []Batch

	Group     *PublicKey
	Threshold int
	Round     []byte // what the partials sign
	Partials  []Partial

	Others []Check // that are to hold as well
}

// Join is AggregateMany of each batch, Recover of the partials verified under the
// group key, and VerifyAll of the others, in one product of pairings. ok is false
// where anything is wrong, and nothing is said then about what: the caller asks for
// each.
// Spec: WP §6.1 (buffered batch verification at quorum); commonware §2.5, §2.6.
func (h *Hashes) Join(j Joint) (aggregates []sig.BLSSignature, seed sig.BLSSignature, ok bool) {
	var checks []Check
	var points []herumi.G2
	for _, b := range j.Batches {
		check, point, ok := h.summed(b)
		if !ok {
			return nil, seed, false
		}
		checks, points = append(checks, check), append(points, point)
		aggregates = append(aggregates, check.Signature)
	}
	recovered, err := h.recoverPoint(j.Threshold, j.Partials)
	if err != nil {
		return nil, seed, false
	}
	if seed, ok = sealed(back(recovered)); !ok {
		return nil, sig.BLSSignature{}, false
	}
	checks = append(checks, Check{Key: j.Group, Preimage: j.Round, Signature: seed})
	points = append(points, *recovered)
	for _, c := range j.Others {
		other, err := inside(c.Signature)
		if err != nil {
			return nil, sig.BLSSignature{}, false
		}
		checks, points = append(checks, c), append(points, *carry(other))
	}
	if !h.holds(checks, points) {
		return nil, sig.BLSSignature{}, false
	}
	return aggregates, seed, true
}

// summed adds a batch up to one check. Its point is of the subgroup; it was not asked of
// each signature.
func (h *Hashes) summed(b Batch) (c Check, point herumi.G2, ok bool) {
	key, err := sumOf(b.Keys)
	if err != nil {
		return c, point, false
	}
	var sum blst.P2
	for _, s := range b.Signatures {
		p, err := h.uncompress(s)
		if err != nil {
			return c, point, false
		}
		sum.AddAssign(p)
	}
	affine := sum.ToAffine()
	s, ok := sealed(affine)
	if !ok {
		return c, point, false
	}
	return Check{Key: key, Preimage: b.Preimage, Signature: s}, *carry(affine), true
}
