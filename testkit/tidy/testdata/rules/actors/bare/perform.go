package bare

import "time"

// subsystem is no state and may look at the clock.
type subsystem struct{ state *state }

func (s *subsystem) perform() { s.state.step(time.Now()) }
