package lower

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// savableCall judges what a call gives.
func (f *function) savableCall(x *syntax.Call) bool {
	if path := f.path(x.Func); path != "" {
		return f.libraryCall(path, x)
	}
	switch fn := x.Func.(type) {
	case *syntax.Name:
		if f.isBuiltin(fn.ID) {
			return f.builtinCall(fn.ID, x)
		}
		if def := f.module.functions[fn.ID]; def != nil && !f.isLocal(fn.ID) && f.module.bound[fn.ID] == 1 {
			return f.gives(def, nil)
		}
		if class := f.module.classes[fn.ID]; class != nil && !f.isLocal(fn.ID) && f.module.bound[fn.ID] == 1 {
			return f.isModel(class)
		}
	case *syntax.Attribute:
		return f.methodCall(fn)
	}
	return false
}

// builtinCall judges the built-in functions.
func (f *function) builtinCall(name string, x *syntax.Call) bool {
	switch name {
	case "len", "int", "str", "float", "bool", "bytes", "bytearray", "repr", "ascii", "hex", "bin", "oct", "ord", "chr", "hash",
		"any", "all", "format", "isinstance", "issubclass", "callable", "abs", "round", "hasattr":
		return true
	case "list", "tuple", "set", "frozenset", "sorted", "dict", "min", "max", "sum", "divmod", "pow":
		for _, a := range x.Args {
			if !f.elements(a) {
				return false
			}
		}
		for _, k := range x.Keywords {
			if k.Arg != "key" && k.Arg != "reverse" && !f.savable(k.Value) {
				return false
			}
		}
		return true
	}
	return false
}

// libraryCall judges functions reached through imports.
func (f *function) libraryCall(path string, x *syntax.Call) bool {
	if name, ok := strings.CutPrefix(path, "cowboy_sdk."); ok {
		switch name {
		case "capture", "storage_guard", "GuardSet", "call", "generate_id", "current_block", "set_timer", "set_interval", "cancel_timer",
			"Address", "derive_actor_address", "send":
			return true
		}
		for _, group := range [...]string{"runtime.", "codec.", "vrf.", "Address.", "storage."} {
			if strings.HasPrefix(name, group) {
				return true
			}
		}
		return false
	}
	switch top, rest, _ := strings.Cut(path, "."); top {
	case "pvm_host", "json", "math":
		return true
	case "struct":
		return rest == "pack" || rest == "unpack" || rest == "unpack_from" || rest == "calcsize"
	case "re":
		return rest == "sub" || rest == "findall" || rest == "split" || rest == "escape"
	}
	return false
}

// methodCall judges a method by its receiver.
func (f *function) methodCall(at *syntax.Attribute) bool {
	switch at.Attr {
	case "hexdigest", "digest":
		return true
	case "items", "keys", "values":
		return false
	}
	if f.isStorage(at.Value) {
		return true
	}
	if n, ok := at.Value.(*syntax.Name); ok {
		if n.ID == f.self && f.self != "" {
			return f.selfCall(at.Attr)
		}
		if f.isGroupVariable(n.ID) {
			return at.Attr == "create_task"
		}
		if class := f.module.classes[n.ID]; class != nil && !f.isLocal(n.ID) && f.isModel(class) {
			return at.Attr == "from_dict" || at.Attr == "from_cbor" || at.Attr == "schema"
		}
	}
	return f.savable(at.Value)
}

// selfCall judges a method of the actor's own class by what it returns.
func (f *function) selfCall(name string) bool {
	if f.class == nil {
		return false
	}
	defs := f.module.method(f.class, name)
	return len(defs) > 0 && f.gives(defs[0], f.class)
}

// helperStatements bounds the functions whose returns are looked at.
const helperStatements = 200

// gives judges a function of the module: its annotation, or all it returns. One that is being judged already counts as good, so that recursion
// does not condemn itself.
func (f *function) gives(def *syntax.FunctionDef, class *syntax.ClassDef) bool {
	if def.Returns != nil && plainAnnotation(def.Returns) {
		return true
	}
	if good, ok := f.module.judged[def]; ok {
		return good
	}
	if len(f.module.asking) > 8 {
		return false
	}
	if def.Async || len(def.Decorators) > 0 || statements(def.Body) > helperStatements {
		f.module.judged[def] = false
		return false
	}
	f.module.judged[def] = true
	f.module.asking = append(f.module.asking, def)
	g := newFunction(f.module, class, def)
	g.helper = true
	g.collect()
	g.infer(def.Body)
	yields := false
	good := g.returnsSavable(def.Body, &yields) && !yields
	f.module.asking = f.module.asking[:len(f.module.asking)-1]
	f.module.judged[def] = good
	return good
}

func statements(body []syntax.Stmt) int {
	n := len(body)
	for _, s := range body {
		syntax.Parts(s, func(syntax.Expr) {}, func(b []syntax.Stmt) { n += statements(b) })
	}
	return n
}

func (f *function) returnsSavable(body []syntax.Stmt, yields *bool) bool {
	good := true
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.Return:
			good = good && (s.Value == nil || f.savable(s.Value))
		case *syntax.FunctionDef, *syntax.ClassDef:
			continue
		}
		syntax.Parts(s, func(x syntax.Expr) {
			syntax.Inspect(x, func(x syntax.Expr) {
				switch x.(type) {
				case *syntax.Yield, *syntax.YieldFrom:
					*yields = true
				}
			})
		}, func(b []syntax.Stmt) { good = f.returnsSavable(b, yields) && good })
	}
	return good
}

// isModel says that a class of the module is a CowboyModel.
func (f *function) isModel(class *syntax.ClassDef) bool {
	model, ok := f.module.models[class]
	if !ok {
		for _, b := range class.Bases {
			model = model || f.module.path(b) == "cowboy_sdk.CowboyModel"
		}
		f.module.models[class] = model
	}
	return model
}

// isGroupVariable says that a variable is given task groups and nothing else.
func (f *function) isGroupVariable(name string) bool {
	for _, p := range f.points {
		if n, ok := p.value.(*syntax.Name); ok && p.group && n.ID == name {
			return true
		}
	}
	return false
}
