package simplex

import "errors"

var (
	// ErrConfig reports a configuration no epoch can run with.
	ErrConfig = errors.New("simplex: invalid configuration")
	// ErrJournal reports records no State can have written in this epoch.
	ErrJournal = errors.New("simplex: journal is not of this epoch")
	// ErrBlock reports a proposal whose block is not the one its vote names.
	ErrBlock = errors.New("simplex: block is not the one voted for")
	// ErrEvidence reports evidence that proves nothing.
	ErrEvidence = errors.New("simplex: evidence proves nothing")
)
