package index

import (
	"errors"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Subsystem is the supervised actor.
type Subsystem struct {
	Path   string
	Chain  digest.Hash // genesis hash
	Source Source
	Handle *Handle

	file *file
	trim trimmer
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		s.open()
	case *actor.Stopping, *actor.Restarting:
		s.close()
	case finalized, next:
		s.catchUp()
	}
}

func (s *Subsystem) open() {
	f, err := openFile(s.Path, s.Chain)
	if err != nil {
		panic(err)
	}
	s.file = f
	s.Handle.file.Store(f)
	s.catchUp()
}

func (s *Subsystem) close() {
	if s.file != nil {
		s.Handle.file.Store(nil)
		_ = s.file.close()
		s.file = nil
	}
}

// catchUp indexes at most one batch and asks itself to go on, so that a long backlog never holds the inbox.
func (s *Subsystem) catchUp() {
	if s.file == nil {
		return
	}
	first := unit.Height(0)
	if h, ok := s.file.height(); ok {
		first = h + 1
	}
	last := s.Source.Finalized()
	if first > last {
		return
	}
	first = max(first, s.Source.First()) // what the node no longer holds, or never did, is not indexed
	var lists [][]*block.Receipt
	for h := first; h <= last && len(lists) < batch; h++ {
		receipts, err := s.Source.Receipts(h)
		if err != nil && !errors.Is(err, ledger.ErrAbsent) { // of the block a snapshot is of, or dropped meanwhile
			panic(err)
		}
		lists = append(lists, receipts)
	}
	if err := s.file.add(first, lists); err != nil {
		panic(err)
	}
	if err := s.trim.step(s.file, s.Source.First()); err != nil {
		panic(err)
	}
	if first+unit.Height(len(lists)) <= last {
		s.Handle.inbox.Send(next{})
	}
}
