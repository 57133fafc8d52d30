package verifier

import (
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// state verifies batches.
type state struct {
	chainID   uint64
	recoverer sig.Recoverer
	cores     int
}

// verify gives one result per transaction, whatever the number of cores. A panic in a piece is raised here.
func (s *state) verify(txs []*tx.Tx) []Result {
	results := make([]Result, len(txs))
	pieces := min(s.cores, len(txs))
	if pieces <= 1 {
		s.piece(txs, results)
		return results
	}
	var group sync.WaitGroup
	panics := make([]any, pieces)
	for p := range pieces {
		low, high := p*len(txs)/pieces, (p+1)*len(txs)/pieces
		group.Go(func() {
			defer func() { panics[p] = recover() }()
			s.piece(txs[low:high], results[low:high])
		})
	}
	group.Wait()
	for _, r := range panics {
		if r != nil {
			panic(r)
		}
	}
	return results
}

func (s *state) piece(txs []*tx.Tx, results []Result) {
	for i, t := range txs {
		results[i].Verified, results[i].Err = tx.Verify(t, s.chainID, s.recoverer)
	}
}
