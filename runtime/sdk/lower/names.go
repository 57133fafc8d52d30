package lower

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// uses are the names an expression reads from the scope it stands in, those of functions inside it included.
func uses(x syntax.Expr) []string {
	var names []string
	addUses(x, nil, &names)
	return names
}

// hiding is a chain of names that comprehensions and lambdas have of their own.
type hiding struct {
	names map[string]bool
	outer *hiding
}

func (h *hiding) hides(name string) bool {
	for ; h != nil; h = h.outer {
		if h.names[name] {
			return true
		}
	}
	return false
}

func addUses(x syntax.Expr, own *hiding, names *[]string) {
	switch x := x.(type) {
	case nil:
	case *syntax.Name:
		if x.Ctx == syntax.Load && !own.hides(x.ID) {
			*names = append(*names, x.ID)
		}
	case *syntax.Lambda:
		for _, d := range append(append([]syntax.Expr{}, x.Args.Defaults...), x.Args.KwDefaults...) {
			addUses(d, own, names)
		}
		inner := &hiding{map[string]bool{}, own}
		for _, a := range parameters(x.Args) {
			inner.names[a.Name] = true
		}
		addUses(x.Body, inner, names)
	case *syntax.Comp:
		inner := &hiding{map[string]bool{}, own}
		for i, c := range x.Clauses {
			if i == 0 {
				addUses(c.Iter, own, names)
			} else {
				addUses(c.Iter, inner, names)
			}
			syntax.Inspect(c.Target, func(t syntax.Expr) {
				if n, ok := t.(*syntax.Name); ok && n.Ctx != syntax.Load {
					inner.names[n.ID] = true
				}
			})
			addUses(c.Target, inner, names)
			for _, test := range c.Ifs {
				addUses(test, inner, names)
			}
		}
		addUses(x.Elt, inner, names)
		addUses(x.Value, inner, names)
	default:
		syntax.Children(x, func(c syntax.Expr) { addUses(c, own, names) })
	}
}

// blockUses are all names that statements of a nested function or class read, whatever their scope: more than it may take from outside, never less.
func blockUses(body []syntax.Stmt) []string {
	var names []string
	for _, s := range body {
		syntax.Parts(s, func(x syntax.Expr) {
			syntax.Inspect(x, func(x syntax.Expr) {
				if n, ok := x.(*syntax.Name); ok {
					names = append(names, n.ID)
				}
			})
		}, func(b []syntax.Stmt) { names = append(names, blockUses(b)...) })
	}
	return names
}

// functionUses are the names a nested function may take from outside.
func functionUses(def *syntax.FunctionDef) []string {
	own := map[string]bool{}
	for _, a := range parameters(def.Args) {
		own[a.Name] = true
	}
	var names []string
	for _, name := range blockUses(def.Body) {
		if !own[name] {
			names = append(names, name)
		}
	}
	for _, x := range def.Decorators {
		names = append(names, uses(x)...)
	}
	for _, x := range append(append([]syntax.Expr{}, def.Args.Defaults...), def.Args.KwDefaults...) {
		names = append(names, uses(x)...)
	}
	return names
}

// walrus are the names that evaluating an expression certainly assigns with :=.
func walrus(x syntax.Expr) []string {
	var names []string
	switch x := x.(type) {
	case nil, *syntax.Name, *syntax.Constant, *syntax.Lambda, *syntax.Comp:
	case *syntax.NamedExpr:
		names = append(walrus(x.Value), x.Target.ID)
	case *syntax.BoolOp:
		names = walrus(x.Values[0])
	case *syntax.IfExp:
		names = walrus(x.Test)
	case *syntax.Compare:
		names = append(walrus(x.Left), walrus(x.Comparators[0])...)
	default:
		syntax.Children(x, func(c syntax.Expr) { names = append(names, walrus(c)...) })
	}
	return names
}

// stored are the names a target binds when something is assigned to it.
func stored(x syntax.Expr) []string {
	var names []string
	syntax.Inspect(x, func(x syntax.Expr) {
		if n, ok := x.(*syntax.Name); ok && n.Ctx == syntax.Store {
			names = append(names, n.ID)
		}
	})
	return names
}

// effect is what a statement without blocks does to variables: reads, certainly assigns.
func effect(s syntax.Stmt) (reads, assigns []string) {
	value := func(xs ...syntax.Expr) {
		for _, x := range xs {
			if x != nil {
				reads = append(reads, uses(x)...)
				assigns = append(assigns, walrus(x)...)
			}
		}
	}
	switch s := s.(type) {
	case *syntax.FunctionDef:
		return functionUses(s), []string{s.Name}
	case *syntax.ClassDef:
		reads = blockUses(s.Body)
		value(s.Bases...)
		value(s.Decorators...)
		return reads, []string{s.Name}
	case *syntax.Import, *syntax.ImportFrom:
		return nil, bindings(s)
	case *syntax.AugAssign:
		if n, ok := s.Target.(*syntax.Name); ok {
			reads, assigns = append(reads, n.ID), append(assigns, n.ID)
		}
		value(s.Target, s.Value)
	case *syntax.AnnAssign:
		value(s.Target, s.Value)
		if s.Value != nil {
			assigns = append(assigns, stored(s.Target)...)
		}
	case *syntax.Assign:
		value(s.Value)
		for _, t := range s.Targets {
			value(t)
			assigns = append(assigns, stored(t)...)
		}
	default:
		syntax.Parts(s, func(x syntax.Expr) { value(x) }, func([]syntax.Stmt) {})
	}
	return reads, assigns
}
