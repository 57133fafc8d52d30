package store

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var (
	// ErrPoisoned answers every call after a write or sync failed: what is on the
	// disk is unknown until the store is opened again.
	ErrPoisoned = errors.New("store stopped after a failed write")
	// ErrClosed answers calls after Close.
	ErrClosed = errors.New("store is closed")
	// ErrUnknown reports a block, hash or transaction that is not in the store.
	ErrUnknown = errors.New("not in the store")
	// ErrPruned reports a state, block or receipt older than the history that is
	// kept.
	ErrPruned = state.ErrPruned
	// ErrOrder reports a block that does not follow the last one.
	ErrOrder = errors.New("block does not follow the last one")
)

// PrunedError reports a block, its receipts or its transactions that the store no
// longer has, or never had because its chain begins with a snapshot. It matches
// ErrPruned.
type PrunedError struct {
	Height unit.Height
	First  unit.Height // the first height held
}

// Error implements error.
func (e *PrunedError) Error() string {
	return fmt.Sprintf("block %d is %v; the first one held is %d", e.Height, ErrPruned, e.First)
}

// Is matches ErrPruned.
func (e *PrunedError) Is(target error) bool { return target == ErrPruned }

// CorruptError reports data that this store wrote and that is not what it wrote,
// or is missing.
type CorruptError struct {
	File   string
	Offset int64 // in the file, or -1
	What   string
	Err    error // the reason underneath, or nil
}

// Error implements error.
func (e *CorruptError) Error() string {
	text := "corrupt " + e.File
	if e.Offset >= 0 {
		text += fmt.Sprintf(" at byte %d", e.Offset)
	}
	text += ": " + e.What
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives the reason underneath.
func (e *CorruptError) Unwrap() error { return e.Err }

// ForeignError reports a directory that holds another chain.
type ForeignError struct {
	Want, Have Identity
}

// Error implements error.
func (e *ForeignError) Error() string {
	return fmt.Sprintf("directory holds chain %d with genesis %v, not chain %d with genesis %v",
		e.Have.ChainID, e.Have.Genesis, e.Want.ChainID, e.Want.Genesis)
}

// Identity tells chains apart.
type Identity struct {
	ChainID uint64
	Genesis digest.Hash
}
