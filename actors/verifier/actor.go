package verifier

import (
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Subsystem is the supervised actor that verifies batches.
type Subsystem struct {
	ChainID uint64
	// Recoverer defaults to sig.Default().
	Recoverer sig.Recoverer
	// Cores is how many pieces of a batch run at the same time; 1 keeps everything on the actor's goroutine.
	Cores int

	state state
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case Verify:
		command.Reply(s.verify(command.Txs))
	}
}

func (s *Subsystem) start() {
	s.state = state{chainID: s.ChainID, recoverer: s.Recoverer}
	if s.Recoverer == nil {
		s.state.recoverer = sig.Default()
	}
}

// verify gives one result per transaction, whatever the number of cores. A panic in a piece is raised here.
func (s *Subsystem) verify(txs []*tx.Tx) []Result {
	results, bounds := make([]Result, len(txs)), pieces(len(txs), s.Cores)
	if len(bounds) == 2 {
		s.state.verify(txs, results)
		return results
	}
	var group sync.WaitGroup
	panics := make([]any, len(bounds)-1)
	for p := range panics {
		low, high := bounds[p], bounds[p+1]
		group.Go(func() {
			defer func() { panics[p] = recover() }()
			s.state.verify(txs[low:high], results[low:high])
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
