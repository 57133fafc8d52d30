package lower

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Limits of one continuation. Spec: sdk §10.4.
const (
	// AwaitsMax bounds the awaits of a function outside bounded loops.
	AwaitsMax = 8
	// statesMax bounds all awaits of a function, localsMax its variables and statementsMax its statements, so that loading takes no longer than
	// the rest of compiling.
	statesMax     = 64
	localsMax     = 512
	statementsMax = 4_096
)

// Module rewrites the continuations of a parsed, unresolved module and reports whether there were any. The error is an *Error; the tree is
// then spoilt.
//
// Spec: sdk §10.2.
func Module(tree *syntax.Module) (changed bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			found, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			err = found.err
		}
	}()
	m := newModule(tree)
	tree.Body, changed = m.rewrite(tree.Body, nil)
	if changed {
		tree.Body = slices.Insert(tree.Body, prologue(tree.Body), syntax.Stmt(machineryImport()))
	}
	return changed, nil
}

// rewrite lowers the continuations among the statements of a module or class and puts the resume step behind each.
func (m *module) rewrite(body []syntax.Stmt, class *syntax.ClassDef) (out []syntax.Stmt, changed bool) {
	for _, s := range body {
		out = append(out, s)
		switch s := s.(type) {
		case *syntax.ClassDef:
			if class == nil {
				inner, found := m.rewrite(s.Body, s)
				s.Body, changed = inner, changed || found
			}
		case *syntax.FunctionDef:
			if m.continuation(s) {
				newFunction(m, class, s).lower()
				out, changed = append(out, resumeStep(s)), true
			}
		}
	}
	return out, changed
}

// prologue is the place behind a module's docstring and future statements.
func prologue(body []syntax.Stmt) int {
	at := 0
	if len(body) > 0 && isDocstring(body[0]) {
		at = 1
	}
	for at < len(body) {
		if s, ok := body[at].(*syntax.ImportFrom); !ok || s.Module != "__future__" {
			break
		}
		at++
	}
	return at
}

func isDocstring(s syntax.Stmt) bool {
	x, ok := s.(*syntax.ExprStmt)
	if !ok {
		return false
	}
	c, ok := x.Value.(*syntax.Constant)
	return ok && c.Kind == syntax.Str
}

// function is one continuation on its way.
type function struct {
	module  *module
	class   *syntax.ClassDef // nil at the top level
	def     *syntax.FunctionDef
	self    string
	imports map[string]string // made inside the function

	index   map[string]int // of local variables
	names   []string
	hidden  map[string]bool // variables nested functions may assign
	deleted map[string]bool
	inner   map[string]*inner // @bounded_loop functions
	loops   map[syntax.Stmt]*loop
	rests   map[*syntax.If]*syntax.ExceptHandler // the rest of an except clause, behind its try statement
	moved   map[*syntax.ExceptHandler]bool       // clauses that have one
	around  []*loop                              // loops around the statement being shaped
	bound   int                                  // of the enclosing bounded function's loops; 0: none
	temps   int
	outside int // awaits outside bounded loops
	points  []*point
	certain []bool // by local: all it can hold can be saved
	looks   int    // expressions infer may still look at

	captures map[string]bool // variables given capture()
	helper   bool            // not a continuation: a function it calls
}

// inner is a function under @bounded_loop.
type inner struct {
	def   *syntax.FunctionDef
	bound int
	used  bool
}

// loop is how a loop with awaits inside is driven.
type loop struct {
	kind  loopKind
	bound int    // iterations at most; -1: what is iterated bounds itself
	items string // variable that holds what is iterated
	count string // variable that counts iterations begun
	lo    int    // awaits inside: lo..hi
	hi    int
}

type loopKind uint8

const (
	overItems loopKind = iota // for over a list
	overRange                 // for over a range
	whileTrue                 // while
	once                      // the body of an inner function
)

// point is an await as a statement of its own: target = await value.
type point struct {
	*syntax.Pass
	target syntax.Expr // nil: the result is not kept
	value  syntax.Expr
	group  bool // value is a TaskGroup whose tasks are awaited
	state  int
	around []*loop

	live, assigned set
	saved          []string
}

func newFunction(m *module, class *syntax.ClassDef, def *syntax.FunctionDef) *function {
	f := &function{
		module: m, class: class, def: def, imports: map[string]string{}, index: map[string]int{}, hidden: map[string]bool{},
		deleted: map[string]bool{}, inner: map[string]*inner{}, loops: map[syntax.Stmt]*loop{},
		rests: map[*syntax.If]*syntax.ExceptHandler{}, moved: map[*syntax.ExceptHandler]bool{},
	}
	if class != nil {
		if first := positional(def.Args); len(first) > 0 {
			f.self = first[0].Name
		}
	}
	return f
}

func positional(a *syntax.Arguments) []*syntax.Arg { return slices.Concat(a.PosOnly, a.Args) }

func parameters(a *syntax.Arguments) []*syntax.Arg {
	all := slices.Concat(a.PosOnly, a.Args, a.KwOnly)
	if a.VarArg != nil {
		all = append(all, a.VarArg)
	}
	if a.KwArg != nil {
		all = append(all, a.KwArg)
	}
	return all
}

// lower rewrites the function.
func (f *function) lower() {
	if !f.def.Async {
		f.refuse(f.def.Span, "a continuation is an async def")
	}
	if f.class != nil && f.self == "" {
		f.refuse(f.def.Span, "a continuation takes self")
	}
	if f.def.Name[0] == '_' {
		f.refuse(f.def.Span, "results could not reach it: no name that begins with an underscore can be called from outside")
	}
	if n := statements(f.def.Body); n > statementsMax {
		f.refuse(f.def.Span, "it has %d statements; at most %d are allowed", n, statementsMax)
	}
	f.collect()
	if len(f.names) > localsMax {
		f.refuse(f.def.Span, "it has %d variables; at most %d are allowed", len(f.names), localsMax)
	}
	body := f.def.Body
	var doc []syntax.Stmt
	if len(body) > 0 && isDocstring(body[0]) {
		doc, body = body[:1], body[1:]
	}
	body = f.shape(body)
	f.infer(body)
	f.flow(body)
	f.def.Body = append(doc, f.emit(body)...)
	f.def.Async = false
	f.def.Decorators = append(f.def.Decorators, f.mark())
}

func (f *function) isLocal(name string) bool {
	_, ok := f.index[name]
	return ok
}

func (f *function) local(name string) {
	if _, ok := f.index[name]; !ok {
		f.index[name] = len(f.names)
		f.names = append(f.names, name)
	}
}
