package interp

import (
	"unsafe"

	. "github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Evaluator is the interpreter as native code sees it.
type Evaluator struct{}

// CallFunction calls a Python function from native code: an operator, a property,
// a key function. It costs what a call in the program costs, and the way there.
func (Evaluator) CallFunction(m *object.Machine, fn *object.Function, a object.Args) (value, *object.Exception) {
	if e := m.Charge(m.Costs().Call + m.Costs().Nest); e != nil {
		return value{}, e
	}
	if e := m.Nest(); e != nil {
		return value{}, e
	}
	regs, room := m.Top()
	if e := push(m, fn, a.V, a.Names, regs, room); e != nil {
		m.Unnest()
		return value{}, e
	}
	m.Frame.Ret = object.ToNative
	v, e := run(m)
	m.Unnest()
	return v, e
}

// Resume continues a suspended generator from native code.
func (Evaluator) Resume(m *object.Machine, g *object.Generator, sent value, thrown *object.Exception) (value, *object.Exception) {
	if e := m.Nest(); e != nil {
		return value{}, e
	}
	v, e := resume(m, g, sent, thrown)
	m.Unnest()
	return v, e
}

// RunModule runs the code of a module in its image.
func RunModule(m *object.Machine, im *object.Image) *object.Exception {
	regs, room := m.Top()
	f, e := m.PushFrame(im.Load(0), regs, room, 0)
	if e != nil {
		return e
	}
	clearRegs(f, 0)
	f.Ret, f.PC = object.ToNative, 0
	_, e = run(m)
	return e
}

// RunBody runs the code of a class body without making a class: names live in the
// mapping ns, and globals in the code's image.
func RunBody(m *object.Machine, body *object.Loaded, ns value) *object.Exception {
	regs, room := m.Top()
	f, e := m.PushFrame(body, regs, room, 0)
	if e != nil {
		return e
	}
	f.NS, f.Ret, f.PC = ns, object.ToNative, 0
	clearRegs(f, 0)
	_, e = run(m)
	return e
}

// clearRegs unbinds the variables from register n on.
func clearRegs(f *object.Frame, n int) {
	k := f.L.Code
	end := k.Locals + k.Cells
	if k.ClearAll {
		end = k.Regs
	}
	for i := n; i < end; i++ {
		f.Regs[i] = value{}
	}
}

// noKeywords says whether a call site passes positional arguments alone.
func noKeywords(in *object.Instr) bool {
	if in.Op == OpCallMethod {
		return in.D>>16 == 0
	}
	return in.D == 0
}

// kwNames returns the keyword names of a call site.
func kwNames(k *object.Code, in *object.Instr) []*object.Str {
	n := in.D
	if in.Op == OpCallMethod {
		n >>= 16
	}
	if n == 0 {
		return nil
	}
	return k.KwNames[n]
}

// moveArgs copies arguments from a generator's window to the stack.
func moveArgs(f *object.Frame, argv *window, n int) (*window, int) {
	above, room := f.Top()
	if n > room || above == nil { // nothing is above a coroutine the host itself drives
		return argv, 0 // PushFrame copies them to the next piece of the stack
	}
	copy(above[:n], argv[:n])
	return above, room
}

// enter pushes a frame for a call from frame f whose arguments need binding.
func enter(m *object.Machine, f *object.Frame, fn *object.Function, argv *window, argc int, names []*object.Str, room int, dst uint16) *object.Exception {
	if f.Gen != nil {
		argv, room = moveArgs(f, argv, argc)
	}
	if e := push(m, fn, argv[:argc:argc], names, argv, room); e != nil {
		return e
	}
	m.Frame.Dst, m.Frame.Ret = dst, object.ToRegister
	return nil
}

// push binds arguments to the parameters of fn in a new frame at regs.
func push(m *object.Machine, fn *object.Function, args []value, names []*object.Str, regs *window, room int) *object.Exception {
	k := fn.L.Code
	if k.Plain && len(names) == 0 && len(args) == k.Params {
		fits := room >= k.Regs
		f, e := m.PushFrame(fn.L, regs, room, 0)
		if e != nil {
			return e
		}
		if !fits || len(args) > 0 && &args[0] != &f.Regs[0] {
			copy(f.Regs[:len(args)], args)
		}
		f.Fn, f.Closure, f.PC = fn, fn.Closure, 0
		clearRegs(f, len(args))
		return nil
	}
	var buf [12]value
	var bound []value
	if k.Params <= len(buf) {
		bound = buf[:k.Params]
	} else {
		bound = make([]value, k.Params)
	}
	if e := bind(m, fn, args, names, bound); e != nil {
		return e
	}
	f, e := m.PushFrame(fn.L, regs, room, 0)
	if e != nil {
		return e
	}
	copy(f.Regs[:k.Params], bound)
	f.Fn, f.Closure, f.PC = fn, fn.Closure, 0
	clearRegs(f, k.Params)
	return nil
}

// bind distributes arguments over parameters: positional, keyword-only, *args,
// **kwargs, in the order of the registers.
func bind(m *object.Machine, fn *object.Function, args []value, names []*object.Str, out []value) *object.Exception {
	k := fn.L.Code
	pos := args[:len(args)-len(names)]
	n := copy(out[:k.Pos], pos)
	rest := pos[n:]
	at := k.Pos + k.KwOnly
	if k.Flags&object.VarArgs != 0 {
		out[at] = m.Tuple(rest...)
		at++
		m.Meter().Owe(m.Costs().Display + m.Costs().Expanding*len(rest))
	}
	var extra *object.Dict
	if k.Flags&object.VarKeywords != 0 {
		m.Meter().Owe(m.Costs().Mapping)
		extra = m.NewDict()
		extra.Expect(len(names) - k.Pos - k.KwOnly)
		out[at] = extra.Value()
	}
	for i, name := range names {
		if e := bindKeyword(m, fn, out, name, args[len(pos)+i], extra, names); e != nil {
			return e
		}
	}
	if len(rest) > 0 && k.Flags&object.VarArgs == 0 {
		return tooMany(m, fn, len(pos), out)
	}
	return fillDefaults(m, fn, n, out)
}

// positionalOnly lists the positional-only parameters among keyword names.
func positionalOnly(m *object.Machine, k *object.Code, names []*object.Str) object.Pieces {
	m.Meter().Owe(k.PosOnly * len(names))
	var list object.Pieces
	for _, p := range k.VarNames[:k.PosOnly] {
		for _, name := range names {
			if p.Equal(name) {
				if len(list) > 0 {
					list = append(list, ", ")
				}
				list = append(list, p.String())
				break
			}
		}
	}
	return list
}

// bindKeyword gives a parameter the argument v called name, one of names.
func bindKeyword(m *object.Machine, fn *object.Function, out []value, name *object.Str, v value, extra *object.Dict,
	names []*object.Str) *object.Exception {
	k := fn.L.Code
	m.Meter().Owe(m.Costs().DictAccess + k.Pos + k.KwOnly)
	for i := k.PosOnly; i < k.Pos+k.KwOnly; i++ {
		if k.VarNames[i] == name {
			return setParam(m, fn, out, i, v)
		}
	}
	for i := k.PosOnly; i < k.Pos+k.KwOnly; i++ {
		if k.VarNames[i].Equal(name) {
			return setParam(m, fn, out, i, v)
		}
	}
	if extra != nil {
		m.Meter().Owe(m.Costs().DictAccess)
		extra.SetStr(m, name, v)
		return nil
	}
	if list := positionalOnly(m, k, names); len(list) > 0 {
		return m.TypeError("%s() got some positional-only arguments passed as keyword arguments: '%s'", fn.Qualname, list)
	}
	return m.TypeError("%s() got an unexpected keyword argument '%s'", fn.Qualname, name)
}

func setParam(m *object.Machine, fn *object.Function, out []value, i int, v value) *object.Exception {
	if !out[i].IsZero() {
		return m.TypeError("%s() got multiple values for argument '%s'", fn.Qualname, fn.L.Code.VarNames[i])
	}
	out[i] = v
	return nil
}

// fewDefaults is how many defaults of positional parameters a call pays for itself.
const fewDefaults = 4

// fillDefaults gives the parameters that got no argument their defaults; given
// counts the positional arguments.
func fillDefaults(m *object.Machine, fn *object.Function, given int, out []value) *object.Exception {
	k := fn.L.Code
	required := k.Pos - len(fn.Defaults)
	var missing []string
	filled := 0
	for i := given; i < k.Pos; i++ {
		if !out[i].IsZero() {
			continue
		}
		if i >= required {
			out[i] = fn.Defaults[i-required]
			filled++
			continue
		}
		missing = append(missing, k.VarNames[i].String())
	}
	if filled > fewDefaults {
		m.Meter().Owe(m.Costs().DictAccess * (filled - fewDefaults))
	}
	if len(missing) > 0 {
		return m.MissingArguments(fn.Qualname.String(), "positional", missing)
	}
	for i := 0; i < k.KwOnly; i++ {
		p := &out[k.Pos+i]
		if !p.IsZero() {
			continue
		}
		m.Meter().Owe(m.Costs().DictAccess)
		if v := fn.KwDefault(i); !v.IsZero() {
			*p = v
			continue
		}
		missing = append(missing, k.VarNames[k.Pos+i].String())
	}
	if len(missing) > 0 {
		return m.MissingArguments(fn.Qualname.String(), "keyword-only", missing)
	}
	return nil
}

func tooMany(m *object.Machine, fn *object.Function, given int, out []value) *object.Exception {
	k := fn.L.Code
	kwOnly := 0
	for i := 0; i < k.KwOnly; i++ {
		if !out[k.Pos+i].IsZero() {
			kwOnly++
		}
	}
	takes, verb := "", "were"
	if n := len(fn.Defaults); n > 0 {
		takes = "from " + itoa(k.Pos-n) + " to " + itoa(k.Pos) + " positional arguments"
	} else {
		takes = itoa(k.Pos) + " positional argument" + object.Plural(k.Pos)
	}
	if given == 1 && kwOnly == 0 {
		verb = "was"
	}
	if kwOnly > 0 {
		return m.TypeError("%s() takes %s but %d positional argument%s (and %d keyword-only argument%s) %s given",
			fn.Qualname, takes, given, object.Plural(given), kwOnly, object.Plural(kwOnly), verb)
	}
	return m.TypeError("%s() takes %s but %d %s given", fn.Qualname, takes, given, verb)
}

// construct calls a class from frame f. If its __init__ is a Python function and
// nothing else is special, the frame of __init__ is pushed; otherwise the new
// instance is returned.
func construct(m *object.Machine, f *object.Frame, t *object.Type, argc int, in *object.Instr) (value, *object.Exception) {
	base := int(in.B)
	if in.Op != OpCall {
		base++
	}
	k := f.L.Code
	names := kwNames(k, in)
	argv := object.At(f.Regs, base+1)
	init, plain := t.PlainInit()
	if !plain {
		if t.Static() && t.Init == nil && t.New != nil && t != &object.TypeType {
			pins := m.Pinned()
			v, e := t.New(m, t, object.Args{V: argv[:argc:argc], Names: names})
			m.Unpin(pins)
			return v, e
		}
		return m.Apply(t.Value(), object.Args{V: argv[:argc:argc], Names: names})
	}
	self := m.NewInstance(t).Value()
	if init == nil {
		if argc > 0 {
			return value{}, m.TypeError("%s() takes no arguments", t.Name)
		}
		return self, nil
	}
	f.Regs[base] = self
	if e := enter(m, f, init, object.At(f.Regs, base), argc+1, names, f.Limit-base, in.A); e != nil {
		return value{}, e
	}
	m.Meter().Owe(m.Costs().Call) // for __init__
	nf := m.Frame
	nf.Ret, nf.NS = object.ToInit, self
	return value{}, nil
}

// initialised turns the result of __init__ into the instance.
func initialised(m *object.Machine, f *object.Frame, v value) (value, *object.Exception) {
	if !v.IsNone() {
		return value{}, m.TypeError("__init__() should return None, not '%s'", v.Type().Name)
	}
	return f.NS, nil
}

// callEx calls with a tuple of arguments and a dict of keywords.
func callEx(m *object.Machine, f *object.Frame, in *object.Instr) (value, *object.Exception) {
	fn, args, kw := f.Regs[in.B], f.Regs[in.B+1], f.Regs[in.B+2]
	items := object.TupleOf(args).Items()
	if len(items) > longDisplay { // they go to the stack, and perhaps into a tuple again
		if e := m.Reserve(2 * len(items) * object.ValueSize); e != nil {
			return value{}, e
		}
	}
	all := items[:len(items):len(items)]
	var names []*object.Str
	if !kw.IsZero() && object.DictOf(kw).Len() > 0 {
		d := object.DictOf(kw)
		if fn.Kind() == object.KindFunction && len(items)+d.Len() <= fewArgs {
			return value{}, callFew(m, f, in, object.FunctionOf(fn), items, d)
		}
		room := m.Lend(len(items) + d.Len())
		defer m.GiveBack(len(room))
		all = append(room[:0], items...)
		names = make([]*object.Str, 0, d.Len())
		texts := true
		d.Each(func(key, val value) bool {
			if texts = key.Kind() == object.KindStr; texts {
				names = append(names, object.StrOf(key))
				all = append(all, val)
			}
			return texts
		})
		if !texts {
			return value{}, m.TypeError("keywords must be strings")
		}
	}
	if e := m.Charge(m.Costs().Expanding*len(items) + m.Costs().DictAccess*len(names)); e != nil {
		return value{}, e
	}
	if fn.Kind() == object.KindFunction {
		regs, room := f.Top()
		if e := push(m, object.FunctionOf(fn), all, names, regs, room); e != nil {
			return value{}, e
		}
		m.Frame.Dst, m.Frame.Ret = in.A, object.ToRegister
		return value{}, nil
	}
	return m.Apply(fn, object.Args{V: all, Names: names})
}

// fewArgs is how many arguments of a call with keywords from a dict lie on the native stack.
const fewArgs = 12

// callFew is callEx of a Python function with few arguments, some of them in a dict.
func callFew(m *object.Machine, f *object.Frame, in *object.Instr, fn *object.Function, items []value, kw *object.Dict) *object.Exception {
	var args [fewArgs]value
	var names [fewArgs]*object.Str
	n, k := copy(args[:], items), 0
	for i := kw.Next(0); i >= 0; i = kw.Next(i + 1) {
		key, val := kw.Entry(i)
		if key.Kind() != object.KindStr {
			return m.TypeError("keywords must be strings")
		}
		args[n+k], names[k] = val, object.StrOf(key)
		k++
	}
	if e := m.Charge(m.Costs().Expanding*n + m.Costs().DictAccess*k); e != nil {
		return e
	}
	regs, room := f.Top()
	if e := push(m, fn, args[:n+k], names[:k], regs, room); e != nil {
		return e
	}
	m.Frame.Dst, m.Frame.Ret = in.A, object.ToRegister
	return nil
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

var _ = unsafe.Sizeof(0)
