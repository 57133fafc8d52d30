package boltfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// copied is what is added to a file's name for the copy that is to take its place.
const copied = ".compact"

// compactBytes is how much is copied in one transaction.
const compactBytes = 16 << 20

// Space is what a file takes, in bytes.
type Space struct {
	Bytes  int64 // of the file
	Unused int64 // of what is in it without content
}

// growth is how much larger than its content bbolt makes a file at most.
const growth = 16 << 20

// Needs is what a copy without the unused part takes at most while both are there.
func (s Space) Needs() int64 { return s.Bytes - s.Unused + growth }

// SpaceOf looks at an open file, by its present path.
func SpaceOf(db *bbolt.DB, path string) (s Space, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return s, err
	}
	s.Bytes = info.Size()
	err = db.View(func(tx *bbolt.Tx) error {
		stats := db.Stats()
		used := tx.Size() - int64(stats.FreePageN+stats.PendingPageN)*int64(db.Info().PageSize)
		s.Unused = max(s.Bytes-used, 0)
		return nil
	})
	return s, err
}

// ErrSpace reports a disk that has no room for the copy. Nothing was changed.
var ErrSpace = errors.New("too little space for the copy")

// Compact copies an open file without its unused pages and puts the copy in its place, durably, by renaming: a crash leaves the one or the other. Nobody may
// write meanwhile; readers may read. It gives the copy, open with the options; the old file is still open, and no longer in its place. free is what the disk
// has left, which the copy has to fit.
func Compact(old *bbolt.DB, path string, free int64, o bbolt.Options) (*bbolt.DB, error) {
	space, err := SpaceOf(old, path)
	if err != nil {
		return nil, err
	}
	if space.Needs() > free {
		return nil, fmt.Errorf("%s: %w: it takes %d bytes at most, and %d are free", path, ErrSpace, space.Needs(), free)
	}
	if err := os.Remove(path + copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	synced := o.NoSync
	o.NoSync = true
	fresh, err := bbolt.Open(path+copied, 0o644, &o)
	if err != nil {
		return nil, err
	}
	if err = bbolt.Compact(fresh, old, compactBytes); err == nil {
		err = fresh.Sync()
	}
	if err == nil {
		err = os.Rename(path+copied, path)
	}
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(err, fresh.Close(), removeIfThere(path+copied))
	}
	fresh.NoSync = synced
	return fresh, nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
