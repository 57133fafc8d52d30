package object

import "unsafe"

// Value is any Python value, in two words. For ints that fit 64 bits, floats,
// bools and the singletons, ref points at a static tag and bits holds the
// payload; for every other value ref points at the object and bits is zero. So
// copying, storing and comparing for identity never touch the heap, and
// v == w is identity. The zero Value is no value at all: an unbound variable, a
// missing argument, the end of an iteration.
type Value struct {
	ref  *Object
	bits uint64
}

// Object is the header every heap object starts with, and what a tag is. Types
// that live in Go embed it as their first field.
type Object struct {
	typ   *Type
	kind  Kind
	flags flag
	epoch uint32 // of the last count of live memory that reached the object, or number in a search for cycles
}

type flag uint8

const (
	flagStatic    flag = 1 << iota // shared by all machines: never written, never counted
	flagCandidate                  // registered as a possible member of a reference cycle
	flagOutside                    // no part of the search for cycles: being made, or a module's or class's namespace
)

// Kind tells which Go structure a value has. An instance of a Python subclass
// of a built-in type has the structure of that type, and Sub added to its kind:
// comparing with the plain kind therefore asks for exactly the built-in type.
type Kind uint8

// Sub marks instances of subclasses.
const Sub Kind = 0x80

// The kinds. Those from KindSlice on can refer to other values.
const (
	KindInvalid Kind = iota
	KindNone
	KindEllipsis
	KindNotImplemented
	KindBool
	KindInt // fits 64 bits
	KindFloat
	KindComplex
	KindBig // an int beyond 64 bits
	KindStr
	KindBytes
	KindByteArray
	KindRange
	KindBuiltin
	KindCode
	KindLeaf // a native type without references
	KindSlice
	KindTuple
	KindList
	KindDict
	KindSet
	KindFrozenSet
	KindInstance
	KindException
	KindGenerator
	KindMethod
	KindFunction
	KindCell
	KindType
	KindModule
	KindDescriptor // property, classmethod, staticmethod, member and the like
	KindIterator   // iterators and views of the built-in types
	KindNative     // a native type of another package
)

// Base removes the subclass mark.
func (k Kind) Base() Kind { return k &^ Sub }

// The tags.
var (
	tagNone           = Object{typ: &TypeNone, kind: KindNone, flags: flagStatic}
	tagEllipsis       = Object{typ: &TypeEllipsis, kind: KindEllipsis, flags: flagStatic}
	tagNotImplemented = Object{typ: &TypeNotImplemented, kind: KindNotImplemented, flags: flagStatic}
	tagBool           = Object{typ: &TypeBool, kind: KindBool, flags: flagStatic}
	tagInt            = Object{typ: &TypeInt, kind: KindInt, flags: flagStatic}
	tagFloat          = Object{typ: &TypeFloat, kind: KindFloat, flags: flagStatic}
)

// The singletons.
var (
	None           = Value{ref: &tagNone}
	Ellipsis       = Value{ref: &tagEllipsis}
	NotImplemented = Value{ref: &tagNotImplemented}
	True           = Value{ref: &tagBool, bits: 1}
	False          = Value{ref: &tagBool}
)

// Int returns the int i.
func Int(i int64) Value { return Value{&tagInt, uint64(i)} }

// Float returns the float with the IEEE-754 double encoding bits. NaNs keep
// their payload.
func Float(bits uint64) Value { return Value{&tagFloat, bits} }

// Bool returns True or False.
func Bool(b bool) Value {
	if b {
		return Value{&tagBool, 1}
	}
	return Value{&tagBool, 0}
}

// Of returns the value whose heap object is o.
func Of(o *Object) Value { return Value{ref: o} }

// IsZero says whether v is no value at all.
func (v Value) IsZero() bool { return v.ref == nil }

// IsNone says whether v is None.
func (v Value) IsNone() bool { return v.ref == &tagNone }

// IsInt says whether v is exactly an int that fits 64 bits. Bools are not.
func (v Value) IsInt() bool { return v.ref == &tagInt }

// IsFloat says whether v is exactly a float.
func (v Value) IsFloat() bool { return v.ref == &tagFloat }

// IsBool says whether v is True or False.
func (v Value) IsBool() bool { return v.ref == &tagBool }

// IsTrue says whether v is the object True.
func (v Value) IsTrue() bool { return v.ref == &tagBool && v.bits != 0 }

// IsNotImplemented says whether v is the object NotImplemented.
func (v Value) IsNotImplemented() bool { return v.ref == &tagNotImplemented }

// Int64 returns the payload of an int or bool.
func (v Value) Int64() int64 { return int64(v.bits) }

// FloatBits returns the encoding of a float for which IsFloat holds.
func (v Value) FloatBits() uint64 { return v.bits }

// Bits returns the payload word.
func (v Value) Bits() uint64 { return v.bits }

// Ref returns the heap object or tag.
func (v Value) Ref() *Object { return v.ref }

// Kind returns the kind of a value that is not zero.
func (v Value) Kind() Kind { return v.ref.kind }

// Type returns the type of a value that is not zero.
func (v Value) Type() *Type { return v.ref.typ }

// Type returns the object's type.
func (o *Object) Type() *Type { return o.typ }

// Kind returns the object's kind.
func (o *Object) Kind() Kind { return o.kind }

// The conversions below trust the kind; callers have checked it.

func (v Value) str() *Str             { return (*Str)(unsafe.Pointer(v.ref)) }
func (v Value) big() *Big             { return (*Big)(unsafe.Pointer(v.ref)) }
func (v Value) list() *List           { return (*List)(unsafe.Pointer(v.ref)) }
func (v Value) tuple() *Tuple         { return (*Tuple)(unsafe.Pointer(v.ref)) }
func (v Value) dict() *Dict           { return (*Dict)(unsafe.Pointer(v.ref)) }
func (v Value) set() *Set             { return (*Set)(unsafe.Pointer(v.ref)) }
func (v Value) bytes() *Bytes         { return (*Bytes)(unsafe.Pointer(v.ref)) }
func (v Value) byteArray() *ByteArray { return (*ByteArray)(unsafe.Pointer(v.ref)) }
func (v Value) function() *Function   { return (*Function)(unsafe.Pointer(v.ref)) }
func (v Value) builtin() *Builtin     { return (*Builtin)(unsafe.Pointer(v.ref)) }
func (v Value) method() *BoundMethod  { return (*BoundMethod)(unsafe.Pointer(v.ref)) }
func (v Value) typ() *Type            { return (*Type)(unsafe.Pointer(v.ref)) }
func (v Value) exception() *Exception { return (*Exception)(unsafe.Pointer(v.ref)) }
func (v Value) slice() *Slice         { return (*Slice)(unsafe.Pointer(v.ref)) }
func (v Value) rng() *Range           { return (*Range)(unsafe.Pointer(v.ref)) }
func (v Value) module() *Module       { return (*Module)(unsafe.Pointer(v.ref)) }
func (v Value) generator() *Generator { return (*Generator)(unsafe.Pointer(v.ref)) }
func (v Value) cell() *Cell           { return (*Cell)(unsafe.Pointer(v.ref)) }

// AsStr returns the string v is, subclasses included.
func (v Value) AsStr() (*Str, bool) {
	if v.ref.kind&^Sub == KindStr {
		return v.str(), true
	}
	return nil, false
}

// AsList returns the list v is, subclasses included.
func (v Value) AsList() (*List, bool) {
	if v.ref.kind&^Sub == KindList {
		return v.list(), true
	}
	return nil, false
}

// AsTuple returns the tuple v is, subclasses included.
func (v Value) AsTuple() (*Tuple, bool) {
	if v.ref.kind&^Sub == KindTuple {
		return v.tuple(), true
	}
	return nil, false
}

// AsDict returns the dict v is, subclasses included.
func (v Value) AsDict() (*Dict, bool) {
	if v.ref.kind&^Sub == KindDict {
		return v.dict(), true
	}
	return nil, false
}

// AsSet returns the set or frozenset v is, subclasses included.
func (v Value) AsSet() (*Set, bool) {
	if k := v.ref.kind &^ Sub; k == KindSet || k == KindFrozenSet {
		return v.set(), true
	}
	return nil, false
}

// AsBytes returns the bytes object v is, subclasses included.
func (v Value) AsBytes() (*Bytes, bool) {
	if v.ref.kind&^Sub == KindBytes {
		return v.bytes(), true
	}
	return nil, false
}

// AsByteArray returns the bytearray v is, subclasses included.
func (v Value) AsByteArray() (*ByteArray, bool) {
	if v.ref.kind&^Sub == KindByteArray {
		return v.byteArray(), true
	}
	return nil, false
}

// AsType returns the type object v is.
func (v Value) AsType() (*Type, bool) {
	if v.ref.kind&^Sub == KindType {
		return v.typ(), true
	}
	return nil, false
}

// AsException returns the exception instance v is.
func (v Value) AsException() (*Exception, bool) {
	if v.ref.kind&^Sub == KindException {
		return v.exception(), true
	}
	return nil, false
}

// AsFunction returns the Python function v is.
func (v Value) AsFunction() (*Function, bool) {
	if v.ref.kind == KindFunction {
		return v.function(), true
	}
	return nil, false
}

// AsModule returns the module v is.
func (v Value) AsModule() (*Module, bool) {
	if v.ref.kind&^Sub == KindModule {
		return v.module(), true
	}
	return nil, false
}

// AsSlice returns the slice v is.
func (v Value) AsSlice() (*Slice, bool) {
	if v.ref.kind == KindSlice {
		return v.slice(), true
	}
	return nil, false
}

// Cast returns the native object v is if v is an instance of t or of a
// subclass; T is the Go structure that t was defined with.
func Cast[T any](v Value, t *Type) (*T, bool) {
	if v.ref.typ == t || v.ref.typ.IsSubtype(t) {
		return (*T)(unsafe.Pointer(v.ref)), true
	}
	return nil, false
}

// Trust is Cast without the check, for receivers of t's own methods.
func Trust[T any](v Value) *T { return (*T)(unsafe.Pointer(v.ref)) }
