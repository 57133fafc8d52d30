package gossip

import "time"

// Seen remembers names for at least one generation and at most two. A generation ends when it holds as many names as it may, or is
// old.
type Seen[N comparable] struct {
	size         int
	age          time.Duration
	began        time.Time
	newer, older map[N]struct{}
}

// NewSeen makes an empty memory of generations of size names that last for age.
func NewSeen[N comparable](size int, age time.Duration) *Seen[N] {
	return &Seen[N]{size: size, age: age, newer: map[N]struct{}{}, older: map[N]struct{}{}}
}

// Has reports whether a name is remembered.
func (s *Seen[N]) Has(n N) bool {
	if _, ok := s.newer[n]; ok {
		return true
	}
	_, ok := s.older[n]
	return ok
}

// Add remembers a name and reports whether it was new.
func (s *Seen[N]) Add(n N, now time.Time) bool {
	if s.Has(n) {
		return false
	}
	if len(s.newer) >= s.size || len(s.newer) > 0 && now.Sub(s.began) >= s.age {
		clear(s.older) // its memory serves the next generation
		s.newer, s.older = s.older, s.newer
	}
	if len(s.newer) == 0 {
		s.began = now
	}
	s.newer[n] = struct{}{}
	return true
}

// Forget lets a name be new again.
func (s *Seen[N]) Forget(n N) {
	delete(s.newer, n)
	delete(s.older, n)
}

// Len is how many names are remembered.
func (s *Seen[N]) Len() int { return len(s.newer) + len(s.older) }
