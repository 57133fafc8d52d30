package pyhash

import (
	"crypto/hmac"
	"encoding/binary"
	"hash"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/buffer"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
)

// Fill makes the module's namespace.
func Fill(m *object.Machine, mod *object.Module) *object.Exception {
	if e := namespace.Fill(m, mod, entries); e != nil {
		return e
	}
	names := m.NewSet(&object.TypeFrozenSet)
	for _, al := range algorithms {
		if al.name == "keccak256" {
			continue // not Python's
		}
		if _, e := names.Add(m, al.title.Value()); e != nil {
			return e
		}
	}
	mod.Define(m, "algorithms_guaranteed", names.Value())
	mod.Define(m, "algorithms_available", names.Value())
	return nil
}

// entries are shared by all machines.
var entries = namespace.Join(constructors(), namespace.Functions("hashlib",
	object.Method{Name: "new", Sig: "name, data=b'', **kwargs", Func: newByName},
	object.Method{Name: "pbkdf2_hmac", Sig: "hash_name, password, salt, iterations, dklen=None", Func: pbkdf2},
))

func blakeType(al *algorithm) *object.Type {
	switch al.name {
	case "blake2b":
		return &typeBlake2[0]
	case "blake2s":
		return &typeBlake2[1]
	}
	return nil
}

// constructors are the functions and types named after the algorithms.
func constructors() []namespace.Entry {
	var out []namespace.Entry
	for _, al := range algorithms {
		if t := blakeType(al); t != nil {
			out = append(out, namespace.Of(al.name, t.Value()))
			continue
		}
		out = append(out, namespace.Functions("hashlib", object.Method{
			Name: al.name, Sig: "string=b'', *, usedforsecurity=True",
			Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
				return start(m, al, a.Arg(0))
			},
		})...)
	}
	return out
}

// start makes a hash object and hashes the data, if there is any.
func start(m *object.Machine, al *algorithm, data object.Value) (object.Value, *object.Exception) {
	if e := m.Charge(al.base); e != nil {
		return object.Value{}, e
	}
	t := &typeHash
	if al.size == 0 {
		t = &typeShake
	}
	if own := blakeType(al); own != nil {
		t = own
	}
	h := newHash(m, t, al, al.create(), al.size)
	if !data.IsZero() {
		if e := h.update(m, data); e != nil {
			return object.Value{}, e
		}
	}
	return object.Of(&h.Object), nil
}

// longestName is longer than any algorithm's name.
const longestName = 32

// nameArgument returns the algorithm an argument names, in any case.
func nameArgument(m *object.Machine, v object.Value) (*algorithm, *object.Exception) {
	s, ok := v.AsStr()
	if !ok {
		return nil, m.TypeError("new() argument 'name' must be str, not %s", v.Type().Name)
	}
	if len(s.String()) > longestName {
		return nil, m.ValueError("unsupported hash type %s", s.String())
	}
	lower := []byte(s.String())
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	if al := algorithmNamed(string(lower)); al != nil {
		return al, nil
	}
	return nil, m.ValueError("unsupported hash type %s", s.String())
}

// newByName is hashlib.new: keywords beside the data are for the constructors that
// have some.
func newByName(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	pos := a.Pos()
	if len(pos) < 1 || len(pos) > 2 {
		return object.Value{}, m.TypeError("new() takes from 1 to 2 positional arguments but %d were given", len(pos))
	}
	al, e := nameArgument(m, pos[0])
	if e != nil {
		return object.Value{}, e
	}
	data := a.Arg(1)
	rest := object.Positional(pos[1:]...)
	for i, name := range a.Names {
		switch v := a.V[len(pos)+i]; name.String() {
		case "data", "string":
			data = v
			rest.V = append([]object.Value{v}, rest.V...)
		case "usedforsecurity":
		default:
			rest.V, rest.Names = append(rest.V, v), append(rest.Names, name)
		}
	}
	if len(rest.Names) == 0 {
		return start(m, al, data)
	}
	if own := blakeType(al); own != nil {
		return m.Apply(own.Value(), rest)
	}
	return object.Value{}, m.TypeError("'%s' is an invalid keyword argument for new()", rest.Names[0])
}

// hashOf adapts an algorithm to the interface HMAC wants.
type hashOf struct {
	algorithm *algorithm
	state
}

func (h *hashOf) Write(p []byte) (int, error) { h.write(p); return len(p), nil }
func (h *hashOf) Sum(b []byte) []byte         { return append(b, h.sum(0)...) }
func (h *hashOf) Reset()                      { h.state = h.algorithm.create() }
func (h *hashOf) Size() int                   { return h.algorithm.size }
func (h *hashOf) BlockSize() int              { return h.algorithm.block }

// pbkdf2 derives a key (RFC 8018 §5.2). Each iteration costs two compressions.
func pbkdf2(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	al, e := nameArgument(m, a.V[0])
	if e != nil {
		return object.Value{}, e
	}
	if al.size == 0 {
		return object.Value{}, m.ValueError("unsupported hash type %s", al.name)
	}
	password, e := buffer.Read(m, a.V[1])
	if e != nil {
		return object.Value{}, e
	}
	salt, e := buffer.Read(m, a.V[2])
	if e != nil {
		return object.Value{}, e
	}
	iterations, e := m.IndexInt(a.V[3], nil)
	if e != nil {
		return object.Value{}, e
	}
	if iterations < 1 {
		return object.Value{}, m.ValueError("iteration value must be greater than 0.")
	}
	size := al.size
	if v := a.Or(4, object.None); !v.IsNone() {
		if size, e = m.IndexInt(v, nil); e != nil {
			return object.Value{}, e
		}
		if size < 1 {
			return object.Value{}, m.ValueError("key length must be greater than 0.")
		}
	}
	if e := m.Reserve(size + al.size); e != nil {
		return object.Value{}, e
	}
	blocks := (size + al.size - 1) / al.size
	if e := m.Charge(al.base + al.price(0, len(password)+len(salt))); e != nil {
		return object.Value{}, e
	}
	return deriveKey(m, al, password, salt, iterations, blocks, size)
}

func deriveKey(m *object.Machine, al *algorithm, password, salt []byte, iterations, blocks, size int) (object.Value, *object.Exception) {
	perIteration := 8*al.price(0, al.block) + 20
	mac := hmac.New(func() hash.Hash { return &hashOf{al, al.create()} }, password)
	var key []byte
	for block := 1; block <= blocks; block++ {
		var u []byte
		t := make([]byte, al.size)
		for i := range iterations {
			if e := m.Charge(perIteration); e != nil {
				return object.Value{}, e
			}
			mac.Reset()
			if i == 0 {
				mac.Write(salt)
				u = binary.BigEndian.AppendUint32(u, uint32(block))
			}
			mac.Write(u)
			u = mac.Sum(u[:0])
			for k := range t {
				t[k] ^= u[k]
			}
		}
		key = append(key, t...)
	}
	return m.Bytes(key[:size:size]), nil
}
