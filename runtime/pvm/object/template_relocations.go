package object

import "unsafe"

// The references of the types of this package. A type without Spec.Relocate is not
// copied: iterators, views of bytearrays, coroutines.

// Unrelated is the Relocate of types whose instances refer to nothing and are
// never written.
func Unrelated(*Relocation, *Object) {}

// RelocateInt is the Relocate of types whose structure is IntSub.
func RelocateInt(r *Relocation, o *Object) {
	s := (*IntSub)(unsafe.Pointer(o))
	s.Val = r.Value(s.Val)
}

// Str takes a string, which may be nil.
func (r *Relocation) Str(s *Str) *Str {
	if s == nil {
		return nil
	}
	return r.Value(s.Value()).str()
}

// Strs takes a list of names that is not written.
func (r *Relocation) Strs(names []*Str) []*Str {
	var own []*Str
	for i, s := range names {
		n := r.Str(s)
		if n != s && own == nil {
			own = append([]*Str(nil), names...)
		}
		if own != nil {
			own[i] = n
		}
	}
	if own == nil {
		return names
	}
	return own
}

// Type takes a type, which may be nil.
func (r *Relocation) Type(t *Type) *Type {
	if t == nil {
		return nil
	}
	return r.Value(t.Value()).typ()
}

// Dict takes a dict, which may be nil.
func (r *Relocation) Dict(d *Dict) *Dict {
	if d == nil {
		return nil
	}
	return r.Value(d.Value()).dict()
}

// List takes a list, which may be nil.
func (r *Relocation) List(l *List) *List {
	if l == nil {
		return nil
	}
	return r.Value(l.Value()).list()
}

func (r *Relocation) module(m *Module) *Module { return r.Value(m.Value()).module() }

// Values takes an array that may be written: the copy has one of its own, of the
// same capacity.
func (r *Relocation) Values(items []Value) []Value {
	if cap(items) == 0 {
		return items
	}
	if r.finding {
		r.touched = true
		r.t.room.values += cap(items)
		for _, v := range items {
			r.Value(v)
		}
		return items
	}
	out := r.values.take(len(items), cap(items))
	for i, v := range items {
		out[i] = r.Value(v)
	}
	return out
}

// Fixed takes an array that is never written: the copy shares it if it holds
// nothing that is copied.
func (r *Relocation) Fixed(items []Value) []Value {
	for _, v := range items {
		if v.ref != nil && v.ref.flags&flagStatic == 0 {
			return r.Values(items[:len(items):len(items)])
		}
	}
	return items
}

// Once takes what several objects share beside values: the copies share what made
// gives, which is called once for each of them. While objects are found it is the
// pointer itself.
func Once[T any](r *Relocation, shared *T, made func(*T) *T) *T {
	r.touched = true
	if shared == nil || r.finding {
		return shared
	}
	if own, ok := r.memo[shared]; ok {
		return own.(*T)
	}
	if r.memo == nil {
		r.memo = map[any]any{}
	}
	own := made(shared)
	r.memo[shared] = own
	return own
}

// Copying says whether a copy is made; while it is false, objects are found and
// nothing may be changed. It is for types with something beside values that copies
// must not share.
func (r *Relocation) Copying() bool {
	r.touched = true
	return !r.finding
}

func (r *Relocation) typeList(list []*Type) []*Type {
	if r.finding {
		r.t.room.typeLists += len(list)
		for _, t := range list {
			r.Type(t)
		}
		return list
	}
	out := r.typeLists.take(len(list), len(list))
	for i, t := range list {
		out[i] = r.Type(t)
	}
	return out
}

func (r *Relocation) attributes(a *Attrs) {
	r.touched = true
	a.shape, a.slots, a.dict = r.shape(a.shape), r.Values(a.slots), r.Dict(a.dict)
}

// shape takes a shape, which may be nil, and all of its tree.
func (r *Relocation) shape(s *Shape) *Shape {
	if s == nil {
		return nil
	}
	if !r.finding {
		return &r.shapes[s.number-1]
	}
	if s.number == 0 {
		r.t.shapes = append(r.t.shapes, s)
		s.number = uint32(len(r.t.shapes))
		r.relocateShape(s)
	}
	return s
}

func (r *Relocation) relocateShape(s *Shape) {
	s.typ, s.names = r.Type(s.typ), r.Strs(s.names)
	if r.finding {
		for _, n := range s.next {
			r.shape(n)
		}
		return
	}
	s.number = 0
	next := make([]*Shape, len(s.next))
	for i, n := range s.next {
		next[i] = r.shape(n)
	}
	s.next = next
}

// image takes the image of a module or class body whose functions live on.
func (r *Relocation) image(im *Image) *Image {
	r.touched = true
	if !r.finding {
		return &r.images[im.number-1]
	}
	if im.number == 0 {
		r.t.images = append(r.t.images, im)
		im.number = uint32(len(r.t.images))
		r.t.room.loaded += len(im.codes)
		r.Dict(im.Globals)
		r.module(im.Module)
	}
	return im
}

func relocateFunction(r *Relocation, o *Object) {
	f := (*Function)(unsafe.Pointer(o))
	im := r.image(f.L.Image)
	f.L = im.Load(f.L.Code.Index)
	f.Name, f.Qualname = r.Str(f.Name), r.Str(f.Qualname)
	f.Defaults, f.KwDefaults = r.Fixed(f.Defaults), r.Fixed(f.KwDefaults)
	f.Closure = r.closure(f.Closure)
	if f.more == nil {
		return
	}
	x := f.more
	if !r.finding {
		own := *x
		x, f.more = &own, &own
	}
	x.dict, x.kwDefaults = r.Dict(x.dict), r.Dict(x.kwDefaults)
	x.annotations, x.doc, x.module = r.Value(x.annotations), r.Value(x.doc), r.Value(x.module)
}

func (r *Relocation) closure(cells []*Cell) []*Cell {
	if len(cells) == 0 {
		return nil
	}
	if r.finding {
		r.t.room.closures += len(cells)
		for _, c := range cells {
			r.Value(c.Value())
		}
		return cells
	}
	out := r.closures.take(len(cells), len(cells))
	for i, c := range cells {
		out[i] = r.Value(c.Value()).cell()
	}
	return out
}

// relocateStr keeps what a string shares with others: its text, and the buffer it
// ends in, which only one of the copies may extend.
func relocateStr(r *Relocation, o *Object) {
	s := (*Str)(unsafe.Pointer(o))
	if s.more == nil {
		return
	}
	more := *s.more
	more.tail = Once(r, more.tail, func(t *tail) *tail {
		return &tail{buf: append(make([]byte, 0, cap(t.buf)), t.buf...)}
	})
	if r.finding {
		return
	}
	if more.tail != nil {
		s.s = unsafe.String(&more.tail.buf[0], len(s.s))
	}
	s.more = &more
}

func relocateTuple(r *Relocation, o *Object) {
	t := (*Tuple)(unsafe.Pointer(o))
	t.items = r.Fixed(t.items)
}

func relocateList(r *Relocation, o *Object) {
	l := (*List)(unsafe.Pointer(o))
	l.items = r.Values(l.items)
}

// table gives a dict a table of its own, of the same capacity.
func (r *Relocation) table(d *Dict) {
	if r.finding {
		r.t.room.entries += cap(d.entries)
		r.t.room.index += len(d.index)
		return
	}
	entries := r.entries.take(len(d.entries), cap(d.entries))
	copy(entries, d.entries)
	d.entries, d.room = entries, 0
	if d.index != nil {
		index := r.index.take(len(d.index), len(d.index))
		copy(index, d.index)
		d.index = index
	}
}

// entriesOf replaces the keys and values of a dict that has its own table.
func (r *Relocation) entriesOf(d *Dict) {
	for i := range d.entries {
		e := &d.entries[i]
		if r.finding {
			r.Value(e.key)
			r.Value(e.val)
			continue
		}
		if e.key.ref != nil && e.key.ref.flags&flagStatic == 0 {
			e.key = r.Value(e.key)
		}
		if e.val.ref != nil && e.val.ref.flags&flagStatic == 0 {
			e.val = r.Value(e.val)
		}
	}
}

// relocateDict is for dicts that have their own table already.
func relocateDict(r *Relocation, o *Object) {
	d := (*Dict)(unsafe.Pointer(o))
	if r.finding {
		r.table(d)
	}
	r.entriesOf(d)
}

// relocateDictSub is for instances of subclasses of dict.
func relocateDictSub(r *Relocation, o *Object) {
	d := (*Dict)(unsafe.Pointer(o))
	r.touched = true
	r.table(d)
	r.entriesOf(d)
}

func relocateSet(r *Relocation, o *Object) {
	s := (*Set)(unsafe.Pointer(o))
	r.touched = true
	r.table(&s.d)
	r.entriesOf(&s.d)
}

func relocateByteArray(r *Relocation, o *Object) {
	b := (*ByteArray)(unsafe.Pointer(o))
	r.touched = true
	r.refused = r.refused || b.views != 0 || b.lent != 0
	if !r.finding {
		b.b = append(make([]byte, 0, cap(b.b)), b.b...)
	}
}

func relocateSlice(r *Relocation, o *Object) {
	s := (*Slice)(unsafe.Pointer(o))
	s.Start, s.Stop, s.Step = r.Value(s.Start), r.Value(s.Stop), r.Value(s.Step)
}

func relocateProperty(r *Relocation, o *Object) {
	p := (*Property)(unsafe.Pointer(o))
	p.get, p.set, p.del, p.doc = r.Value(p.get), r.Value(p.set), r.Value(p.del), r.Value(p.doc)
	p.name, p.attrs_ = r.Str(p.name), r.Value(p.attrs_)
}

func relocateWrapper(r *Relocation, o *Object) {
	w := (*Wrapper)(unsafe.Pointer(o))
	w.fn = r.Value(w.fn)
}

func relocateMember(r *Relocation, o *Object) {
	d := (*Member)(unsafe.Pointer(o))
	d.owner, d.name = r.Type(d.owner), r.Str(d.name)
}

// relocateGetSet leaves the functions, which are Go's and belong to no machine.
func relocateGetSet(r *Relocation, o *Object) {
	g := (*GetSet)(unsafe.Pointer(o))
	g.owner = r.Type(g.owner)
}

// relocateGenerator takes a generator that is suspended or done. One that was left
// unfinished waits among the candidates for the search for cycles.
func relocateGenerator(r *Relocation, o *Object) {
	g := (*Generator)(unsafe.Pointer(o))
	f := &g.frame
	r.touched = true
	if r.finding {
		r.refused = r.refused || g.Running || g.handled != nil || f.Prev != nil || f.Outer != nil
	}
	g.Name, g.Qualname, g.Result, g.Delegate = r.Str(g.Name), r.Str(g.Qualname), r.Value(g.Result), r.Value(g.Delegate)
	f.L = r.image(f.L.Image).Load(f.L.Code.Index)
	if f.Fn != nil {
		f.Fn = r.Value(f.Fn.Value()).function()
	}
	f.Closure, f.NS = r.closure(f.Closure), r.Value(f.NS)
	if f.Regs != nil {
		r.window(f)
	}
	if !r.finding {
		f.Gen = g
	}
}

// relocateException takes an exception nobody asked for the traceback of.
func relocateException(r *Relocation, o *Object) {
	e := (*Exception)(unsafe.Pointer(o))
	r.touched = true
	if r.finding {
		r.refused = r.refused || e.tb != nil || e.Fatal != NotFatal || e.Err != nil
	}
	e.args, e.extra, e.Cause = r.Values(e.args), r.Values(e.extra), r.Value(e.Cause)
	if e.Context != nil {
		e.Context = r.Value(e.Context.Value()).exception()
	}
	if !r.finding {
		e.Trace = append([]TraceEntry(nil), e.Trace...)
	}
}

// window takes the registers of a suspended frame that are still needed. The copy
// has nothing in the others.
func (r *Relocation) window(f *Frame) {
	if r.finding {
		r.t.room.values += f.Limit
		f.liveRefs(func(v Value) { r.Value(v) })
		return
	}
	old, c := f.Regs, f.L.Code
	regs := r.values.take(f.Limit, f.Limit)
	f.Regs = windowAt(unsafe.Pointer(unsafe.SliceData(regs)))
	move := func(from, n int) {
		for i := from; i < from+n; i++ {
			regs[i] = r.Value(old[i])
		}
	}
	if c.ClearAll {
		move(0, c.Regs)
		return
	}
	move(0, c.Locals+c.Cells)
	for _, live := range c.LiveSets[c.Live[f.PC]] {
		move(int(live.From), int(live.N))
	}
}

func relocateAlias(r *Relocation, o *Object) {
	a := (*Alias)(unsafe.Pointer(o))
	a.origin, a.args = r.Value(a.origin), r.Values(a.args)
}

func relocateProxy(r *Relocation, o *Object) {
	v := (*DictView)(unsafe.Pointer(o))
	v.of = r.Value(v.of)
}

func relocateCell(r *Relocation, o *Object) {
	c := (*Cell)(unsafe.Pointer(o))
	c.V = r.Value(c.V)
}

func relocateModule(r *Relocation, o *Object) {
	m := (*Module)(unsafe.Pointer(o))
	m.Dict = r.Dict(m.Dict)
}

func relocateMethod(r *Relocation, o *Object) {
	b := (*BoundMethod)(unsafe.Pointer(o))
	b.Func, b.Self = r.Value(b.Func), r.Value(b.Self)
}

// relocateType takes a class of the program. What it learned is learned again.
func relocateType(r *Relocation, o *Object) {
	t := (*Type)(unsafe.Pointer(o))
	r.touched = true
	t.bases, t.mro, t.base = r.typeList(t.bases), r.typeList(t.mro), r.Type(t.base)
	t.dict, t.root = r.Dict(t.dict), r.shape(t.root)
	t.slotNames = r.Strs(t.slotNames)
	if len(t.subs) > 0 {
		t.subs = r.typeList(t.subs)
	}
	if !r.finding {
		t.cache, t.initFunc, t.initVersion = nil, nil, 0
	}
}
