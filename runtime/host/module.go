package host

import (
	"math"
	"math/big"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// moduleName is what actors import.
const moduleName = "pvm_host"

// syscall is a function of pvm_host over the invocation that calls it.
type syscall func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception)

// entry declares a syscall: its name, its parameters as Python writes them, and what it does.
type entry struct {
	name, sig string
	call      syscall
}

// members are the names of the module, shared by all machines; functions find their invocation through the machine.
var members = makeMembers()

func makeMembers() []object.Binding {
	if !exceptionTypesReady {
		panic("host: exception types")
	}
	var list []object.Binding
	for _, group := range [...][]entry{contextCalls(), storageCalls(), blobCalls(), effectCalls(), ownerCalls(), sdkCalls(), moreCalls(), chapterCalls()} {
		for _, e := range group {
			b := object.NewBuiltin(object.Method{Name: e.name, Sig: e.sig, Func: withFrame(e.call, constants[e.name])})
			b.Module = moduleName
			list = append(list, object.Binding{Name: object.StaticName(e.name), Value: b.Value()})
		}
	}
	for _, t := range [...]*object.Type{&typeHostError, &typeOutOfGas, &typeNondeterminism, &typeBadDeterminism} {
		list = append(list, object.Binding{Name: object.StaticName(t.ShortName()), Value: t.Value()})
	}
	return list
}

func withFrame(call syscall, constant bool) object.Func {
	return func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		f := m.Host.(*Invocation)
		if f.alone && !constant {
			f.asked = true
			return object.Value{}, m.Fail(errAlone)
		}
		return call(f, m, a)
	}
}

// fillModule makes pvm_host for a machine whose Host is an *Invocation.
func fillModule(m *object.Machine, mod *object.Module) *object.Exception {
	mod.Fill(m, members)
	return nil
}

func none(err error, f *Invocation, m *object.Machine) (object.Value, *object.Exception) {
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return object.None, nil
}

// uintValue is n as a Python int.
func uintValue(m *object.Machine, n uint64) object.Value {
	if n <= math.MaxInt64 {
		return object.Int(int64(n))
	}
	v, _ := m.IntOf(new(big.Int).SetUint64(n)) // 64 bits are within the limit of integers
	return v
}
