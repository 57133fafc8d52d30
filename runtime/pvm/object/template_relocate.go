package object

// Relocation takes the objects of a template to a machine. It goes over every
// object twice: once when the template is made, to find what the object refers
// to, and once for each copy, to make the copy refer to copies. Both are the same
// code, so that no reference is found and not replaced, or replaced and not found:
// each method below takes what a field holds and returns what the field is to
// hold, which is the same as long as objects are being found.
//
// A type says how with Spec.Relocate. An object whose type does not say it is not
// copied: no template is made of the machine that holds it.
type Relocation struct {
	t       *Template
	finding bool
	refused bool // while finding: an object cannot be copied
	touched bool // while finding: the object refers to something that is copied

	memo  map[any]any // see Once
	arena             // of the copies; what is taken is cut off
	all   *arena
}

// arena is the memory that the copies of a template lie in. Machines that follow
// each other use the same.
type arena struct {
	fresh     []*Object // the copies, by number
	images    []Image
	shapes    []Shape
	functions block[Function]
	dicts     block[Dict]
	strs      block[Str]
	tuples    block[Tuple]
	lists     block[List]
	cells     block[Cell]
	types     block[Type]
	modules   block[Module]
	instances block[Instance]
	methods   block[BoundMethod]

	values    block[Value]
	entries   block[entry]
	index     block[int32]
	typeLists block[*Type]
	closures  block[*Cell]
	loaded    block[Loaded]
	caches    []Cache // for the functions that run afterwards
}

// block is an array that copies are taken from.
type block[T any] []T

// one takes one element.
func (b *block[T]) one() *T { return &b.take(1, 1)[0] }

// take takes room for n elements, of which used are in use; all of them are zero.
func (b *block[T]) take(used, n int) []T {
	if n > len(*b) {
		return make([]T, used, n)
	}
	out := (*b)[:used:n]
	*b = (*b)[n:]
	return out
}

// arenaCaches is how many inline caches a handler usually needs.
const arenaCaches = 64

func newArena(t *Template) *arena {
	n := &t.room.classes
	return &arena{
		fresh:     make([]*Object, len(t.objects)),
		functions: make([]Function, n[copyFunction]), dicts: make([]Dict, n[copyDict]), strs: make([]Str, n[copyStr]),
		tuples: make([]Tuple, n[copyTuple]), lists: make([]List, n[copyList]), cells: make([]Cell, n[copyCell]),
		types: make([]Type, n[copyType]), modules: make([]Module, n[copyModule]), instances: make([]Instance, n[copyInstance]),
		methods: make([]BoundMethod, n[copyMethod]), images: make([]Image, len(t.images)), shapes: make([]Shape, len(t.shapes)),
		values: make([]Value, t.room.values), entries: make([]entry, t.room.entries), index: make([]int32, t.room.index),
		typeLists: make([]*Type, t.room.typeLists), closures: make([]*Cell, t.room.closures), loaded: make([]Loaded, t.room.loaded),
		caches: make([]Cache, arenaCaches),
	}
}

// clear lets go of everything.
func (a *arena) clear() {
	clear(a.fresh)
	clear(a.functions)
	clear(a.dicts)
	clear(a.strs)
	clear(a.tuples)
	clear(a.lists)
	clear(a.cells)
	clear(a.types)
	clear(a.modules)
	clear(a.instances)
	clear(a.methods)
	clear(a.images)
	clear(a.shapes)
	clear(a.values)
	clear(a.entries)
	clear(a.index)
	clear(a.typeLists)
	clear(a.closures)
	clear(a.loaded)
	clear(a.caches)
}

// copyClass says how an object is copied before its references are replaced.
type copyClass uint8

const (
	copyNative   copyClass = iota // by its type's layout
	copySubclass                  // the same, with room for attributes
	copyBig
	copyFunction
	copyDict
	copyStr
	copyTuple
	copyList
	copyCell
	copyType
	copyModule
	copyInstance
	copyMethod
	copyException
	numCopyClasses
)

// classOf returns how o is copied, and what its native type adds to that.
func classOf(o *Object) (class copyClass, move func(*Relocation, *Object), ok bool) {
	native := nativeType(o.typ)
	switch o.kind {
	case KindBig:
		return copyBig, nil, true
	case KindFunction:
		return copyFunction, relocateFunction, true
	case KindStr:
		return copyStr, relocateStr, native == &TypeStr
	case KindTuple:
		return copyTuple, relocateTuple, native == &TypeTuple
	case KindList:
		return copyList, relocateList, native == &TypeList
	case KindDict:
		return copyDict, relocateDict, native == &TypeDict
	case KindCell:
		return copyCell, relocateCell, true
	case KindType, KindType | Sub:
		return copyType, relocateType, !Value{ref: o}.typ().Static()
	case KindModule:
		return copyModule, relocateModule, true
	case KindInstance:
		return copyInstance, nil, true
	case KindMethod:
		return copyMethod, relocateMethod, true
	case KindException, KindException | Sub:
		return copyException, relocateException, true
	}
	class = copyNative
	if native != o.typ {
		class = copySubclass
	}
	return class, native.relocate, native.relocate != nil && native.layout.copy != nil
}

// Value takes a value.
func (r *Relocation) Value(v Value) Value {
	o := v.ref
	if o == nil || o.flags&flagStatic != 0 {
		return v
	}
	if r.finding {
		r.find(o)
		return v
	}
	return Value{ref: r.fresh[o.epoch-1]}
}

// find gives an object a number, once.
func (r *Relocation) find(o *Object) {
	r.touched = true
	if o.epoch != 0 {
		return
	}
	class, move, ok := classOf(o)
	if !ok {
		r.refused = true
		return
	}
	t := r.t
	t.objects = append(t.objects, original{o: o, class: class, move: move})
	o.epoch = uint32(len(t.objects))
	t.room.classes[class]++
}

// findAll goes over the objects until no new ones are found, and says whether all
// can be copied.
func (r *Relocation) findAll() bool {
	for i := 0; i < len(r.t.objects) && !r.refused; i++ {
		p := r.t.objects[i]
		r.touched = false
		r.relocate(p)
		r.t.objects[i].still = !r.touched
	}
	return !r.refused
}

// relocate replaces the references of one object.
func (r *Relocation) relocate(p original) {
	o := p.o
	if !r.finding {
		o = r.fresh[o.epoch-1]
	}
	if !o.typ.Static() {
		o.typ = r.Type(o.typ)
	}
	if p.move != nil {
		p.move(r, o)
	}
	if a := o.attrs(); a != nil {
		r.attributes(a)
	}
}

// copy makes copies of all objects of the template.
func (t *Template) copy() *Relocation {
	all := t.spare
	if t.spare = nil; all == nil {
		all = newArena(t)
	}
	r := &Relocation{t: t, arena: *all, all: all}
	for i := range t.objects {
		o := r.duplicate(&t.objects[i])
		o.epoch = 0
		r.fresh[i] = o
	}
	for i, im := range t.images {
		r.images[i] = Image{Unit: im.Unit, Globals: r.Dict(im.Globals), Module: r.module(im.Module), codes: r.loaded.take(len(im.codes), len(im.codes))}
	}
	for i, s := range t.shapes {
		r.shapes[i] = *s
		r.relocateShape(&r.shapes[i])
	}
	for i := range t.objects {
		if p := &t.objects[i]; !p.still {
			r.relocate(*p)
		}
	}
	return r
}

// duplicate copies an object as it is, and the table of a dict.
func (r *Relocation) duplicate(p *original) *Object {
	v := Value{ref: p.o}
	switch p.class {
	case copyFunction:
		f := r.functions.one()
		*f = *v.function()
		return &f.Object
	case copyDict:
		d := r.dicts.one()
		*d = *v.dict()
		r.table(d)
		return &d.Object
	case copyStr:
		s := r.strs.one()
		*s = *v.str()
		return &s.Object
	case copyTuple:
		t := r.tuples.one()
		*t = *v.tuple()
		return &t.Object
	case copyList:
		l := r.lists.one()
		*l = *v.list()
		return &l.Object
	case copyCell:
		c := r.cells.one()
		*c = *v.cell()
		return &c.Object
	case copyType:
		t := r.types.one()
		*t = *v.typ()
		return &t.Object
	case copyModule:
		m := r.modules.one()
		*m = *v.module()
		return &m.Object
	case copyInstance:
		in := r.instances.one()
		*in = *InstanceOf(v)
		return &in.Object
	case copyMethod:
		b := r.methods.one()
		*b = *v.method()
		return &b.Object
	case copyBig:
		b := new(Big)
		*b = *v.big() // digits are never written
		return &b.Object
	case copyException:
		e := new(Exception)
		*e = *v.exception()
		return &e.Object
	}
	lay := &nativeType(p.o.typ).layout
	if p.class == copySubclass {
		return lay.copySub(p.o)
	}
	return lay.copy(p.o)
}
