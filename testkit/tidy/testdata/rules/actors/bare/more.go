package bare

import "time"

// more is decided in a file of its own, which is held to the same: two breaches.
func (s *state) more(done chan bool) { s.now = time.Now() }
