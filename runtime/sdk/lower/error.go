package lower

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Error refuses a continuation: what Python calls ContinuationLimitError, E1202, found when the module is loaded. Line counts from 1, Col
// from 1 in bytes. Variable is set when one variable is the reason.
type Error struct {
	Line, Col int
	Function  string
	Variable  string
	Text      string
}

// Error returns "line:col: ContinuationLimitError: continuation 'f': reason".
func (e *Error) Error() string {
	return fmt.Sprintf("%d:%d: ContinuationLimitError: continuation '%s': %s", e.Line, e.Col, e.Function, e.Text)
}

// refusal carries an Error out of the depth of the walk.
type refusal struct{ err *Error }

func (f *function) refuse(at syntax.Span, format string, args ...any) {
	panic(refusal{&Error{Line: int(at.Line), Col: int(at.Col) + 1, Function: f.def.Name, Text: fmt.Sprintf(format, args...)}})
}

func (f *function) refuseVariable(at syntax.Span, name, format string, args ...any) {
	panic(refusal{&Error{
		Line: int(at.Line), Col: int(at.Col) + 1, Function: f.def.Name, Variable: name, Text: fmt.Sprintf(format, args...),
	}})
}
