package pytest

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// names are the tests of the loaded file: functions test_*, methods test_* of classes Test*, as Class.method, and classes Fuzz* with a method invariant_*.
func (t *running) names() ([]string, error) {
	var names []string
	t.module.Dict.Each(func(key, value object.Value) bool {
		s, ok := key.AsStr()
		if !ok {
			return true
		}
		name := s.String()
		if _, isFunction := value.AsFunction(); isFunction && strings.HasPrefix(name, "test_") {
			names = append(names, name)
		}
		if class, isClass := value.AsType(); isClass && !class.Static() && strings.HasPrefix(name, "Test") && t.own(value) {
			names = append(names, methods(t.machine.Inner(), value, name, "test_")...)
		} else if isClass && !class.Static() && fuzzes(name) && t.own(value) && len(methods(t.machine.Inner(), value, name, "invariant_")) > 0 {
			names = append(names, name)
		}
		return true
	})
	return names, nil
}

// own says that a class was defined in the test file, not imported.
func (t *running) own(class object.Value) bool {
	module, fault := t.machine.Attr(class, "__module__")
	if fault != nil {
		return false
	}
	s, ok := module.AsStr()
	return ok && s.String() == t.runner.program.Name()
}

// methods are those of a class whose names begin with a prefix, those of its bases first, in the order they are written, as Class.method.
func methods(m *object.Machine, class object.Value, name, prefix string) []string {
	var names []string
	chain, e := m.Attr(class, "__mro__")
	if e != nil {
		return nil
	}
	bases, ok := chain.AsTuple()
	if !ok {
		return nil
	}
	for _, base := range slices.Backward(bases.Items()) {
		attributes, e := m.Attr(base, "__dict__")
		if e != nil {
			continue
		}
		keys, e := m.Collect(attributes)
		if e != nil {
			continue
		}
		for _, key := range keys {
			if s, ok := key.AsStr(); ok && strings.HasPrefix(s.String(), prefix) && !slices.Contains(names, name+"."+s.String()) {
				names = append(names, name+"."+s.String())
			}
		}
	}
	return names
}

// run runs one test and says what went wrong, nothing if all is well.
func (t *running) run(name string) (failure string) {
	defer func() {
		if b, ok := recover().(broken); ok {
			failure = b.Text
		}
	}()
	class, method, inClass := strings.Cut(name, ".")
	target, ok := t.module.Lookup(class)
	if !ok {
		return "no test " + name
	}
	if !inClass {
		return t.call(target)
	}
	instance, fault := t.machine.Call(target)
	if fault != nil {
		return explain(fault)
	}
	t.machine.Inner().Pin(instance)
	failure = t.around(instance, "setUp", "setup_method")
	if failure == "" {
		test, fault := t.machine.Attr(instance, method)
		if fault != nil {
			return explain(fault)
		}
		failure = t.call(test)
	}
	if after := t.around(instance, "tearDown", "teardown_method"); failure == "" {
		failure = after
	}
	return failure
}

// around calls the methods of an instance that are there.
func (t *running) around(instance object.Value, names ...string) string {
	for _, name := range names {
		found, e := t.machine.Inner().LookupAttr(instance, object.NewStatic(name))
		if e != nil || found.IsZero() {
			continue
		}
		if failure := t.call(found); failure != "" {
			return failure
		}
	}
	return ""
}

func (t *running) call(target object.Value) string {
	_, fault := t.machine.Call(target)
	if fault == nil || fault.Kind == pvm.Determinism && strings.Contains(fault.Message, "reference cycle") {
		return "" // a test may leave its own objects as it likes
	}
	return explain(fault)
}

// ownActors is the test file without its tests: lines stay where they are, and blank where something is a test, names cowboy_sdk.testing or comes from
// another file of the project.
func (r *Runner) ownActors() (string, error) {
	tree, err := syntax.Parse(r.source)
	if err != nil {
		return "", err
	}
	lines := strings.Split(string(r.source), "\n")
	out := make([]string, len(lines))
	tools := map[string]bool{}
	for _, s := range tree.Body {
		at := s.At()
		from, keep := int(at.Line), true
		switch s := s.(type) {
		case *syntax.ImportFrom:
			keep = r.onChain(s.Module, s.Names, true, tools)
		case *syntax.Import:
			keep = r.onChain("", s.Names, false, tools)
		case *syntax.FunctionDef:
			from = first(from, s.Decorators)
			keep = !strings.HasPrefix(s.Name, "test_")
		case *syntax.ClassDef:
			from = first(from, s.Decorators)
			keep = !strings.HasPrefix(s.Name, "Test") && !strings.HasPrefix(s.Name, "Fuzz")
		case *syntax.Assign, *syntax.AnnAssign, *syntax.If, *syntax.Try:
		default:
			keep = false
		}
		if keep && !names(s, tools) {
			copy(out[from-1:at.EndLine], lines[from-1:at.EndLine])
		}
	}
	return strings.Join(out, "\n"), nil
}

// onChain says that an import can stay in an actor; what one that cannot binds belongs to the tools.
func (r *Runner) onChain(from string, list []syntax.Alias, whole bool, tools map[string]bool) bool {
	keep := true
	for _, a := range list {
		module := a.Name
		if whole {
			module = from
		}
		_, _, err := r.find(module)
		if module != "cowboy_sdk.testing" && module+"."+a.Name != "cowboy_sdk.testing" && err != nil {
			continue
		}
		keep = false
		tools[a.Name], tools[a.AsName] = true, true
	}
	return keep
}

func first(line int, decorators []syntax.Expr) int {
	for _, d := range decorators {
		line = min(line, int(d.At().Line))
	}
	return line
}

// names says that a statement uses one of the tools of tests.
func names(s syntax.Stmt, tools map[string]bool) bool {
	found := false
	syntax.Parts(s, func(x syntax.Expr) {
		syntax.Inspect(x, func(x syntax.Expr) {
			if n, ok := x.(*syntax.Name); ok && tools[n.ID] {
				found = true
			}
		})
	}, func(body []syntax.Stmt) {
		for _, s := range body {
			found = found || names(s, tools)
		}
	})
	return found
}
