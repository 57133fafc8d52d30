package pyfunc

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

var typeCache, typeLink object.Type

// cache is a function that remembers its results.
type cache struct {
	object.Object
	fn           value
	maxSize      int64 // -1 for no limit
	typed        bool
	hits, misses int64
	links        *object.Dict // by key; each value is a link
	root         *link        // between the oldest and the newest
	info         value        // the class of cache_info
	attrs        attributes
}

// link is one remembered result, in the order of use. The neighbours are reached
// through the dict as far as memory counts; these pointers only order them.
type link struct {
	object.Object
	key, result value
	prev, next  *link
}

var _ = object.Define(&typeLink, object.Spec{
	Name: "_lru_list_elem", Module: "functools", NoNew: true, Final: true,
	Layout: object.LayoutOf[link](object.KindNative),
	Traverse: func(o *object.Object, visit func(value)) {
		l := object.Trust[link](object.Of(o))
		visitAll(visit, l.key, l.result)
	},
	Relocate: func(r *object.Relocation, o *object.Object) {
		l := object.Trust[link](object.Of(o))
		l.key, l.result = r.Value(l.key), r.Value(l.result)
		l.prev, l.next = l.prev.relocated(r), l.next.relocated(r)
	},
})

// relocated takes a neighbour, which may be the root, to a copy.
func (l *link) relocated(r *object.Relocation) *link {
	switch {
	case l == nil:
		return nil
	case l.Type() == nil:
		return object.Once(r, l, func(*link) *link { return &link{} })
	}
	return object.Trust[link](r.Value(object.Of(&l.Object)))
}

func (l *link) unlink() {
	l.prev.next, l.next.prev = l.next, l.prev
}

// insertNewest puts l behind all others.
func (l *link) insertNewest(root *link) {
	l.prev, l.next = root.prev, root
	root.prev.next = l
	root.prev = l
}

// keyMark separates positional from keyword arguments in a key.
var keyMark = object.StaticTuple([]value{object.Of(&typeCache.Object)})

// keyOf makes the key of a call: the argument itself if it is a single int or
// str, else a tuple of arguments, keywords and, if typed, their types.
func (c *cache) keyOf(m *machine, a object.Args) (value, *exception) {
	if !c.typed && len(a.V) == 1 && len(a.Names) == 0 {
		if k := a.V[0].Kind(); k == object.KindInt || k == object.KindBig || k == object.KindStr {
			return a.V[0], nil
		}
	}
	if e := m.ChargeLen(4, len(a.V)+len(a.Names), 2); e != nil {
		return value{}, e
	}
	pos := a.Pos()
	parts := append(make([]value, 0, 2*len(a.V)+2*len(a.Names)+1), pos...)
	if len(a.Names) > 0 {
		parts = append(parts, keyMark.Value())
		for i, name := range a.Names {
			parts = append(parts, name.Value(), a.V[len(pos)+i])
		}
	}
	if c.typed {
		for _, v := range a.V {
			parts = append(parts, v.Type().Value())
		}
	}
	return m.Tuple(parts...), nil
}

func cacheCall(m *machine, v value, a object.Args) (value, *exception) {
	c := object.Trust[cache](v)
	if e := m.Charge(8); e != nil {
		return value{}, e
	}
	if e := m.Enter(); e != nil {
		return value{}, e
	}
	defer m.Leave()
	if c.maxSize == 0 {
		c.misses++
		return m.Call(c.fn, a)
	}
	k, e := c.keyOf(m, a)
	if e != nil {
		return value{}, e
	}
	m.Pin(k)
	found, ok, e := c.links.Get(m, k)
	if e != nil {
		return value{}, e
	}
	if ok {
		c.hits++
		l := object.Trust[link](found)
		l.unlink()
		l.insertNewest(c.root)
		return l.result, nil
	}
	c.misses++
	r, e := m.Call(c.fn, a)
	if e != nil {
		return value{}, e
	}
	m.Pin(r)
	return r, c.remember(m, k, r)
}

// remember adds a result unless the call itself has done so meanwhile, and drops
// the one unused for longest if there are too many.
func (c *cache) remember(m *machine, k, r value) *exception {
	if _, ok, e := c.links.Get(m, k); ok || e != nil {
		return e
	}
	l := object.Alloc[link](m, &typeLink, 0)
	l.key, l.result = k, r
	if e := c.links.Set(m, k, object.Of(&l.Object)); e != nil {
		return e
	}
	l.insertNewest(c.root)
	if c.maxSize >= 0 && int64(c.links.Len()) > c.maxSize {
		oldest := c.root.next
		oldest.unlink()
		_, _, e := c.links.Delete(m, oldest.key)
		return e
	}
	return nil
}

func (c *cache) clear(m *machine) {
	c.hits, c.misses = 0, 0
	c.links = m.NewDict()
	c.root.prev, c.root.next = c.root, c.root
	m.NoteStore(&c.Object, c.links.Value())
}

// cacheGet binds the function to an instance as any function is.
func cacheGet(m *machine, d, obj value, owner *object.Type) (value, *exception) {
	if obj.IsZero() {
		return d, nil
	}
	return m.NewMethod(d, obj), nil
}

// newCache is the function _lru_cache_wrapper(func, maxsize, typed, info).
func newCache(m *machine, a object.Args) (value, *exception) {
	if !object.Callable(a.V[0]) {
		return value{}, m.TypeError("the first argument must be callable")
	}
	size := int64(-1)
	if !a.V[1].IsNone() {
		n, e := m.IndexInt64(a.V[1], nil)
		if e != nil {
			if e.Is(&object.ExcTypeError) {
				return value{}, m.TypeError("maxsize should be integer or None")
			}
			return value{}, e
		}
		size = max(n, 0)
	}
	typed, e := m.Truth(a.V[2])
	if e != nil {
		return value{}, e
	}
	c := object.Alloc[cache](m, &typeCache, 0)
	c.fn, c.maxSize, c.typed, c.info = a.V[0], size, typed, a.V[3]
	c.root = &link{}
	c.clear(m)
	return object.Of(&c.Object), nil
}

var _ = object.Define(&typeCache, object.Spec{
	Name: "_lru_cache_wrapper", Module: "functools", NoNew: true, Final: true,
	Layout: object.LayoutOf[cache](object.KindNative),
	Slots: object.Slots{
		Call: cacheCall, DescrGet: cacheGet,
		GetAttr: func(m *machine, v value, name *object.Str) (value, *exception) {
			return object.Trust[cache](v).attrs.get(m, v, name)
		},
		SetAttr: func(m *machine, v value, name *object.Str, x value) *exception {
			return object.Trust[cache](v).attrs.set(m, v, name, x)
		},
	},
	Methods: []object.Method{
		{Name: "cache_clear", Func: func(m *machine, a object.Args) (value, *exception) {
			object.Trust[cache](a.V[0]).clear(m)
			return object.None, nil
		}},
		{Name: "cache_info", Func: func(m *machine, a object.Args) (value, *exception) {
			c := object.Trust[cache](a.V[0])
			return m.Call(c.info, object.Positional(object.Int(c.hits), object.Int(c.misses), c.sizeValue(), object.Int(int64(c.links.Len()))))
		}},
		{Name: "cache_parameters", Func: func(m *machine, a object.Args) (value, *exception) {
			c := object.Trust[cache](a.V[0])
			d := m.NewDict()
			d.SetStr(m, nameMaxSize, c.sizeValue())
			d.SetStr(m, nameTyped, object.Bool(c.typed))
			return d.Value(), nil
		}},
	},
	Traverse: func(o *object.Object, visit func(value)) {
		c := object.Trust[cache](object.Of(o))
		visitAll(visit, c.fn, c.info, c.links.Value())
		c.attrs.visit(visit)
	},
	Relocate: func(r *object.Relocation, o *object.Object) { object.Trust[cache](object.Of(o)).relocate(r) },
})

// relocate takes the results remembered to a copy, in their order.
func (c *cache) relocate(r *object.Relocation) {
	c.fn, c.info, c.links = r.Value(c.fn), r.Value(c.info), r.Dict(c.links)
	c.attrs.relocate(r)
	root := c.root.relocated(r)
	root.prev, root.next = c.root.prev.relocated(r), c.root.next.relocated(r)
	c.root = root
}

var (
	nameMaxSize = object.StaticName("maxsize")
	nameTyped   = object.StaticName("typed")
)

func (c *cache) sizeValue() value {
	if c.maxSize < 0 {
		return object.None
	}
	return object.Int(c.maxSize)
}
