package index

import (
	"errors"
	"os"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Subsystem is the supervised actor.
type Subsystem struct {
	Path string
	// Temporary takes the file's name away as soon as it is open: it goes with the process, and a restart makes another.
	Temporary bool
	Chain     digest.Hash // genesis hash
	Source    Source
	Handle    *Handle
	// Damaged is told why a file was made anew; it may be nil.
	Damaged func(error)

	file *file
	trim trimmer
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.open()
	case *actor.Stopping, *actor.Restarting:
		s.close()
	case finalized, next:
		s.catchUp()
	case damaged:
		s.replace(command.file, command.err)
	}
}

// replace makes a file that is damaged anew, unless that was done meanwhile.
func (s *Subsystem) replace(f *file, err error) {
	if f != s.file || f == nil {
		return
	}
	s.told(err)
	s.Handle.file.Store(nil)
	s.Handle.reach(0)
	s.file, s.trim = nil, trimmer{}
	if err := errors.Join(f.abandon(), s.remove()); err != nil {
		panic(err)
	}
	s.open()
}

// remove takes the file's name away.
func (s *Subsystem) remove() error {
	if err := os.Remove(s.Path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func (s *Subsystem) told(err error) {
	if s.Damaged != nil {
		s.Damaged(err)
	}
}

// fail replaces a file that is damaged; any other failure is the supervisor's concern.
func (s *Subsystem) fail(err error) {
	var wrong *DamagedError
	if !errors.As(err, &wrong) {
		panic(err)
	}
	s.replace(s.file, err)
}

func (s *Subsystem) open() {
	f, err := openFile(s.Path, s.Chain, s.told)
	if err != nil {
		panic(err)
	}
	s.file = f
	if s.Temporary {
		if err := s.remove(); err != nil {
			panic(err)
		}
	}
	s.Handle.file.Store(f)
	s.catchUp()
}

func (s *Subsystem) close() {
	if s.file != nil {
		s.Handle.file.Store(nil)
		s.Handle.reach(0)
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
	h, ok, err := s.file.height()
	if err != nil {
		s.fail(err)
		return
	}
	if ok {
		first = h + 1
	}
	s.Handle.reach(first)
	more, err := s.seed()
	if err != nil {
		s.fail(err)
		return
	}
	if s.read(first) || more {
		s.Handle.inbox.Send(next{})
	}
}

// read indexes a batch of blocks from a height on, and reports whether there are more.
func (s *Subsystem) read(first unit.Height) (more bool) {
	last := s.Source.Finalized()
	if first > last {
		return false
	}
	first = max(first, s.Source.First()) // what the node no longer holds, or never did, is not indexed
	var lists [][]*block.Receipt
	var headers []*block.Header
	var sheets []*flow.Sheet
	for h := first; h <= last && len(lists) < batch; h++ {
		receipts, err := s.Source.Receipts(h)
		if err != nil && !errors.Is(err, ledger.ErrAbsent) { // of the block a snapshot is of, or dropped meanwhile
			panic(err)
		}
		header, err := s.Source.Header(h)
		if err != nil && !errors.Is(err, ledger.ErrAbsent) {
			panic(err)
		}
		sheet, err := s.Source.Flows(h)
		if err != nil && !errors.Is(err, ledger.ErrAbsent) {
			panic(err)
		}
		lists, headers, sheets = append(lists, receipts), append(headers, header), append(sheets, sheet)
	}
	err := s.hold(lists)
	if err == nil {
		err = s.file.add(first, lists, headers, sheets...)
	}
	if err != nil {
		s.fail(err)
		return false
	}
	s.Handle.reach(first + unit.Height(len(lists)))
	if err := s.trim.step(s.file, s.Source.First()); err != nil {
		s.fail(err)
		return false
	}
	return first+unit.Height(len(lists)) <= last
}
