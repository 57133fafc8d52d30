package interp

import (
	"math"
	"math/bits"

	. "github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

type (
	value  = object.Value
	window = object.Window
)

// run executes the frame on top of the stack until the frame it began with, or
// one pushed by native code in between, gives its result to native code. The zero
// Value without an exception means that a generator ended.
//
//go:nocheckptr
func run(m *object.Machine) (value, *object.Exception) {
	var (
		f     = m.Frame
		k     = f.L.Code
		code  = k.Instrs
		regs  = f.Regs
		pc    = f.PC
		meter = m.Meter()

		in   *object.Instr
		exc  *object.Exception
		v, w value
		ok   bool
		fn   *object.Function
		l    *object.Loaded
		argc int
		argv *window
		room int
	)
	if !meter.Take(k.Block[pc]) {
		if exc = m.CheckMeter(); exc != nil {
			goto raise
		}
	}
	goto loop

drained:
	// The meter went below zero at the entry of the block at pc.
	f.PC = pc
	if exc = m.CheckMeter(); exc != nil {
		goto raise
	}

loop:
	for {
		in = &code[pc]
		switch in.Op {
		case OpNop:
		case OpMove:
			regs[in.A] = regs[in.B]
		case OpConst:
			regs[in.A] = k.Consts[in.D]
		case OpCheck:
			if regs[in.A].IsZero() {
				exc = unbound(m, k.Names[in.D], in.B != 0)
				goto raise
			}
		case OpUnset:
			regs[in.A] = value{}
		case OpClear:
			for i := in.A; i < in.A+in.B; i++ {
				regs[i] = value{}
			}
		case OpLoadCell:
			v = object.CellOf(regs[in.B]).V
			if v.IsZero() {
				exc = unbound(m, k.Names[in.D], in.C != 0)
				goto raise
			}
			regs[in.A] = v
		case OpStoreCell:
			object.CellOf(regs[in.B]).Set(m, regs[in.A])
		case OpLoadFree:
			v = f.Closure[in.B].V
			if v.IsZero() {
				exc = unbound(m, k.Names[in.D], true)
				goto raise
			}
			regs[in.A] = v
		case OpStoreFree:
			f.Closure[in.B].Set(m, regs[in.A])
		case OpLoadGlobal:
			if v = f.L.Image.Global(in.E); v.IsZero() {
				if v, ok = f.L.Image.FindGlobal(k.Names[in.D], in.E); !ok {
					exc = m.NameError(&object.ExcNameError, k.Names[in.D], "name '%s' is not defined", k.Names[in.D])
					goto raise
				}
			}
			regs[in.A] = v
		case OpStoreGlobal:
			f.L.Image.StoreGlobal(m, k.Names[in.D], in.E, regs[in.A])

		case OpAttr:
			v = regs[in.B]
			cache := m.Cache(f.L, in.E)
			if v.Kind() == object.KindInstance && cache.State == object.CacheSlot && object.InstanceOf(v).Fits(cache) {
				if v = object.InstanceOf(v).At(cache.Index); !v.IsZero() {
					regs[in.A] = v
					pc++
					continue
				}
			}
			f.PC = pc
			if v, exc = m.AttrCached(regs[in.B], k.Names[in.D], cache); exc != nil {
				goto raise
			}
			regs[in.A] = v
		case OpSetAttr:
			f.PC = pc
			if exc = m.SetAttrCached(regs[in.A], k.Names[in.D], regs[in.B], m.Cache(f.L, in.E)); exc != nil {
				goto raise
			}

		case OpItem:
			v, w = regs[in.B], regs[in.C]
			switch v.Kind() {
			case object.KindList:
				if w.IsInt() {
					items := object.ListOf(v).Items()
					i := w.Int64()
					if i < 0 {
						i += int64(len(items))
					}
					if uint64(i) < uint64(len(items)) {
						regs[in.A] = items[i]
						pc++
						continue
					}
				}
			case object.KindDict:
				if !meter.Take(1) {
					f.PC = pc
					if exc = m.CheckMeter(); exc != nil {
						goto raise
					}
				}
				if w, ok = object.DictOf(v).FindFast(w); ok && !w.IsZero() {
					regs[in.A] = w
					pc++
					continue
				}
				meter.GiveBack(1)
			case object.KindTuple:
				if w.IsInt() {
					items := object.TupleOf(v).Items()
					i := w.Int64()
					if i < 0 {
						i += int64(len(items))
					}
					if uint64(i) < uint64(len(items)) {
						regs[in.A] = items[i]
						pc++
						continue
					}
				}
			}
			f.PC = pc
			if v, exc = getItem(m, regs[in.B], regs[in.C]); exc != nil {
				goto raise
			}
			regs[in.A] = v
		case OpItemK:
			v, w = regs[in.B], k.Consts[in.D]
			switch v.Kind() {
			case object.KindDict:
				if !meter.Take(1) {
					f.PC = pc
					if exc = m.CheckMeter(); exc != nil {
						goto raise
					}
				}
				if w, ok = object.DictOf(v).FindFast(w); ok && !w.IsZero() {
					regs[in.A] = w
					pc++
					continue
				}
				meter.GiveBack(1)
			case object.KindList, object.KindTuple:
				if w.IsInt() {
					var items []value
					if v.Kind() == object.KindList {
						items = object.ListOf(v).Items()
					} else {
						items = object.TupleOf(v).Items()
					}
					i := w.Int64()
					if i < 0 {
						i += int64(len(items))
					}
					if uint64(i) < uint64(len(items)) {
						regs[in.A] = items[i]
						pc++
						continue
					}
				}
			}
			f.PC = pc
			if v, exc = getItem(m, regs[in.B], k.Consts[in.D]); exc != nil {
				goto raise
			}
			regs[in.A] = v
		case OpSetItem:
			v, w = regs[in.A], regs[in.B]
			f.PC = pc
			switch v.Kind() {
			case object.KindList:
				if w.IsInt() {
					l := object.ListOf(v)
					i := w.Int64()
					if i < 0 {
						i += int64(l.Len())
					}
					if uint64(i) < uint64(l.Len()) {
						l.StoreItem(m, int(i), regs[in.C])
						pc++
						continue
					}
				}
			case object.KindDict:
				if !meter.Take(1) {
					if exc = m.CheckMeter(); exc != nil {
						goto raise
					}
				}
				if !object.DictOf(v).SetFast(m, w, regs[in.C]) {
					if exc = object.DictOf(v).Set(m, w, regs[in.C]); exc != nil {
						goto raise
					}
				}
				pc++
				continue
			}
			if exc = m.SetItem(v, w, regs[in.C]); exc != nil {
				goto raise
			}

		case OpAdd:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				a, b := v.Int64(), w.Int64()
				if s := a + b; (s^a)&(s^b) >= 0 {
					regs[in.A] = object.Int(s)
					pc++
					continue
				}
			} else if v.IsFloat() && w.IsFloat() {
				meter.Owe(m.Costs().Float)
				regs[in.A] = object.Float(softfloat.Add(v.FloatBits(), w.FloatBits()))
				pc++
				continue
			}
			goto arith
		case OpSub:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				a, b := v.Int64(), w.Int64()
				if s := a - b; (a^b)&(a^s) >= 0 {
					regs[in.A] = object.Int(s)
					pc++
					continue
				}
			} else if v.IsFloat() && w.IsFloat() {
				meter.Owe(m.Costs().Float)
				regs[in.A] = object.Float(softfloat.Sub(v.FloatBits(), w.FloatBits()))
				pc++
				continue
			}
			goto arith
		case OpMul:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				a, b := v.Int64(), w.Int64()
				hi, lo := bits.Mul64(uint64(a), uint64(b))
				if int64(hi)-(a>>63)&b-(b>>63)&a == int64(lo)>>63 {
					regs[in.A] = object.Int(int64(lo))
					pc++
					continue
				}
			} else if v.IsFloat() && w.IsFloat() {
				meter.Owe(m.Costs().Float)
				regs[in.A] = object.Float(softfloat.Mul(v.FloatBits(), w.FloatBits()))
				pc++
				continue
			}
			goto arith
		case OpTrueDiv:
			v, w = regs[in.B], regs[in.C]
			if v.IsFloat() && w.IsFloat() && !softfloat.IsZero(w.FloatBits()) {
				meter.Owe(m.Costs().FloatDiv)
				regs[in.A] = object.Float(softfloat.Div(v.FloatBits(), w.FloatBits()))
				pc++
				continue
			}
			if v.IsInt() && w.IsInt() && w.Int64() != 0 && object.ExactFloat(v.Int64()) && object.ExactFloat(w.Int64()) {
				meter.Owe(m.Costs().FloatDiv + m.Costs().Float)
				regs[in.A] = object.Float(softfloat.Div(softfloat.FromInt64(v.Int64()), softfloat.FromInt64(w.Int64())))
				pc++
				continue
			}
			goto arith
		case OpFloorDiv:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				if a, b := v.Int64(), w.Int64(); b > 0 || b < -1 {
					q := a / b
					if r := a - q*b; r != 0 && r^b < 0 {
						q--
					}
					regs[in.A] = object.Int(q)
					pc++
					continue
				}
			}
			goto arith
		case OpMod:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				if a, b := v.Int64(), w.Int64(); b > 0 || b < -1 {
					r := a % b
					if r != 0 && r^b < 0 {
						r += b
					}
					regs[in.A] = object.Int(r)
					pc++
					continue
				}
			}
			goto arith
		case OpAnd:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				regs[in.A] = object.Int(v.Int64() & w.Int64())
				pc++
				continue
			}
			goto arith
		case OpOr:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				regs[in.A] = object.Int(v.Int64() | w.Int64())
				pc++
				continue
			}
			goto arith
		case OpXor:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				regs[in.A] = object.Int(v.Int64() ^ w.Int64())
				pc++
				continue
			}
			goto arith
		case OpLShift:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				if a, b := v.Int64(), w.Int64(); uint64(b) < 63 {
					if s := a << b; s>>b == a {
						regs[in.A] = object.Int(s)
						pc++
						continue
					}
				}
			}
			goto arith
		case OpRShift:
			v, w = regs[in.B], regs[in.C]
			if v.IsInt() && w.IsInt() {
				if a, b := v.Int64(), w.Int64(); uint64(b) < 64 {
					regs[in.A] = object.Int(a >> b)
					pc++
					continue
				}
			}
			goto arith
		case OpBinary:
			v, w = regs[in.B], regs[in.C]
			goto arith

		case OpAddI:
			if v = regs[in.B]; v.IsInt() {
				a, b := v.Int64(), int64(in.D)
				if s := a + b; (s^a)&(s^b) >= 0 {
					regs[in.A] = object.Int(s)
					pc++
					continue
				}
			}
			goto arithI
		case OpSubI:
			if v = regs[in.B]; v.IsInt() {
				a, b := v.Int64(), int64(in.D)
				if s := a - b; (a^b)&(a^s) >= 0 {
					regs[in.A] = object.Int(s)
					pc++
					continue
				}
			}
			goto arithI
		case OpMulI:
			if v = regs[in.B]; v.IsInt() {
				a, b := v.Int64(), int64(in.D)
				hi, lo := bits.Mul64(uint64(a), uint64(b))
				if int64(hi)-(a>>63)&b-(b>>63)&a == int64(lo)>>63 {
					regs[in.A] = object.Int(int64(lo))
					pc++
					continue
				}
			}
			goto arithI
		case OpFloorDivI:
			if v = regs[in.B]; v.IsInt() && in.D > 0 {
				a, b := v.Int64(), int64(in.D)
				q := a / b
				if a-q*b < 0 {
					q--
				}
				regs[in.A] = object.Int(q)
				pc++
				continue
			}
			goto arithI
		case OpModI:
			if v = regs[in.B]; v.IsInt() && in.D > 0 {
				a, b := v.Int64(), int64(in.D)
				r := a % b
				if r < 0 {
					r += b
				}
				regs[in.A] = object.Int(r)
				pc++
				continue
			}
			goto arithI
		case OpAndI:
			if v = regs[in.B]; v.IsInt() {
				regs[in.A] = object.Int(v.Int64() & int64(in.D))
				pc++
				continue
			}
			goto arithI
		case OpLShiftI:
			if v = regs[in.B]; v.IsInt() && uint32(in.D) < 63 {
				a := v.Int64()
				if s := a << uint(in.D); s>>uint(in.D) == a {
					regs[in.A] = object.Int(s)
					pc++
					continue
				}
			}
			goto arithI
		case OpRShiftI:
			if v = regs[in.B]; v.IsInt() && uint32(in.D) < 64 {
				regs[in.A] = object.Int(v.Int64() >> uint(in.D))
				pc++
				continue
			}
			goto arithI
		case OpNeg:
			if v = regs[in.B]; v.IsInt() && v.Int64() != math.MinInt64 {
				regs[in.A] = object.Int(-v.Int64())
				pc++
				continue
			} else if v.IsFloat() {
				regs[in.A] = object.Float(softfloat.Neg(v.FloatBits()))
				pc++
				continue
			}
			goto cold
		case OpInvert:
			if v = regs[in.B]; v.IsInt() {
				regs[in.A] = object.Int(^v.Int64())
				pc++
				continue
			}
			goto cold
		case OpNot:
			if v = regs[in.B]; v.IsBool() || v.IsInt() {
				regs[in.A] = object.Bool(v.Bits() == 0)
				pc++
				continue
			}
			goto cold
		case OpCompare:
			if v, w = regs[in.B], regs[in.C]; v.IsInt() && w.IsInt() {
				regs[in.A] = object.Bool(intsInOrder(v.Int64(), w.Int64(), in.D))
				pc++
				continue
			}
			goto cold
		case OpIs:
			if v, w = regs[in.B], regs[in.C]; v.IsNone() || w.IsNone() || v.Kind() >= object.KindSlice && w.Kind() >= object.KindSlice {
				regs[in.A] = object.Bool((v == w) == (in.D != 0))
				pc++
				continue
			}
			goto cold

		case OpJump:
			pc = int(in.D)
			if !meter.Take(k.Block[pc]) {
				goto drained
			}
			continue
		case OpJumpTrue:
			if v = regs[in.A]; v.IsBool() || v.IsInt() {
				ok = v.Bits() != 0
			} else {
				f.PC = pc
				if ok, exc = m.Truth(v); exc != nil {
					goto raise
				}
			}
			goto branch
		case OpJumpFalse:
			if v = regs[in.A]; v.IsBool() || v.IsInt() {
				ok = v.Bits() == 0
			} else {
				f.PC = pc
				if ok, exc = m.Truth(v); exc != nil {
					goto raise
				}
				ok = !ok
			}
			goto branch
		case OpJumpNone:
			ok = regs[in.A].IsNone() == (in.C != 0)
			goto branch
		case OpJumpEq:
			v, w = regs[in.A], regs[in.B]
			if v.IsInt() && w.IsInt() {
				ok = (v.Int64() == w.Int64()) == (in.C != 0)
				goto branch
			}
			if v.Kind() == object.KindStr && w.Kind() == object.KindStr {
				ok = (v == w || m.SameText(v, w)) == (in.C != 0)
				goto branch
			}
			f.PC = pc
			if ok, exc = m.Equal(v, w); exc != nil {
				goto raise
			}
			ok = ok == (in.C != 0)
			goto branch
		case OpJumpNe:
			v, w = regs[in.A], regs[in.B]
			if v.IsInt() && w.IsInt() {
				ok = (v.Int64() != w.Int64()) == (in.C != 0)
				goto branch
			}
			if v.Kind() == object.KindStr && w.Kind() == object.KindStr {
				ok = (v == w || m.SameText(v, w)) != (in.C != 0)
				goto branch
			}
			goto compareJump
		case OpJumpLt:
			v, w = regs[in.A], regs[in.B]
			if v.IsInt() && w.IsInt() {
				ok = (v.Int64() < w.Int64()) == (in.C != 0)
				goto branch
			}
			goto compareJump
		case OpJumpLe:
			v, w = regs[in.A], regs[in.B]
			if v.IsInt() && w.IsInt() {
				ok = (v.Int64() <= w.Int64()) == (in.C != 0)
				goto branch
			}
			goto compareJump
		case OpJumpGt:
			v, w = regs[in.A], regs[in.B]
			if v.IsInt() && w.IsInt() {
				ok = (v.Int64() > w.Int64()) == (in.C != 0)
				goto branch
			}
			goto compareJump
		case OpJumpGe:
			v, w = regs[in.A], regs[in.B]
			if v.IsInt() && w.IsInt() {
				ok = (v.Int64() >= w.Int64()) == (in.C != 0)
				goto branch
			}
			goto compareJump
		case OpJumpEqI:
			if v = regs[in.A]; v.IsInt() {
				ok = (v.Int64() == int64(int32(in.E))) == (in.C != 0)
				goto branch
			}
			goto compareJumpI
		case OpJumpNeI:
			if v = regs[in.A]; v.IsInt() {
				ok = (v.Int64() != int64(int32(in.E))) == (in.C != 0)
				goto branch
			}
			goto compareJumpI
		case OpJumpLtI:
			if v = regs[in.A]; v.IsInt() {
				ok = (v.Int64() < int64(int32(in.E))) == (in.C != 0)
				goto branch
			}
			goto compareJumpI
		case OpJumpLeI:
			if v = regs[in.A]; v.IsInt() {
				ok = (v.Int64() <= int64(int32(in.E))) == (in.C != 0)
				goto branch
			}
			goto compareJumpI
		case OpJumpGtI:
			if v = regs[in.A]; v.IsInt() {
				ok = (v.Int64() > int64(int32(in.E))) == (in.C != 0)
				goto branch
			}
			goto compareJumpI
		case OpJumpGeI:
			if v = regs[in.A]; v.IsInt() {
				ok = (v.Int64() >= int64(int32(in.E))) == (in.C != 0)
				goto branch
			}
			goto compareJumpI
		case OpJumpIs, OpJumpIn, OpJumpNoMatch, OpMatchSeq, OpMatchMap, OpMatchLen:
			f.PC = pc
			if ok, exc = decide(m, in, regs); exc != nil {
				goto raise
			}
			goto branch

		case OpFor:
			v = regs[in.B+1]
			if v.Ref() == &object.TagRange {
				if v.Bits() != 0 {
					at := regs[in.B]
					regs[in.A] = at
					regs[in.B] = object.Int(at.Int64() + regs[in.B+2].Int64())
					regs[in.B+1] = object.Tagged(&object.TagRange, v.Bits()-1)
					pc = int(in.D)
					if !meter.Take(in.E + k.Block[pc]) {
						goto drained
					}
					continue
				}
				goto exhausted
			}
			if v.Ref() == &object.TagList {
				items := object.ListOf(regs[in.B]).Items()
				if i := v.Bits(); i < uint64(len(items)) {
					regs[in.A] = items[i]
					regs[in.B+1] = object.Tagged(&object.TagList, i+1)
					pc = int(in.D)
					if !meter.Take(in.E + k.Block[pc]) {
						goto drained
					}
					continue
				}
				// A list that grows afterwards does not revive the loop.
				regs[in.B+1] = object.Tagged(&object.TagRange, 0)
				goto exhausted
			}
			if v.Ref() == &object.TagStr {
				if w = object.CharASCII(regs[in.B], v.Bits()); !w.IsZero() {
					regs[in.A] = w
					regs[in.B+1] = object.Tagged(&object.TagStr, v.Bits()+1)
					pc = int(in.D)
					if !meter.Take(in.E + k.Block[pc]) {
						goto drained
					}
					continue
				}
			}
			f.PC = pc
			if v.Ref() == &object.TagGenerator {
				g := object.GeneratorOf(regs[in.B])
				if g.Done {
					goto exhausted
				}
				if g.Running {
					exc = m.ValueError("generator already executing")
					goto raise
				}
				if !meter.Take(in.E) {
					if exc = m.CheckMeter(); exc != nil {
						goto raise
					}
				}
				if exc = m.EnterGenerator(g); exc != nil {
					goto raise
				}
				f = m.Frame
				f.Ret = object.ToIterate
				v = object.None
				goto resume
			}
			if v, exc = stepLoop(m, regs, in.B); exc != nil {
				goto raise
			}
			if v.IsZero() {
				goto exhausted
			}
			regs[in.A] = v
			pc = int(in.D)
			if !meter.Take(in.E + k.Block[pc]) {
				goto drained
			}
			continue
		case OpFor2:
			f.PC = pc
			if regs[in.B+1].Ref() == &object.TagGenerator {
				g := object.GeneratorOf(regs[in.B])
				if g.Done {
					goto exhausted
				}
				if g.Running {
					exc = m.ValueError("generator already executing")
					goto raise
				}
				if !meter.Take(in.E) {
					if exc = m.CheckMeter(); exc != nil {
						goto raise
					}
				}
				if exc = m.EnterGenerator(g); exc != nil {
					goto raise
				}
				f = m.Frame
				f.Ret = object.ToIterate
				v = object.None
				goto resume
			}
			if ok, exc = stepPair(m, regs, in.A, in.B); exc != nil {
				if ok {
					goto unpaired
				}
				goto raise
			}
			if !ok {
				goto exhausted
			}
			pc = int(in.D)
			if !meter.Take(in.E + k.Block[pc]) {
				goto drained
			}
			continue

		case OpAppend:
			object.ListOf(regs[in.A]).Append(m, regs[in.B])

		case OpCallMethod:
			v = regs[in.B+1]
			cache := m.Cache(f.L, in.E)
			if w = cache.Method(v); w.IsZero() {
				f.PC = pc
				var bound bool
				if w, bound, exc = m.FindMethod(v, k.Names[in.D&0xffff], cache); exc != nil {
					goto raise
				}
				if bound {
					regs[in.B+1] = w
					argv, argc = object.At(regs, int(in.B)+2), int(in.C)
					room = f.Limit - int(in.B) - 2
					goto call
				}
			}
			argv, argc = object.At(regs, int(in.B)+1), int(in.C)+1
			room = f.Limit - int(in.B) - 1
			goto call
		case OpMethod:
			v = regs[in.B]
			cache := m.Cache(f.L, in.E)
			if w = cache.Method(v); w.IsZero() {
				f.PC = pc
				var bound bool
				if w, bound, exc = m.FindMethod(v, k.Names[in.D], cache); exc != nil {
					goto raise
				}
				if bound {
					v, w = w, value{}
				}
			}
			regs[in.A], regs[in.A+1] = w, v
		case OpCallLoaded:
			if w = regs[in.B]; w.IsZero() {
				w = regs[in.B+1]
				argv, argc = object.At(regs, int(in.B)+2), int(in.C)
				room = f.Limit - int(in.B) - 2
				goto call
			}
			argv, argc = object.At(regs, int(in.B)+1), int(in.C)+1
			room = f.Limit - int(in.B) - 1
			goto call
		case OpCall:
			w = regs[in.B]
			argv, argc = object.At(regs, int(in.B)+1), int(in.C)
			room = f.Limit - int(in.B) - 1
			goto call
		case OpCallEx:
			f.PC = pc
			if v, exc = callEx(m, f, in); exc != nil {
				goto raise
			}
			if f != m.Frame {
				goto entered
			}
			regs[in.A] = v
			pc++
			if !meter.Take(k.Block[pc]) {
				goto drained
			}
			continue
		case OpReturn:
			v = regs[in.A]
			goto ret
		case OpReturnNone:
			v = object.None
			goto ret

		case OpGenerator:
			// Makes the generator of this frame and returns it.
			f.PC = pc
			v = suspendNew(m, f)
			goto ret
		case OpYield:
			v = regs[in.B]
			f.PC = pc
			goto yield
		case OpSend:
			f.PC = pc
			w = regs[in.B]
			if w.Kind() == object.KindGenerator {
				g := object.GeneratorOf(w)
				if !g.Done && !g.Running && (g.Started || regs[in.C].IsNone()) {
					if exc = m.EnterGenerator(g); exc != nil {
						goto raise
					}
					f.Gen.Delegate = w
					v = regs[in.C]
					f = m.Frame
					f.Ret = object.ToDelegate
					goto resume
				}
			}
			if v, ok, exc = stepDelegate(m, f, w, regs[in.C]); exc != nil {
				goto raise
			}
			if ok {
				goto yield
			}
			regs[in.A] = v
			pc++
			if !meter.Take(k.Block[pc]) {
				goto drained
			}
			continue

		case OpRaise:
			f.PC = pc
			exc = raise(m, in, regs)
			if in.C == 0 && len(exc.Trace) > 0 { // the one that is handled, which has passed here already
				goto reraise
			}
			goto raise
		case OpReraise:
			f.PC = pc
			exc = object.ExceptionOf(regs[in.A])
			goto reraise

		default:
			goto cold
		}
		pc++
		continue

	cold:
		// Operations that are rare or long: none of them leaves the frame or jumps.
		f.PC = pc
		if exc = execute(m, f, in); exc != nil {
			goto raise
		}
		pc++
	}

branch:
	if ok {
		pc = int(in.D)
	} else {
		pc++
	}
	if !meter.Take(k.Block[pc]) {
		goto drained
	}
	goto loop

exhausted:
	pc++
	if !meter.Take(in.E + k.Block[pc]) {
		goto drained
	}
	goto loop

compareJump:
	f.PC = pc
	meter.Owe(m.Costs().Compare)
	if ok, exc = m.CompareBool(object.CompareOp(in.Op-OpJumpEq), v, w); exc != nil {
		goto raise
	}
	ok = ok == (in.C != 0)
	goto branch

compareJumpI:
	f.PC = pc
	meter.Owe(m.Costs().Compare)
	if ok, exc = m.CompareBool(object.CompareOp(in.Op-OpJumpEqI), v, object.Int(int64(int32(in.E)))); exc != nil {
		goto raise
	}
	ok = ok == (in.C != 0)
	goto branch

arith:
	f.PC = pc
	if v, exc = operate(m, in, v, w); exc != nil {
		goto raise
	}
	regs[in.A] = v
	pc++
	goto loop

arithI:
	f.PC = pc
	if v, exc = operate(m, in, v, object.Int(int64(in.D))); exc != nil {
		goto raise
	}
	regs[in.A] = v
	pc++
	goto loop

call:
	// Calls w with argc arguments at argv, the last of them named if the call site
	// says so; room values follow argv on the stack.
	f.PC = pc
	switch w.Kind() {
	case object.KindFunction:
		fn = object.FunctionOf(w)
		l = fn.L
		if l.Code.Params == argc && l.Code.Plain && noKeywords(in) {
			if f.Gen != nil {
				argv, room = moveArgs(f, argv, argc)
			}
			if f, exc = m.PushFrame(l, argv, room, argc); exc != nil {
				f = m.Frame
				goto raise
			}
			f.Fn, f.Closure, f.Dst, f.Ret = fn, fn.Closure, in.A, object.ToRegister
			k = l.Code
			regs = f.Regs
			for i := argc; i < k.Locals+k.Cells; i++ {
				regs[i] = value{}
			}
			code = k.Instrs
			pc = 0
			if !meter.Take(k.Block[0]) {
				goto drained
			}
			goto loop
		}
		if exc = enter(m, f, fn, argv, argc, kwNames(k, in), room, in.A); exc != nil {
			goto raise
		}
		goto entered
	case object.KindBuiltin:
		b := object.BuiltinOf(w)
		if b.Direct(argc) && noKeywords(in) {
			if !b.HasReceiver() || b.Receiver(argv[0]) {
				pins := m.Pinned()
				v, exc = b.Fn(m, object.Args{V: argv[:argc:argc]})
				if m.Pinned() > pins {
					m.Unpin(pins)
				}
				goto result
			}
		}
		pins := m.Pinned()
		v, exc = b.Call(m, object.Args{V: argv[:argc:argc], Names: kwNames(k, in)})
		if m.Pinned() > pins {
			m.Unpin(pins)
		}
	case object.KindMethod:
		b := object.MethodOf(w)
		if b.Func.Kind() == object.KindMethod { // there is one register for one receiver
			v, exc = m.Apply(w, object.Args{V: argv[:argc:argc], Names: kwNames(k, in)})
			break
		}
		// The register before the arguments held the method: it is free for the
		// receiver.
		argv = object.Before(argv)
		argv[0] = b.Self
		argc, room = argc+1, room+1
		w = b.Func
		goto call
	case object.KindType:
		if v, exc = construct(m, f, object.TypeOf(w), argc, in); exc == nil && f != m.Frame {
			goto entered
		}
	default:
		v, exc = m.Apply(w, object.Args{V: argv[:argc:argc], Names: kwNames(k, in)})
	}
result:
	if exc != nil {
		goto raise
	}
	regs[in.A] = v
	pc++
	if !meter.Take(k.Block[pc]) {
		goto drained
	}
	goto loop

entered:
	// A new frame is on top of the stack.
	f = m.Frame
	k = f.L.Code
	code, regs, pc = k.Instrs, f.Regs, 0
	if !meter.Take(k.Block[0]) {
		goto drained
	}
	goto loop

ret:
	// Leaves the frame with result v.
	if f.Gen != nil && in.Op != OpGenerator {
		goto finished
	}
	{
		how, dst := f.Ret, f.Dst
		if how == object.ToInit {
			v, exc = initialised(m, f, v)
		}
		m.PopFrame()
		if how == object.ToNative {
			return v, nil
		}
		f = m.Frame
		k = f.L.Code
		code, regs, pc = k.Instrs, f.Regs, f.PC
		if how == object.ToInit && exc != nil {
			goto raise
		}
		regs[dst] = v
		pc++
		if !meter.Take(k.Block[pc]) {
			goto drained
		}
	}
	goto loop

finished:
	// The generator on top returns v.
	{
		g := f.Gen
		how := f.Ret
		m.LeaveGenerator(g)
		if how == object.ToNative {
			g.Finish(v)
			return value{}, nil
		}
		g.Finish(object.None) // the result goes to whoever resumed it, once
		f = m.Frame
		k = f.L.Code
		code, regs, pc = k.Instrs, f.Regs, f.PC
		in = &code[pc]
		if how == object.ToDelegate {
			f.Gen.Delegate = value{}
			regs[in.A] = v
		}
		pc++
		if !meter.Take(k.Block[pc]) {
			goto drained
		}
	}
	goto loop

yield:
	// The generator on top hands v to whoever resumed it.
	{
		g := f.Gen
		how := f.Ret
		if how == object.ToNative && m.Feed(g, v) {
			v = object.None
			goto resume
		}
		m.LeaveGenerator(g)
		m.NoteSuspended(g)
		if how == object.ToNative {
			return v, nil
		}
		f = m.Frame
		k = f.L.Code
		code, regs, pc = k.Instrs, f.Regs, f.PC
		in = &code[pc]
		if how == object.ToDelegate {
			goto yield
		}
		if in.Op == OpFor2 {
			if exc = unpackPair(m, v, regs, in.A); exc != nil {
				goto unpaired
			}
		} else {
			regs[in.A] = v
		}
		pc = int(in.D)
		if !meter.Take(k.Block[pc]) {
			goto drained
		}
	}
	goto loop

resume:
	// Continues the generator on top with v sent in.
	f.Gen.Started = true
	k = f.L.Code
	code, regs, pc = k.Instrs, f.Regs, f.PC
	in = &code[pc]
	switch in.Op {
	case OpYield:
		regs[in.A] = v
		pc++
	case OpSend:
		regs[in.C] = v
	default:
		pc++
	}
	if !meter.Take(k.Block[pc]) {
		goto drained
	}
	goto loop

unpaired:
	// The element of a loop over pairs is none: its error stands where the jump before the body does.
	if exc.Fatal == object.NotFatal {
		exc.Trace = append(exc.Trace, object.TraceEntry{Code: k, PC: in.D - 1})
	}
	goto reraise

raise:
	// Unwinds to the handler of exc: pc is the instruction that failed in frame f.
	if exc.Fatal != object.HostFailure {
		exc.Trace = append(exc.Trace, object.TraceEntry{Code: k, PC: int32(pc)})
	}
reraise:
	if exc.Fatal == object.NotFatal {
		meter.GiveBack(k.Rest[pc])
		if k.Guard != nil && k.Guard[pc] >= 0 {
			h := k.Guard[pc]
			regs[k.Handlers[h].Reg] = exc.Value()
			pc = int(k.Handlers[h].Target)
			if !meter.Take(k.Block[pc]) {
				goto drained
			}
			goto loop
		}
	}
	{
		how := f.Ret
		if g := f.Gen; g != nil {
			m.LeaveGenerator(g)
			g.Finish(object.None)
			exc = leaveGenerator(m, g, exc)
		} else {
			m.PopFrame()
		}
		if how == object.ToNative {
			return value{}, exc
		}
		f = m.Frame
		k = f.L.Code
		code, regs, pc = k.Instrs, f.Regs, f.PC
		if how == object.ToDelegate {
			f.Gen.Delegate = value{}
		}
	}
	goto raise
}
