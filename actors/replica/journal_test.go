package replica

import (
	"bytes"
	"errors"
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
func reopen(t testing.TB, j *journal) *journal {
	t.Helper()
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	return opens(t, j.disk)
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
	j := opens(t, disk.NewMemory())
	if !j.fresh {
		t.Error("a journal that was not there is not fresh")
	}
	list := []*batch{votesOn(5), votesOn(6), votesOn(7)}
	add(t, j, list[:2]...)
	j = reopen(t, j)
	if j.fresh || j.title.opening != 2 {
		t.Errorf("fresh %v, opening %d", j.fresh, j.title.opening)
	}
	same(t, j, join(list[:2]...))
	j.forget(6)
	if err := j.settle(5); err != nil {
		t.Fatal(err)
	}
	same(t, j, join(list[1]))
	j = reopen(t, j)
	same(t, j, join(list[:2]...)) // the file did not grow enough to be rewritten before; opening rewrote what it held
	j.forget(6)
	if err := errors.Join(j.settle(5), j.rewrite()); err != nil {
		t.Fatal(err)
	}
	add(t, j, list[2])
	same(t, reopen(t, j), join(list[1:]...))
}

// A later epoch begins with an empty journal.
func TestJournalTurns(t *testing.T) {
	j := opens(t, disk.NewMemory())
	add(t, j, votesOn(5))
	if err := j.turn(1); err != nil {
		t.Fatal(err)
	}
	j = reopen(t, j)
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
	begin := j.size
	var ends []int64
	for _, b := range list {
		add(t, j, b)
		ends = append(ends, j.size)
	}
	for cut := begin; cut < ends[1]; cut += 3 {
		for _, fill := range []string{"nothing", "garbage"} {
			k := opens(t, disk.NewMemory())
			add(t, k, list...)
			k.disk.(*disk.Memory).Edit(journalName, func(data []byte) []byte {
				out := append([]byte(nil), data[:cut]...)
				if fill == "garbage" {
					out = append(out, bytes.Repeat([]byte{0xee}, len(data)-int(cut))...)
				}
				return out
			})
			k = reopen(t, k)
			var whole []*batch
			for i, end := range ends {
				if cut >= end {
					whole = append(whole, list[i])
				}
			}
			same(t, k, join(whole...))
			add(t, k, list[1])
			same(t, reopen(t, k), join(append(whole, list[1])...))
		}
	}
}

// A flipped bit in a vote that others follow is damage, never a shorter journal: a forgotten vote could be cast differently.
func TestJournalDamageIsNamed(t *testing.T) {
	for at := 0; ; at += 7 {
		j := opens(t, disk.NewMemory())
		add(t, j, votesOn(5))
		if int64(at) >= j.size {
			return
		}
		add(t, j, votesOn(6))
		j.disk.(*disk.Memory).Edit(journalName, func(data []byte) []byte {
			out := append([]byte(nil), data...)
			out[at] ^= 0x10
			return out
		})
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
		if _, err := openJournal(j.disk, chainHash); !errors.Is(err, ErrJournal) {
			t.Errorf("bit at byte %d: %v", at, err)
		}
	}
}

func TestJournalOfAnotherChain(t *testing.T) {
	j := opens(t, disk.NewMemory())
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openJournal(j.disk, digest.Hash{8}); !errors.Is(err, ErrJournal) {
		t.Errorf("opened: %v", err)
	}
}

type noLock struct{}

func (noLock) Close() error { return nil }

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
	d.Edit(journalName, func(data []byte) []byte { return data }) // what a crash of the machine would keep is not the matter here
	other := &journal{disk: d, lock: noLock{}, title: title{chain: chainHash}}
	if err := other.open(); err != nil {
		t.Fatal(err)
	}
	if err := first.add(votesOn(6)); !errors.Is(err, ErrTaken) {
		t.Errorf("two processes write one journal: %v", err)
	}
	add(t, other, votesOn(6))
	same(t, other, join(votesOn(5), votesOn(6)))
}

// deadDisk is a file whose syncs fail.
type deadDisk struct{ disk.File }

func (deadDisk) Sync() error { return errors.New("input/output error") }

// After a failed sync nothing is added any more: what is on the disk is unknown.
func TestJournalPoisoned(t *testing.T) {
	j := opens(t, disk.NewMemory())
	j.file = deadDisk{j.file}
	if err := j.add(votesOn(5)); err == nil {
		t.Fatal("a failed sync went unnoticed")
	}
	if err := j.add(votesOn(6)); err == nil {
		t.Error("the journal went on after a failed write")
	}
	if err := j.rewrite(); err == nil {
		t.Error("the journal was rewritten after a failed write")
	}
}

func TestJournalShrinks(t *testing.T) {
	j := opens(t, disk.NewMemory())
	j.size = rewriteAbove // as if grown
	if err := j.settle(1); err != nil || j.size >= rewriteAbove {
		t.Errorf("size %d, %v", j.size, err)
	}
}

func FuzzJournal(f *testing.F) {
	j := opens(f, disk.NewMemory())
	add(f, j, votesOn(5), votesOn(6))
	j.disk.(*disk.Memory).Edit(journalName, func(data []byte) []byte { f.Add(append([]byte(nil), data...)); return data })
	f.Fuzz(func(t *testing.T, data []byte) {
		j := opens(t, disk.NewMemory())
		d := j.disk.(*disk.Memory)
		d.Edit(journalName, func([]byte) []byte { return data })
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
		k, err := openJournal(d, chainHash)
		if err != nil {
			return
		}
		before := batch{k.records, k.blocks}
		again := reopen(t, k)
		if after := (batch{again.records, again.blocks}); !reflect.DeepEqual(before.append(nil), after.append(nil)) {
			t.Errorf("a journal holds %d records at one opening and %d at the next", len(before.records), len(after.records))
		}
	})
}
