package ledger

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Subsystem is the supervised actor that alone writes the store.
type Subsystem struct {
	Handle *Handle
	// Open opens the store, at every start.
	Open func() (Store, error)

	store Store
	tip   *Tip
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.open()
	case *actor.Stopping, *actor.Restarting:
		s.close()
	case Commit:
		s.commit(command)
	}
}

func (s *Subsystem) open() {
	store, err := s.Open()
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
	header := store.Header()
	s.store, s.tip = store, &Tip{Header: header, Hash: header.Hash(), State: store.State()}
	s.Handle.publish(store, s.tip)
}

func (s *Subsystem) close() {
	if s.store == nil {
		return
	}
	if err := s.store.Close(); err != nil {
		panic(err)
	}
	s.store = nil
}

func (s *Subsystem) commit(c Commit) {
	what, err := judge(s.tip, s.hashAt, c.Final)
	if err == nil && what == appendIt {
		err = s.store.Append(c.Final)
	}
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
	if what == appendIt {
		s.tip = &Tip{Header: &c.Final.Block.Header, Hash: c.Final.Hash, State: s.store.State()}
		s.Handle.publish(s.store, s.tip)
	}
	for _, tell := range s.Handle.subscribers {
		tell(c.Final)
	}
	c.Reply(c.Final.Height())
}

func (s *Subsystem) hashAt(height unit.Height) (digest.Hash, error) {
	b, err := s.store.Block(height)
	if err != nil {
		return digest.Hash{}, err
	}
	return b.Hash(), nil
}
