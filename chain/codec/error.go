package codec

import (
	"errors"
	"fmt"
)

// The classes of a refused input. Spec: commonware §1.3.
var (
	// ErrShort reports an input that ends inside a value.
	ErrShort = errors.New("input ends early")
	// ErrTrailing reports bytes left over after a whole value.
	ErrTrailing = errors.New("extra bytes after the value")
	// ErrVarint reports a varint that is not minimal or too wide for its type.
	ErrVarint = errors.New("varint is not minimal or too wide")
	// ErrBool reports a bool or option tag that is neither 00 nor 01.
	ErrBool = errors.New("bool or option tag is neither 0 nor 1")
	// ErrLength reports a length outside the range the type allows.
	ErrLength = errors.New("length outside its range")
	// ErrEnum reports an unknown discriminant.
	ErrEnum = errors.New("unknown discriminant")
	// ErrOrder reports map keys or set items that are not strictly ascending.
	ErrOrder = errors.New("keys are not strictly ascending")
	// ErrInvalid reports a value that is well-formed but not allowed here.
	ErrInvalid = errors.New("value not allowed")
)

// Error is a refused input: its class, the byte offset at which reading
// stopped, and the offending number (a length, a tag, a count of extra bytes)
// where there is one. errors.Is finds the class.
type Error struct {
	Class  error
	Offset int
	Number uint64
}

// Error implements error.
func (e *Error) Error() string {
	if e.Number != 0 {
		return fmt.Sprintf("codec: %v (%d) at byte %d", e.Class, e.Number, e.Offset)
	}
	return fmt.Sprintf("codec: %v at byte %d", e.Class, e.Offset)
}

// Unwrap gives the class.
func (e *Error) Unwrap() error { return e.Class }
