package pyhash

import (
	"encoding/hex"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/buffer"
)

// Hash is a hash object.
type Hash struct {
	object.Object
	algorithm *algorithm
	state     state
	count     uint64 // bytes hashed
	size      int    // of the digest
}

var (
	typeHash   object.Type // of all algorithms without a type of their own
	typeShake  object.Type
	typeBlake2 [2]object.Type // blake2b, blake2s
)

// stateSize is what a hash in progress counts for, whatever the algorithm.
const stateSize = 400

var _ = object.Define(&typeHash, hashSpec("HASH", "_hashlib", hashMethods(false)))
var _ = object.Define(&typeShake, hashSpec("HASHXOF", "_hashlib", hashMethods(true)))

func hashSpec(name, module string, methods []object.Method) object.Spec {
	return object.Spec{
		Name: name, Module: module, NoNew: true, Final: true,
		Layout:  object.LayoutOf[Hash](object.KindLeaf),
		Methods: methods,
		Size:    func(*object.Object) int { return stateSize },
		Slots: object.Slots{Repr: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			h := object.Trust[Hash](v)
			return m.Str("<" + h.algorithm.name + " " + v.Type().FullName() + " object>"), nil
		}},
		Fields: []object.Field{
			{Name: "name", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
				return m.Called(object.Trust[Hash](v).algorithm.name), nil
			}},
			{Name: "digest_size", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
				return object.Int(int64(object.Trust[Hash](v).size)), nil
			}},
			{Name: "block_size", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
				return object.Int(int64(object.Trust[Hash](v).algorithm.block)), nil
			}},
		},
	}
}

func hashMethods(extendable bool) []object.Method {
	sig := ""
	if extendable {
		sig = "length"
	}
	return []object.Method{
		{Name: "copy", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			h := object.Trust[Hash](a.V[0])
			if e := m.Charge(30); e != nil {
				return object.Value{}, e
			}
			c := object.Alloc[Hash](m, h.Type(), stateSize)
			c.algorithm, c.state, c.count, c.size = h.algorithm, h.state.clone(), h.count, h.size
			return object.Of(&c.Object), nil
		}},
		{Name: "digest", Sig: sig, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			d, e := object.Trust[Hash](a.V[0]).digest(m, a)
			if e != nil {
				return object.Value{}, e
			}
			return m.Bytes(d), nil
		}},
		{Name: "hexdigest", Sig: sig, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			d, e := object.Trust[Hash](a.V[0]).digest(m, a)
			if e != nil {
				return object.Value{}, e
			}
			return m.Str(hex.EncodeToString(d)), nil
		}},
		{Name: "update", Sig: "obj, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			if e := object.Trust[Hash](a.V[0]).update(m, a.V[1]); e != nil {
				return object.Value{}, e
			}
			return object.None, nil
		}},
	}
}

// newHash returns a hash object of type t, its base price paid.
func newHash(m *object.Machine, t *object.Type, al *algorithm, s state, size int) *Hash {
	h := object.Alloc[Hash](m, t, stateSize)
	h.algorithm, h.state, h.size = al, s, size
	return h
}

// dataOf returns the bytes to hash.
func dataOf(m *object.Machine, v object.Value) ([]byte, *object.Exception) {
	if b, ok := buffer.Bytes(m, v); ok {
		return b, nil
	}
	if _, ok := v.AsStr(); ok {
		return nil, m.TypeError("Strings must be encoded before hashing")
	}
	if e := m.ViewFault(v); e != nil {
		return nil, e
	}
	return nil, m.TypeError("object supporting the buffer API required")
}

// update hashes more data and charges for the units it starts.
func (h *Hash) update(m *object.Machine, v object.Value) *object.Exception {
	b, e := dataOf(m, v)
	if e != nil {
		return e
	}
	if e := m.Charge(h.algorithm.price(h.count, len(b))); e != nil {
		return e
	}
	h.state.write(b)
	h.count += uint64(len(b))
	return nil
}

// price is the cost of n bytes more after count bytes.
func (al *algorithm) price(count uint64, n int) int {
	unit := uint64(al.unit)
	units := (count+uint64(n)+unit-1)/unit - (count+unit-1)/unit
	return int(units) * al.per
}

// digest returns the digest, charging for the final block and for long results.
func (h *Hash) digest(m *object.Machine, a object.Args) ([]byte, *object.Exception) {
	n := h.size
	if n == 0 {
		var e *object.Exception
		if n, e = m.IndexInt(a.V[1], nil); e != nil {
			return nil, e
		}
		if n < 0 {
			return nil, m.ValueError("value must be positive")
		}
		if n >= 1<<29 {
			return nil, m.ValueError("length is too large")
		}
		if e := m.Reserve(2 * n); e != nil {
			return nil, e
		}
	}
	if e := m.Charge(h.algorithm.price(0, n) + h.algorithm.per); e != nil {
		return nil, e
	}
	return h.state.sum(n), nil
}
