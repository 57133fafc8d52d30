package interp

import (
	. "github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// execute performs the operations that are rare or long; none of them jumps or
// leaves the frame.
func execute(m *object.Machine, f *object.Frame, in *object.Instr) (exc *object.Exception) {
	regs, k := f.Regs, f.L.Code
	a, b := &regs[in.A], regs[in.B]
	switch in.Op {
	case OpNewCell:
		*a = m.NewCell(value{}).Value()
	case OpCellOf:
		*a = m.NewCell(b).Value()
	case OpUnsetCell, OpUnsetFree, OpUnsetGlobal:
		return unset(m, f, in)
	case OpLoadName, OpLoadClassFree, OpStoreName, OpUnsetName, OpAnnotations:
		return names(m, f, in)
	case OpDelAttr:
		return m.SetAttr(*a, k.Names[in.D], value{})
	case OpDelItem:
		return m.DelItem(*a, b)
	case OpSlice:
		*a = m.NewSlice(b, regs[in.B+1], regs[in.B+2])
	case OpItemSlice:
		*a, exc = m.SliceOf(b, regs[in.C], regs[in.C+1])
	case OpNeg:
		m.Meter().Owe(2 * m.Costs().Operand)
		*a, exc = m.Negate(b)
	case OpPos:
		m.Meter().Owe(m.Costs().Operand)
		*a, exc = m.Plus(b)
	case OpInvert:
		m.Meter().Owe(m.Costs().Operand)
		*a, exc = m.InvertBits(b)
	case OpNot:
		var t bool
		m.Meter().Owe(m.Costs().Operand)
		t, exc = m.Truth(b)
		*a = object.Bool(!t)
	case OpCompare:
		m.Meter().Owe(m.Costs().Operand)
		*a, exc = m.Compare(object.CompareOp(in.D), b, regs[in.C])
	case OpIs:
		var t bool
		m.Meter().Owe(m.Costs().Compare)
		t, exc = m.Is(b, regs[in.C])
		*a = object.Bool(t == (in.D != 0))
	case OpIn:
		var t bool
		t, exc = contains(m, regs[in.C], b)
		*a = object.Bool(t == (in.D != 0))
	case OpIterable:
		*a, exc = m.Iterable(b)
	case OpIter:
		return m.StartLoop(b, (*[3]value)(regs[in.A:]))
	case OpUnpack:
		return m.Unpack(b, int(in.C), regs[in.A:int(in.A)+int(in.C)])
	case OpUnpackEx:
		return m.UnpackStar(b, int(in.C), int(in.D), regs[in.A:int(in.A)+int(in.C)+int(in.D)+1])
	case OpMade:
		object.Made(*a)
	case OpSetAdd:
		s, _ := a.AsSet()
		_, exc = s.Add(m, b)
	case OpDictSet:
		exc = object.DictOf(*a).Set(m, b, regs[in.C])
	case OpList, OpTuple, OpSet, OpDict, OpExtend, OpToTuple, OpSetUpdate, OpDictUpdate, OpDictMerge:
		return build(m, f, in)
	case OpArguments:
		*a, exc = m.SpreadArguments(b, regs[in.C])
	case OpKeywords:
		*a, exc = m.SpreadKeywords(b, regs[in.C])
	case OpFormat:
		spec := value{}
		if in.C != NoReg {
			spec = regs[in.C]
		}
		*a, exc = m.FormatValue(b, spec, byte(in.D))
	case OpJoin:
		*a, exc = m.JoinStrings(regs[in.B : int(in.B)+int(in.C)])
	case OpFunction:
		*a, exc = function(m, f, in)
	case OpClass:
		*a, exc = class(m, f, in)
	case OpYieldIter:
		*a, exc = yieldIter(m, f, b)
	case OpAwaitable:
		*a, exc = m.Awaitable(b, int(in.D))
	case OpAsyncYield:
		*a = m.WrapYield(b)
	case OpAIter:
		*a, exc = m.AIter(b)
	case OpANext:
		*a, exc = m.ANext(b)
	case OpPushExc, OpPopExc, OpGroupMatch, OpGroupRaise, OpAssertError, OpEnter, OpAEnter, OpExit:
		return handling(m, f, in)
	case OpImport, OpImportFrom, OpImportStar:
		return imports(m, f, in)
	case OpMatchKeys, OpMatchClass, OpMatchRest, OpMatchItem:
		return match(m, f, in)
	default:
		panic("interp: no such operation: " + Name(in.Op))
	}
	return exc
}

// unset takes its value from a variable: one in a cell, one of an enclosing function, or a global one.
func unset(m *object.Machine, f *object.Frame, in *object.Instr) *object.Exception {
	name := f.L.Code.Names[in.D]
	var c *object.Cell
	switch in.Op {
	case OpUnsetCell:
		c = object.CellOf(f.Regs[in.B])
	case OpUnsetFree:
		c = f.Closure[in.B]
	default:
		m.Meter().Owe(m.Costs().Operand) // what others remember of its place is void
		if !f.L.Image.Globals.DeleteStr(name) {
			return m.NameError(&object.ExcNameError, name, "name '%s' is not defined", name)
		}
		return nil
	}
	if c.V.IsZero() {
		return unbound(m, name, in.Op == OpUnsetFree)
	}
	c.V = value{}
	return nil
}

// handling performs the operations of try, except, assert and with.
func handling(m *object.Machine, f *object.Frame, in *object.Instr) (exc *object.Exception) {
	regs := f.Regs
	a, b := &regs[in.A], regs[in.B]
	switch in.Op {
	case OpPushExc:
		// What a generator finds being handled is its resumer's and may be another
		// one later: the outermost block of a generator saves nothing.
		*a = value{}
		if h := m.Handled(); h != nil && (f.Gen == nil || f.Gen.Handling > 0) {
			*a = h.Value()
		}
		if f.Gen != nil {
			f.Gen.Handling++
		}
		m.SetHandled(object.ExceptionOf(b))
	case OpPopExc:
		if f.Gen != nil {
			f.Gen.Handling--
		}
		switch {
		case !a.IsZero():
			m.SetHandled(object.ExceptionOf(*a))
		case f.Gen != nil:
			m.SetHandled(f.Outer)
		default:
			m.SetHandled(nil)
		}
		*a = value{}
	case OpGroupMatch:
		regs[in.A], regs[in.A+1], exc = m.SplitGroup(*a, b)
	case OpGroupRaise:
		*a, exc = m.JoinGroup(b, regs[in.B+1])
	case OpAssertError:
		*a = object.ExcAssertionError.Value()
	case OpEnter, OpAEnter:
		regs[in.A], regs[in.A+1], exc = m.EnterContext(b, in.Op == OpAEnter)
	case OpExit:
		e := object.ExceptionOf(regs[in.C])
		tb, failed := m.Attr(e.Value(), "__traceback__")
		if failed != nil {
			return failed
		}
		*a, exc = m.Call(b, object.Positional(e.Type().Value(), e.Value(), tb))
	}
	return exc
}

// match performs the operations of a match statement.
func match(m *object.Machine, f *object.Frame, in *object.Instr) (exc *object.Exception) {
	regs, k := f.Regs, f.L.Code
	a, b := &regs[in.A], regs[in.B]
	switch in.Op {
	case OpMatchKeys:
		*a, exc = m.MatchKeys(b, regs[in.C])
	case OpMatchClass:
		*a, exc = m.MatchClass(b, regs[in.C], int(in.D>>16), object.TupleOf(k.Consts[in.D&0xffff]).Items())
	case OpMatchRest:
		*a, exc = m.MatchRest(b, regs[in.C])
	case OpMatchItem:
		*a, exc = m.MatchItem(b, int(in.C), in.D != 0)
	}
	return exc
}

// unbound is the exception for a variable without a value: one of the function itself, or one from around it.
func unbound(m *object.Machine, name *object.Str, outer bool) *object.Exception {
	if outer {
		return m.NameError(&object.ExcNameError, name, "cannot access free variable '%s' where it is not associated with a value in enclosing scope", name)
	}
	return m.NameError(&object.ExcUnboundLocalError, name, "cannot access local variable '%s' where it is not associated with a value", name)
}

// names performs the operations on the namespace of a class body.
func names(m *object.Machine, f *object.Frame, in *object.Instr) *object.Exception {
	name := f.L.Code.Names[in.D%int32(max(len(f.L.Code.Names), 1))]
	switch in.Op {
	case OpStoreName:
		return m.SetName(f.NS, name, f.Regs[in.A])
	case OpUnsetName:
		return m.DelName(f.NS, name)
	case OpAnnotations:
		if f.NS.IsZero() {
			if _, ok := f.L.Image.Globals.GetStr(nameAnnotations); !ok {
				f.L.Image.Globals.SetStr(m, nameAnnotations, m.NewDict().Value())
			}
			return nil
		}
		v, e := m.GetName(f.NS, nameAnnotations)
		if e != nil || !v.IsZero() {
			return e
		}
		return m.SetName(f.NS, nameAnnotations, m.NewDict().Value())
	}
	v, e := m.GetName(f.NS, name)
	if e != nil {
		return e
	}
	if v.IsZero() && in.Op == OpLoadClassFree {
		if v = f.Closure[in.B].V; v.IsZero() {
			return unbound(m, name, true)
		}
	}
	if v.IsZero() {
		var ok bool
		if v, ok = f.L.Image.FindGlobal(name, in.E); !ok {
			return m.NameError(&object.ExcNameError, name, "name '%s' is not defined", name)
		}
	}
	f.Regs[in.A] = v
	return nil
}

var nameAnnotations = object.StaticName("__annotations__")

// longDisplay is the length from which a display in the source asks for its memory
// first; a dict's table takes up to three times what its values do.
const longDisplay = 128

// build makes and fills containers.
func build(m *object.Machine, f *object.Frame, in *object.Instr) *object.Exception {
	regs := f.Regs
	from := regs[in.B : int(in.B)+int(in.C)]
	switch in.Op {
	case OpList, OpTuple, OpSet, OpDict:
		if len(from) > longDisplay {
			if e := m.Reserve(3 * len(from) * object.ValueSize); e != nil {
				return e
			}
		}
	}
	switch in.Op {
	case OpList:
		items := make([]value, len(from))
		copy(items, from)
		regs[in.A] = m.NewList(items).Value()
	case OpTuple:
		regs[in.A] = m.NewTuple(from).Value()
	case OpSet:
		s := m.NewSet(&object.TypeSet)
		object.Making(s.Value())
		for _, v := range from {
			if _, e := s.Add(m, v); e != nil {
				return e
			}
		}
		regs[in.A] = s.Value()
	case OpDict:
		d := m.NewDict()
		object.Making(d.Value())
		d.Expect(int(in.C))
		for i := 0; i < int(in.C); i++ {
			if e := d.Set(m, regs[int(in.B)+2*i], regs[int(in.B)+2*i+1]); e != nil {
				return e
			}
		}
		regs[in.A] = d.Value()
	case OpExtend:
		return m.ExtendDisplay(object.ListOf(regs[in.A]), regs[in.B])
	case OpToTuple:
		items := object.ListOf(regs[in.B]).Items()
		if len(items) > longDisplay {
			if e := m.Reserve(len(items) * object.ValueSize); e != nil {
				return e
			}
		}
		regs[in.A] = m.TupleOf(items).Value() // nothing but the display had the list
	case OpSetUpdate:
		s, _ := regs[in.A].AsSet()
		return m.UpdateSet(s, regs[in.B])
	case OpDictUpdate:
		return m.UpdateMapping(object.DictOf(regs[in.A]), regs[in.B])
	case OpDictMerge:
		return m.MergeKeywords(object.DictOf(regs[in.A]), regs[in.B], regs[in.C])
	}
	switch {
	case in.Op == OpList && in.D != 0:
		object.Making(regs[in.A])
	case (in.Op == OpSet || in.Op == OpDict) && in.D == 0:
		object.Made(regs[in.A])
	}
	return nil
}

// function makes a function of a child of the running code.
func function(m *object.Machine, f *object.Frame, in *object.Instr) (value, *object.Exception) {
	k := f.L.Code.Children[in.D]
	fn := m.NewFunction(f.L.Image.Load(k.Index))
	at := in.B
	if in.C&WithDefaults != 0 {
		fn.Defaults = object.TupleOf(f.Regs[at]).Items()
		at++
	}
	if in.C&WithKwDefaults != 0 {
		fn.KwDefaults = object.TupleOf(f.Regs[at]).Items()
		at++
	}
	if in.C&WithAnnotations != 0 {
		fn.SetAnnotations(f.Regs[at])
	}
	if n := len(k.FreeFrom); n > 0 {
		for i, from := range k.FreeFrom {
			if from.Owned {
				fn.Closure[i] = object.CellOf(f.Regs[f.L.Code.Locals+from.Slot])
			} else {
				fn.Closure[i] = f.Closure[from.Slot]
			}
		}
		m.Account(8 * n)
		m.Meter().Owe(n)
	}
	return fn.Value(), nil
}

// class makes a class: runs the body in a fresh namespace, then calls the
// metaclass.
func class(m *object.Machine, f *object.Frame, in *object.Instr) (value, *object.Exception) {
	body, name := object.FunctionOf(f.Regs[in.B]), f.Regs[in.B+1]
	bases := object.TupleOf(f.Regs[in.B+2])
	var kw *object.Dict
	if v := f.Regs[in.B+3]; !v.IsZero() {
		kw = object.DictOf(v)
	}
	return m.BuildClass(name, bases, kw, body.L.Code.Binds, func(ns value) (value, *object.Exception) {
		regs, room := m.Top()
		nf, e := m.PushFrame(body.L, regs, room, 0)
		if e != nil {
			return value{}, e
		}
		nf.Fn, nf.Closure, nf.NS, nf.PC = body, body.Closure, ns, 0
		nf.Ret = object.ToNative
		clearRegs(nf, 0)
		return run(m)
	})
}

// yieldIter is what yield from steps: coroutines only inside coroutines.
func yieldIter(m *object.Machine, f *object.Frame, v value) (value, *object.Exception) {
	if v.Kind() == object.KindGenerator {
		if v.Type() == &object.TypeCoroutine && f.L.Code.Flags&object.IsCoroutine == 0 {
			return value{}, m.TypeError("cannot 'yield from' a coroutine object in a non-coroutine generator")
		}
		return v, nil
	}
	return m.Iter(v)
}

// imports performs import statements.
func imports(m *object.Machine, f *object.Frame, in *object.Instr) *object.Exception {
	switch in.Op {
	case OpImport:
		v, e := m.ImportName(f.L.Code.Names[in.D], int(in.C), in.B != 0)
		f.Regs[in.A] = v
		return e
	case OpImportFrom:
		v, e := m.ImportAttr(f.Regs[in.B], f.L.Code.Names[in.D])
		f.Regs[in.A] = v
		return e
	}
	return m.ImportStar(f.Regs[in.A], f.L.Image.Globals)
}
