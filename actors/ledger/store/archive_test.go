package store

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"go.etcd.io/bbolt"
)

// What an archive keeps of its operations in memory behind a checkpoint depends on its state and not on its length, and all its past is there: states
// and proofs of any block, and the history of the log.
//
// Spec: commonware §5.6 (operations range), §5.7, §5.10 (historical proofs).
func TestArchiveMemory(t *testing.T) {
	path, o := t.TempDir(), testOptions()
	o.Window, o.SegmentSize, o.ProofCache = Archive, 256<<10, 4*subtreeSize
	c := newChain(t, 9)
	s := open(t, path, o)
	for i := range 3_000 {
		if err := c.grow(s); err != nil {
			t.Fatal(err)
		}
		if i%500 != 499 {
			continue
		}
		if err := s.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		if i == 1_499 { // opening loads no more
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, path, o)
		}
		if chunks := len(s.source.table.Load().places); chunks > 8 {
			t.Fatalf("%d blocks of %d operations: %d chunks in memory", i+1, s.source.Length(), chunks)
		}
	}
	defer func() { _ = s.Close() }()
	if s.source.Boundary() != 0 || s.source.Shelved() < s.source.Length()-8*state.ChunkBits {
		t.Fatalf("shelved up to %d of %d operations, kept from %d on", s.source.Shelved(), s.source.Length(), s.source.Boundary())
	}
	for at := 2_999; at > 0; at -= 1 + c.r.Intn(200) {
		past, err := s.Head().At(unit.Height(at))
		if err != nil {
			t.Fatalf("block %d: %v", at, err)
		}
		c.checkState(past, at)
		for k, v := range c.blocks[at].values {
			p, err := past.ProveKey([]byte(k))
			if err != nil || (state.Config{}).VerifyKey(c.blocks[at].root, []byte(k), []byte(v), &p) != nil {
				t.Fatalf("proof of %q in block %d: %v", k, at, err)
			}
		}
	}
	head := s.Head().State()
	for range 100 {
		from := uint64(c.r.Intn(int(head.Length())))
		data, n, err := head.Operations(from, 300, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		list, err := (&state.Config{}).SplitOperations(data, 300)
		if err != nil {
			t.Fatal(err)
		}
		p, err := head.ProveRange(head.Length(), from, from+n)
		if err != nil || (state.Config{}).VerifyRange(head.Roots().Ops, from, list, &p) != nil {
			t.Fatalf("operations [%d, %d): %v", from, from+n, err)
		}
	}
	if got := len(s.source.archive.young) + len(s.source.archive.old); got == 0 || got > archivePlaces {
		t.Errorf("%d places remembered", got)
	}
}

// The places that were read last are remembered, a bounded number of them.
func TestShelfBound(t *testing.T) {
	s := &archive{}
	for i := range uint64(3 * archivePlaces) {
		s.keep(i, &place{base: i})
		if len(s.young)+len(s.old) > archivePlaces {
			t.Fatalf("%d places after %d", len(s.young)+len(s.old), i)
		}
	}
	last := uint64(3*archivePlaces - 1)
	if p, err := s.place(last); err != nil || p.base != last {
		t.Fatal(p, err)
	}
}

// What the archive lost is an error of this machine or named as gone, and never a wrong answer.
func TestShelfDamage(t *testing.T) {
	for i, x := range []struct {
		bucket string
		damage func(v []byte) []byte
	}{
		{bucketPlaces, func([]byte) []byte { return nil }},
		{bucketPlaces, func(v []byte) []byte { v[9] ^= 1; return v }},
		{bucketPlaces, func([]byte) []byte { return seal([]byte("short")) }},
		{bucketNodes, func([]byte) []byte { return nil }},
		{bucketNodes, func(v []byte) []byte { v[3] ^= 1; return v }},
		{bucketNodes, func([]byte) []byte { return seal([]byte("short")) }},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			o := testOptions()
			o.Window = Archive
			c := newChain(t, 10)
			s := open(t, t.TempDir(), o)
			for range 600 {
				if err := c.grow(s); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Checkpoint(); err != nil {
				t.Fatal(err)
			}
			if err := c.grow(s); err != nil { // states now forget what is on the archive
				t.Fatal(err)
			}
			if err := s.image.db.Update(func(tx *bbolt.Tx) error {
				b := tx.Bucket([]byte(x.bucket))
				rows := map[string][]byte{}
				if err := b.ForEach(func(k, v []byte) error { rows[string(k)] = x.damage(append([]byte(nil), v...)); return nil }); err != nil {
					return err
				}
				for k, v := range rows {
					err := b.Delete([]byte(k))
					if v != nil {
						err = b.Put([]byte(k), v)
					}
					if err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			var corrupt *CorruptError
			if _, err := s.Head().At(3); !errors.As(err, &corrupt) && !errors.Is(err, ErrPruned) {
				t.Errorf("%s: %v", x.bucket, err)
			}
			c.checkState(s.Head().State(), len(c.blocks)-1)
			_ = s.Close()
		})
	}
}
