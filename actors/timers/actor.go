package timers

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
)

// Subsystem is the supervised actor of one tier.
type Subsystem struct {
	Tier   Tier
	Ledger *ledger.Handle

	index *index
}

// Receive is the tier's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case final:
		s.final(command)
	case due:
		command.reply <- slices.Clone(s.index.entries[command.height])
	case ahead:
		command.reply <- s.ahead(command)
	}
}

func (s *Subsystem) start() {
	tip := s.Ledger.Tip()
	x, err := load(s.Tier, tip.State, tip.Header.Height)
	if err != nil {
		panic(err)
	}
	s.index = x
}

func (s *Subsystem) final(f final) {
	if err := s.index.apply(f.final.State, f.final.Height()); err != nil {
		panic(err)
	}
}

func (s *Subsystem) ahead(a ahead) Ahead {
	x := s.index
	from, to := s.Tier.span(x.tip)
	at := len(x.entries[a.height])
	if s.Tier != Ring {
		at = x.counts[x.bucket(a.height)]
	}
	return Ahead{Tip: x.tip, From: from, To: to, Pending: x.total, At: at}
}
