package mmr

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A proof whose numbers cannot be is refused for each of them alone, before anything is hashed: nothing to prove, a run beyond the last leaf, one that wraps
// round, more leaves than there may be, more inactive peaks than peaks.
//
// Spec: commonware §5.6.
func TestImpossibleNumbers(t *testing.T) {
	h := NewHasher(func(data []byte) digest.Hash { return digest.SHA256(data) })
	one := [][]byte{{1}}
	for name, x := range map[string]struct {
		p        Proof
		from     uint64
		elements [][]byte
	}{
		"no elements":    {Proof{Leaves: 1}, 0, nil},
		"beyond":         {Proof{Leaves: 1}, 1, one},
		"partly beyond":  {Proof{Leaves: 1}, 0, [][]byte{{1}, {2}}},
		"wraps round":    {Proof{Leaves: 1}, ^uint64(0), one},
		"no leaves":      {Proof{}, 0, one},
		"too many":       {Proof{Leaves: LeavesMax + 1, Digests: make([]digest.Hash, 64)}, 0, one},
		"inactive peaks": {Proof{Leaves: 1, Inactive: 2}, 0, one},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := h.Reconstruct(&x.p, x.from, x.elements, nil); !errors.Is(err, ErrProof) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if _, err := h.Reconstruct(&Proof{Leaves: 1}, 0, one, nil); err != nil {
		t.Errorf("a single leaf: %v", err)
	}
}
