package host

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// storageCalls reach the executing actor's own storage.
//
// Spec: sdk §4, §8; WP §17.3, §17.4.
func storageCalls() []entry {
	return []entry{
		{"get_state", "key", getState(false)},
		{"set_state", "key, value", setState(false)},
		{"delete_state", "key", deleteState(false)},
		{"scan_state_prefix", "prefix, limit=100", scanState(false, 100)},
		{"record_get", "key", getState(true)},
		{"record_set", "key, value", setState(true)},
		{"record_delete", "key", deleteState(true)},
		{"record_scan", "prefix, limit=1000", scanState(true, scanMax)},
	}
}

func getState(record bool) syscall {
	return func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		key, e := octets(m, a.Arg(0), "key")
		if e != nil {
			return object.Value{}, e
		}
		value, found, err := f.State(key, record)
		if err != nil {
			return object.Value{}, f.raise(m, err)
		}
		if !found {
			return object.None, nil
		}
		return m.Bytes(value), nil
	}
}

func setState(record bool) syscall {
	return func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		key, e := octets(m, a.Arg(0), "key")
		if e != nil {
			return object.Value{}, e
		}
		value, e := octets(m, a.Arg(1), "value")
		if e != nil {
			return object.Value{}, e
		}
		return none(f.SetState(key, value, record), f, m)
	}
}

func deleteState(record bool) syscall {
	return func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		key, e := octets(m, a.Arg(0), "key")
		if e != nil {
			return object.Value{}, e
		}
		return none(f.DeleteState(key, record), f, m)
	}
}

func scanState(record bool, most uint64) syscall {
	return func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		prefix, e := octets(m, a.Arg(0), "prefix")
		if e != nil {
			return object.Value{}, e
		}
		limit, e := f.optional(m, a.Arg(1), "limit")
		if e != nil {
			return object.Value{}, e
		}
		if limit == nil {
			limit = &most
		}
		pairs, err := f.ScanState(prefix, int(min(*limit, scanMax)), record)
		if err != nil {
			return object.Value{}, f.raise(m, err)
		}
		list := m.NewList(nil)
		for _, p := range pairs {
			list.Append(m, m.Tuple(m.Bytes(p.Key), m.Bytes(p.Value)))
		}
		return list.Value(), nil
	}
}
