package pyre

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/regex"
)

// cache keeps compiled programs of one machine. It changes speed only: a program costs the same whether it was kept or
// not.
type cache struct {
	object.Object
	programs map[key]*regex.Program
	length   int // of all patterns
}

// key is what a program depends on. Bytes patterns are kept as the text of their Latin-1 characters.
type key struct {
	isText  bool
	flags   regex.Flags
	pattern string
}

const (
	cacheName = "_cache"
	// cacheLength bounds the length of all patterns kept together, and so the memory of their programs.
	cacheLength = 16 << 10
)

var (
	typeCache object.Type
	nCache    = object.StaticName(cacheName)
)

var _ = object.Define(&typeCache, object.Spec{
	Name: "cache", Module: Name, NoNew: true, Final: true,
	Layout: object.LayoutOf[cache](object.KindLeaf),
	Relocate: func(r *object.Relocation, o *object.Object) {
		if r.Copying() {
			object.Trust[cache](object.Of(o)).clear()
		}
	},
})

// cacheOf returns the machine's cache, or nil before the module was imported.
func cacheOf(m *object.Machine) *cache {
	mod := m.Modules[Name]
	if mod == nil {
		return nil
	}
	v, ok := mod.Dict.GetStr(nCache)
	if !ok {
		return nil
	}
	c, _ := object.Cast[cache](v, &typeCache)
	return c
}

func (c *cache) keep(k key, p *regex.Program) {
	size := len(k.pattern) + 16
	if size > cacheLength/4 {
		return
	}
	if c.length += size; c.length > cacheLength || c.programs == nil {
		c.clear()
		c.programs = map[key]*regex.Program{}
		c.length = size
	}
	c.programs[k] = p
}

func (c *cache) clear() { c.programs, c.length = nil, 0 }
