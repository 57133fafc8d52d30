package boltfile

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"
)

// filled is a file of so many entries, of which each tenth is left.
func filled(t *testing.T, path string) *bbolt.DB {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true, OpenFile: OpenFile})
	if err != nil {
		t.Fatal(err)
	}
	const entries = 3_000
	for _, step := range []func(b *bbolt.Bucket, i int, key []byte) error{
		func(b *bbolt.Bucket, _ int, key []byte) error { return b.Put(key, make([]byte, 400)) },
		func(b *bbolt.Bucket, i int, key []byte) error {
			if i%10 == 0 {
				return nil
			}
			return b.Delete(key)
		},
	} {
		err := db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			for i := 0; i < entries && err == nil; i++ {
				err = step(b, i, binary.BigEndian.AppendUint32(nil, uint32(i)))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// count reads the entries of a file.
func count(t *testing.T, db *bbolt.DB) (n int) {
	t.Helper()
	err := db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("b")).ForEach(func(_, v []byte) error {
			if len(v) == 400 {
				n++
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The copy has what the file had and less than it was said to need; a reader of the old one goes on; what a crash left of an earlier copy is no obstacle.
func TestCompact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.db")
	old := filled(t, path)
	if err := os.WriteFile(path+copied, []byte("half of a copy"), 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := old.Begin(false)
	if err != nil {
		t.Fatal(err)
	}
	space, err := SpaceOf(old, path)
	if err != nil || space.Unused < space.Bytes/2 {
		t.Fatalf("%+v, %v", space, err)
	}
	if _, err := Compact(old, path, space.Needs()-1, bbolt.Options{}); !errors.Is(err, ErrSpace) {
		t.Errorf("without room: %v", err)
	}
	fresh, err := Compact(old, path, space.Needs(), bbolt.Options{OpenFile: OpenFile})
	if err != nil {
		t.Fatal(err)
	}
	now, err := SpaceOf(fresh, path)
	if err != nil || now.Bytes > space.Needs() || now.Bytes > space.Bytes/2 || fresh.NoSync {
		t.Errorf("%d bytes, and %d were told; %v", now.Bytes, space.Needs(), err)
	}
	if v := reader.Bucket([]byte("b")).Get([]byte{0, 0, 0, 0}); len(v) != 400 {
		t.Error("the old file's reader lost its view")
	}
	if err := errors.Join(reader.Rollback(), old.Close()); err != nil {
		t.Fatal(err)
	}
	if n := count(t, fresh); n != 300 {
		t.Errorf("%d entries", n)
	}
	if err := fresh.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := bbolt.Open(path, 0o600, &bbolt.Options{OpenFile: OpenFile})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if n := count(t, again); n != 300 {
		t.Errorf("opened again: %d entries", n)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != now.Bytes {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := os.Stat(path + copied); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy's name is left: %v", err)
	}
}

// A crash before the copy has its name leaves the old file; one after leaves the new. Both open and hold the same.
func TestCompactCrash(t *testing.T) {
	dir := t.TempDir()
	old := filled(t, filepath.Join(dir, "f.db"))
	before, err := os.ReadFile(filepath.Join(dir, "f.db"))
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := Compact(old, filepath.Join(dir, "f.db"), math.MaxInt64, bbolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(old.Close(), fresh.Close()); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(dir, "f.db"))
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string]map[string][]byte{
		"before the copy was whole": {"f.db": before, "f.db" + copied: after[:len(after)/2]},
		"before it had its name":    {"f.db": before, "f.db" + copied: after},
		"after":                     {"f.db": after},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, data := range files {
				if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			db, err := bbolt.Open(filepath.Join(dir, "f.db"), 0o600, &bbolt.Options{OpenFile: OpenFile})
			if err != nil {
				t.Fatal(err)
			}
			if n := count(t, db); n != 300 {
				t.Errorf("%d entries", n)
			}
			fresh, err := Compact(db, filepath.Join(dir, "f.db"), math.MaxInt64, bbolt.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if n := count(t, fresh); n != 300 {
				t.Errorf("copied: %d entries", n)
			}
			_ = errors.Join(db.Close(), fresh.Close())
		})
	}
}
