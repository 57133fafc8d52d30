package signer

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

var (
	chain = digest.SHA256([]byte("genesis"))
	voter = sig.BLSPublicKey{1, 2, 3}
)

func subjectAt(epoch, view uint64, name string) sig.Subject {
	return sig.Subject{BlockHash: digest.SHA256([]byte(name)), Height: view, Round: sig.Round{Epoch: epoch, View: view}}
}

func begun(t *testing.T, d disk.Disk, first sig.Round) *journal {
	t.Helper()
	if err := MakeJournal(d, voter, chain, first); err != nil {
		t.Fatal(err)
	}
	return reopened(t, d)
}

func reopened(t *testing.T, d disk.Disk) *journal {
	t.Helper()
	j, err := openJournal(d, voter, chain)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.file.Close() })
	return j
}

// Each pair excludes one another in one view or does not. Whether the first is remembered in memory or read from the disk makes no difference.
//
// Spec: commonware §3.3 (invariants).
func TestNeverTwice(t *testing.T) {
	x, y := subjectAt(2, 7, "x"), subjectAt(2, 7, "y")
	round := sig.Subject{Round: x.Round}
	for _, c := range []struct {
		name          string
		first, second decision
		allowed       bool
	}{
		{"two blocks notarized", decision{notarized, x}, decision{notarized, y}, false},
		{"one block notarized again", decision{notarized, x}, decision{notarized, x}, true},
		{"two blocks committed", decision{committed, x}, decision{committed, y}, false},
		{"one block committed again", decision{committed, x}, decision{committed, x}, true},
		{"committed after another was notarized", decision{notarized, x}, decision{committed, y}, true},
		{"given up after notarized", decision{notarized, x}, decision{gaveUp, round}, true},
		{"notarized after given up", decision{gaveUp, round}, decision{notarized, x}, false},
		{"given up after committed", decision{committed, x}, decision{gaveUp, round}, false},
		{"committed after given up", decision{gaveUp, round}, decision{committed, x}, false},
		{"an earlier epoch", decision{notarized, subjectAt(3, 1, "x")}, decision{notarized, x}, false},
		{"a later epoch", decision{notarized, x}, decision{notarized, subjectAt(3, 7, "y")}, true},
		{"below what is remembered", decision{notarized, subjectAt(2, keptViews+8, "x")}, decision{notarized, x}, false},
		{"as far below as is remembered", decision{notarized, subjectAt(2, keptViews+7, "x")}, decision{notarized, x}, true},
	} {
		for _, again := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, reopened %v", c.name, again), func(t *testing.T) {
				d := disk.NewMemory()
				j := begun(t, d, sig.Round{})
				if err := j.decide(c.first); err != nil {
					t.Fatal(err)
				}
				if again {
					if err := j.file.Close(); err != nil {
						t.Fatal(err)
					}
					j = reopened(t, d)
				}
				err := j.decide(c.second)
				var conflict *Conflict
				if c.allowed != (err == nil) || err != nil && !errors.As(err, &conflict) {
					t.Errorf("allowed is %v, and decide gives %v", c.allowed, err)
				}
			})
		}
	}
}

// Power is cut at every instant of a disk's life while votes of both of two blocks are asked for in each view. Whatever was answered before the cut
// stays the only answer after it.
func TestPowerCutAtAnyInstant(t *testing.T) {
	whole := disk.NewMemory()
	whole.Record = true
	type leaving struct {
		at int64 // from when on its signature may have left
		decision
	}
	var answered []leaving
	j := begun(t, whole, sig.Round{Epoch: 1})
	for view := range uint64(6) {
		d := decision{notarized, subjectAt(1, view, "x")}
		if err := j.decide(d); err != nil {
			t.Fatal(err)
		}
		answered = append(answered, leaving{whole.Clock(), d})
	}
	if err := j.rewrite(); err != nil {
		t.Fatal(err)
	}
	end := whole.Clock()
	cuts := 0
	for instant := int64(1); instant <= end; instant++ {
		for _, kept := range []int{0, 1, 1 << 20} {
			d := whole.Until(instant).Crash(func(_ string, length int) int { return min(kept, length) })
			after, err := openJournal(d, voter, chain)
			if errors.Is(err, ErrNoJournal) {
				if len(answered) > 0 && answered[0].at <= instant {
					t.Fatalf("instant %d: the journal is gone", instant)
				}
				continue
			}
			if err != nil {
				t.Fatalf("instant %d, %d bytes: %v", instant, kept, err)
			}
			cuts++
			for _, given := range answered {
				other := decision{notarized, subjectAt(1, given.subject.Round.View, "y")}
				var conflict *Conflict
				if given.at <= instant && !errors.As(after.decide(other), &conflict) {
					t.Fatalf("instant %d, %d bytes: a second block of view %d is signed", instant, kept, given.subject.Round.View)
				}
			}
			if err := after.file.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cuts < 20 {
		t.Errorf("%d cuts", cuts)
	}
}

func TestJournalOfAnother(t *testing.T) {
	d := disk.NewMemory()
	if _, err := openJournal(d, voter, chain); !errors.Is(err, ErrNoJournal) {
		t.Errorf("without a journal: %v", err)
	}
	j := begun(t, d, sig.Round{Epoch: 4, View: 9})
	if err := j.decide(decision{notarized, subjectAt(4, 8, "x")}); err == nil {
		t.Error("below the first round")
	}
	if err := errors.Join(j.decide(decision{notarized, subjectAt(4, 9, "x")}), j.file.Close()); err != nil {
		t.Fatal(err)
	}
	if err := MakeJournal(d, voter, chain, sig.Round{}); !errors.Is(err, ErrPresent) {
		t.Errorf("made again: %v", err)
	}
	if _, err := openJournal(d, sig.BLSPublicKey{9}, chain); !errors.Is(err, ErrJournal) {
		t.Errorf("another key: %v", err)
	}
	if _, err := openJournal(d, voter, digest.Hash{}); !errors.Is(err, ErrJournal) {
		t.Errorf("another chain: %v", err)
	}
	d.Edit(names.File, func(data []byte) []byte { data[len(data)/2] ^= 1; return data })
	if _, err := openJournal(d, voter, chain); err == nil {
		t.Error("a damaged journal is opened")
	}
}
