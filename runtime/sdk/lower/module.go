package lower

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// module is what the top level of a source says about its names.
type module struct {
	imports   map[string]string // name -> dotted path
	functions map[string]*syntax.FunctionDef
	classes   map[string]*syntax.ClassDef
	values    map[string][]syntax.Expr // what is assigned to a name
	bound     map[string]int           // how often a name is bound, whatever way

	judged map[*syntax.FunctionDef]bool // whether what a function gives can be saved
	asking []*syntax.FunctionDef        // functions being judged

	// What has been found out, so that it is looked for once:
	literals map[string]bool                                       // whether a name is bound to literals only
	models   map[*syntax.ClassDef]bool                             // whether a class is a model
	methods  map[*syntax.ClassDef]map[string][]*syntax.FunctionDef // by name
	awaiting map[*syntax.FunctionDef]bool                          // whether the body of a method awaits
	displays map[string]length                                     // of the display a name is bound to
}

// length is the most elements of an iterable, if that is known.
type length struct {
	most  int
	known bool
}

// method returns the functions of that name in the body of a class.
func (m *module) method(class *syntax.ClassDef, name string) []*syntax.FunctionDef {
	byName, ok := m.methods[class]
	if !ok {
		byName = map[string][]*syntax.FunctionDef{}
		for _, s := range class.Body {
			if def, ok := s.(*syntax.FunctionDef); ok {
				byName[def.Name] = append(byName[def.Name], def)
			}
		}
		m.methods[class] = byName
	}
	return byName[name]
}

func newModule(tree *syntax.Module) *module {
	m := &module{
		imports: map[string]string{}, functions: map[string]*syntax.FunctionDef{}, classes: map[string]*syntax.ClassDef{},
		values: map[string][]syntax.Expr{}, bound: map[string]int{}, judged: map[*syntax.FunctionDef]bool{},
		literals: map[string]bool{}, models: map[*syntax.ClassDef]bool{}, methods: map[*syntax.ClassDef]map[string][]*syntax.FunctionDef{},
		awaiting: map[*syntax.FunctionDef]bool{}, displays: map[string]length{},
	}
	m.block(tree.Body)
	return m
}

func (m *module) block(body []syntax.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.FunctionDef:
			m.functions[s.Name] = s
		case *syntax.ClassDef:
			m.classes[s.Name] = s
		case *syntax.Import, *syntax.ImportFrom:
			importPaths(s, m.imports)
		case *syntax.Assign:
			for _, t := range s.Targets {
				if n, ok := t.(*syntax.Name); ok {
					m.values[n.ID] = append(m.values[n.ID], s.Value)
				}
			}
		case *syntax.AnnAssign:
			if n, ok := s.Target.(*syntax.Name); ok && s.Value != nil {
				m.values[n.ID] = append(m.values[n.ID], s.Value)
			}
		}
		for _, name := range bindings(s) {
			m.bound[name]++
		}
		switch s.(type) {
		case *syntax.FunctionDef, *syntax.ClassDef:
		default:
			syntax.Parts(s, func(syntax.Expr) {}, m.block)
		}
	}
}

// importPaths records what an import statement binds.
func importPaths(s syntax.Stmt, into map[string]string) {
	switch s := s.(type) {
	case *syntax.Import:
		for _, a := range s.Names {
			if a.AsName != "" {
				into[a.AsName] = a.Name
			} else {
				top, _, _ := strings.Cut(a.Name, ".")
				into[top] = top
			}
		}
	case *syntax.ImportFrom:
		for _, a := range s.Names {
			name := a.AsName
			if name == "" {
				name = a.Name
			}
			into[name] = canonicalPath(s.Module + "." + a.Name)
		}
	}
}

// canonicalPath is the path of a name of cowboy_sdk by its root export, where the source reached it through the module it lives in.
func canonicalPath(path string) string {
	parts := strings.Split(path, ".")
	if len(parts) < 3 || parts[0] != "cowboy_sdk" {
		return path
	}
	switch parts[1] {
	case "types", "errors", "guards", "models", "continuation", "bounded_loop", "taskgroup", "collections", "verification":
		return "cowboy_sdk." + strings.Join(parts[2:], ".")
	}
	return path
}

// path is the dotted path an expression reaches through imports: "cowboy_sdk.runner.llm" for runner.llm; empty if it does not begin at an
// import. A local name hides a module's unless an import inside the function made it.
func (f *function) path(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.Name:
		if f != nil {
			if p, ok := f.imports[x.ID]; ok {
				return p
			}
			if f.isLocal(x.ID) {
				return ""
			}
			return f.module.imports[x.ID]
		}
	case *syntax.Attribute:
		if base := f.path(x.Value); base != "" {
			return canonicalPath(base + "." + x.Attr)
		}
	}
	return ""
}

// modulePath is path at the top level of the module.
func (m *module) path(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.Name:
		return m.imports[x.ID]
	case *syntax.Attribute:
		if base := m.path(x.Value); base != "" {
			return canonicalPath(base + "." + x.Attr)
		}
	}
	return ""
}

// isContinuation says whether a decorator makes a continuation.
func (m *module) isContinuation(decorator syntax.Expr) bool {
	if c, ok := decorator.(*syntax.Call); ok {
		decorator = c.Func
	}
	path := m.path(decorator)
	return path == "cowboy_sdk.runner.continuation" || path == "cowboy_sdk.actor.continuation"
}

func (m *module) continuation(def *syntax.FunctionDef) bool {
	for _, d := range def.Decorators {
		if m.isContinuation(d) {
			return true
		}
	}
	return false
}

// bindings are the names a statement itself binds in its scope, those inside its blocks left out.
func bindings(s syntax.Stmt) []string {
	var names []string
	target := func(x syntax.Expr) { names = append(names, targets(x)...) }
	switch s := s.(type) {
	case *syntax.FunctionDef:
		return []string{s.Name}
	case *syntax.ClassDef:
		return []string{s.Name}
	case *syntax.Import:
		for _, a := range s.Names {
			if a.AsName != "" {
				names = append(names, a.AsName)
			} else {
				top, _, _ := strings.Cut(a.Name, ".")
				names = append(names, top)
			}
		}
		return names
	case *syntax.ImportFrom:
		for _, a := range s.Names {
			if a.AsName != "" {
				names = append(names, a.AsName)
			} else {
				names = append(names, a.Name)
			}
		}
		return names
	case *syntax.Try:
		for _, h := range s.Handlers {
			if h.Name != "" {
				names = append(names, h.Name)
			}
		}
	case *syntax.Match:
		for _, c := range s.Cases {
			names = append(names, captures(c.Pattern)...)
		}
	case *point:
		if s.target != nil {
			target(s.target)
		}
		target(s.value)
		return names
	}
	syntax.Parts(s, target, func([]syntax.Stmt) {})
	return names
}

// targets are the names an expression binds in the scope it stands in; the targets of a comprehension are its own.
func targets(x syntax.Expr) []string {
	var names []string
	own := map[*syntax.Name]bool{}
	syntax.Inspect(x, func(x syntax.Expr) {
		if c, ok := x.(*syntax.Comp); ok {
			for _, clause := range c.Clauses {
				syntax.Inspect(clause.Target, func(x syntax.Expr) {
					if n, ok := x.(*syntax.Name); ok {
						own[n] = true
					}
				})
			}
		}
	})
	syntax.Inspect(x, func(x syntax.Expr) {
		if n, ok := x.(*syntax.Name); ok && n.Ctx != syntax.Load && !own[n] {
			names = append(names, n.ID)
		}
	})
	return names
}

// captures are the names a pattern binds.
func captures(p syntax.Pattern) []string {
	var names []string
	all := func(list []syntax.Pattern) {
		for _, p := range list {
			names = append(names, captures(p)...)
		}
	}
	one := func(name string) {
		if name != "" {
			names = append(names, name)
		}
	}
	switch p := p.(type) {
	case *syntax.MatchSequence:
		all(p.Patterns)
	case *syntax.MatchMapping:
		all(p.Patterns)
		one(p.Rest)
	case *syntax.MatchClass:
		all(p.Patterns)
		all(p.KwdPatterns)
	case *syntax.MatchStar:
		one(p.Name)
	case *syntax.MatchAs:
		if p.Pattern != nil {
			names = append(names, captures(p.Pattern)...)
		}
		one(p.Name)
	case *syntax.MatchOr:
		all(p.Patterns)
	}
	return names
}
