package host

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// TestOnlyError refuses an actor that imports what exists in test runs only.
type TestOnlyError struct {
	Line, Col int
	Module    string
}

// Error returns "line:col: ImportError: reason".
func (e *TestOnlyError) Error() string {
	return fmt.Sprintf("%d:%d: ImportError: %s exists in test runs only", e.Line, e.Col, e.Module)
}

// testModule says that a module of cowboy_sdk is one no actor may import.
//
// Spec: sdk §21.
func testModule(name string) bool {
	return name == "cowboy_sdk.testing" || name == "cowboy_sdk.mock_host"
}

// refuseTesting looks for imports of the test modules anywhere in a module.
func refuseTesting(body []syntax.Stmt) error {
	for _, s := range body {
		found := ""
		switch s := s.(type) {
		case *syntax.Import:
			for _, a := range s.Names {
				if testModule(a.Name) {
					found = a.Name
				}
			}
		case *syntax.ImportFrom:
			if testModule(s.Module) {
				found = s.Module
			}
			for _, a := range s.Names {
				if testModule(s.Module + "." + a.Name) {
					found = s.Module + "." + a.Name
				}
			}
		}
		if found != "" {
			at := s.At()
			return &TestOnlyError{int(at.Line), int(at.Col) + 1, found}
		}
		var err error
		syntax.Parts(s, func(syntax.Expr) {}, func(b []syntax.Stmt) {
			if err == nil {
				err = refuseTesting(b)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
