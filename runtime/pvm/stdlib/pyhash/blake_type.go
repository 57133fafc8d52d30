package pyhash

import (
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/buffer"
)

// blakeLimits are the maximum sizes of a variant's parameters.
type blakeLimits struct {
	digest, key, salt, person int
	offset                    uint64
}

var blakeVariants = [2]blakeLimits{
	{64, 64, 16, 16, math.MaxUint64},
	{32, 32, 8, 8, 1<<48 - 1},
}

var _, _ = defineBlake(0, "blake2b"), defineBlake(1, "blake2s")

func defineBlake(variant int, name string) *object.Type {
	limits := blakeVariants[variant]
	s := hashSpec(name, "_blake2", hashMethods(false))
	s.NoNew = false
	s.Slots.New = func(m *object.Machine, t *object.Type, a object.Args) (object.Value, *object.Exception) {
		return blakeNew(m, t, variant, a)
	}
	s.Slots.Init = func(m *object.Machine, v object.Value, a object.Args) *object.Exception { return nil }
	for _, c := range []struct {
		name string
		n    int
	}{{"MAX_DIGEST_SIZE", limits.digest}, {"MAX_KEY_SIZE", limits.key}, {"PERSON_SIZE", limits.person}, {"SALT_SIZE", limits.salt}} {
		s.Consts = append(s.Consts, object.Const{Name: c.name, Val: object.Int(int64(c.n))})
	}
	return object.Define(&typeBlake2[variant], s)
}

// blakeArguments reads keyword arguments, keeping the first error.
type blakeArguments struct {
	m *object.Machine
	a object.Args
	e *object.Exception
	n int // recognised
}

func (r *blakeArguments) value(name string) object.Value {
	v := r.a.Keyword(name)
	if !v.IsZero() {
		r.n++
	}
	return v
}

func (r *blakeArguments) integer(name string, def, low, high int) int {
	v := r.value(name)
	if v.IsZero() || r.e != nil {
		return def
	}
	n, e := r.m.IndexInt(v, nil)
	if e == nil && (n < low || n > high) {
		switch name {
		case "digest_size":
			e = r.m.ValueError("digest_size must be between %d and %d bytes", low, high)
		case "inner_size":
			e = r.m.ValueError("inner_size must be between 0 and is %d", high)
		default:
			e = r.m.ValueError("%s must be between %d and %d", name, low, high)
		}
	}
	r.e = e
	return n
}

func (r *blakeArguments) unsigned(name string, high uint64) uint64 {
	v := r.value(name)
	if v.IsZero() || r.e != nil {
		return 0
	}
	i, e := r.m.Index(v)
	if e != nil {
		r.e = e
		return 0
	}
	n := i.BigInt()
	switch {
	case n.Sign() < 0:
		r.e = r.m.ValueError("value must be positive")
	case !n.IsUint64():
		r.e = r.m.OverflowError("int too big to convert")
	case n.Uint64() > high:
		r.e = r.m.OverflowError("%s is too large", name)
	default:
		return n.Uint64()
	}
	return 0
}

func (r *blakeArguments) bytes(name string, most int) []byte {
	v := r.value(name)
	if v.IsZero() || r.e != nil {
		return nil
	}
	b, e := buffer.Read(r.m, v)
	if e == nil && len(b) > most {
		e = r.m.ValueError("maximum %s length is %d bytes", name, most)
	}
	r.e = e
	return b
}

func (r *blakeArguments) boolean(name string) bool {
	v := r.value(name)
	if v.IsZero() || r.e != nil {
		return false
	}
	var yes bool
	yes, r.e = r.m.Truth(v)
	return yes
}

func blakeNew(m *object.Machine, t *object.Type, variant int, a object.Args) (object.Value, *object.Exception) {
	limits, al := blakeVariants[variant], algorithms[variant]
	if len(a.Pos()) > 1 {
		return object.Value{}, m.TypeError("%s() takes at most 1 positional argument (%d given)", al.name, len(a.Pos()))
	}
	r := &blakeArguments{m: m, a: a}
	p := blakeParameters{
		size: r.integer("digest_size", limits.digest, 1, limits.digest),
		salt: r.bytes("salt", limits.salt), personal: r.bytes("person", limits.person),
		fanout: r.integer("fanout", 1, 0, 255), depth: r.integer("depth", 1, 1, 255),
		leaf: uint32(r.unsigned("leaf_size", math.MaxUint32)), offset: r.unsigned("node_offset", limits.offset),
		nodeDepth: r.integer("node_depth", 0, 0, 255), inner: r.integer("inner_size", 0, 0, limits.digest),
		last: r.boolean("last_node"),
	}
	key := r.bytes("key", limits.key)
	r.value("usedforsecurity")
	switch {
	case r.e != nil:
		return object.Value{}, r.e
	case r.n < len(a.Names):
		return object.Value{}, m.TypeError("%s() got an unexpected keyword argument", al.name)
	}
	p.key = len(key)
	if e := m.Charge(al.base); e != nil {
		return object.Value{}, e
	}
	var s state
	if variant == 0 {
		s = blake2bOf(p)
	} else {
		s = blake2sOf(p)
	}
	h := newHash(m, t, al, s, p.size)
	if len(key) > 0 { // the key is a block of its own
		if e := m.Charge(al.price(0, al.block)); e != nil {
			return object.Value{}, e
		}
		block := make([]byte, al.block)
		copy(block, key)
		s.write(block)
		h.count += uint64(al.block)
	}
	if data := a.Arg(0); !data.IsZero() {
		if e := h.update(m, data); e != nil {
			return object.Value{}, e
		}
	}
	return object.Of(&h.Object), nil
}
