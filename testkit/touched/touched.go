// Package touched counts the entries of a state that a rule reads and writes, for tests that hold its work to what it touches.
package touched

import "github.com/cowboyinc/cowboy-go/chain/state"

// Store is a store that counts: each entry that is looked up or given by a scan, and each that is set or deleted.
type Store struct {
	state.Store
	Reads, Writes int
}

// Lookup implements state.Store.
func (s *Store) Lookup(key []byte) ([]byte, bool, error) {
	s.Reads++
	return s.Store.Lookup(key)
}

// Scan implements state.Store.
func (s *Store) Scan(prefix, after []byte, limit int, fn func(key, value []byte) bool) error {
	return s.Store.Scan(prefix, after, limit, func(key, value []byte) bool {
		s.Reads++
		return fn(key, value)
	})
}

// Set implements state.Store.
func (s *Store) Set(key, value []byte) {
	s.Writes++
	s.Store.Set(key, value)
}

// Delete implements state.Store.
func (s *Store) Delete(key []byte) {
	s.Writes++
	s.Store.Delete(key)
}
