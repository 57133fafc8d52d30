// Package object is the object model of the PVM: values, the built-in types,
// classes, exceptions, calls, attribute access, operators, memory accounting.
// Packages compile and interp turn source into code and run it; everything a
// native module needs is here.
//
// # Values
//
// A Value is two words and never allocates for ints that fit 64 bits, floats,
// bools and None. Make values with Int, Float (IEEE bits, see runtime/softfloat),
// Bool, None, True, False, NotImplemented, and with the machine's constructors:
// m.Str, m.Bytes, m.List, m.Tuple, m.NewDict, m.NewSet, m.IntOf (big ints). Take
// them apart with AsInt, AsFloat, AsStr, AsBytes, AsByteArray, AsList, AsTuple,
// AsDict, AsSet, AsType, AsException, which accept instances of subclasses;
// IsInt, IsFloat, IsBool, IsNone and Kind ask for exactly the built-in type. The
// zero Value is no value: a missing argument, the end of an iteration.
//
// # Native functions
//
//	func(m *Machine, a Args) (Value, *Exception)
//
// is the type Func. A declaration is a Method: name, signature, function. With a
// signature such as "sep=None, maxsplit=-1" the arguments arrive bound in that
// order, checked for number and names, with CPython's messages; a.V[i] is a
// required one, a.Arg(i) an optional one (the zero Value if missing), a.Or(i,
// def) with a default. A method's receiver is a.V[0] and is not part of the
// signature; its type is checked. With Unbound or a starred signature arguments
// arrive as passed: a.Pos(), a.Names, a.Keyword(name). a.V aliases the caller's
// stack: copy what you keep.
//
// A native function never panics on bad input and never returns both results.
// Raise with m.TypeError(format, …), m.ValueError, m.IndexError, m.KeyError(key),
// m.OverflowError, m.RuntimeError, m.DeterminismError, m.Raise(&ExcX, format, …),
// m.RaiseValue(&ExcX, args…), and pass on every *Exception received. Catch only
// what e.Is(&ExcX) says: an exception with Fatal set is no Python exception.
//
// # Charging
//
// A call costs its 10 cycles in the interpreter, and in m.Call and its like when
// native code calls. A native function whose work depends on sizes charges before
// the work: m.Charge(n), or m.ChargeLen(base, n, per) for one cycle in per units.
// Aim at 5 ns for a cycle. Objects pay for the bytes they allocate by themselves;
// a step of an iterator in Go and the making of an exception have prices too.
// Meter.Owe takes cycles of a bounded amount where nothing can fail; the next
// charge notices that they were not there. m.Reserve(bytes)
// goes before every allocation whose size a program can choose: it raises
// MemoryError before Go allocates. Small objects count themselves.
//
// # Calling back
//
// m.Call, m.CallMethod, m.GetAttr, m.SetAttr, m.GetItem, m.SetItem, m.Iterate,
// m.Iter and m.Next, m.Step, m.Collect, m.Truth, m.Equal, m.Same, m.CompareBool, m.Hash,
// m.Len, m.Repr, m.ToStr, m.BinaryOp may all run Python code, which may change
// any container: look at lengths again afterwards. Code that can come back to
// itself without a Python frame in between brackets the step with m.Enter and
// m.Leave. A fresh container held across calls is made visible to the memory
// limit with m.Pin.
//
// # Native types
//
// A native type is a Go structure that begins with Object, a package variable,
// and its description:
//
//	type Deque struct {
//		object.Object
//		items []object.Value
//	}
//
//	var typeDeque object.Type
//
//	var _ = object.Define(&typeDeque, object.Spec{
//		Name: "deque", Module: "collections",
//		Layout:  object.LayoutOf[Deque](object.KindNative),
//		Slots:   object.Slots{New: …, Len: …, Iter: …, Compare: …}, // without Hash: unhashable
//		Methods: []object.Method{{Name: "append", Sig: "x, /", Func: dequeAppend}},
//		Traverse: …, Size: …,
//	})
//
// Slots are CPython's type slots; the matching dunder methods come by
// themselves. New allocates with object.Alloc[Deque](m, t, extra), which also
// serves subclasses written in Python; the receiver in methods and slots is
// object.Trust[Deque](v), any other operand object.Cast[Deque](v, &typeDeque).
// After storing a value into an existing instance call m.NoteStore(&d.Object, v):
// the search for reference cycles starts there. Traverse visits every value the
// structure refers to; Size is its size by formula. A type without references
// uses KindLeaf.
//
// # Templates
//
// A Template stands for a machine that ran a top level: others start from copies
// of all it made. A type whose instances may be copied says so with Relocate,
// which passes every reference of an instance through a Relocation and gives the
// copy its own of whatever can be written; the structure itself is copied
// before, so plain fields need nothing. A field added to a type that can hold or
// share something goes into its Relocate. What refers to values must be a field,
// never captured by a function. Package testkit/heap compares the memory of
// machines and finds what was forgotten.
//
// # Files
//
// A file's name says the type first and then its concern: str_find.go, dict_order.go. X_type.go
// has the structure of X, X_slots.go how it answers operators, X_methods.go what
// it calls methods. What belongs to no type is under what it does: call, attr,
// class, iter, op, memory, machine, template.
//
// # Invariants
//
//   - Static types, strings and functions are written only while packages are
//     initialised; they are shared by machines on all goroutines.
//   - Nothing depends on addresses, Go map order or Go's collector.
//   - Sizes are formulas: the same program counts the same bytes everywhere.
//   - unsafe is used for the representation of values alone.
//
// Deliberately absent: finalisers, weak references, frames as objects, buffers
// shared with the outside.
//
// Spec: WP "The Cowboy Actor VM (PVM)"; CIP-3 §2.2.
package object
