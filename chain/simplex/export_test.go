package simplex

// Doubt makes the State hold a validator for absent.
func (s *State) Doubt(who uint32) { s.absences.note(who, s.view) }

// PutOnProbation puts a validator on probation with the State.
func (s *State) PutOnProbation(who uint32) { s.probation.start(who) }
