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

// SyntaxError rejects a source text. Line, Col, EndLine and EndCol are what
// CPython's SyntaxError calls lineno, offset, end_lineno and end_offset: lines and
// columns count from 1, 0 and -1 mean unknown, and EndCol is behind the last
// character. Columns count characters, except for errors found after parsing,
// where they count bytes. Text is the source line without its line end, for
// display; errors found after parsing have none until Quote is called.
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

// Quote fills in Text from the source that the error is about, if it is empty,
// and returns the error.
func (e *SyntaxError) Quote(source []byte) *SyntaxError {
	if e.Text == "" && e.Line > 0 {
		if text, fault := prepare(source); fault == nil {
			p := &parser{scanner: scanner{text: text}}
			e.Text = p.lineText(e.Line)
		}
	}
	return e
}
