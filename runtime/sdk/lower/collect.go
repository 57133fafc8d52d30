package lower

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// collect finds the function's variables, its imports and its bounded inner functions.
func (f *function) collect() {
	for _, a := range parameters(f.def.Args) {
		f.local(a.Name)
	}
	globals := map[string]bool{}
	f.collectBlock(f.def.Body, globals)
}

func (f *function) collectBlock(body []syntax.Stmt, globals map[string]bool) {
	for _, s := range body {
		if g, ok := s.(*syntax.Global); ok {
			for _, name := range g.Names {
				globals[name] = true
			}
		}
	}
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.FunctionDef:
			if bound, ok := f.boundedLoop(s); ok {
				f.collectInner(s, bound, globals)
				continue
			}
			f.nested(s.Body)
		case *syntax.ClassDef:
			f.nested(s.Body)
		case *syntax.Import, *syntax.ImportFrom:
			importPaths(s, f.imports)
		case *syntax.Delete:
			for _, x := range s.Targets {
				for _, name := range targets(x) {
					f.deleted[name] = true
				}
			}
		case *syntax.Try:
			for _, h := range s.Handlers {
				if h.Name != "" {
					f.deleted[h.Name] = true
				}
			}
		}
		for _, name := range bindings(s) {
			if !globals[name] {
				f.local(name)
			}
		}
		switch s.(type) {
		case *syntax.FunctionDef, *syntax.ClassDef:
		default:
			syntax.Parts(s, func(syntax.Expr) {}, func(inner []syntax.Stmt) { f.collectBlock(inner, globals) })
		}
	}
}

// collectInner registers a bounded inner function, whose body will take the place of the one await of it. Its variables become the
// continuation's, so they may not share a name.
func (f *function) collectInner(def *syntax.FunctionDef, bound int, globals map[string]bool) {
	if f.inner[def.Name] != nil || f.isLocal(def.Name) {
		f.refuse(def.Span, "%s is defined more than once", def.Name)
	}
	if !def.Async {
		f.refuse(def.Span, "%s: @bounded_loop decorates an async def", def.Name)
	}
	if len(def.Decorators) != 1 || def.Args.VarArg != nil || def.Args.KwArg != nil || len(def.Args.Defaults) > 0 {
		f.refuse(def.Span, "%s: a bounded loop has no other decorator, no defaults and no starred parameters", def.Name)
	}
	f.inner[def.Name] = &inner{def: def, bound: bound}
	outer := map[string]bool{}
	for _, name := range f.names {
		outer[name] = true
	}
	shared := map[string]bool{}
	for _, s := range def.Body {
		if n, ok := s.(*syntax.Nonlocal); ok {
			for _, name := range n.Names {
				shared[name] = true
			}
		}
	}
	own := &function{
		module: f.module, def: f.def, imports: f.imports, index: map[string]int{}, hidden: f.hidden, deleted: f.deleted,
		inner: map[string]*inner{},
	}
	for _, a := range parameters(def.Args) {
		own.local(a.Name)
	}
	own.collectBlock(def.Body, globals)
	if len(own.inner) > 0 {
		f.refuse(def.Span, "%s: a bounded loop inside a bounded loop", def.Name)
	}
	for _, name := range own.names {
		if outer[name] && !shared[name] {
			f.refuseVariable(def.Span, name, "%s and the function around it both use a variable '%s'; rename one, or declare it nonlocal", def.Name, name)
		}
		f.local(name)
	}
}

// nested notes what a function or class inside the continuation may assign behind the analysis's back.
func (f *function) nested(body []syntax.Stmt) {
	for _, s := range body {
		if n, ok := s.(*syntax.Nonlocal); ok {
			for _, name := range n.Names {
				f.hidden[name] = true
			}
		}
		syntax.Parts(s, func(syntax.Expr) {}, f.nested)
	}
}

// boundedLoop reads @bounded_loop(max_iterations=N).
func (f *function) boundedLoop(def *syntax.FunctionDef) (int, bool) {
	if f.helper {
		return 0, false
	}
	for _, d := range def.Decorators {
		call, isCall := d.(*syntax.Call)
		at := d
		if isCall {
			at = call.Func
		}
		if f.path(at) != "cowboy_sdk.bounded_loop" {
			continue
		}
		if isCall && len(call.Args)+len(call.Keywords) == 1 {
			var value syntax.Expr
			if len(call.Args) == 1 {
				value = call.Args[0]
			} else if call.Keywords[0].Arg == "max_iterations" {
				value = call.Keywords[0].Value
			}
			if n, ok := f.constant(value); ok && n > 0 {
				return n, true
			}
		}
		f.refuse(d.At(), "@bounded_loop needs max_iterations, a positive constant")
	}
	return 0, false
}

// constantMax bounds the integers that count as written out: sums of three fit every machine's int.
const constantMax = 1 << 28

// constant reads an integer that is written out, or a name of the module that is bound once to one.
func (f *function) constant(x syntax.Expr) (int, bool) {
	switch x := x.(type) {
	case *syntax.Constant:
		if x.Kind == syntax.Int && x.Big == nil && x.Int <= constantMax {
			return int(x.Int), true
		}
	case *syntax.UnaryOp:
		if n, ok := f.constant(x.Operand); ok && x.Op == syntax.USub {
			return -n, true
		}
	case *syntax.Name:
		values := f.module.values[x.ID]
		if c, ok := single(values).(*syntax.Constant); ok && f.module.bound[x.ID] == 1 && !f.isLocal(x.ID) {
			return f.constant(c)
		}
	}
	return 0, false
}

func single(list []syntax.Expr) syntax.Expr {
	if len(list) == 1 {
		return list[0]
	}
	return nil
}
