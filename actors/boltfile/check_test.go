package boltfile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// sample is a file with what bbolt knows: buckets in buckets, buckets in values, pages of one long value, deleted keys, free pages.
func sample(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bolt")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for round := range 12 {
		if err := db.Update(func(tx *bbolt.Tx) error {
			for i := range 6 {
				b, err := tx.CreateBucketIfNotExists(fmt.Appendf(nil, "bucket%0*d", i, i))
				if err != nil {
					return err
				}
				in, err := b.CreateBucketIfNotExists([]byte("in"))
				if err != nil {
					return err
				}
				for range 1 + i*i*8 {
					key := fmt.Appendf(nil, "%x", random.Uint64N(200))
					if random.IntN(3) == 0 {
						err = errors.Join(b.Delete(key), in.Delete(key))
					} else {
						err = errors.Join(b.Put(key, make([]byte, random.IntN(300))), in.Put(key, key))
					}
					if err != nil {
						return err
					}
				}
				if err := b.Put([]byte("long"), make([]byte, 9_000*round)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// checked gives what Check says of a file, and, if it passes, what bbolt's own checker says.
func checked(t testing.TB, path string, data []byte) (ours, theirs error) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true, OpenFile: OpenFile})
	if err != nil {
		return err, nil
	}
	defer db.Close()
	return nil, db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			return err
		}
		return nil
	})
}

// TestFlips: of files with a byte, or some, that bbolt did not write, those that pass are sound to bbolt's own checker, which would break over others.
func TestFlips(t *testing.T) {
	data := sample(t)
	path := filepath.Join(t.TempDir(), "bolt")
	if ours, theirs := checked(t, path, data); ours != nil || theirs != nil {
		t.Fatal(ours, theirs)
	}
	told := 0
	for seed := range uint64(1_500) {
		random := rand.New(rand.NewPCG(seed, 1))
		spoilt := slices.Clone(data)
		for range []int{1, 1, 1, 20, 200}[seed%5] {
			at := random.IntN(len(spoilt))
			if random.IntN(2) == 0 { // where pages have their headers and elements
				at = at&^4095 | random.IntN(200)
			}
			spoilt[min(at, len(spoilt)-1)] ^= byte(1 + random.IntN(255))
		}
		if seed%50 == 0 {
			spoilt = spoilt[:random.IntN(len(spoilt))]
		}
		ours, theirs := checked(t, path, spoilt)
		if theirs != nil && theirs.Error()[max(0, len(theirs.Error())-len("unfreed")):] != "unfreed" { // a page that is lost harms nobody
			t.Errorf("seed %d passes, but %v", seed, theirs)
		}
		if ours != nil {
			var damaged *DamagedError
			if !errors.As(ours, &damaged) {
				t.Errorf("seed %d: %v", seed, ours)
			}
			told++
		}
	}
	if told < 300 {
		t.Errorf("%d of 1,500 are told", told)
	}
}

// TestLocked: a file that another has open is not read, and called busy.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bolt")
	f, err := OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	second, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := lock(second, 0); !errors.Is(err, bolterrors.ErrTimeout) {
		t.Errorf("%v, want %v", err, bolterrors.ErrTimeout)
	}
}

// FuzzCheck: what passes is sound to bbolt's own checker.
func FuzzCheck(f *testing.F) {
	data := sample(f)
	f.Add(uint32(0), []byte{1})
	f.Add(uint32(4096*3+8), []byte{2, 0, 1})
	path := filepath.Join(f.TempDir(), "bolt")
	f.Fuzz(func(t *testing.T, at uint32, over []byte) {
		spoilt := slices.Clone(data)
		copy(spoilt[int(at)%len(spoilt):], over)
		if _, theirs := checked(t, path, spoilt); theirs != nil && theirs.Error()[max(0, len(theirs.Error())-len("unfreed")):] != "unfreed" {
			t.Error(theirs)
		}
	})
}
