package simplex

// Doubt makes the State hold a validator for absent.
func (s *State) Doubt(who uint32) { s.lapses.note(who, s.view) }

// Owe makes a validator owe the State proposals in time.
func (s *State) Owe(who uint32) { s.debts.owe(who) }
