package verifier

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/sig"
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
		command.Reply(s.state.verify(command.Txs))
	}
}

func (s *Subsystem) start() {
	s.state = state{chainID: s.ChainID, recoverer: s.Recoverer, cores: max(s.Cores, 1)}
	if s.Recoverer == nil {
		s.state.recoverer = sig.Default()
	}
}
