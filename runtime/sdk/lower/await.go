package lower

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// hasAwait says whether evaluating an expression awaits.
func hasAwait(x syntax.Expr) bool {
	found := false
	syntax.Inspect(x, func(x syntax.Expr) {
		if _, ok := x.(*syntax.Await); ok {
			found = true
		}
	})
	return found
}

// awaits says whether a statement awaits, functions it defines left out.
func awaits(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.FunctionDef, *syntax.ClassDef:
		return false
	case *point:
		return true
	case *syntax.With:
		if s.Async {
			return true
		}
	case *syntax.For:
		if s.Async {
			return true
		}
	}
	found := false
	syntax.Parts(s, func(x syntax.Expr) { found = found || hasAwait(x) }, func(b []syntax.Stmt) { found = found || anyAwait(b) })
	return found
}

// awaits says whether the body of a method awaits.
func (m *module) awaits(def *syntax.FunctionDef) bool {
	found, ok := m.awaiting[def]
	if !ok {
		found = anyAwait(def.Body)
		m.awaiting[def] = found
	}
	return found
}

func anyAwait(body []syntax.Stmt) bool {
	for _, s := range body {
		if awaits(s) {
			return true
		}
	}
	return false
}

// returns says whether statements return from the function they stand in.
func returns(body []syntax.Stmt) bool {
	for _, s := range body {
		switch s.(type) {
		case *syntax.Return:
			return true
		case *syntax.FunctionDef, *syntax.ClassDef:
			continue
		}
		found := false
		syntax.Parts(s, func(syntax.Expr) {}, func(b []syntax.Stmt) { found = found || returns(b) })
		if found {
			return true
		}
	}
	return false
}

// leaves says whether statements can jump out of their block.
func leaves(body []syntax.Stmt) bool {
	if returns(body) {
		return true
	}
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.Break, *syntax.Continue:
			return true
		case *syntax.For, *syntax.While, *syntax.FunctionDef, *syntax.ClassDef:
		default:
			found := false
			syntax.Parts(s, func(syntax.Expr) {}, func(b []syntax.Stmt) { found = found || leaves(b) })
			if found {
				return true
			}
		}
	}
	return false
}

// refuseSuspensions refuses every other way to suspend: yield, asynchronous iteration, an async function inside that awaits.
//
// Spec: sdk §10.4.
func (f *function) refuseSuspensions(s syntax.Stmt) {
	if def, ok := s.(*syntax.FunctionDef); ok {
		if def.Async && anyAwait(def.Body) {
			f.refuse(def.Span, "%s awaits inside a continuation: decorate it with @bounded_loop", def.Name)
		}
		return
	}
	if _, ok := s.(*syntax.ClassDef); ok {
		return
	}
	syntax.Parts(s, func(x syntax.Expr) {
		syntax.Inspect(x, func(x syntax.Expr) {
			switch x := x.(type) {
			case *syntax.Yield, *syntax.YieldFrom:
				f.refuse(x.At(), "yield")
			case *syntax.Comp:
				for _, c := range x.Clauses {
					if c.Async {
						f.refuse(x.Span, "an asynchronous comprehension")
					}
				}
				if hasAwait(x) {
					f.refuse(x.Span, "an await inside a comprehension: use a for loop with a bound")
				}
			case *syntax.Lambda:
				if hasAwait(x) {
					f.refuse(x.Span, "an await inside a lambda")
				}
			}
		})
	}, func([]syntax.Stmt) {})
}

// temp makes a variable no program can name.
func (f *function) temp(what string) string {
	f.temps++
	name := fmt.Sprintf(".%s%d", what, f.temps)
	f.local(name)
	return name
}

// inert says that evaluating an expression before or after an await makes no difference: it has no effect, and what it reads belongs to the
// continuation.
func inert(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Name, *syntax.Constant:
		return true
	case *syntax.Attribute:
		return inert(x.Value)
	case *syntax.Starred:
		return inert(x.Value)
	}
	return false
}

// hoist takes the awaits out of an expression, in the order they are evaluated, and refuses where something that matters would have been
// evaluated before one of them.
type hoist struct {
	f      *function
	before []syntax.Stmt
	dirty  bool
	around map[syntax.Expr]bool // the expressions that have an await inside
}

// find notes which parts of an expression await, and reports whether any does.
func (h *hoist) find(x syntax.Expr) bool {
	_, found := x.(*syntax.Await)
	switch x := x.(type) {
	case *syntax.Name, *syntax.Lambda, *syntax.Comp: // refused before if they await
	default:
		syntax.Children(x, func(part syntax.Expr) { found = h.find(part) || found })
	}
	if found {
		h.around[x] = true
	}
	return found
}

// take hoists the awaits of a whole expression.
func (h *hoist) take(x syntax.Expr) syntax.Expr {
	if x == nil {
		return nil
	}
	h.around = map[syntax.Expr]bool{}
	h.find(x)
	return h.walk(x)
}

func (h *hoist) walk(x syntax.Expr) syntax.Expr {
	if x == nil {
		return nil
	}
	if !h.around[x] {
		h.dirty = h.dirty || !inert(x)
		return x
	}
	switch x := x.(type) {
	case *syntax.Await:
		if h.dirty {
			h.f.refuse(x.Span, "something else in this expression is evaluated before the await: assign the result to a name first")
		}
		temp := h.f.temp("result")
		h.before = append(h.before, h.f.await(x, storeName(x.Span, temp))...)
		return loadName(x.Span, temp)
	case *syntax.BinOp:
		x.Left = h.walk(x.Left)
		x.Right = h.walk(x.Right)
	case *syntax.UnaryOp:
		x.Operand = h.walk(x.Operand)
	case *syntax.Compare:
		x.Left = h.walk(x.Left)
		x.Comparators[0] = h.walk(x.Comparators[0])
		h.f.noAwaits(x.Comparators[1:])
	case *syntax.BoolOp:
		x.Values[0] = h.walk(x.Values[0])
		h.f.noAwaits(x.Values[1:])
	case *syntax.IfExp:
		x.Test = h.walk(x.Test)
		h.f.noAwaits([]syntax.Expr{x.Body, x.Else})
	case *syntax.Call:
		x.Func = h.walk(x.Func)
		h.list(x.Args)
		for _, k := range x.Keywords {
			k.Value = h.walk(k.Value)
		}
	case *syntax.List:
		h.list(x.Elts)
	case *syntax.Tuple:
		h.list(x.Elts)
	case *syntax.Set:
		h.list(x.Elts)
	case *syntax.Dict:
		for i := range x.Keys {
			x.Keys[i] = h.walk(x.Keys[i])
			x.Values[i] = h.walk(x.Values[i])
		}
	case *syntax.Subscript:
		x.Value = h.walk(x.Value)
		x.Index = h.walk(x.Index)
	case *syntax.Attribute:
		x.Value = h.walk(x.Value)
		return x // reads what the await gave
	case *syntax.Starred:
		x.Value = h.walk(x.Value)
		return x
	case *syntax.JoinedStr:
		h.list(x.Values)
	case *syntax.FormattedValue:
		x.Value = h.walk(x.Value)
		if x.Spec != nil {
			h.f.noAwaits([]syntax.Expr{x.Spec})
		}
	case *syntax.NamedExpr:
		x.Value = h.walk(x.Value)
	default:
		h.f.refuse(x.At(), "an await cannot stand here; assign its result to a name first")
	}
	h.dirty = true
	return x
}

func (h *hoist) list(xs []syntax.Expr) {
	for i := range xs {
		xs[i] = h.walk(xs[i])
	}
}
