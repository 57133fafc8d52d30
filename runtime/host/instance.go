package host

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// instance makes the object a method is called on. A registered class is instantiated without arguments. A bare class named Actor (form
// C) keeps its public attributes between calls: where they are stored, they are restored instead of calling __init__.
//
// Spec: sdk §3.1.
func (f *Invocation) instance(m *object.Machine, class object.Value) (instance object.Value, kept bool, e *object.Exception) {
	if !f.class.IsZero() {
		instance, e = m.Call(class, object.Args{})
		return instance, false, e
	}
	stored, found, err := f.work.overlay.Lookup(StorageKey(f.self, []byte(keyInstance)))
	if err != nil {
		return instance, true, f.raise(m, err)
	}
	if !found {
		instance, e = m.Call(class, object.Args{})
		return instance, true, e
	}
	if err := f.charge(uint64(f.costs().StorageRead), 0); err != nil {
		return instance, true, f.raise(m, err)
	}
	if err := f.chargeHundredths(uint64(len(stored)) * 100 / f.costs().StateReadBytesPerCell); err != nil {
		return instance, true, f.raise(m, err)
	}
	if _, err := f.require(entitle.KV, "kept attributes"); err != nil {
		return instance, true, f.raise(m, err)
	}
	state, e := f.decode(m, stored)
	if e != nil {
		return instance, true, e
	}
	if instance, e = m.CallMethod(class, nameNew, class); e != nil {
		return instance, true, e
	}
	attributes, ok := state.AsDict()
	if !ok {
		return instance, true, f.raise(m, raise(Codec, "kept attributes are not a map"))
	}
	attributes.Each(func(key, val object.Value) bool {
		name, ok := key.AsStr()
		if ok {
			e = m.SetAttr(instance, name, val)
		}
		return e == nil
	})
	return instance, true, e
}

// keep stores the public attributes of a form C instance if they changed. A query stores nothing.
func (f *Invocation) keep(m *object.Machine, instance object.Value) *object.Exception {
	if f.work.readOnly {
		return nil
	}
	all, e := m.GetAttr(instance, nameDict)
	if e != nil {
		return e
	}
	attributes, ok := all.AsDict()
	if !ok {
		return nil
	}
	public := m.NewDict()
	attributes.Each(func(key, val object.Value) bool {
		if name, ok := key.AsStr(); ok && name.Len() > 0 && name.String()[0] != '_' {
			e = public.Set(m, key, val)
		}
		return e == nil
	})
	if e != nil {
		return e
	}
	data, e := f.encode(m, public.Value())
	if e != nil {
		return e
	}
	old, _, err := f.work.overlay.Lookup(StorageKey(f.self, []byte(keyInstance)))
	if err != nil {
		return f.raise(m, err)
	}
	if bytes.Equal(old, data) {
		return nil
	}
	if len(data) > params.MaxStorageValueBytes {
		return f.raise(m, raise(Quota, "attributes of %d bytes; at most %d are kept", len(data), params.MaxStorageValueBytes))
	}
	if err := f.charge(uint64(f.costs().StorageWrite), uint64(len(keyInstance)+len(data))); err != nil {
		return f.raise(m, err)
	}
	if _, err := f.require(entitle.KV, "keeping attributes"); err != nil {
		return f.raise(m, err)
	}
	if err := f.put([]byte(keyInstance), data); err != nil {
		return f.raise(m, err)
	}
	return nil
}
