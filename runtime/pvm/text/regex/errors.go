package regex

import (
	"errors"
	"fmt"
)

// Error is re.error: the pattern or the replacement template is wrong.
type Error struct {
	Message string
	At      int // index into the pattern in code points, -1 when there is none
}

func (e *Error) Error() string {
	if e.At < 0 {
		return e.Message
	}
	return fmt.Sprintf("%s at position %d", e.Message, e.At)
}

// FlagError is the ValueError for flags that do not go together.
type FlagError struct{ Message string }

func (e *FlagError) Error() string { return e.Message }

// IndexError is the IndexError for a replacement template that names a group which does not exist.
type IndexError struct{ Message string }

func (e *IndexError) Error() string { return e.Message }

var (
	// ErrRepeat is the OverflowError for a repetition count too large.
	ErrRepeat = errors.New("the repetition number is too large")
	// ErrNesting is the RecursionError for groups nested deeper than MaxNesting.
	ErrNesting = errors.New("maximum recursion depth exceeded")
	// ErrFuel is answered by Run when the fuel does not suffice.
	ErrFuel = errors.New("regex: out of fuel")
	// ErrMemory is answered by Run when a match keeps more choices than MaxChoices or a trail longer than MaxTrail. It is
	// Python's MemoryError.
	ErrMemory = errors.New("regex: too many open choices")
	// ErrLong is answered by Run for a subject of 2^31-1 units or more.
	ErrLong = errors.New("regex: subject too long")
)

// MaxNesting is how deep groups may nest.
const MaxNesting = 256
