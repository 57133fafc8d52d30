package store

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// fetched is what a node that starts empty learns from others about a block.
type fetched struct {
	boundary uint64
	nodes    *state.Foundation
	data     []byte
	cuts     []int // ends of the parts in data
	counts   []uint64
	seal     Seal
}

// fetch reads the state of a store's last block as it would come over the network.
func fetch(t testing.TB, s *Store, per uint64) *fetched {
	t.Helper()
	v := s.Head()
	c := v.State()
	f := &fetched{boundary: c.Floor() / state.ChunkBits * state.ChunkBits}
	var err error
	if f.nodes, err = c.Foundation(c.Length(), f.boundary); err != nil {
		t.Fatal(err)
	}
	for from := f.boundary; from < c.Length(); {
		data, n, err := c.Operations(from, per, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		f.data = append(f.data, data...)
		f.cuts, f.counts = append(f.cuts, len(f.data)), append(f.counts, n)
		from += n
	}
	height, _ := v.Height()
	hash, err := v.BlockHash(height)
	if err != nil {
		t.Fatal(err)
	}
	block, err := v.Block(height)
	if err != nil {
		t.Fatal(err)
	}
	f.seal = Seal{Height: height, Hash: hash, Block: block, Root: c.Root(), Floor: c.Floor()}
	return f
}

// into carries on what a stage holds, up to the seal. after is told what is durable.
func (f *fetched) into(s *Stage, after func(length uint64)) error {
	if _, _, ok := s.Begun(); !ok {
		if err := s.Begin(f.boundary, f.nodes.Pinned); err != nil {
			return err
		}
	}
	_, length, _ := s.Begun()
	at, start := f.boundary, 0
	for i, end := range f.cuts {
		if at == length {
			if err := s.Append(f.data[start:end], f.counts[i]); err != nil {
				return err
			}
			if i%3 == 2 {
				if err := s.Sync(); err != nil {
					return err
				}
				after(at + f.counts[i])
			}
			length = at + f.counts[i]
		}
		at, start = at+f.counts[i], end
	}
	if at != length {
		return fmt.Errorf("the stage is at %d, which no part ends at", length)
	}
	if s.Sealed() {
		return nil
	}
	return s.Seal(&f.seal)
}

// grown is a chain long enough that its floor has left the first chunk.
func grown(t testing.TB, seed int64, blocks int, o Options) (*chain, *Store) {
	t.Helper()
	c := newChain(t, seed)
	s, err := OpenDisk(disk.NewMemory(), "", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for range blocks {
		if err := c.grow(s); err != nil {
			t.Fatal(err)
		}
	}
	return c, s
}

// A store that begins with a snapshot has the snapshot's state, says what it lacks,
// and goes on as the whole one does, with and without checkpoints, opened again and
// again.
//
// Spec: commonware §5.7.
func TestStoreFromSnapshot(t *testing.T) {
	for _, checkpointed := range []bool{false, true} {
		o := testOptions()
		whole, from := grown(t, 5, 300, o)
		f := fetch(t, from, 100)
		if f.boundary == 0 {
			t.Fatal("the floor is in the first chunk")
		}
		d, path := disk.NewMemory(), ""
		if checkpointed {
			path = filepath.Join(t.TempDir(), "image")
		}
		stage, err := OpenStage(d, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.into(stage, func(uint64) {}); err != nil {
			t.Fatal(err)
		}
		if err := stage.Close(); err != nil {
			t.Fatal(err)
		}
		for round := range 4 {
			s, err := OpenDisk(d, path, o)
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			n := len(whole.blocks)
			whole.checkState(s.Head().State(), n-1)
			if s.First() != 299 {
				t.Errorf("first height %d", s.First())
			}
			checkMissing(t, s)
			if got, err := s.Head().Block(299); err != nil || !bytes.Equal(got, f.seal.Block) {
				t.Errorf("the snapshot's block: %v", err)
			}
			for range 30 {
				r := whole.next(from.Head().State())
				if err := from.Append(&r); err != nil {
					t.Fatal(err)
				}
				whole.accept(r)
				own, err := s.Head().State().Replay(r.Commit.Height(), operationsOf(r.Commit))
				if err != nil {
					t.Fatal(err)
				}
				mine := r
				mine.Commit = own
				if err := s.Append(&mine); err != nil {
					t.Fatal(err)
				}
			}
			if checkpointed {
				if err := s.Checkpoint(); err != nil {
					t.Fatal(err)
				}
			}
			whole.checkState(s.Head().State(), len(whole.blocks)-1)
			past, err := s.Head().At(unit.Height(len(whole.blocks) - 10))
			if err != nil {
				t.Fatal(err)
			}
			whole.checkState(past, len(whole.blocks)-10)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func operationsOf(c *state.Commit) []byte {
	data, _ := c.Delta().Bytes()
	return data
}

// checkMissing asks for what a snapshot does not bring.
func checkMissing(t *testing.T, s *Store) {
	t.Helper()
	v := s.Head()
	_, blockErr := v.Block(298)
	_, receiptsErr := v.Receipts(299)
	_, atErr := v.At(200)
	for name, err := range map[string]error{"block": blockErr, "receipts": receiptsErr, "state": atErr} {
		var pruned *PrunedError
		if !errors.As(err, &pruned) || !errors.Is(err, ErrPruned) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var pruned *PrunedError
	if errors.As(blockErr, &pruned) && pruned.First != 299 {
		t.Errorf("first is %d", pruned.First)
	}
}

// Whatever instant the machine stops at while a snapshot is collected, and whatever
// it loses of what was not synced, what was synced is held, nothing else is taken
// for whole, and collecting goes on from there to the same state.
//
// Spec: commonware §5.7; WP "Storage and State Persistence".
func TestStageCrash(t *testing.T) {
	o := testOptions()
	o.SegmentSize = 2_000
	whole, from := grown(t, 7, 200, o)
	f := fetch(t, from, 20)
	h := &history{chain: whole, disk: disk.NewMemory(), options: o}
	h.disk.Record = true
	stage, err := OpenStage(h.disk, o)
	if err != nil {
		t.Fatal(err)
	}
	type safe struct {
		clock  int64
		length uint64
	}
	var known []safe
	if err := f.into(stage, func(length uint64) { known = append(known, safe{h.disk.Clock(), length}) }); err != nil {
		t.Fatal(err)
	}
	sealedAt := h.disk.Clock()
	step := int64(61)
	if testing.Short() {
		step = 211
	}
	for instant := int64(0); instant <= sealedAt; instant += step {
		for _, d := range h.crashes(instant) {
			again, err := OpenStage(d, o)
			if err != nil {
				t.Fatalf("crash at %d: %v", instant, err)
			}
			_, length, _ := again.Begun()
			for _, k := range known {
				if k.clock <= instant && length < k.length {
					t.Fatalf("crash at %d: %d operations held, %d were synced", instant, length, k.length)
				}
			}
			if err := f.into(again, func(uint64) {}); err != nil {
				t.Fatalf("crash at %d: %v", instant, err)
			}
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
			s, err := OpenDisk(d, "", o)
			if err != nil {
				t.Fatalf("crash at %d: %v", instant, err)
			}
			if s.Head().State().Root() != f.seal.Root {
				t.Fatalf("crash at %d: root %v", instant, s.Head().State().Root())
			}
			_ = s.Close()
		}
	}
}

// A full disk stops a snapshot with disk.ErrFull; once there is room again the same
// stage goes on, and so does a new one.
func TestStageFullDisk(t *testing.T) {
	o := testOptions()
	_, from := grown(t, 9, 200, o)
	f := fetch(t, from, 20)
	for capacity := int64(200); capacity < 12_000; capacity += 700 {
		for _, reopen := range []bool{false, true} {
			d := disk.NewMemory()
			d.Capacity = capacity
			stage, err := OpenStage(d, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.into(stage, func(uint64) {}); !errors.Is(err, disk.ErrFull) {
				t.Fatalf("capacity %d: %v", capacity, err)
			}
			d.Capacity = 0
			if reopen {
				if err := stage.Close(); err != nil {
					t.Fatal(err)
				}
				if stage, err = OpenStage(d, o); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.into(stage, func(uint64) {}); err != nil {
				t.Fatalf("capacity %d: %v", capacity, err)
			}
			if err := stage.Close(); err != nil {
				t.Fatal(err)
			}
			s, err := OpenDisk(d, "", o)
			if err != nil || s.Head().State().Root() != f.seal.Root {
				t.Fatalf("capacity %d: %v", capacity, err)
			}
			_ = s.Close()
		}
	}
}

// A snapshot that does not lead to the root it was sealed with, or whose bytes
// changed, is named and not opened.
func TestSnapshotDamage(t *testing.T) {
	o := testOptions()
	_, from := grown(t, 11, 120, o)
	f := fetch(t, from, 50)
	make := func(f *fetched) *disk.Memory {
		d := disk.NewMemory()
		stage, err := OpenStage(d, o)
		if err == nil {
			err = errors.Join(f.into(stage, func(uint64) {}), stage.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	wrong := *f
	wrong.seal.Root[0]++
	refused := func(name string, d *disk.Memory) {
		t.Helper()
		_, err := OpenDisk(d, "", o)
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused("another root", make(&wrong))
	unsealed := disk.NewMemory()
	stage, err := OpenStage(unsealed, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(stage.Begin(f.boundary, f.nodes.Pinned), stage.Close()); err != nil {
		t.Fatal(err)
	}
	refused("not sealed", unsealed)
	for at := segmentHeader; at < 4_000; at += 97 {
		d := make(f)
		d.Edit(segmentName(0), func(data []byte) []byte {
			data[at] ^= 4
			return data
		})
		refused(fmt.Sprintf("byte %d", at), d)
	}
}

// FuzzStage holds that no bytes on a disk break a stage: what is there is taken or
// cut off, and what follows works.
func FuzzStage(f *testing.F) {
	o := testOptions()
	_, from := grown(f, 5, 60, o)
	got := fetch(f, from, 40)
	d := disk.NewMemory()
	stage, err := OpenStage(d, o)
	if err == nil {
		err = got.into(stage, func(uint64) {})
	}
	if err != nil {
		f.Fatal(err)
	}
	d.Edit(segmentName(0), func(data []byte) []byte {
		f.Add(bytes.Clone(data[segmentHeader:]))
		return data
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		d := disk.NewMemory()
		file, err := d.Create(segmentName(0))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt(append(encodeSegmentHeader(testIdentity, 0), data...), 0); err != nil {
			t.Fatal(err)
		}
		stage, err := OpenStage(d, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := stage.Reset(); err != nil {
			t.Fatal(err)
		}
		if err := stage.Begin(0, nil); err != nil {
			t.Fatal(err)
		}
		if err := stage.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
