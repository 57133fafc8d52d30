package store

import (
	"errors"
	"path"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// kept is what a collection leaves, whatever it saw before.
type kept struct {
	tables map[string]bool
	chunks map[digest.Hash]bool
}

// keep has a collection that is under way leave a table, and its chunks unless t is nil.
func (s *Store) keep(name string, t *protocol.Table) {
	s.naming.Lock()
	defer s.naming.Unlock()
	if s.kept == nil {
		return
	}
	s.kept.tables[name] = true
	if t != nil {
		s.kept.add(t)
	}
}

func (k *kept) add(t *protocol.Table) {
	for i := range t.Stripes {
		for _, one := range t.Stripes[i].Roots {
			k.chunks[one] = true
		}
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

// Collect removes the tables that were last named before a time, and then the chunks that no table names and that came before it. It gives how many of each.
// What is named while it goes on stays, so that what Sync found after its table was put is there as long as the table.
//
// Spec: storage-cbfs §4 (orphan shard), §8 (ORPHAN_SHARD_TTL).
func (s *Store) Collect(before time.Time) (tables, chunks int, err error) {
	s.collecting.Lock()
	defer s.collecting.Unlock()
	s.begin()
	defer s.finish()
	err = s.place.walk(func(f file) error {
		name, ok := nameOf(f.name)
		if !f.table || !ok {
			return nil
		}
		if f.at.Before(before) {
			if went, err := s.drop(f.name, 0, func(k *kept) bool { return k.tables[f.name] }); went || err != nil {
				tables++
				return err
			}
		}
		t, err := s.ReadTable(name)
		if errors.Is(err, ErrMissing) {
			return nil
		}
		if err == nil {
			s.keep(f.name, t)
		}
		return err
	})
	if err != nil {
		return tables, 0, err
	}
	err = s.place.walk(func(f file) error {
		root, failed := digest.ParseHash("0x" + path.Base(f.name))
		if f.table || failed != nil || !f.at.Before(before) {
			return nil
		}
		went, err := s.drop(f.name, 1, func(k *kept) bool { return k.chunks[root] })
		if went {
			chunks++
		}
		return err
	})
	return tables, chunks, err
}

func (s *Store) begin() {
	s.naming.Lock()
	defer s.naming.Unlock()
	s.kept = &kept{map[string]bool{}, map[digest.Hash]bool{}}
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
	return true, s.remove(name, chunks)
}
