package object

// Live memory is what a count from the machine's own roots reaches: the stack,
// exceptions being handled, modules, pins of native code, coroutines waiting
// for their turn. Every object has a size by formula. Allocation adds to a
// counter; when it passes the limit the counter is set to what lives.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (per-call memory 10 MiB).

// The work of a count: cycles for each object visited, which is read from anywhere in memory, and references looked at for one cycle.
const (
	countCost = 3
	scanCost  = 2
)

// searchCost is the price of each object that a search for reference cycles visits.
const searchCost = 1

// count replaces the counter by what is live now and charges the visit. On the
// way it looks for unreachable reference cycles among the candidates.
func (m *Machine) count() *Exception {
	if m.epoch++; m.epoch == searchMark {
		m.epoch = 1
	}
	w := walker{epoch: m.epoch}
	w.visit = w.push
	m.roots(w.visit)
	w.run()
	m.heap = w.bytes + m.stackSize()
	m.peak = max(m.peak, m.heap)
	if m.lenient && m.heap <= m.heapLimit-m.handlers() {
		m.lenient = false
		m.heapLimit -= m.handlers()
	}
	if e := m.Charge(w.visited*countCost + w.scanned/scanCost + 100); e != nil {
		return e
	}
	return m.sweepCandidates()
}

// Peak returns the most bytes that a count found live, or the bytes allocated if
// nothing was ever counted.
func (m *Machine) Peak() int64 { return max(m.peak, min(m.heap, m.heapLimit)) }

// walker visits objects once.
type walker struct {
	epoch   uint32
	stack   []*Object
	visit   func(Value) // push
	bytes   int64
	visited int
	scanned int
}

func (w *walker) push(v Value) {
	w.scanned++
	o := v.ref
	if o == nil || o.flags&flagStatic != 0 || o.epoch == w.epoch {
		return
	}
	o.epoch = w.epoch
	if o.kind == KindStr {
		w.visited++
		w.bytes += int64(v.str().counted(w.epoch))
		return
	}
	w.stack = append(w.stack, o)
}

// counted is what a string adds to a count: a text that several strings are
// prefixes of is there once.
func (s *Str) counted(epoch uint32) int {
	if s.more == nil || s.more.tail == nil {
		return strSize + len(s.s)
	}
	t := s.more.tail
	if t.epoch == epoch {
		return strSize
	}
	t.epoch = epoch
	return strSize + cap(t.buf)
}

func (w *walker) each(items []Value) {
	w.scanned += len(items)
	for _, v := range items {
		if v.ref != nil && v.ref.flags&flagStatic == 0 {
			w.push(v)
		}
	}
}

func (w *walker) run() {
	for len(w.stack) > 0 {
		o := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		w.visited++
		switch o.kind {
		case KindList:
			l := Value{ref: o}.list()
			w.bytes += int64(listSize + cap(l.items)*valueSize)
			w.each(l.items)
		case KindTuple:
			t := Value{ref: o}.tuple()
			w.bytes += int64(tupleSize + len(t.items)*valueSize)
			w.each(t.items)
		default:
			if o.typ == &TypeMemoryView {
				Value{ref: o}.noteView(w.epoch)
			}
			w.bytes += int64(sizeOf(o))
			w.scanned += holes(o)
			refs(o, w.visit)
		}
	}
}

// holes is the number of entries of a table that have no references and are looked at all the same.
func holes(o *Object) int {
	switch o.kind &^ Sub {
	case KindDict:
		d := Value{ref: o}.dict()
		return len(d.entries) - d.used
	case KindSet, KindFrozenSet:
		d := &Value{ref: o}.set().d
		return len(d.entries) - d.used
	}
	return 0
}

// roots calls visit for every value the machine holds by itself.
func (m *Machine) roots(visit func(Value)) {
	for f := m.Frame; f != nil; f = f.Prev {
		f.refs(visit)
	}
	for _, v := range m.pins {
		visit(v)
	}
	if !m.Files.IsZero() {
		visit(m.Files)
	}
	if m.handled != nil {
		visit(m.handled.Value())
	}
	for _, t := range m.ready {
		visit(Value{ref: &t.Object})
	}
	for _, under := range m.subs {
		for _, t := range under.classes {
			visit(t.Value())
		}
	}
	for _, mod := range m.Modules { // order-free: a sum over a set of objects
		visit(mod.Value())
	}
}

// sizeOf is the size of an object by formula.
func sizeOf(o *Object) int {
	n := 0
	if a := o.attrs(); a != nil {
		n = attrsSize + cap(a.slots)*valueSize
	}
	v := Value{ref: o}
	switch o.kind &^ Sub {
	case KindStr:
		return n + strSize + len(v.str().s)
	case KindBig:
		return n + bigSize + (v.big().i.BitLen()+63)/64*8
	case KindBytes:
		return n + bytesSize + len(v.bytes().b)
	case KindByteArray:
		return n + bytesSize + cap(v.byteArray().b)
	case KindTuple:
		return n + tupleSize + len(v.tuple().items)*valueSize
	case KindList:
		return n + listSize + cap(v.list().items)*valueSize
	case KindDict:
		return n + dictSize + v.dict().tableSize()
	case KindSet, KindFrozenSet:
		return n + setSize + v.set().d.tableSize()
	case KindInstance:
		return n + headerSize
	case KindException:
		return n + v.exception().size()
	case KindGenerator:
		return n + generatorSize + v.generator().window()*valueSize
	case KindFunction:
		return n + functionSize + len(v.function().Closure)*8
	case KindMethod: // of several types
		return n + methodSize
	case KindType:
		return n + typeSize + max(len(v.typ().mro)-freeMRO, 0)*8
	}
	if t := nativeType(o.typ); t.size != nil {
		return n + t.size(o)
	}
	return n + max(o.typ.layout.bytes, 32)
}

func (d *Dict) tableSize() int { return cap(d.entries)*entrySize + len(d.index)*4 }

// nativeType returns the static type that t is or derives its layout from.
func nativeType(t *Type) *Type {
	for !t.Static() {
		t = t.base
	}
	return t
}

const (
	exceptionSize = 96
	generatorSize = 128
	functionSize  = 112
	typeSize      = 1_600 // with the table of operations and the names found last
)

// refs calls visit for every value o refers to.
func refs(o *Object, visit func(Value)) {
	if o.flags&flagStatic == 0 && !o.typ.Static() {
		visit(o.typ.Value())
	}
	if a := o.attrs(); a != nil {
		a.refs(visit)
	}
	v := Value{ref: o}
	switch o.kind &^ Sub {
	case KindSlice:
		s := v.slice()
		visit(s.Start)
		visit(s.Stop)
		visit(s.Step)
	case KindTuple:
		each(v.tuple().items, visit)
	case KindList:
		each(v.list().items, visit)
	case KindDict:
		v.dict().refs(visit)
	case KindSet, KindFrozenSet:
		v.set().d.refs(visit)
	case KindException:
		v.exception().refs(visit)
	case KindGenerator:
		v.generator().refs(visit)
	case KindMethod:
		visit(v.method().Func)
		visit(v.method().Self)
	case KindFunction:
		v.function().refs(visit)
	case KindCell:
		visit(v.cell().V)
	case KindType:
		v.typ().refs(visit)
	case KindModule:
		visit(v.module().Dict.Value())
	default:
		if t := nativeType(o.typ); t.traverse != nil {
			t.traverse(o, visit)
		}
	}
}

func each(items []Value, visit func(Value)) {
	for _, v := range items {
		if v.ref != nil {
			visit(v)
		}
	}
}

func (a *Attrs) refs(visit func(Value)) {
	each(a.slots, visit)
	if a.dict != nil {
		visit(a.dict.Value())
	}
}

func (d *Dict) refs(visit func(Value)) {
	for i := range d.entries {
		if e := &d.entries[i]; e.key.ref != nil {
			visit(e.key)
			if e.val.ref != nil {
				visit(e.val)
			}
		}
	}
}

func (e *Exception) refs(visit func(Value)) {
	each(e.args, visit)
	if e.Cause.ref != nil {
		visit(e.Cause)
	}
	if e.Context != nil {
		visit(e.Context.Value())
	}
	each(e.extra, visit)
	if e.tb != nil {
		visit(Value{ref: &e.tb.Object})
	}
}

// size is that of the exception without its attributes.
func (e *Exception) size() int {
	n := exceptionSize + len(e.args)*valueSize
	if e.message != nil {
		n += e.message.size
	}
	return n
}

func (t *Type) refs(visit func(Value)) {
	visit(t.dict.Value())
	for _, b := range t.bases {
		visit(b.Value())
	}
	for _, u := range t.subs { // a class keeps those that derive from it
		visit(u.Value())
	}
	t.meta.refs(visit)
}
