package object

// Template is a machine that ran the top level of a program and was then left
// alone. Machines that are to run the same top level begin with copies of
// everything it made, with the same bytes counted, the same identities given out
// and the same objects watched for reference cycles: what follows cannot tell them
// from machines that ran it. What a copy costs is up to whoever starts them.
//
// Copies share nothing that can be written. What is shared is what no operation
// writes: static objects, code, the text of strings, the digits of big ints,
// compiled patterns. A machine that holds anything whose copy is not known to be
// right, a running generator for example, makes no template; see Relocation.
//
// A template belongs to one goroutine at a time.
//
// Spec: CIP-3 §2.2.1 (module body and imports are paid on every call).
type Template struct {
	objects []original // numbered from 1 by their epoch
	images  []*Image
	shapes  []*Shape
	room    room
	roots   []Value
	spare   *arena // of the copies of a machine that was released

	heap, heapLimit, peak int64
	limit                 int
	deepest, inmost       int
	versions              uint32
	lastID                uint64
	ids                   []identity
	candidates            []*Object
	pins                  []Value
	chunks                []int // sizes of the pieces of the stack
	modules               []named
	subs                  []derived
}

// original is an object of the template.
type original struct {
	o     *Object
	class copyClass
	still bool                           // refers to nothing that is copied
	move  func(r *Relocation, o *Object) // what its type adds to its kind
}

// identity is an object that has a number, as id() gave it.
type identity struct {
	o  *Object
	id uint64
}

// named is a module under its full name.
type named struct {
	name string
	mod  *Module
}

// room is how long the arrays are that the copies of a template lie in.
type room struct {
	classes   [numCopyClasses]int
	values    int
	entries   int
	index     int
	typeLists int
	closures  int
	loaded    int
}

// mostTemplate bounds what a template counts for in memory, in bytes by formula.
const mostTemplate = 2 << 20

// NewTemplate makes a template of a machine that ran a program's top level on a
// meter of its own and will not run again. Roots are values that native code
// holds for the machine. It is nil if the machine holds what cannot be copied, or
// too much, or if its memory was ever counted.
func NewTemplate(m *Machine, roots []Value) *Template {
	if !m.idle() || m.heap > mostTemplate {
		return nil
	}
	t := &Template{
		roots: roots, heap: m.heap, heapLimit: m.heapLimit, peak: m.peak, limit: m.limit, deepest: m.deepest, inmost: m.inmost,
		versions: m.versions, lastID: m.lastID, candidates: m.candidates,
		pins: m.pins, subs: m.subs,
	}
	for _, c := range m.chunks {
		t.chunks = append(t.chunks, len(c))
	}
	r := &Relocation{t: t, finding: true}
	for _, v := range roots {
		r.Value(v)
	}
	for name, mod := range m.Modules { // order-free: the number of an object shows nowhere
		t.modules = append(t.modules, named{name, mod})
		r.Value(mod.Value())
	}
	for _, x := range m.subs {
		r.typeList(x.classes)
	}
	for o, id := range m.ids { // order-free: as above
		t.ids = append(t.ids, identity{o, id})
		r.Value(Value{ref: o})
	}
	for _, o := range m.candidates {
		r.Value(Value{ref: o})
	}
	for _, v := range m.pins {
		r.Value(v)
	}
	if !r.findAll() {
		return nil
	}
	return t
}

// idle says whether nothing runs on the machine, and its memory was never counted
// nor searched for cycles.
func (m *Machine) idle() bool {
	return m.Frame == nil && m.depth == 0 && m.natives == 0 && m.nested == 0 && m.used == 0 &&
		m.epoch == 0 && m.searched == 0 && !m.lenient && !m.overflow && !m.cycleFound && m.tracking &&
		len(m.lent) == 0 && len(m.ready) == 0 && len(m.showing) == 0 &&
		m.handled == nil && m.thrown.exc == nil && m.watch == nil && !m.meter.trapped && m.Files.IsZero()
}

// Size is about how many bytes the template takes in Go's memory.
func (t *Template) Size() int {
	const perObject, perValue, perEntry, perType = 96, 16, 48, 1_600
	return 2*(perObject*len(t.objects)+perValue*t.room.values+perEntry*t.room.entries+perType*t.room.classes[copyType]) + int(t.heap)
}

// Objects is how many objects a machine that starts from the template begins with.
func (t *Template) Objects() int { return len(t.objects) }

// Heap is how many bytes of memory are counted for a machine that starts from the
// template.
func (t *Template) Heap() int64 { return t.heap }

// Start gives a new machine what the template's top level made, and returns the
// copies of the roots. It takes nothing off the meter. It is false, and nothing has
// happened, if the machine's limits are others.
func (t *Template) Start(m *Machine) (roots []Value, ok bool) {
	if m.heapLimit != t.heapLimit || m.limit != t.limit {
		return nil, false
	}
	r := t.copy()
	m.template, m.arena, m.caches = t, r.all, r.all.caches
	m.heap, m.peak, m.deepest, m.inmost = t.heap, t.peak, t.deepest, t.inmost
	m.versions, m.lastID = t.versions, t.lastID
	for i, n := range t.chunks {
		if i == 0 {
			m.chunks = append(m.chunks, nil)
			continue
		}
		m.chunks = append(m.chunks, m.newPiece(i, n))
	}
	for _, x := range t.modules {
		m.Modules[x.name] = r.module(x.mod)
	}
	if len(t.subs) > 0 {
		m.subs = make([]derived, len(t.subs))
		for i, x := range t.subs {
			m.subs[i] = derived{x.base, r.typeList(x.classes)}
		}
	}
	if len(t.ids) > 0 {
		m.ids = make(map[*Object]uint64, len(t.ids))
		for _, x := range t.ids {
			m.ids[r.Value(Value{ref: x.o}).ref] = x.id
		}
	}
	if len(t.candidates) > 0 {
		m.candidates = make([]*Object, len(t.candidates))
		for i, o := range t.candidates {
			m.candidates[i] = r.Value(Value{ref: o}).ref
		}
	}
	for _, v := range t.pins {
		m.Pin(r.Value(v))
	}
	return r.Values(t.roots), true
}
