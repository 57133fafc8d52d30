package bls

import (
	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Check is one signature to verify: by a key, over a pre-image of its own.
type Check struct {
	Key       *PublicKey
	Preimage  []byte
	Signature sig.BLSSignature
}

// VerifyEach verifies signatures over different messages and gives the indices that
// fail, ascending; none means all verify. A good batch is one product of pairings. In
// a bad batch each is verified by itself: such batches are small.
// Spec: commonware §2.6 (one pairing product with random 128-bit weights).
func VerifyEach(checks []Check) []int { return (*Hashes)(nil).VerifyEach(checks) }

// VerifyEach is the function of the same name over messages that may be remembered.
func (h *Hashes) VerifyEach(checks []Check) []int {
	if len(checks) > 1 && h.VerifyAll(checks) {
		return nil
	}
	var bad []int
	for i, c := range checks {
		if h.Verify(c.Key, c.Preimage, c.Signature) != nil {
			bad = append(bad, i)
		}
	}
	return bad
}

// VerifyAll reports whether VerifyEach finds none to fail, and does not ask which.
func (h *Hashes) VerifyAll(checks []Check) bool {
	points := make([]herumi.G2, len(checks))
	for i, c := range checks {
		point, err := inside(c.Signature)
		if err != nil {
			return false
		}
		points[i] = *carry(point)
	}
	return h.holds(checks, points)
}
