package check

import (
	"fmt"
	"sort"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// IntegerBitsMax is the length of the longest integer, in bits.
const IntegerBitsMax = 4096

// DeterminismError is one finding: What is forbidden at a place, and what to do
// Instead. Lines count from 1, columns from 1 in bytes; EndCol is behind the
// last byte.
type DeterminismError struct {
	Line, Col       int
	EndLine, EndCol int
	What, Instead   string
}

// Error returns "line:col: DeterminismError: what; advice".
func (e *DeterminismError) Error() string {
	return fmt.Sprintf("%d:%d: DeterminismError: %s; %s", e.Line, e.Col, e.What, e.Instead)
}

// Options says what a source may rely on.
type Options struct {
	// Importable says whether a module, by its dotted name, can be imported. Nil
	// stands for Whitelisted.
	Importable func(module string) bool
}

// Check returns everything in a resolved module that consensus forbids, in
// source order; nil if there is nothing.
//
// Spec: WP "Forbidden Operations"; WP-January "Forbidden Operations and Patterns".
func Check(m *syntax.Module, o Options) []*DeterminismError {
	if o.Importable == nil {
		o.Importable = Whitelisted
	}
	c := &checker{importable: o.Importable, own: ownNames(m.Body, syntax.AccessGlobal)}
	c.block(m.Body)
	sort.SliceStable(c.found, func(i, j int) bool {
		a, b := c.found[i], c.found[j]
		return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
	})
	return c.found
}

// checker walks a module.
type checker struct {
	importable func(string) bool
	own        map[string]bool // names the module binds itself
	classOwn   map[string]bool // names the class binds whose body this is
	found      []*DeterminismError

	class    bool // the block is the body of a class
	function bool // the code is inside a function
	guarded  bool // an import may fail here
}

// report adds a finding.
func (c *checker) report(at syntax.Span, what, instead string) {
	c.found = append(c.found, &DeterminismError{
		Line: int(at.Line), Col: int(at.Col) + 1, EndLine: int(at.EndLine), EndCol: int(at.EndCol) + 1,
		What: what, Instead: instead,
	})
}

func (c *checker) block(body []syntax.Stmt) {
	for _, s := range body {
		c.stmt(s)
	}
}

// stmt checks a statement and what is inside it.
func (c *checker) stmt(s syntax.Stmt) {
	outer := *c
	inner := outer
	switch s := s.(type) {
	case *syntax.FunctionDef:
		if c.class {
			c.finalizer(s.Name, s.Span)
		}
		inner.class, inner.function = false, true
	case *syntax.ClassDef:
		inner.class, inner.classOwn = true, ownNames(s.Body, syntax.AccessClass)
	case *syntax.Import:
		for i := range s.Names {
			c.imported(s.Names[i].Span, s.Names[i].Name)
		}
	case *syntax.ImportFrom:
		c.importedFrom(s)
	case *syntax.If:
		c.ifStatement(s)
		return
	case *syntax.Try:
		c.try(s)
		return
	case *syntax.Delete:
		for _, x := range s.Targets {
			c.namespaceStore(x)
		}
	}
	syntax.Parts(s, c.expr, func(body []syntax.Stmt) {
		c.class, c.function, c.classOwn = inner.class, inner.function, inner.classOwn
		c.block(body)
		c.class, c.function, c.classOwn = outer.class, outer.function, outer.classOwn
	})
}

// ifStatement checks an if statement; some tests guard imports.
func (c *checker) ifStatement(s *syntax.If) {
	for {
		c.expr(s.Test)
		guarded := c.guarded
		c.guarded = guarded || isGuard(s.Test)
		c.block(s.Body)
		c.guarded = guarded
		if len(s.Else) == 1 {
			if next, ok := s.Else[0].(*syntax.If); ok {
				s = next
				continue
			}
		}
		c.block(s.Else)
		return
	}
}

// isGuard recognizes TYPE_CHECKING, typing.TYPE_CHECKING and __name__ ==
// "__main__": code under them does not run on the chain.
func isGuard(test syntax.Expr) bool {
	switch x := test.(type) {
	case *syntax.Name:
		return x.ID == "TYPE_CHECKING"
	case *syntax.Attribute:
		return x.Attr == "TYPE_CHECKING"
	case *syntax.Compare:
		name, ok := x.Left.(*syntax.Name)
		if !ok || name.ID != "__name__" || len(x.Ops) != 1 || x.Ops[0] != syntax.Eq {
			return false
		}
		k, ok := x.Comparators[0].(*syntax.Constant)
		return ok && k.Kind == syntax.Str && k.Text == "__main__"
	}
	return false
}

// try checks a try statement; a handler for ImportError guards its body.
func (c *checker) try(s *syntax.Try) {
	guarded := c.guarded
	for _, h := range s.Handlers {
		c.guarded = c.guarded || catchesImportError(h.Type)
	}
	c.block(s.Body)
	c.guarded = guarded
	for _, h := range s.Handlers {
		if h.Type != nil {
			c.expr(h.Type)
		}
		c.block(h.Body)
	}
	c.block(s.Else)
	c.block(s.Final)
}

// catchesImportError says whether a handler of the given type catches it.
func catchesImportError(x syntax.Expr) bool {
	switch x := x.(type) {
	case nil:
		return true
	case *syntax.Name:
		switch x.ID {
		case "ImportError", "ModuleNotFoundError", "Exception", "BaseException":
			return true
		}
	case *syntax.Tuple:
		for _, elt := range x.Elts {
			if catchesImportError(elt) {
				return true
			}
		}
	}
	return false
}

// finalizer refuses the name __del__ in a class.
func (c *checker) finalizer(name string, at syntax.Span) {
	if name == "__del__" {
		c.report(at, "a __del__ method is forbidden: when it would run depends on the interpreter",
			"give the class a method that releases what it holds, or use a with statement")
	}
}
