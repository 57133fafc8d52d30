package syntax

import "fmt"

// ErrorKind says which of CPython's exception types a source error is.
type ErrorKind uint8

// The kinds of source error. TabError is an IndentationError, which is a
// SyntaxError.
const (
	KindSyntax ErrorKind = iota
	KindIndentation
	KindTab
)

// String returns the name of the Python exception type.
func (k ErrorKind) String() string {
	return [...]string{"SyntaxError", "IndentationError", "TabError"}[k]
}

// SyntaxError rejects a source text. Line counts from 1. Col and EndCol count
// characters (not bytes) from 1, as the attributes offset and end_offset of
// CPython's SyntaxError; 0 means unknown. Text is the source line without its
// line end, for display.
type SyntaxError struct {
	Kind            ErrorKind
	Msg             string
	Line, Col       int
	EndLine, EndCol int
	Text            string
}

// Error returns "line:col: SyntaxError: message".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s: %s", e.Line, e.Col, e.Kind, e.Msg)
}
