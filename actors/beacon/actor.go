package beacon

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Subsystem is the supervised actor that holds the share.
type Subsystem struct {
	Namespace sig.Namespace
	Share     bls.Share
	Sharing   *bls.Sharing

	state state
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.state = state{namespace: s.Namespace, share: s.Share, sharing: s.Sharing}
	case Contribute:
		command.Reply(s.state.contribute(command.Round))
	case Recover:
		command.Reply(s.state.recover(command.Round, command.Partials))
	}
}
