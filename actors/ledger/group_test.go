package ledger

import (
	"slices"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// said is one command as an actor sees it.
type said struct {
	actor.Context
	command any
}

func (s said) Message() any { return s.command }

// counted counts the syncs of a disk's segments.
type counted struct {
	*disk.Memory
	syncs int
}

func countSyncs(d *disk.Memory) *counted {
	c := &counted{Memory: d}
	d.FailSync = func(string) bool { c.syncs++; return false }
	return c
}

// chainOf makes blocks on top of a store without appending them.
func chainOf(t *testing.T, s Store, n int) (list []*Final) {
	t.Helper()
	scratch, err := NewMemory(devnet(t), *s.State().Config())
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		f := follow(t, scratch)
		list = append(list, f)
		if err := scratch.Append(f); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// Blocks that wait together share one sync. Nobody is told of a block, and no reader sees one, before it is durable; then all are told, in order. A block
// that is held already is answered, and not written again.
//
// Spec: commonware §5.10; WP "Storage and State Persistence".
func TestGroupCommit(t *testing.T) {
	d := countSyncs(disk.NewMemory())
	l, err := OpenDisk(d.Memory, "", devnet(t), store.Options{Window: store.WindowMin})
	if err != nil {
		t.Fatal(err)
	}
	h := NewHandle()
	var told, replied []unit.Height
	h.Subscribe(func(f *Final) { told = append(told, f.Height()) })
	s := &Subsystem{Handle: h, Store: l}
	s.Receive(said{command: &actor.Started{}})
	commit := func(f *Final) {
		s.Receive(said{command: Commit{Final: f, life: 1, Reply: func(height unit.Height) {
			if h.Finalized() < height {
				t.Errorf("block %d is acknowledged, block %d is durable", height, h.Finalized())
			}
			replied = append(replied, height)
		}}})
	}
	list := chainOf(t, l, 6)
	before := d.syncs
	for _, f := range list[:5] {
		commit(f)
	}
	if d.syncs != before || len(told) > 0 || len(replied) > 0 || h.Finalized() != 0 {
		t.Fatalf("%d syncs, told %v, %v before the group ends", d.syncs-before, told, replied)
	}
	if n := h.inbox.Tally().Depth; n != 1 {
		t.Fatalf("%d commands to itself", n)
	}
	s.Receive(said{command: flush{1}})
	want := []unit.Height{1, 2, 3, 4, 5}
	if d.syncs != before+1 || !slices.Equal(told, want) || !slices.Equal(replied, want) || h.Finalized() != 5 {
		t.Fatalf("%d syncs, told %v, %v, final %d", d.syncs-before, told, replied, h.Finalized())
	}
	commit(list[4])
	commit(list[5])
	commit(list[5])
	s.Receive(said{command: flush{1}})
	want = append(want, 5, 6, 6)
	if !slices.Equal(told, want) || !slices.Equal(replied, want) || h.Finalized() != 6 {
		t.Errorf("told %v, %v, final %d", told, replied, h.Finalized())
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// A group ends by its size, and a restart forgets one that was not flushed: whoever asked asks again.
func TestGroupIsBounded(t *testing.T) {
	m, err := NewMemory(devnet(t), state.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s := &Subsystem{Handle: NewHandle(), Store: m}
	s.Receive(said{command: &actor.Started{}})
	list := chainOf(t, m, groupMax+3)
	for _, f := range list {
		s.Receive(said{command: Commit{Final: f, life: 1, Reply: func(unit.Height) {}}})
	}
	if got := s.Handle.Finalized(); got != groupMax {
		t.Fatalf("final %d, a group has %d blocks", got, groupMax)
	}
	s.Receive(said{command: &actor.Started{}})
	s.Receive(said{command: flush{1}})
	s.Receive(said{command: flush{2}})
	if got := s.Handle.Finalized(); got != groupMax {
		t.Fatalf("final %d after a restart", got)
	}
	for _, f := range list[groupMax:] {
		s.Receive(said{command: Commit{Final: f, life: 2, Reply: func(unit.Height) {}}})
	}
	s.Receive(said{command: flush{2}})
	if got := s.Handle.Finalized(); got != groupMax+3 {
		t.Errorf("final %d at the end", got)
	}
}
