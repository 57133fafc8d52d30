package host

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// freeTags is how many tags a handler's first check of its sender looks at for nothing. Any other check pays for the owner it may read, and for each tag.
const freeTags = 8

// sdkCalls are what cowboy_sdk is made with.
func sdkCalls() []entry { return slices.Concat(registerCalls(), handlerCalls(), modeCalls()) }

// registerCalls are how the SDK tells the host of what a module declares, and reads what it was told.
func registerCalls() []entry {
	return []entry{
		{"cbor_encode", "value", func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			data, e := f.encode(m, a.Arg(0))
			if e != nil {
				return object.Value{}, e
			}
			return m.Bytes(data), nil
		}},
		{"cbor_decode", "data", func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			data, e := octets(m, a.Arg(0), "data")
			if e != nil {
				return object.Value{}, e
			}
			return f.decode(m, data)
		}},
		{"register_actor", "cls", func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			if _, ok := a.Arg(0).AsType(); !ok {
				return object.Value{}, m.TypeError("register_actor takes a class")
			}
			f.class = a.Arg(0)
			return object.None, nil
		}},
		{"register_mapping", "cls", func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			if _, ok := a.Arg(0).AsType(); !ok {
				return object.Value{}, m.TypeError("register_mapping takes a class")
			}
			f.mapping = a.Arg(0)
			return object.None, nil
		}},
		{"register_errors", "classes", registerErrors},
		{"register_handlers", "table", func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			if _, ok := a.Arg(0).AsDict(); !ok {
				return object.Value{}, m.TypeError("register_handlers takes a dict")
			}
			f.named = a.Arg(0)
			return object.None, nil
		}},
		{"register_routes", "table", func(f *Invocation, _ *object.Machine, a object.Args) (object.Value, *object.Exception) {
			f.routes = a.Arg(0)
			return object.None, nil
		}},
		{"publish_routes", "table", publishRoutes},
		{"published_routes", "", publishedRoutes},
		{"module_form", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			d := m.NewDict()
			d.SetStr(m, namePermissions, object.Bool(f.form.Permissions))
			d.SetStr(m, nameModes, object.Bool(f.form.Modes))
			return d.Value(), nil
		}},
	}
}

// handlerCalls are what a handler asks about its call: who may make it, how it is run, which locks are held.
func handlerCalls() []entry {
	return []entry{
		{"check_access", "tags", checkAccess},
		{"is_intra", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			return object.Bool(f.sentBy(f.self)), nil
		}},
		{"handler_mode", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			return m.Str(f.mode.String()), nil
		}},
		{"lock", "name", takeLock},
		{"unlock", "name", freeLock},
		{"next_counter", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			n := f.work.counter
			f.work.counter++
			return uintValue(m, n), nil
		}},
	}
}

// modeCalls say in which mode the program runs: there is one.
func modeCalls() []entry {
	return []entry{
		{"mode", "", func(_ *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			return m.Str("fsm"), nil
		}},
		{"is_production", "", constant(object.Bool(true))},
		{"is_development", "", constant(object.Bool(false))},
		{"is_checkpoint_mode", "", constant(object.Bool(false))},
		{"require_fsm", "", constant(object.None)},
		{"runtime_config", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			d := m.NewDict()
			d.SetStr(m, nameMode, m.Str("fsm"))
			d.SetStr(m, contextNames[9], m.Str(PVMVersion))
			d.SetStr(m, contextNames[3], uintValue(m, f.work.turn.Block.ChainID))
			return d.Value(), nil
		}},
	}
}

var (
	namePermissions = object.StaticName("permissions")
	nameModes       = object.StaticName("modes")
	nameMode        = object.StaticName("mode")
)

// checkAccess refuses a sender that a handler's tags do not admit.
func checkAccess(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	tags, ok := a.Arg(0).AsTuple()
	if !ok {
		return object.Value{}, m.TypeError("check_access takes a tuple")
	}
	if f.passed {
		f.passed = false
		return object.None, nil
	}
	if n := len(tags.Items()); n > freeTags || f.checked {
		if e := m.Charge(int(f.costs().StorageRead) + n*m.Costs().Element); e != nil {
			return object.Value{}, e
		}
	}
	f.checked = true
	admitted, e := f.admits(m, tags)
	if e != nil {
		return object.Value{}, e
	}
	if !admitted && !(len(tags.Items()) == 0 && !f.form.Permissions) {
		return object.Value{}, f.raise(m, raise(PermissionDenied, "the sender may not call this handler"))
	}
	return object.None, nil
}

func takeLock(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	name, e := lockName(m, a.Arg(0))
	if e != nil {
		return object.Value{}, e
	}
	if len(f.work.locks) >= maxLocks {
		return object.Value{}, f.raise(m, raise(Quota, "a turn holds at most %d locks", maxLocks))
	}
	return object.Bool(f.lock(name)), nil
}

func freeLock(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	name, e := lockName(m, a.Arg(0))
	if e != nil {
		return object.Value{}, e
	}
	f.unlock(name)
	return object.None, nil
}

func constant(v object.Value) syscall {
	return func(*Invocation, *object.Machine, object.Args) (object.Value, *object.Exception) { return v, nil }
}

// The first classes of errors that an invocation registers are in the price of what it imports them with, freeErrors at most; any others cost errorCost each.
const (
	freeErrors = 256
	errorCost  = 20
)

func registerErrors(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	d, ok := a.Arg(0).AsDict()
	if !ok {
		return object.Value{}, m.TypeError("register_errors takes a dict")
	}
	if n := d.Len(); n > freeErrors || f.errors != nil {
		if e := m.Charge(n * errorCost); e != nil {
			return object.Value{}, e
		}
	}
	classes := make(map[string]object.Value, d.Len())
	good := true
	d.Each(func(key, val object.Value) bool {
		name, isName := key.AsStr()
		class, isClass := val.AsType()
		if good = isName && isClass && class.IsSubtype(&object.ExcBaseException); good {
			classes[name.String()] = val
		}
		return good
	})
	if !good {
		return object.Value{}, m.TypeError("register_errors takes names and exception classes")
	}
	f.errors = classes
	return object.None, nil
}

const (
	maxLocks = 1_024 // that a turn holds at a time
	lockCost = 80    // cycles, to look a lock up, beside the bytes of its name
)

// lockName reads the name of a lock and takes the price of looking it up.
func lockName(m *object.Machine, v object.Value) (string, *object.Exception) {
	name, e := text(m, v, "name")
	if e == nil {
		e = m.Charge(lockCost + len(name)>>(m.Costs().ByteShift&63))
	}
	return name, e
}

// lock takes a flag of the turn and reports whether it was free.
func (f *Invocation) lock(name string) bool {
	l := lock{f.self, name}
	if f.work.locks[l] != nil {
		return false
	}
	if f.held == nil {
		f.held = map[lock]bool{}
	}
	f.work.locks[l], f.held[l] = f, true
	return true
}

// unlock frees a flag this invocation took.
func (f *Invocation) unlock(name string) {
	if l := (lock{f.self, name}); f.work.locks[l] == f {
		delete(f.held, l)
		delete(f.work.locks, l)
	}
}

// release frees every flag the invocation still holds; it is called whatever way the invocation ends.
func (f *Invocation) release() {
	for l := range f.held { // order-free: each is freed
		delete(f.work.locks, l)
	}
	f.held = nil
}

// chargeCodec takes the price of a serialization before its bytes are used.
//
// Spec: CIP-3 §2.2 (20 + bytes).
func (f *Invocation) chargeCodec(n int) error {
	return f.charge(uint64(f.costs().SerializeBase)+uint64(n)*uint64(f.costs().SerializePerByte), 0)
}

// moreCalls are those of the host that need what other groups have.
func moreCalls() []entry {
	return []entry{{"submit_job", "payload", submitJob}, {"upgrade_self", "new_code, new_manifest=None", upgradeSelf}}
}

func submitJob(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	if err := f.dispatched(); err != nil {
		return object.Value{}, f.raise(m, err)
	}
	data, structured, e := f.payload(m, a.Arg(0))
	if e == nil && !structured {
		e = f.checkCanonical(m, data)
	}
	if e != nil {
		return object.Value{}, e
	}
	return none(f.Submit(data), f, m)
}
