package pytest

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	"github.com/cowboyinc/cowboy-go/testkit/coverage"
)

// Names that a rewritten test file uses; programs cannot write them.
const (
	assertName  = ".assert"
	assertLeft  = ".left"
	assertRight = ".right"
)

// showAsserts has the asserts of a test file that compare two values say both when they fail: each side is noted as it is computed, once, and what the assert
// says is made of them.
func showAsserts(tree *syntax.Module) {
	at := syntax.Span{Line: 1, EndLine: 1}
	head := 0
	for head < len(tree.Body) && (head == 0 && coverage.IsText(tree.Body[0]) || coverage.IsFuture(tree.Body[head])) {
		head++
	}
	showBlock(tree.Body[head:])
	load := &syntax.ImportFrom{Span: at, Module: "cowboy_sdk.testing", Names: []syntax.Alias{{Span: at, Name: "_compared", AsName: assertName}}}
	tree.Body = slices.Concat(tree.Body[:head], []syntax.Stmt{load}, tree.Body[head:])
}

func showBlock(body []syntax.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.Assert:
			showAssert(s)
		case *syntax.FunctionDef:
			showBlock(s.Body)
		case *syntax.ClassDef:
			showMethods(s.Body)
		case *syntax.If:
			showBlock(s.Body)
			showBlock(s.Else)
		case *syntax.For:
			showBlock(s.Body)
			showBlock(s.Else)
		case *syntax.While:
			showBlock(s.Body)
			showBlock(s.Else)
		case *syntax.With:
			showBlock(s.Body)
		case *syntax.Try:
			showBlock(s.Body)
			showBlock(s.Else)
			showBlock(s.Final)
			for _, h := range s.Handlers {
				showBlock(h.Body)
			}
		case *syntax.Match:
			for i := range s.Cases {
				showBlock(s.Cases[i].Body)
			}
		}
	}
}

// showMethods leaves what a class asserts outside of its methods: names noted there would be attributes.
func showMethods(body []syntax.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.FunctionDef:
			showBlock(s.Body)
		case *syntax.ClassDef:
			showMethods(s.Body)
		}
	}
}

// showAssert changes an assert of one comparison. A message that is there is kept, and computed only when it fails.
func showAssert(s *syntax.Assert) {
	x, ok := s.Test.(*syntax.Compare)
	if !ok || len(x.Ops) != 1 {
		return
	}
	at := x.Span
	note := func(name string, e syntax.Expr) syntax.Expr {
		return &syntax.NamedExpr{Span: e.At(), Target: &syntax.Name{Span: e.At(), ID: name, Ctx: syntax.Store}, Value: e}
	}
	x.Left, x.Comparators[0] = note(assertLeft, x.Left), note(assertRight, x.Comparators[0])
	message := s.Msg
	if message == nil {
		message = &syntax.Constant{Span: at, Kind: syntax.None}
	}
	s.Msg = &syntax.Call{Span: at, Func: &syntax.Name{Span: at, ID: assertName}, Args: []syntax.Expr{
		message, &syntax.Constant{Span: at, Kind: syntax.Str, Text: x.Ops[0].String()},
		&syntax.Name{Span: at, ID: assertLeft}, &syntax.Name{Span: at, ID: assertRight},
	}}
}
