package protocol

import (
	"bytes"
	"math/bits"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Times, in blocks.
//
// Spec: runner-marketplace §9.1, §9.4, §11.
const (
	OverlapBlocks  = 32 // that an old subset is kept
	AckBlocks      = 15 // in which an assignment is answered
	PresenceBlocks = 3  // a runner of which nothing is heard for longer is absent
	ResendBlocks   = 2  // after which a runner's transaction is sent again
	GraceBlocks    = 2  // in which it is
)

// SubsetSize is how many validators of a set a runner connects to: min(n, clamp(ceil(log2 n) + 1, 3, 8)).
//
// Spec: runner-marketplace §9.1.
func SubsetSize(n int) int {
	if n == 0 {
		return 0
	}
	return min(n, max(3, min(bits.Len(uint(n-1))+1, 8)))
}

// Subset is a runner's part of a set of validators, named by their voting keys: the first ones by keccak256(the runner's key ‖ the validator's).
//
// Spec: runner-marketplace §9.1.
func Subset(runner Party, set []sig.BLSPublicKey) []sig.BLSPublicKey {
	type place struct {
		at  digest.Hash
		key sig.BLSPublicKey
	}
	list := make([]place, len(set))
	for i, key := range set {
		list[i] = place{digest.Keccak256(runner[:], key[:]), key}
	}
	slices.SortFunc(list, func(a, b place) int { return bytes.Compare(a.at[:], b.at[:]) })
	out := make([]sig.BLSPublicKey, SubsetSize(len(set)))
	for i := range out {
		out[i] = list[i].key
	}
	return out
}

// Bounds of the time between two attempts to connect.
const (
	backoffLeast = 100 * time.Millisecond
	backoffMost  = 30 * time.Second
)

// Backoff is the time to wait after so many failed attempts in a row, from 0: 100 ms × 2^n, at most 30 s, and up to a quarter more or less. draw is from 0
// up to and without 1,000, and says how much.
//
// Spec: runner-marketplace §9.4.
func Backoff(failures, draw int) time.Duration {
	wait := min(backoffLeast<<min(failures, 20), backoffMost)
	return wait*3/4 + wait/2*time.Duration(draw)/1_000
}
