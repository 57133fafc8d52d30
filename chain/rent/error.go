package rent

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Rejects of this package. Nothing has changed.
var (
	ErrNoActor     = errors.New("rent: no actor is at the address")
	ErrExempt      = errors.New("rent: system actors and accounts without code pay no rent")
	ErrNothing     = errors.New("rent: the actor has no debt, and no epochs are asked for")
	ErrEpochs      = errors.New("rent: more epochs than can be prepaid")
	ErrDormant     = errors.New("rent: the actor is dormant; restore it")
	ErrRuns        = errors.New("rent: the actor is not dormant")
	ErrEvicting    = errors.New("rent: the actor's storage is still being removed")
	ErrQuotaRange  = errors.New("rent: a quota is between the base quota and 8 MiB")
	ErrQuotaUsed   = errors.New("rent: the actor's storage is larger than the quota")
	ErrQuotaNeeded = errors.New("rent: the storage to restore is larger than the base quota; name a quota and lock its bond")
	ErrAdmin       = errors.New("rent: only the actor or who deployed it may change its quota")
	ErrPiece       = errors.New("rent: the piece of storage is malformed")
	ErrPlace       = errors.New("rent: the piece does not continue what was restored so far")
	ErrPay         = errors.New("rent: the balance does not cover what is to be paid")
	ErrProof       = errors.New("rent: the piece is not what the storage had at this place")
)

// PlaceError says that a piece does not continue what was restored so far.
type PlaceError struct {
	Next, Have uint64
}

// Error implements error.
func (e *PlaceError) Error() string {
	return fmt.Sprintf("rent: the next entry to restore is number %d, and the piece begins with %d", e.Next, e.Have)
}

// Unwrap gives ErrPlace.
func (e *PlaceError) Unwrap() error { return ErrPlace }

// PayError says that a balance does not cover what is to be paid.
type PayError struct {
	Have, Need unit.Amount
}

// Error implements error.
func (e *PayError) Error() string {
	return fmt.Sprintf("rent: balance %d does not cover %d", e.Have, e.Need)
}

// Unwrap gives ErrPay.
func (e *PayError) Unwrap() error { return ErrPay }
