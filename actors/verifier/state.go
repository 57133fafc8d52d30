package verifier

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// state verifies transactions. Nobody changes it, so that any number of goroutines may use it at the same time.
type state struct {
	chainID   uint64
	recoverer sig.Recoverer
}

// verify writes one result per transaction.
func (s *state) verify(txs []*tx.Tx, results []Result) {
	for i, t := range txs {
		results[i].Verified, results[i].Err = tx.Verify(t, s.chainID, s.recoverer)
	}
}

// pieces divides n transactions among cores: piece i is what lies from the i-th number to the next.
func pieces(n, cores int) (bounds []int) {
	count := max(min(cores, n), 1)
	for i := range count + 1 {
		bounds = append(bounds, i*n/count)
	}
	return bounds
}
