package replica

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var chainHash = digest.Hash{7}

func opens(t testing.TB, d disk.Disk) *journal {
	t.Helper()
	j, err := openJournal(d, chainHash)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// reopen opens a journal as the next process does, after the last one has gone.
func reopen(t testing.TB, d disk.Disk, j *journal) *journal {
	t.Helper()
	if err := j.file.Close(); err != nil {
		t.Fatal(err)
	}
	return opens(t, d)
}

func blockAt(h unit.Height) *block.Block {
	return &block.Block{Header: block.Header{Version: 1, ChainID: 1, Height: h, View: uint64(h)}}
}

func subjectOf(b *block.Block) sig.Subject {
	return sig.Subject{BlockHash: b.Hash(), Height: uint64(b.Header.Height), Round: b.Header.Round()}
}

// votesOn is what a validator journals of one view: its vote with the block, the certificate, its commit.
func votesOn(h unit.Height) *batch {
	b := blockAt(h)
	s := subjectOf(b)
	c := &sig.Certificate{Kind: sig.Notarization, Subject: s, Signers: sig.NewSigners(4), Aggregate: sig.BLSSignature{1}, Seed: sig.BLSSignature{2}}
	return &batch{
		records: []simplex.Record{
			&simplex.OwnVote{Kind: sig.Notarization, Subject: s},
			&simplex.Certificate{Certificate: c},
			&simplex.OwnVote{Kind: sig.Finalization, Subject: s},
		},
		blocks: []journaled{{b.Hash(), h, b.Encode()}},
	}
}

func add(t testing.TB, j *journal, list ...*batch) {
	t.Helper()
	for _, b := range list {
		if err := j.add(b); err != nil {
			t.Fatal(err)
		}
	}
}

func join(list ...*batch) (out batch) {
	for _, b := range list {
		out.records = append(out.records, b.records...)
		out.blocks = append(out.blocks, b.blocks...)
	}
	return out
}

func same(t testing.TB, j *journal, want batch) {
	t.Helper()
	got := batch{j.records, j.blocks}
	if string(got.append(nil)) != string(want.append(nil)) {
		t.Errorf("journal holds %d records and %d blocks, want %d and %d", len(got.records), len(got.blocks), len(want.records), len(want.blocks))
	}
}

// What was added is there at the next opening; what was forgotten is not, once the file was rewritten.
//
// Spec: commonware §3.5.
func TestJournalKeepsVotes(t *testing.T) {
	d := disk.NewMemory()
	j := opens(t, d)
	if !j.fresh {
		t.Error("a journal that was not there is not fresh")
	}
	list := []*batch{votesOn(5), votesOn(6), votesOn(7)}
	add(t, j, list[:2]...)
	j = reopen(t, d, j)
	if j.fresh || j.title.opening != 2 {
		t.Errorf("fresh %v, opening %d", j.fresh, j.title.opening)
	}
	same(t, j, join(list[:2]...))
	j.forget(6)
	if err := j.settle(5); err != nil {
		t.Fatal(err)
	}
	same(t, j, join(list[1]))
	j = reopen(t, d, j)
	same(t, j, join(list[:2]...)) // the file did not grow enough to be rewritten before; opening rewrote what it held
	j.forget(6)
	if err := errors.Join(j.settle(5), j.rewrite()); err != nil {
		t.Fatal(err)
	}
	add(t, j, list[2])
	same(t, reopen(t, d, j), join(list[1:]...))
}

// A later epoch begins with an empty journal.
func TestJournalTurns(t *testing.T) {
	d := disk.NewMemory()
	j := opens(t, d)
	add(t, j, votesOn(5))
	if err := j.turn(1); err != nil {
		t.Fatal(err)
	}
	j = reopen(t, d, j)
	same(t, j, batch{})
	if j.title.epoch != 1 {
		t.Errorf("epoch %d", j.title.epoch)
	}
}

// Every prefix of a journal is what a crash may leave: the whole frames are kept, a torn one is cut off, and the journal goes on.
//
// Spec: commonware §3.5.
func TestJournalTornAnywhere(t *testing.T) {
	list := []*batch{votesOn(5), votesOn(6)}
	j := opens(t, disk.NewMemory())
	begin := j.file.Size()
	var ends []int64
	for _, b := range list {
		add(t, j, b)
		ends = append(ends, j.file.Size())
	}
	for cut := begin; cut < ends[1]; cut += 3 {
		for _, fill := range []string{"nothing", "garbage"} {
			d := disk.NewMemory()
			k := opens(t, d)
			add(t, k, list...)
			d.Edit(names.File, func(data []byte) []byte {
				out := append([]byte(nil), data[:cut]...)
				if fill == "garbage" {
					out = append(out, bytes.Repeat([]byte{0xee}, len(data)-int(cut))...)
				}
				return out
			})
			k = reopen(t, d, k)
			var whole []*batch
			for i, end := range ends {
				if cut >= end {
					whole = append(whole, list[i])
				}
			}
			same(t, k, join(whole...))
			add(t, k, list[1])
			same(t, reopen(t, d, k), join(append(whole, list[1])...))
		}
	}
}

// A flipped bit in a vote that others follow is damage, never a shorter journal: a forgotten vote could be cast differently.
func TestJournalDamageIsNamed(t *testing.T) {
	for at := 0; ; at += 7 {
		d := disk.NewMemory()
		j := opens(t, d)
		add(t, j, votesOn(5))
		if int64(at) >= j.file.Size() {
			return
		}
		add(t, j, votesOn(6))
		d.Edit(names.File, func(data []byte) []byte {
			out := append([]byte(nil), data...)
			out[at] ^= 0x10
			return out
		})
		if err := j.file.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := openJournal(d, chainHash); !errors.Is(err, ErrJournal) {
			t.Errorf("bit at byte %d: %v", at, err)
		}
	}
}

func TestJournalOfAnotherChain(t *testing.T) {
	d := disk.NewMemory()
	j := opens(t, d)
	if err := j.file.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openJournal(d, digest.Hash{8}); !errors.Is(err, ErrJournal) {
		t.Errorf("opened: %v", err)
	}
}

// lockless is a disk on which locks do not reach other processes.
type lockless struct{ disk.Disk }

func (lockless) Lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// A second process on the same key is refused by the lock; where locks do not reach, the first one signs nothing more once the second has opened.
//
// Spec: commonware §3.5.
func TestJournalOfTwoProcesses(t *testing.T) {
	d := disk.NewMemory()
	first := opens(t, d)
	if _, err := openJournal(d, chainHash); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("a second process opened the journal: %v", err)
	}
	add(t, first, votesOn(5))
	d.Edit(names.File, func(data []byte) []byte { return data }) // what a crash of the machine would keep is not the matter here
	other := opens(t, lockless{d})
	if err := first.add(votesOn(6)); !errors.Is(err, ErrTaken) {
		t.Errorf("two processes write one journal: %v", err)
	}
	add(t, other, votesOn(6))
	same(t, other, join(votesOn(5), votesOn(6)))
}

// dying is a disk whose files can no longer be synced once it is dead.
type dying struct {
	disk.Disk
	dead *bool
}

type dyingFile struct {
	disk.File
	dead *bool
}

func (d dying) Create(name string) (disk.File, error) {
	f, err := d.Disk.Create(name)
	return dyingFile{f, d.dead}, err
}

func (f dyingFile) Sync() error {
	if *f.dead {
		return errors.New("input/output error")
	}
	return f.File.Sync()
}

// After a failed sync nothing is added any more: what is on the disk is unknown.
func TestJournalPoisoned(t *testing.T) {
	var dead bool
	j := opens(t, dying{disk.NewMemory(), &dead})
	dead = true
	if err := j.add(votesOn(5)); err == nil {
		t.Fatal("a failed sync went unnoticed")
	}
	dead = false
	if err := j.add(votesOn(6)); err == nil {
		t.Error("the journal went on after a failed write")
	}
	if err := j.rewrite(); err == nil {
		t.Error("the journal was rewritten after a failed write")
	}
}

func TestJournalShrinks(t *testing.T) {
	j := opens(t, disk.NewMemory())
	for i := byte(0); j.file.Size() < rewriteAbove; i++ {
		add(t, j, &batch{blocks: []journaled{{digest.Hash{i}, 1, make([]byte, 1<<20)}}})
	}
	if err := j.settle(1); err != nil || j.file.Size() > 1_000 {
		t.Errorf("%d bytes, %v", j.file.Size(), err)
	}
}

func FuzzJournal(f *testing.F) {
	d := disk.NewMemory()
	j := opens(f, d)
	add(f, j, votesOn(5), votesOn(6))
	d.Edit(names.File, func(data []byte) []byte { f.Add(append([]byte(nil), data...)); return data })
	f.Fuzz(func(t *testing.T, data []byte) {
		d := disk.NewMemory()
		j := opens(t, d)
		d.Edit(names.File, func([]byte) []byte { return data })
		if err := j.file.Close(); err != nil {
			t.Fatal(err)
		}
		k, err := openJournal(d, chainHash)
		if err != nil {
			return
		}
		before := batch{k.records, k.blocks}
		again := reopen(t, d, k)
		if after := (batch{again.records, again.blocks}); !reflect.DeepEqual(before.append(nil), after.append(nil)) {
			t.Errorf("a journal holds %d records at one opening and %d at the next", len(before.records), len(after.records))
		}
	})
}
