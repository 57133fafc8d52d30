package interp

import (
	. "github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// getItem is v[key]; dicts cost a little more than sequences.
func getItem(m *object.Machine, v, key value) (value, *object.Exception) {
	if v.Kind().Base() == object.KindDict {
		if e := m.Charge((m.Costs().DictAccess - m.Costs().Item)); e != nil {
			return value{}, e
		}
	}
	m.Meter().Owe(m.Costs().Operand)
	return m.GetItem(v, key)
}

// arithmetic gives the operator of each arithmetic instruction.
var arithmetic = [OpEnd]object.Operator{
	OpAdd: object.Add, OpSub: object.Sub_, OpMul: object.Mul, OpTrueDiv: object.TrueDiv, OpFloorDiv: object.FloorDiv,
	OpMod: object.Mod, OpAnd: object.And, OpOr: object.Or, OpXor: object.Xor, OpLShift: object.LShift, OpRShift: object.RShift,
	OpAddI: object.Add, OpSubI: object.Sub_, OpMulI: object.Mul, OpFloorDivI: object.FloorDiv, OpModI: object.Mod,
	OpAndI: object.And, OpLShiftI: object.LShift, OpRShiftI: object.RShift,
}

// operate computes a binary operation that the loop did not do itself.
func operate(m *object.Machine, in *object.Instr, v, w value) (value, *object.Exception) {
	op := arithmetic[in.Op]
	if in.Op == OpBinary {
		op = object.Operator(in.D)
	}
	switch {
	case v.IsInt() && w.IsInt() && op != object.MatMul:
		m.Meter().Owe(m.Costs().Operand)
		return m.IntOp(op, v, w)
	case v.IsFloat() && w.IsFloat():
		if op <= object.Pow || op == object.FloorDiv {
			if op != object.MatMul {
				return m.FloatOp(op, v.FloatBits(), w.FloatBits())
			}
		}
	case v.IsFloat() && w.IsInt() && op < object.Pow && op != object.MatMul:
		m.Meter().Owe(m.Costs().Operand)
		return m.FloatOp(op, v.FloatBits(), softfloat.FromInt64(w.Int64()))
	case v.IsInt() && w.IsFloat() && op < object.Pow && op != object.MatMul:
		m.Meter().Owe(m.Costs().Operand)
		return m.FloatOp(op, softfloat.FromInt64(v.Int64()), w.FloatBits())
	case (v.IsInt() || v.Kind() == object.KindBig) && (w.IsInt() || w.Kind() == object.KindBig) && op != object.MatMul:
		return m.IntOp(op, v, w)
	case op == object.Add && v.Kind() == object.KindStr && w.Kind() == object.KindStr:
		m.Meter().Owe(2 * m.Costs().Operand)
		return m.Concat(object.StrOf(v), object.StrOf(w))
	}
	m.Meter().Owe(2 * m.Costs().Operand)
	if in.E != 0 {
		return m.InPlaceOp(op, v, w)
	}
	return m.BinaryOp(op, v, w)
}

// intsInOrder compares two ints; op is an object.CompareOp.
func intsInOrder(a, b int64, op int32) bool {
	switch object.CompareOp(op) {
	case object.Eq:
		return a == b
	case object.Ne:
		return a != b
	case object.Lt:
		return a < b
	case object.Le:
		return a <= b
	case object.Gt:
		return a > b
	}
	return a >= b
}

// decide evaluates the rarer tests of conditional jumps.
func decide(m *object.Machine, in *object.Instr, regs *window) (bool, *object.Exception) {
	v := regs[in.A]
	switch in.Op {
	case OpJumpIs:
		ok, e := m.Is(v, regs[in.B])
		return ok == (in.C != 0), e
	case OpJumpIn:
		ok, e := contains(m, regs[in.B], v)
		return ok == (in.C != 0), e
	case OpJumpNoMatch:
		ok, e := matches(m, object.ExceptionOf(v), regs[in.B])
		return !ok, e
	case OpMatchSeq:
		return !object.IsSequencePattern(v), nil
	case OpMatchMap:
		return !object.IsMappingPattern(v), nil
	}
	// OpMatchLen
	n, e := m.Len(v)
	if in.C != 0 {
		return n < int(in.B), e
	}
	return n != int(in.B), e
}

func contains(m *object.Machine, v, item value) (bool, *object.Exception) {
	m.Meter().Owe(m.Costs().Compare)
	if v.Kind() == object.KindDict {
		if e := m.Charge(m.Costs().DictAccess - m.Costs().Compare); e != nil {
			return false, e
		}
		if r, ok := object.DictOf(v).FindFast(item); ok {
			return !r.IsZero(), nil
		}
	}
	m.Meter().Owe(m.Costs().Compare)
	switch v.Kind() {
	case object.KindDict: // whose key has to be hashed and compared
		m.Meter().Owe(m.Costs().Compare)
	case object.KindDict | object.Sub:
		m.Meter().Owe(m.Costs().Operand + m.Costs().DictAccess)
	}
	if _, ok := v.AsSet(); ok {
		if e := m.Charge(m.Costs().DictAccess); e != nil {
			return false, e
		}
	}
	return m.Contains(v, item)
}

// matches says whether an except clause for type t catches e.
func matches(m *object.Machine, e *object.Exception, t value) (bool, *object.Exception) {
	if c, ok := t.AsType(); ok {
		if !c.IsSubtype(&object.ExcBaseException) {
			return false, m.TypeError("catching classes that do not inherit from BaseException is not allowed")
		}
		m.OweBases(e.Type())
		return e.Is(c), nil
	}
	tu, ok := t.AsTuple()
	if !ok {
		return false, m.TypeError("catching classes that do not inherit from BaseException is not allowed")
	}
	if e := m.Charge(len(tu.Items()) * (1 + e.Type().BasesPrice())); e != nil {
		return false, e
	}
	for _, x := range tu.Items() {
		if c, ok := x.AsType(); !ok || !c.IsSubtype(&object.ExcBaseException) {
			return false, m.TypeError("catching classes that do not inherit from BaseException is not allowed")
		}
	}
	for _, x := range tu.Items() {
		if e.Is(object.TypeOf(x)) {
			return true, nil
		}
	}
	return false, nil
}

// stepLoop takes the next value of a loop that the interpreter does not step
// itself, or the zero Value.
func stepLoop(m *object.Machine, regs *window, b uint16) (value, *object.Exception) {
	st := regs[b+1]
	at := st.Bits()
	switch st.Ref() {
	case &object.TagTuple:
		items := object.TupleOf(regs[b]).Items()
		if at < uint64(len(items)) {
			regs[b+1] = object.Tagged(&object.TagTuple, at+1)
			return items[at], nil
		}
		return value{}, nil
	case &object.TagStr:
		s := object.StrOf(regs[b])
		if at < uint64(s.Len()) {
			regs[b+1] = object.Tagged(&object.TagStr, at+1)
			if !s.ASCII() {
				m.Meter().Owe(m.Costs().Element)
			}
			return m.Char(s, int(at)), nil
		}
		return value{}, nil
	case &object.TagDict, &object.TagValues, &object.TagItems:
		key, val, ok, e := stepDict(m, regs, b)
		switch {
		case e != nil || !ok:
			return value{}, e
		case st.Ref() == &object.TagDict:
			return key, nil
		case st.Ref() == &object.TagValues:
			return val, nil
		}
		m.Meter().Owe(m.Costs().Display)
		return m.Tuple(key, val), nil
	}
	m.Meter().Owe(m.Costs().Step)
	return m.Next(regs[b])
}

// stepDict steps a loop over a dict.
func stepDict(m *object.Machine, regs *window, b uint16) (key, val value, ok bool, e *object.Exception) {
	d := object.DictOf(regs[b])
	st := regs[b+1]
	next, e := m.NextEntry(d, int(st.Bits()), &regs[b+2])
	if e != nil || next == 0 {
		return value{}, value{}, false, e
	}
	regs[b+1] = object.Tagged(st.Ref(), uint64(next))
	key, val = d.Entry(next - 1)
	return key, val, true, nil
}

// stepPair takes the next two values of a loop over pairs. An error beside true is
// that the element is no pair.
func stepPair(m *object.Machine, regs *window, a, b uint16) (bool, *object.Exception) {
	st := regs[b+1]
	var v value
	switch st.Ref() {
	case &object.TagItems:
		key, val, ok, e := stepDict(m, regs, b)
		if ok {
			regs[a], regs[a+1] = key, val
		}
		return ok, e
	case &object.TagRange:
		if st.Bits() == 0 {
			return false, nil
		}
		v = regs[b]
	case &object.TagList:
		items := object.ListOf(regs[b]).Items()
		if st.Bits() >= uint64(len(items)) {
			regs[b+1] = object.Tagged(&object.TagRange, 0)
			return false, nil
		}
		v = items[st.Bits()]
		regs[b+1] = object.Tagged(&object.TagList, st.Bits()+1)
	case &object.TagNext:
		if x, y, ok, e, is := m.NextPair(regs[b]); is {
			if ok {
				regs[a], regs[a+1] = x, y
			}
			return ok, e
		}
		fallthrough
	default:
		var e *object.Exception
		if v, e = stepLoop(m, regs, b); e != nil || v.IsZero() {
			return false, e
		}
	}
	return true, unpackPair(m, v, regs, a)
}

// unpackPair unpacks a value into two registers.
func unpackPair(m *object.Machine, v value, regs *window, a uint16) *object.Exception {
	if v.Kind() == object.KindTuple {
		if items := object.TupleOf(v).Items(); len(items) == 2 {
			regs[a], regs[a+1] = items[0], items[1]
			return nil
		}
	}
	var out [2]value
	if e := m.Unpack(v, 2, out[:]); e != nil {
		return e
	}
	regs[a], regs[a+1] = out[0], out[1]
	return nil
}

// raise makes the exception of a raise statement.
func raise(m *object.Machine, in *object.Instr, regs *window) *object.Exception {
	if in.C == 0 {
		if e := m.Handled(); e != nil {
			return e
		}
		return m.RuntimeError("No active exception to reraise")
	}
	e, failed := instance(m, regs[in.A])
	if failed != nil {
		return failed
	}
	if in.C == 2 {
		if failed := setCause(m, e, regs[in.B]); failed != nil {
			return failed
		}
	}
	chain(m, e)
	return e
}

// instance turns the operand of raise into an exception.
func instance(m *object.Machine, v value) (e, failed *object.Exception) {
	if e, ok := v.AsException(); ok {
		return e, nil
	}
	if t, ok := v.AsType(); ok && t.IsSubtype(&object.ExcBaseException) {
		r, failed := m.Call(v, object.Args{})
		if failed != nil {
			return nil, failed
		}
		if e, ok := r.AsException(); ok {
			return e, nil
		}
		return nil, m.TypeError("calling %s should have returned an instance of BaseException, not %s", t.Name, r.Type().Name)
	}
	return nil, m.TypeError("exceptions must derive from BaseException")
}

func setCause(m *object.Machine, e *object.Exception, v value) *object.Exception {
	if v.IsNone() {
		e.SetCause(m, v)
		return nil
	}
	c, failed := instance(m, v)
	if failed != nil {
		if failed.Is(&object.ExcTypeError) {
			return m.TypeError("exception causes must derive from BaseException")
		}
		return failed
	}
	e.SetCause(m, c.Value())
	return nil
}

// chain makes the exception being handled the context of e, without closing a
// circle.
func chain(m *object.Machine, e *object.Exception) {
	h := m.Handled()
	if h == nil || h == e {
		return
	}
	n := 0
	for x := h; x.Context != nil && n < 1000; x = x.Context {
		n++
		if x.Context == e {
			x.Context = nil
			break
		}
	}
	m.Meter().Owe(2 * n)
	e.Context = h
}
