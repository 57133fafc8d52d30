package transition

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Invalid is the verdict that a block breaks a rule.
type Invalid struct{ Reason error }

func (e *Invalid) Error() string { return "transition: invalid block: " + e.Reason.Error() }

// Unwrap gives the rule.
func (e *Invalid) Unwrap() error { return e.Reason }

// Mismatch says that a header field is not what execution gives.
type Mismatch struct {
	Field string
	Have  string // in the header
	Want  string // computed
}

func (e *Mismatch) Error() string {
	return fmt.Sprintf("header has %s %s, execution gives %s", e.Field, e.Have, e.Want)
}

// InvalidTx says that a block holds a transaction that cannot be executed where it stands. Reason is a class of package tx, ErrLane or ErrCells.
type InvalidTx struct {
	Index  int
	Hash   digest.Hash
	Reason error
}

func (e *InvalidTx) Error() string {
	return fmt.Sprintf("transaction %d (%v): %v", e.Index, e.Hash, e.Reason)
}

// Unwrap gives the reason.
func (e *InvalidTx) Unwrap() error { return e.Reason }

// ErrLane says that a transaction's limit does not fit what is left of its lane.
var ErrLane = errors.New("transition: limit does not fit the lane")

// ErrCells says that a transaction's limit of cells does not fit what is left of a block's.
var ErrCells = errors.New("transition: limit of cells does not fit the block")

// ErrTime says that a block was finished before the transaction's turn came, or in the middle of it. It says nothing about the transaction.
var ErrTime = errors.New("transition: the time for building is over")

func invalid(reason error) error { return &Invalid{Reason: reason} }
