package lower

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// source is one thing a variable can be given: a value, or an element of one.
type source struct {
	value    syntax.Expr
	elements bool // the variable takes what iterating over the value gives
	plain    bool // nothing to ask: it can be saved
}

// infer decides for every variable whether all it can hold can be saved. It begins by believing so of all and drops variables until nothing
// changes, so variables that only feed each other are judged together.
//
// Spec: sdk §10.5.
func (f *function) infer(body []syntax.Stmt) {
	given := map[string][]source{}
	f.captures = map[string]bool{}
	for _, name := range parameterNames(f.def.Args) {
		given[name] = append(given[name], source{plain: true})
	}
	f.certain = make([]bool, len(f.names))
	for i := range f.certain {
		f.certain[i] = true
	}
	f.sources(body, given)
	f.looks = looksFree
	expressions(body, func(syntax.Expr) { f.looks += looksEach })
	for round, again := 0, true; again; round++ {
		again = false
		for i, name := range f.names {
			if !f.certain[i] {
				continue
			}
			for _, s := range given[name] {
				if !s.plain && (round == roundsMax || !f.takes(s)) {
					f.certain[i], again = false, true
					break
				}
			}
		}
	}
}

// roundsMax bounds the rounds of infer: variables that feed each other in longer chains count as uncertain.
const roundsMax = 8

// What savable may look at: so many expressions, and so many times each of the function's. Where that is not enough, which takes a value given to
// very many variables or very deep ones, variables count as uncertain.
const (
	looksFree = 4_096
	looksEach = 16
)

// expressions visits every expression of statements, those of functions inside left out.
func expressions(body []syntax.Stmt, visit func(syntax.Expr)) {
	for _, s := range body {
		block := func(b []syntax.Stmt) { expressions(b, visit) }
		switch s := s.(type) {
		case *syntax.FunctionDef, *syntax.ClassDef:
			block = func([]syntax.Stmt) {}
		case *point:
			syntax.Inspect(s.value, visit)
		}
		syntax.Parts(s, func(x syntax.Expr) { syntax.Inspect(x, visit) }, block)
	}
}

func (f *function) takes(s source) bool {
	if s.elements {
		return f.elements(s.value)
	}
	return f.savable(s.value)
}

// sources notes what statements give to variables. A nil value is one nothing is known of.
func (f *function) sources(body []syntax.Stmt, given map[string][]source) {
	give := func(target syntax.Expr, s source) {
		for _, name := range stored(target) {
			given[name] = append(given[name], s)
		}
	}
	for _, s := range body {
		syntax.Parts(s, func(x syntax.Expr) {
			syntax.Inspect(x, func(x syntax.Expr) {
				if w, ok := x.(*syntax.NamedExpr); ok {
					given[w.Target.ID] = append(given[w.Target.ID], source{value: w.Value})
				}
			})
		}, func(b []syntax.Stmt) { f.inside(s, b, given) })
		switch s := s.(type) {
		case *point:
			if s.target != nil {
				give(s.target, source{plain: true})
			}
		case *syntax.Assign:
			for _, t := range s.Targets {
				f.unpack(t, s.Value, give)
				if c, ok := s.Value.(*syntax.Call); ok && f.path(c.Func) == "cowboy_sdk.capture" {
					for _, name := range stored(t) {
						f.captures[name] = true
					}
				}
			}
		case *syntax.AnnAssign:
			if n, ok := s.Target.(*syntax.Name); ok && s.Value != nil {
				given[n.ID] = append(given[n.ID], source{value: s.Value, plain: plainAnnotation(s.Annotation)})
			}
		case *syntax.AugAssign:
			give(s.Target, source{value: s.Value})
		case *syntax.For:
			give(s.Target, source{value: s.Iter, elements: true})
		case *syntax.Match:
			for _, c := range s.Cases {
				for _, name := range captures(c.Pattern) {
					given[name] = append(given[name], source{value: s.Subject})
				}
			}
		default:
			for _, name := range bindings(s) {
				given[name] = append(given[name], source{})
			}
		}
	}
}

// unpack gives the parts of a display to the parts of a target where both are written out, and elements of the value otherwise.
func (f *function) unpack(target, value syntax.Expr, give func(syntax.Expr, source)) {
	parts, values := displayed(target), displayed(value)
	switch {
	case parts == nil:
		give(target, source{value: value})
	case len(parts) != len(values) || starred(parts) || starred(values):
		give(target, source{value: value, elements: true})
	default:
		for i := range parts {
			f.unpack(parts[i], values[i], give)
		}
	}
}

func displayed(x syntax.Expr) []syntax.Expr {
	switch x := x.(type) {
	case *syntax.Tuple:
		return x.Elts
	case *syntax.List:
		return x.Elts
	}
	return nil
}

func starred(list []syntax.Expr) bool {
	for _, x := range list {
		if _, ok := x.(*syntax.Starred); ok {
			return true
		}
	}
	return false
}

// inside descends into the blocks of a statement that share its scope.
func (f *function) inside(s syntax.Stmt, body []syntax.Stmt, given map[string][]source) {
	switch s.(type) {
	case *syntax.FunctionDef, *syntax.ClassDef:
	default:
		f.sources(body, given)
	}
}

// plainAnnotation says that an author promises a plain type: str, int | None, list[str], dict[str, int].
func plainAnnotation(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Name:
		switch x.ID {
		case "int", "str", "bytes", "bool", "float", "list", "dict", "tuple", "set":
			return true
		}
	case *syntax.Constant:
		return x.Kind == syntax.None
	case *syntax.Subscript:
		return plainAnnotation(x.Value)
	case *syntax.BinOp:
		return plainAnnotation(x.Left) && plainAnnotation(x.Right)
	}
	return false
}

// savable says that whatever an expression gives can be put into a record: plain values, and what the SDK knows to restore (Capture, guards, tasks,
// models).
func (f *function) savable(x syntax.Expr) bool {
	if f.looks--; f.looks < 0 {
		return false
	}
	switch x := x.(type) {
	case *syntax.Constant:
		return x.Kind != syntax.Ellipsis && x.Kind != syntax.Complex
	case *syntax.JoinedStr, *syntax.FormattedValue, *syntax.Await:
		return true
	case *syntax.Name:
		if i, ok := f.index[x.ID]; ok {
			return x.ID != f.self && !f.hidden[x.ID] && f.certain[i]
		}
		return f.moduleValue(x.ID)
	case *syntax.NamedExpr:
		return f.savable(x.Value)
	case *syntax.Starred:
		return f.elements(x.Value)
	case *syntax.BoolOp:
		return f.all(x.Values)
	case *syntax.BinOp:
		if c, ok := x.Left.(*syntax.Constant); ok && c.Kind == syntax.Str && x.Op == syntax.Mod {
			return true
		}
		return f.savable(x.Left) && f.savable(x.Right)
	case *syntax.UnaryOp:
		return x.Op == syntax.Not || f.savable(x.Operand)
	case *syntax.Compare:
		return f.comparison(x)
	case *syntax.IfExp:
		return f.savable(x.Body) && f.savable(x.Else)
	case *syntax.List:
		return f.all(x.Elts)
	case *syntax.Tuple:
		return f.all(x.Elts)
	case *syntax.Set:
		return f.all(x.Elts)
	case *syntax.Dict:
		for i := range x.Keys {
			if x.Keys[i] != nil && !f.savable(x.Keys[i]) || !f.savable(x.Values[i]) {
				return false
			}
		}
		return true
	case *syntax.Comp:
		return x.Kind != syntax.GeneratorExp && f.comprehension(x)
	case *syntax.Subscript:
		return f.isStorage(x.Value) || f.savable(x.Value)
	case *syntax.Attribute:
		return f.savableAttribute(x)
	case *syntax.Call:
		return f.savableCall(x)
	}
	return false
}

func (f *function) all(list []syntax.Expr) bool {
	for _, x := range list {
		if !f.savable(x) {
			return false
		}
	}
	return true
}

// comparison: is and in give booleans whatever stands around them.
func (f *function) comparison(x *syntax.Compare) bool {
	if len(x.Ops) == 1 && x.Ops[0] >= syntax.Is {
		return true
	}
	return f.savable(x.Left) && f.all(x.Comparators)
}

// comprehension judges the elements with the targets as variables.
func (f *function) comprehension(x *syntax.Comp) bool {
	type hidden struct {
		name string
		was  int
		had  bool
	}
	var undo []hidden
	count := len(f.certain)
	for _, c := range x.Clauses {
		good := f.elements(c.Iter)
		for _, name := range stored(c.Target) {
			was, had := f.index[name]
			undo = append(undo, hidden{name, was, had})
			f.index[name] = len(f.certain)
			f.certain = append(f.certain, good)
		}
	}
	good := f.savable(x.Elt) && (x.Value == nil || f.savable(x.Value))
	for _, u := range slices.Backward(undo) {
		if u.had {
			f.index[u.name] = u.was
		} else {
			delete(f.index, u.name)
		}
	}
	f.certain = f.certain[:count]
	return good
}

// moduleValue says that a name of the module is bound to literals only.
func (f *function) moduleValue(name string) bool {
	good, ok := f.module.literals[name]
	if !ok {
		values := f.module.values[name]
		good = len(values) > 0 && len(values) == f.module.bound[name]
		for _, x := range values {
			good = good && literal(x)
		}
		f.module.literals[name] = good
	}
	return good
}

// literal says that an expression is made of constants.
func literal(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Constant:
		return x.Kind != syntax.Ellipsis && x.Kind != syntax.Complex
	case *syntax.UnaryOp, *syntax.BinOp, *syntax.List, *syntax.Tuple, *syntax.Set, *syntax.Dict:
		good := true
		syntax.Children(x, func(c syntax.Expr) { good = good && literal(c) })
		return good
	}
	return false
}

// isStorage recognizes self.storage and the SDK's storage.
func (f *function) isStorage(x syntax.Expr) bool {
	if at, ok := x.(*syntax.Attribute); ok && at.Attr == "storage" {
		n, ok := at.Value.(*syntax.Name)
		return ok && n.ID == f.self && f.self != ""
	}
	return f.path(x) == "cowboy_sdk.storage"
}

func (f *function) savableAttribute(x *syntax.Attribute) bool {
	if n, ok := x.Value.(*syntax.Name); ok && n.ID == f.self && x.Attr == "address" {
		return true
	}
	path := f.path(x)
	return strings.HasPrefix(path, "cowboy_sdk.Address.") || path == "" && f.savable(x.Value)
}

// elements says that iterating over an expression gives what can be saved.
func (f *function) elements(x syntax.Expr) bool {
	if x == nil {
		return false
	}
	if c, ok := x.(*syntax.Comp); ok {
		return f.comprehension(c)
	}
	if f.savable(x) {
		return true
	}
	if x, ok := x.(*syntax.Call); ok {
		if n, ok := x.Func.(*syntax.Name); ok && f.isBuiltin(n.ID) {
			switch n.ID {
			case "range", "enumerate", "zip", "reversed", "iter":
				for _, a := range x.Args {
					if !f.elements(a) {
						return false
					}
				}
				return true
			}
		}
		if f.path(x.Func) == "cowboy_sdk.BoundedRange" {
			return true
		}
		if at, ok := x.Func.(*syntax.Attribute); ok {
			switch at.Attr {
			case "items", "keys", "values":
				return f.savable(at.Value)
			}
		}
	}
	return false
}

func (f *function) isBuiltin(name string) bool {
	return !f.isLocal(name) && f.module.bound[name] == 0
}
