package simplex

// Doubt makes the State hold a validator for absent.
func (s *State) Doubt(who uint32) { s.lapses.note(who, s.view) }
