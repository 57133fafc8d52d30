package ledger

import (
	"errors"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Subsystem is the supervised actor that alone writes the store.
type Subsystem struct {
	Handle *Handle
	// Store is opened before the tree starts, outlives restarts of this subsystem, and is closed after the tree has stopped.
	Store Store

	life    uint64
	tip     *Tip
	group   group
	tidying bool // maintenance is running
	adopt   *Loaded
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case Commit:
		if command.life == s.life {
			s.commit(command)
		}
	case flush:
		if command.life == s.life {
			s.flush()
		}
	case adopt:
		s.adopt = command.loaded
		s.replace()
	case tidied:
		s.ended(command)
	}
}

func (s *Subsystem) start() {
	s.life = s.Handle.lives.Add(1)
	header := s.Store.Header()
	s.tip, s.group = &Tip{Header: header, Hash: header.Hash(), State: s.Store.State()}, group{}
	s.Handle.publish(s.Store, s.tip)
}

// commit takes a block into the group. The group is appended behind the commits that wait already, so that they share its sync: a node that keeps up
// syncs block by block, one that is behind many at once.
func (s *Subsystem) commit(c Commit) {
	header, hash := s.group.last(s.tip)
	what, err := judge(header, hash, s.hashAt, c.Final)
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
	s.group.take(c, what == appendIt)
	if s.group.full() || len(s.group.list) == 1 && s.Handle.inbox.Reply(flush{s.life}) != supervision.Accepted {
		s.flush()
	}
}

// flush makes the group durable and only then tells of it.
func (s *Subsystem) flush() {
	g := s.group
	s.group = group{}
	if len(g.list) == 0 {
		return
	}
	if n := len(g.fresh); n > 0 {
		if err := s.Store.Append(g.fresh...); err != nil {
			panic(&supervision.Fatal{Err: err})
		}
		last := g.fresh[n-1]
		s.tip = &Tip{Header: &last.Block.Header, Hash: last.Hash, State: s.Store.State()}
		s.Handle.publish(s.Store, s.tip)
	}
	for _, c := range g.list {
		for _, tell := range s.Handle.subscribers {
			tell(c.Final)
		}
		c.Reply(c.Final.Height())
	}
	s.maintain()
}

// maintain lets the store tidy up beside the writer when it asks for it.
func (s *Subsystem) maintain() {
	m, ok := s.Store.(Maintainer)
	if !ok || s.tidying || !m.Due() {
		return
	}
	s.tidying = true
	inbox := s.Handle.inbox
	go func() { inbox.Reply(tidied{m.Maintain()}) }()
}

func (s *Subsystem) ended(m tidied) {
	if m.err != nil {
		panic(&supervision.Fatal{Err: m.err})
	}
	s.tidying = false
	s.replace()
}

// replace adopts the snapshot that waits, once nothing works on the store any more. A snapshot that has come too late is dropped.
func (s *Subsystem) replace() {
	if s.adopt == nil || s.tidying {
		return
	}
	loaded := s.adopt
	s.adopt = nil
	err := s.Store.(Snapshots).Adopt(loaded)
	if errors.Is(err, ErrSnapshot) {
		err = loaded.Close()
		if err == nil {
			return
		}
	}
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
	panic(&supervision.Renewal{Err: &Adopted{loaded.Header.Height}})
}

// hashAt gives the hash of a block that is held.
func (s *Subsystem) hashAt(height unit.Height) (digest.Hash, error) {
	if f := s.group.at(height); f != nil {
		return f.Hash, nil
	}
	b, err := s.Store.Block(height)
	if err != nil {
		return digest.Hash{}, err
	}
	return b.Hash(), nil
}
