package store

import (
	"encoding/binary"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// kept is what a collection leaves, whatever it saw before.
type kept struct {
	tables map[string]bool
	parts  map[digest.Hash]bool // pages and branches
	chunks []uint64             // the first eight bytes of their roots, sorted once all tables were read
	late   map[uint64]bool      // those of tables that came afterwards
	come   []*directory         // tables of which the chunks are not here yet
}

// mark is what a chunk is known by: eight bytes of its root. Of two that have the same ones either keeps the other.
func mark(root digest.Hash) uint64 { return binary.BigEndian.Uint64(root[:]) }

func (k *kept) has(root digest.Hash) bool {
	_, there := slices.BinarySearch(k.chunks, mark(root))
	return there || k.late[mark(root)]
}

// keep has a collection that is under way leave a table, and what it is made of unless d is nil.
func (s *Store) keep(name string, d *directory) {
	s.naming.Lock()
	defer s.naming.Unlock()
	s.note(name, d)
}

// note is keep for whoever holds naming.
func (s *Store) note(name string, d *directory) {
	if s.kept == nil {
		return
	}
	s.kept.tables[name] = true
	if d != nil {
		s.kept.come = append(s.kept.come, d)
	}
}

// nameOf reads the name of a table's file.
func nameOf(file string) (n Name, ok bool) {
	volume, root, _ := strings.Cut(path.Base(file), "-")
	var err, failed error
	n.Volume, err = digest.ParseHash("0x" + volume)
	n.Root, failed = digest.ParseHash("0x" + root)
	return n, err == nil && failed == nil
}

// Collect removes the tables that were last named before a time, then the pages and branches that no table has, and the chunks that no table names and that
// came before the time. It gives how many tables and chunks. What is named while it goes on stays, so that what Sync found after its table was kept is there as
// long as the table.
//
// Spec: storage-cbfs §4 (orphan shard), §8 (ORPHAN_SHARD_TTL).
func (s *Store) Collect(before time.Time) (went, chunksWent int, err error) {
	s.collecting.Lock()
	defer s.collecting.Unlock()
	s.begin()
	defer s.finish()
	err = s.place.walk(tables, func(f file) error {
		name, ok := nameOf(f.name)
		if !ok {
			return nil
		}
		if f.at.Before(before) {
			if dropped, err := s.drop(f.name, 0, func(k *kept) bool { return k.tables[f.name] }); dropped || err != nil {
				went++
				return err
			}
		}
		t, err := s.ReadTable(name)
		if errors.Is(err, ErrMissing) {
			return nil
		}
		if err == nil {
			s.keep(f.name, t.dir)
			err = s.marked(false)
		}
		return err
	})
	if err == nil {
		err = s.marked(true)
	}
	for _, folder := range []string{pages, branches, chunks} {
		if err != nil {
			break
		}
		err = s.place.walk(folder, func(f file) error {
			root, failed := digest.ParseHash("0x" + path.Base(f.name))
			if failed != nil || folder == chunks && !f.at.Before(before) {
				return nil
			}
			swept, err := s.sweep(folder, f.name, root)
			if swept && folder == chunks {
				chunksWent++
			}
			return err
		})
	}
	return went, chunksWent, err
}

// marked notes what the tables are made of that have come since it was called last. done says that those which were there have all been seen.
func (s *Store) marked(done bool) error {
	s.naming.Lock()
	k := s.kept
	come := k.come
	k.come = nil
	s.naming.Unlock()
	var found []uint64
	for _, d := range come {
		var fresh []int
		s.naming.Lock()
		for at, hash := range d.pages {
			if !k.parts[hash] {
				k.parts[hash] = true
				fresh = append(fresh, at)
			}
		}
		for i := range d.branches {
			k.parts[d.branches[i].hash] = true
		}
		s.naming.Unlock()
		for _, at := range fresh {
			p, err := s.page(d, at)
			if errors.Is(err, ErrMissing) {
				continue
			}
			if err != nil {
				return err
			}
			for i := range p.Stripes {
				for _, root := range p.Stripes[i].Roots {
					found = append(found, mark(root))
				}
			}
		}
	}
	s.naming.Lock()
	defer s.naming.Unlock()
	switch {
	case k.late != nil:
		for _, one := range found {
			k.late[one] = true
		}
		return nil
	case done:
		k.late = map[uint64]bool{}
	}
	k.chunks = append(k.chunks, found...)
	if done {
		slices.Sort(k.chunks)
		k.chunks = slices.Compact(k.chunks)
	}
	return nil
}

func (s *Store) begin() {
	s.naming.Lock()
	defer s.naming.Unlock()
	s.kept = &kept{tables: map[string]bool{}, parts: map[digest.Hash]bool{}}
	for d := range s.drafts {
		s.kept.tables[tableName(d.base)] = true
	}
}

func (s *Store) finish() {
	s.naming.Lock()
	defer s.naming.Unlock()
	s.kept = nil
}

// drop removes a file unless it was named meanwhile.
func (s *Store) drop(name string, chunks uint64, stays func(k *kept) bool) (went bool, err error) {
	s.naming.Lock()
	defer s.naming.Unlock()
	if stays(s.kept) {
		return false, nil
	}
	if err = s.remove(name, chunks); errors.Is(err, ErrMissing) {
		err = nil // it went meanwhile
	}
	return true, err
}

// sweep removes a page, a branch or a chunk that nobody names. Tables that came meanwhile are looked at first.
func (s *Store) sweep(folder, name string, hash digest.Hash) (went bool, err error) {
	for again := true; again; {
		if err := s.marked(true); err != nil {
			return false, err
		}
		count := uint64(0)
		if folder == chunks {
			count = 1
		}
		again = false
		went, err = s.drop(name, count, func(k *kept) bool {
			switch {
			case len(k.come) > 0:
				again = true
				return true
			case folder == chunks:
				return k.has(hash)
			}
			return k.parts[hash] || s.held[name] != nil
		})
	}
	return went, err
}
