package object

import (
	"math"
	"math/big"
	"math/bits"
)

// TypeRange is range.
var TypeRange Type

// wideRange holds the bounds of a range that does not fit 64 bits.
type wideRange struct{ start, stop, step, n *big.Int }

func defineRange() {
	Define(&TypeRange, Spec{
		Name: "range", Layout: LayoutOf[Range](KindRange), Relocate: Unrelated, Final: true, Sequence: true,
		Slots: Slots{
			New: rangeNew, Repr: rangeRepr, Hash: rangeHash, Compare: rangeCompare,
			Bool: func(m *Machine, v Value) (bool, *Exception) { return v.rng().length().Sign() > 0, nil },
			Len: func(m *Machine, v Value) (int, *Exception) {
				r := v.rng()
				if r.wide != nil && !r.wide.n.IsInt64() {
					return 0, m.OverflowError("Python int too large to convert to C ssize_t")
				}
				return clipIndex(r.length().Int64()), nil
			},
			GetItem: rangeGetItem, Contains: rangeContains, Iter: rangeIter,
		},
		Methods: []Method{
			{Name: "index", Sig: "value, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				i, e := m.rangeIndex(a.V[0], a.V[1])
				if e != nil {
					return Value{}, e
				}
				if i.ref == nil {
					if k := a.V[1].ref.kind; k != KindInt && k != KindBool && k != KindBig {
						return Value{}, m.ValueError("sequence.index(x): x not in sequence")
					}
					return Value{}, m.ValueError("%s is not in range", m.quietRepr(a.V[1]))
				}
				return i, nil
			}},
			{Name: "count", Sig: "value, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				if _, isInt := asInt(a.V[1]); !isInt {
					n := 0
					e := m.Iterate(a.V[0], func(x Value) (bool, *Exception) {
						same, e := m.Same(x, a.V[1])
						n += btoi(same)
						return true, e
					})
					return Int(int64(n)), e
				}
				ok, e := rangeContains(m, a.V[0], a.V[1])
				return Int(int64(btoi(ok))), e
			}},
			{Name: "__reversed__", Func: func(m *Machine, a Args) (Value, *Exception) { return a.V[0].rng().reversed(m) }},
		},
		Fields: []Field{
			{Name: "start", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return v.rng().part(m, 0) }},
			{Name: "stop", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return v.rng().part(m, 1) }},
			{Name: "step", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return v.rng().part(m, 2) }},
		},
	})
}

func rangeNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	m.meter.Owe(rangeCost)
	if len(a.Names) > 0 {
		return Value{}, m.TypeError("range() takes no keyword arguments")
	}
	if len(a.V) == 0 {
		return Value{}, m.TypeError("range expected at least 1 argument, got 0")
	}
	if len(a.V) > 3 {
		return Value{}, m.TypeError("range expected at most 3 arguments, got %d", len(a.V))
	}
	arg := [3]Value{Int(0), Int(0), Int(1)}
	first := 0
	if len(a.V) == 1 {
		first = 1
	}
	for i, v := range a.V {
		x, e := m.Index(v)
		if e != nil {
			return Value{}, e
		}
		arg[first+i] = x
	}
	if arg[2] == Int(0) {
		return Value{}, m.ValueError("range() arg 3 must not be zero")
	}
	if arg[0].IsInt() && arg[1].IsInt() && arg[2].IsInt() {
		if r, ok := m.smallRange(arg[0].Int64(), arg[1].Int64(), arg[2].Int64()); ok {
			return r, nil
		}
	}
	return m.wideRangeOf(arg[0].BigInt(), arg[1].BigInt(), arg[2].BigInt()), nil
}

const rangeBound = int64(1) << 61

// smallRange makes a range whose arithmetic cannot overflow.
func (m *Machine) smallRange(start, stop, step int64) (Value, bool) {
	for _, x := range [3]int64{start, stop, step} {
		if x > rangeBound || x < -rangeBound {
			return Value{}, false
		}
	}
	r := &Range{start: start, stop: stop, step: step}
	r.typ, r.kind = &TypeRange, KindRange
	switch {
	case step > 0 && start < stop:
		r.n = (stop-start-1)/step + 1
	case step < 0 && start > stop:
		r.n = (start-stop-1)/-step + 1
	}
	m.account(64)
	return Value{ref: &r.Object}, true
}

func (m *Machine) wideRangeOf(start, stop, step *big.Int) Value {
	w := &wideRange{start, stop, step, new(big.Int)}
	diff := new(big.Int).Sub(stop, start)
	if step.Sign() < 0 {
		diff.Neg(diff)
	}
	if diff.Sign() > 0 {
		diff.Sub(diff, big.NewInt(1))
		w.n.Quo(diff, new(big.Int).Abs(step))
		w.n.Add(w.n, big.NewInt(1))
	}
	r := &Range{wide: w}
	r.typ, r.kind = &TypeRange, KindRange
	m.account(256)
	return Value{ref: &r.Object}
}

func (r *Range) length() *big.Int {
	if r.wide != nil {
		return r.wide.n
	}
	return big.NewInt(r.n)
}

func (r *Range) part(m *Machine, i int) (Value, *Exception) {
	if r.wide != nil {
		return m.IntOf([...]*big.Int{r.wide.start, r.wide.stop, r.wide.step}[i])
	}
	return Int([...]int64{r.start, r.stop, r.step}[i]), nil
}

// at returns element i of the range.
func (r *Range) at(m *Machine, i *big.Int) (Value, *Exception) {
	if r.wide == nil {
		return Int(r.start + i.Int64()*r.step), nil
	}
	if e := m.Charge(wideStep); e != nil {
		return Value{}, e
	}
	x := new(big.Int).Mul(i, r.wide.step)
	return m.IntOf(x.Add(x, r.wide.start))
}

// near returns element i of a range of more than 2^63 elements whose first one, step and element i are words. It is false for others.
func (r *Range) near(i int64) (Value, bool) {
	w := r.wide
	if w.n.IsInt64() || !w.start.IsInt64() || !w.step.IsInt64() {
		return Value{}, false
	}
	start, step := w.start.Int64(), w.step.Int64()
	if hi, lo := bits.Mul64(uint64(i), uint64(max(step, -step))); hi != 0 || lo > math.MaxInt64/2 || start > math.MaxInt64/2 || start < math.MinInt64/2 {
		return Value{}, false
	}
	return Int(start + i*step), true
}

func rangeRepr(m *Machine, v Value) (Value, *Exception) {
	r := v.rng()
	text := "range("
	for i := range 3 {
		p, e := r.part(m, i)
		if e != nil {
			return Value{}, e
		}
		if i == 2 && p == Int(1) {
			break
		}
		s, e := m.intText(p)
		if e != nil {
			return Value{}, e
		}
		if i > 0 {
			text += ", "
		}
		text += s
	}
	return m.shown(text + ")"), nil
}

// wideStep is the price of an element of a range beyond 64 bits, and of computing
// with the bounds of any range.
const wideStep = 12

// canonical returns what two equal ranges have in common.
func (r *Range) canonical(m *Machine) (Value, *Exception) {
	if e := m.Charge(wideStep); e != nil {
		return Value{}, e
	}
	n, e := m.IntOf(r.length())
	if e != nil {
		return Value{}, e
	}
	start, step := None, None
	if r.length().Sign() > 0 {
		if start, e = r.part(m, 0); e != nil {
			return Value{}, e
		}
		if n != Int(1) {
			if step, e = r.part(m, 2); e != nil {
				return Value{}, e
			}
		}
	}
	return m.Tuple(n, start, step), nil
}

func rangeHash(m *Machine, v Value) (int64, *Exception) {
	m.meter.Owe(2 * wideStep)
	t, e := v.rng().canonical(m)
	if e != nil {
		return 0, e
	}
	return m.Hash(t)
}

func rangeCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	if b.ref.kind != KindRange || op > Ne {
		return NotImplemented, nil
	}
	x, e := a.rng().canonical(m)
	if e != nil {
		return Value{}, e
	}
	y, e := b.rng().canonical(m)
	if e != nil {
		return Value{}, e
	}
	return m.Compare(op, x, y)
}

func rangeGetItem(m *Machine, v, key Value) (Value, *Exception) {
	r := v.rng()
	if s, ok := key.AsSlice(); ok {
		return r.slice(m, s)
	}
	i, e := m.Index(key)
	if e != nil {
		if key.ref.typ.Slots.ToIndex == nil {
			return Value{}, m.TypeError("range indices must be integers or slices, not %s", key.ref.typ.Name)
		}
		return Value{}, e
	}
	if r.wide == nil && i.IsInt() {
		at := i.Int64()
		if at < 0 {
			at += r.n
		}
		if at < 0 || at >= r.n {
			return Value{}, m.IndexError("range object index out of range")
		}
		return Int(r.start + at*r.step), nil
	}
	if i.IsInt() && i.Int64() >= 0 {
		if at, ok := r.near(i.Int64()); ok {
			return at, m.Charge(wideStep)
		}
	}
	n := r.length()
	at := new(big.Int).Set(i.BigInt())
	if at.Sign() < 0 {
		at.Add(at, n)
	}
	if at.Sign() < 0 || at.Cmp(n) >= 0 {
		return Value{}, m.IndexError("range object index out of range")
	}
	return r.at(m, at)
}

func (r *Range) slice(m *Machine, s *Slice) (Value, *Exception) {
	if e := m.Charge(10 * wideStep); e != nil {
		return Value{}, e
	}
	n, e := m.IntOf(r.length())
	if e != nil {
		return Value{}, e
	}
	t, e := sliceIndices(m, Args{V: []Value{s.Value(), n}})
	if e != nil {
		return Value{}, e
	}
	var out [3]*big.Int
	for i, x := range t.tuple().items[:2] {
		v, e := r.at(m, x.BigInt())
		if e != nil {
			return Value{}, e
		}
		out[i] = v.BigInt()
	}
	old, e := r.part(m, 2)
	if e != nil {
		return Value{}, e
	}
	out[2] = new(big.Int).Mul(old.BigInt(), t.tuple().items[2].BigInt())
	if out[0].IsInt64() && out[1].IsInt64() && out[2].IsInt64() {
		if v, ok := m.smallRange(out[0].Int64(), out[1].Int64(), out[2].Int64()); ok {
			return v, nil
		}
	}
	return m.wideRangeOf(out[0], out[1], out[2]), nil
}

// rangeIndex returns the position of item in the range, or the zero Value.
func (m *Machine) rangeIndex(v, item Value) (Value, *Exception) {
	r := v.rng()
	x, ok := asInt(item)
	if !ok || item.ref.kind == KindInt|Sub {
		i := 0
		found := Value{}
		e := m.Iterate(v, func(y Value) (bool, *Exception) {
			same, e := m.Same(y, item)
			if same {
				found = Int(int64(i))
			}
			i++
			return !same, e
		})
		return found, e
	}
	start, e := r.part(m, 0)
	if e != nil {
		return Value{}, e
	}
	step, e := r.part(m, 2)
	if e != nil {
		return Value{}, e
	}
	d := new(big.Int).Sub(x.BigInt(), start.BigInt())
	q, rem := new(big.Int).QuoRem(d, step.BigInt(), new(big.Int))
	if rem.Sign() != 0 || q.Sign() < 0 || q.Cmp(r.length()) >= 0 {
		return Value{}, nil
	}
	return m.IntOf(q)
}

func rangeContains(m *Machine, v, item Value) (bool, *Exception) {
	if r := v.rng(); r.wide == nil && (item.IsInt() || item.IsBool()) {
		i := int64(item.bits)
		if d := i - r.start; (i^r.start)&(i^d) >= 0 {
			return d%r.step == 0 && d/r.step >= 0 && d/r.step < r.n, nil
		}
	}
	if e := m.Charge(2 * wideStep); e != nil {
		return false, e
	}
	i, e := m.rangeIndex(v, item)
	return i.ref != nil, e
}

func rangeIter(m *Machine, v Value) (Value, *Exception) {
	r := v.rng()
	if r.wide != nil {
		return m.newIter(&TypeWideRangeIter, v, 0), nil
	}
	return m.newRangeIter(r.start, r.step, r.n), nil
}

func (m *Machine) newRangeIter(at, step, left int64) Value {
	it := &RangeIter{at: at, step: step, left: left}
	it.typ, it.kind = &TypeRangeIter, KindIterator
	m.account(48)
	return Value{ref: &it.Object}
}

func (r *Range) reversed(m *Machine) (Value, *Exception) {
	if r.wide != nil {
		w := r.wide
		last := new(big.Int).Sub(w.n, big.NewInt(1))
		first := last.Mul(last, w.step)
		first = new(big.Int).Add(first, w.start)
		stop := new(big.Int).Sub(w.start, w.step)
		return m.newIter(&TypeWideRangeIter, m.wideRangeOf(first, stop, new(big.Int).Neg(w.step)), 0), nil
	}
	return m.newRangeIter(r.start+(r.n-1)*r.step, -r.step, r.n), nil
}
