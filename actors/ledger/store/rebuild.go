package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"go.etcd.io/bbolt"
)

// asideSuffix is what a damaged checkpoint file is called until it was made anew.
const asideSuffix = ".damaged"

// rebuild makes a damaged checkpoint file anew: the store is opened without it,
// which replays the log. Where the log cannot do that, since operations below
// the window are gone or it is damaged itself, the file is put back and the error
// tells of both.
func rebuild(d disk.Disk, imagePath string, o Options, damage *CorruptError) (*Store, error) {
	covered := covers(imagePath, o.Identity)
	aside := imagePath + asideSuffix
	if err := os.Rename(imagePath, aside); err != nil {
		return nil, errors.Join(damage, err)
	}
	s, err := openDisk(d, imagePath, o, covered)
	if err != nil {
		if removed := os.Remove(imagePath); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
		return nil, errors.Join(&CorruptError{damage.File, damage.Offset, damage.What + "; the log cannot make it again", err}, os.Rename(aside, imagePath))
	}
	s.rebuilt = damage
	return s, os.Remove(aside)
}

// covers is the offset up to which a damaged checkpoint file covered the log, if
// that much of it can still be read: blocks below it were acknowledged.
func covers(path string, id Identity) uint64 {
	m, err := openImage(path, id, true)
	if err != nil {
		return 0
	}
	saved, err := m.meta()
	_ = m.close()
	if err != nil || saved == nil {
		return 0
	}
	return saved.end
}

// Rebuilt says why the checkpoint file was made anew when the store was opened;
// nil if it was not.
func (s *Store) Rebuilt() error { return s.rebuilt }

// check reads every value of the checkpoint file, and holds that the numbered
// ones have no gaps. Keys are not under the checksums of their values: those of
// blocks and transactions are held against the log by verify, those of the
// index lead to the root.
func (m *image) check() error {
	return m.guard(func() error {
		return m.db.View(func(tx *bbolt.Tx) error {
			for _, name := range buckets {
				var before []byte
				err := m.each(tx, name, nil, func(key, _ []byte) error {
					if before != nil && !next(name, before, key) {
						return m.broken(fmt.Sprintf("%s: %x follows %x", name, key, before), nil)
					}
					before = append(before[:0], key...)
					return nil
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// next reports whether a key may follow another in a bucket.
func next(bucket string, before, key []byte) bool {
	switch bucket {
	case bucketPlaces, bucketBlocks:
		return len(before) == 8 && len(key) == 8 && be8Value(key) == be8Value(before)+1
	case bucketNodes:
		return len(before) == 9 && len(key) == 9 && (key[0] != before[0] || bytes.Equal(key[1:], be8(be8Value(before[1:])+1)))
	}
	return true
}

// listed holds what the checkpoint says of a frame's block against the frame.
func (s *Store) listed(frame []byte, h *header, offset uint64) error {
	if h.isPiece() || h.sequence == 0 {
		return nil
	}
	part := func(which int) []byte {
		at, n := h.section(which)
		return frame[at : at+n]
	}
	m, ok := decodeMeta(part(sectionMeta))
	if !ok {
		return nil // told by whoever replays it
	}
	height := unit.Height(h.sequence - 1)
	wrong := func(what string) error {
		return s.image.broken(fmt.Sprintf("block %d: %s", height, what), nil)
	}
	e, err := s.image.entry(height)
	if errors.Is(err, ErrUnknown) {
		return wrong("it has no entry")
	}
	if err != nil {
		return err
	}
	if e.Offset != offset || e.Hash != m.hash || e.Root != m.root {
		return wrong("its entry is another block's")
	}
	if at, ok, err := s.image.hash(m.hash); err != nil || !ok || at != height {
		return errors.Join(wrong("it is not found by its hash"), err)
	}
	hashes := part(sectionTransactions)
	for i := uint32(0); len(hashes) >= digest.Size; i, hashes = i+1, hashes[digest.Size:] {
		p, ok, err := s.image.transaction(digest.Hash(hashes[:digest.Size]))
		if err != nil || !ok || p != (Place{height, i}) {
			return errors.Join(wrong(fmt.Sprintf("its transaction %d is not found", i)), err)
		}
	}
	return nil
}
