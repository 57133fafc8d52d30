package pyre

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/regex"
)

// Price of compiling a pattern, and for each of its characters.
const (
	compileBase = 100
	compileUnit = 80
)

// Name is the module's name.
const Name = "re"

// Fill makes the module's namespace.
func Fill(m *object.Machine, mod *object.Module) {
	mod.DefineFunc(m, functions...)
	for _, t := range []*object.Type{&typePattern, &typeMatch, &typeError, &typeFlag} {
		mod.Define(m, t.ShortName(), t.Value())
	}
	for _, f := range flagNames {
		mod.Define(m, f.name, newFlag(m, int64(f.flag)))
	}
	c := object.Alloc[cache](m, &typeCache, 0)
	mod.Define(m, cacheName, object.Of(&c.Object))
}

var functions = makeFunctions()

func makeFunctions() []*object.Builtin {
	var list []*object.Builtin
	add := func(name, sig string, f object.Func) {
		b := object.NewBuiltin(object.Method{Name: name, Sig: sig, Func: f})
		b.Module = Name
		list = append(list, b)
	}
	once := func(mode regex.Mode) object.Func {
		return withPattern(2, func(m *object.Machine, p *Pattern, a object.Args) (object.Value, *object.Exception) {
			s, e := newSubject(m, p.prog, a.V[1])
			if e != nil {
				return object.Value{}, e
			}
			return matchOnce(m, p, s, 0, mode)
		})
	}
	add("compile", "pattern, flags=0", withPattern(1, func(m *object.Machine, p *Pattern, a object.Args) (object.Value, *object.Exception) {
		return object.Of(&p.Object), nil
	}))
	add("search", "pattern, string, flags=0", once(regex.Search))
	add("match", "pattern, string, flags=0", once(regex.Match))
	add("fullmatch", "pattern, string, flags=0", once(regex.FullMatch))
	add("findall", "pattern, string, flags=0", withPattern(2, func(m *object.Machine, p *Pattern, a object.Args) (object.Value, *object.Exception) {
		s, e := newSubject(m, p.prog, a.V[1])
		if e != nil {
			return object.Value{}, e
		}
		return findAll(m, p, s, 0)
	}))
	add("finditer", "pattern, string, flags=0", withPattern(2, func(m *object.Machine, p *Pattern, a object.Args) (object.Value, *object.Exception) {
		s, e := newSubject(m, p.prog, a.V[1])
		if e != nil {
			return object.Value{}, e
		}
		return newFinder(m, p, s, 0), nil
	}))
	add("sub", "pattern, repl, string, count=0, flags=0", withPattern(4, func(m *object.Machine, p *Pattern, a object.Args) (object.Value, *object.Exception) {
		r, _, e := substitute(m, p, a.V[1], a.V[2], a.Arg(3))
		return r, e
	}))
	add("subn", "pattern, repl, string, count=0, flags=0", withPattern(4, func(m *object.Machine, p *Pattern, a object.Args) (object.Value, *object.Exception) {
		r, n, e := substitute(m, p, a.V[1], a.V[2], a.Arg(3))
		if e != nil {
			return object.Value{}, e
		}
		return m.Tuple(r, object.Int(int64(n))), nil
	}))
	add("split", "pattern, string, maxsplit=0, flags=0", withPattern(3, func(m *object.Machine, p *Pattern, a object.Args) (object.Value, *object.Exception) {
		return split(m, p, a.V[1], a.Arg(2))
	}))
	add("escape", "pattern", escape)
	add("purge", "", func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		if c := cacheOf(m); c != nil {
			c.clear()
		}
		return object.None, nil
	})
	return list
}

// withPattern compiles the first argument under the flags in argument number flags.
func withPattern(flags int, f func(m *object.Machine, p *Pattern, a object.Args) (object.Value, *object.Exception)) object.Func {
	return func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		p, e := compile(m, a.V[0], a.Arg(flags))
		if e != nil {
			return object.Value{}, e
		}
		return f(m, p, a)
	}
}

// compile is re.compile.
func compile(m *object.Machine, v, flagsArg object.Value) (*Pattern, *object.Exception) {
	flags := int64(0)
	if !flagsArg.IsZero() {
		i, ok := flagsArg.AsInt()
		if !ok {
			return nil, m.TypeError("unsupported operand type(s) for &: '%s' and 'RegexFlag'", flagsArg.Type().Name)
		}
		if !i.IsInt() || int64(int32(i.Int64())) != i.Int64() {
			return nil, m.OverflowError("Python int too large to convert to C int")
		}
		flags = i.Int64()
	}
	if p, ok := object.Cast[Pattern](v, &typePattern); ok {
		if flags != 0 {
			return nil, m.ValueError("cannot process flags argument with a compiled pattern")
		}
		return p, nil
	}
	units, ok := patternUnits(v)
	if !ok {
		return nil, m.TypeError("first argument must be string or compiled pattern")
	}
	if e := m.Charge(compileBase + compileUnit*len(units)); e != nil {
		return nil, e
	}
	_, isText := v.AsStr()
	k := key{isText, regex.Flags(flags), string(object.AppendUTF8(nil, units))}
	c := cacheOf(m)
	if c != nil {
		if prog, ok := c.programs[k]; ok {
			return newPattern(m, v, prog)
		}
	}
	prog, err := regex.Compile(units, isText, k.flags)
	if err != nil {
		return nil, raise(m, err, v)
	}
	if c != nil {
		c.keep(k, prog)
	}
	return newPattern(m, v, prog)
}

func escape(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	if s, ok := a.V[0].AsStr(); ok {
		n := regex.EscapedLen(s.Bytes())
		if e := m.Charge(n); e != nil {
			return object.Value{}, e
		}
		if e := m.Reserve(n); e != nil {
			return object.Value{}, e
		}
		return m.Str(string(regex.AppendEscaped(nil, s.Bytes()))), nil
	}
	b, ok := m.Buffer(a.V[0])
	if !ok {
		return object.Value{}, m.TypeError("decoding to str: need a bytes-like object, %s found", a.V[0].Type().Name)
	}
	if e := m.Charge(2 * len(b)); e != nil {
		return object.Value{}, e
	}
	if e := m.Reserve(2 * len(b)); e != nil {
		return object.Value{}, e
	}
	return m.Bytes(regex.AppendEscaped(nil, b)), nil
}
