package index

import (
	"errors"
	"os"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/actors/boltfile"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// ErrClosed reports an index that is not open at present.
var ErrClosed = errors.New("index: it is not open; try again when the node is ready")

// Space is what the file takes.
func (h *Handle) Space() (boltfile.Space, error) {
	f := h.file.Load()
	if f == nil {
		return boltfile.Space{}, ErrClosed
	}
	space, err := f.space()
	return space, h.noticed(f, err)
}

// Compact makes the file anew without its unused pages, beside readers; blocks are indexed when it is done. free is what the disk has left for the copy. An
// error leaves the file as it was.
func (h *Handle) Compact(free int64) error {
	f := h.file.Load()
	if f == nil {
		return ErrClosed
	}
	return h.noticed(f, f.compact(free))
}

// Compact makes the file of a node that does not run anew, and says what it took before and takes now. space is called in between with what it found, and
// ends it with an error.
func Compact(path string, chain digest.Hash, free int64, found func(boltfile.Space) error) (now boltfile.Space, err error) {
	if _, err := os.Stat(path); err != nil {
		return now, err
	}
	f, err := tryOpen(path, chain)
	if err != nil {
		return now, err
	}
	before, err := f.space()
	if err == nil {
		err = found(before)
	}
	if err == nil {
		err = f.compact(free)
	}
	if err == nil {
		now, err = f.space()
	}
	return now, errors.Join(err, f.close())
}

func (f *file) space() (space boltfile.Space, err error) {
	err = f.guard(func() error {
		f.swap.RLock()
		defer f.swap.RUnlock()
		space, err = boltfile.SpaceOf(f.db, f.path)
		return err
	})
	return space, err
}

func (f *file) compact(free int64) error {
	return f.guard(func() error {
		f.writing.Lock()
		defer f.writing.Unlock()
		old, raw := f.db, (*os.File)(nil)
		fresh, err := boltfile.Compact(old, f.path, free, bbolt.Options{
			Timeout: openTimeout, NoSync: true,
			OpenFile: func(path string, flag int, mode os.FileMode) (_ *os.File, err error) {
				raw, err = boltfile.OpenFile(path, flag, mode)
				return raw, err
			},
		})
		if err != nil {
			return err
		}
		f.swap.Lock()
		f.db, f.raw = fresh, raw
		f.swap.Unlock()
		return old.Close()
	})
}
