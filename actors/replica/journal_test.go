package replica

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var chainHash = digest.Hash{7}

func open(t *testing.T, d disk.Disk) *journal {
	t.Helper()
	j, err := openJournal(d, chainHash)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// entries are the two votes of a validator on a block at each height.
func entriesOf(heights ...unit.Height) (list []entry) {
	for _, h := range heights {
		b := &block.Block{Header: block.Header{Version: 1, ChainID: 1, Height: h, View: uint64(h)}}
		subject := sig.Subject{BlockHash: b.Hash(), Height: uint64(h), Round: b.Header.Round()}
		partial := bls.Partial{Index: 0, Signature: sig.BLSSignature{1, byte(h)}}
		parent := &half{sig.Subject{Height: uint64(h) - 1}, sig.BLSSignature{9}}
		list = append(list,
			entry{vote{sig.Notarization, subject, 0, sig.BLSSignature{2, byte(h)}, partial, parent}, b},
			entry{vote{sig.Finalization, subject, 0, sig.BLSSignature{3, byte(h)}, partial, nil}, nil})
	}
	return list
}

func same(t *testing.T, j *journal, want []entry) {
	t.Helper()
	if len(j.entries) != len(want) {
		t.Fatalf("%d entries, want %d", len(j.entries), len(want))
	}
	for i := range want {
		if got, want := j.entries[i].append(nil), want[i].append(nil); string(got) != string(want) {
			t.Errorf("entry %d: %x, want %x", i, got, want)
		}
	}
}

func TestJournalKeepsVotes(t *testing.T) {
	d := disk.NewMemory()
	j, want := open(t, d), entriesOf(5, 6)
	for _, e := range want {
		if err := j.add(e); err != nil {
			t.Fatal(err)
		}
	}
	j = open(t, d)
	same(t, j, want)
	blocks := j.blocks()
	if len(blocks) != 2 || blocks[0].block.Header.Height != 5 || len(blocks[0].votes) != 2 || blocks[1].votes[1].kind != sig.Finalization {
		t.Errorf("blocks %+v", blocks)
	}
	if err := j.forget(5); err != nil {
		t.Fatal(err)
	}
	same(t, j, want[2:])
	if err := j.rewrite(j.entries); err != nil {
		t.Fatal(err)
	}
	more := entriesOf(7)
	for _, e := range more {
		if err := j.add(e); err != nil {
			t.Fatal(err)
		}
	}
	same(t, open(t, d), append(want[2:], more...))
}

// Every prefix of a journal is what a crash may leave: the whole frames are kept, a torn one is cut off, and the journal goes on.
//
// Spec: commonware §3.5.
func TestJournalTornAnywhere(t *testing.T) {
	d := disk.NewMemory()
	j, want := open(t, d), entriesOf(5)
	title := j.size
	var ends []int64
	for _, e := range want {
		if err := j.add(e); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, j.size)
	}
	for cut := title; cut < j.size; cut++ {
		for _, fill := range []string{"nothing", "garbage"} {
			copied := disk.NewMemory()
			k := open(t, copied)
			for _, e := range want {
				if err := k.add(e); err != nil {
					t.Fatal(err)
				}
			}
			copied.Edit(journalName, func(data []byte) []byte {
				out := append([]byte(nil), data[:cut]...)
				if fill == "garbage" {
					out = append(out, bytes.Repeat([]byte{0xee}, len(data)-int(cut))...)
				}
				return out
			})
			k = open(t, copied)
			whole := 0
			for _, end := range ends {
				if cut >= end {
					whole++
				}
			}
			same(t, k, want[:whole])
			if err := k.add(want[1]); err != nil {
				t.Fatal(err)
			}
			same(t, open(t, copied), append(want[:whole:whole], want[1]))
		}
	}
}

// A flipped bit in a vote that others follow is damage, never a shorter journal: a forgotten vote could be cast differently.
func TestJournalDamageIsNamed(t *testing.T) {
	for at := 0; at < 900; at += 7 {
		d := disk.NewMemory()
		j := open(t, d)
		for _, e := range entriesOf(5) {
			if err := j.add(e); err != nil {
				t.Fatal(err)
			}
		}
		last := 0
		d.Edit(journalName, func(data []byte) []byte {
			out := append([]byte(nil), data...)
			last = len(out) - len(appendFrame(nil, entriesOf(5)[1].append(nil)))
			if at < last {
				out[at] ^= 0x10
			}
			return out
		})
		if at >= last {
			break
		}
		if _, err := openJournal(d, chainHash); !errors.Is(err, ErrJournal) {
			t.Errorf("bit at byte %d: %v", at, err)
		}
	}
}

func TestJournalOfAnotherChain(t *testing.T) {
	d := disk.NewMemory()
	open(t, d)
	if _, err := openJournal(d, digest.Hash{8}); !errors.Is(err, ErrJournal) {
		t.Errorf("opened: %v", err)
	}
}

// deadDisk is a file whose syncs fail.
type deadDisk struct{ disk.File }

func (deadDisk) Sync() error { return errors.New("input/output error") }

// After a failed sync nothing is added any more: what is on the disk is unknown.
func TestJournalPoisoned(t *testing.T) {
	d := disk.NewMemory()
	j := open(t, d)
	j.file = deadDisk{j.file}
	list := entriesOf(5)
	if err := j.add(list[0]); err == nil {
		t.Fatal("a failed sync went unnoticed")
	}
	if err := j.add(list[1]); err == nil {
		t.Error("the journal went on after a failed write")
	}
	if err := j.rewrite(nil); err == nil {
		t.Error("the journal was rewritten after a failed write")
	}
}

func TestJournalShrinks(t *testing.T) {
	d := disk.NewMemory()
	j := open(t, d)
	j.size = rewriteAbove // as if grown
	if err := j.forget(1); err != nil || j.size >= rewriteAbove {
		t.Errorf("size %d, %v", j.size, err)
	}
}

func FuzzJournal(f *testing.F) {
	d := disk.NewMemory()
	j, err := openJournal(d, chainHash)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entriesOf(5) {
		if err := j.add(e); err != nil {
			f.Fatal(err)
		}
	}
	d.Edit(journalName, func(data []byte) []byte { f.Add(append([]byte(nil), data...)); return data })
	f.Fuzz(func(t *testing.T, data []byte) {
		d := disk.NewMemory()
		if _, err := openJournal(d, chainHash); err != nil {
			t.Fatal(err)
		}
		d.Edit(journalName, func([]byte) []byte { return data })
		j, err := openJournal(d, chainHash)
		if err != nil {
			return
		}
		again, err := openJournal(d, chainHash)
		if err != nil || fmt.Sprint(len(again.entries)) != fmt.Sprint(len(j.entries)) {
			t.Errorf("a journal that opened once with %d votes opens again with %v", len(j.entries), err)
		}
	})
}
