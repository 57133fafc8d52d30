package store

import "github.com/cowboyinc/cowboy-go/actors/boltfile"

// ImageSpace is what the file of checkpoints takes; zero where there is none.
func (s *Store) ImageSpace() (space boltfile.Space, err error) {
	s.checkpoint.Lock()
	defer s.checkpoint.Unlock()
	if s.image == nil {
		return space, nil
	}
	err = s.image.guard(func() error {
		space, err = boltfile.SpaceOf(s.image.db, s.image.path)
		return err
	})
	return space, err
}

// CompactImage makes the file of checkpoints anew without its unused pages; free is what the disk has left for the copy. It may run beside Append and
// readers; checkpoints wait. An error leaves the file as it was.
func (s *Store) CompactImage(free int64) error {
	s.checkpoint.Lock()
	defer s.checkpoint.Unlock()
	if err := s.Err(); err != nil || s.image == nil {
		return err
	}
	m := s.image
	return m.guard(func() error {
		old := m.db
		fresh, err := boltfile.Compact(old, m.path, free, m.options)
		if err != nil {
			return err
		}
		m.swap.Lock()
		m.db = fresh
		m.swap.Unlock()
		return old.Close()
	})
}
