// Package buffer gives native modules the bytes behind Python's bytes-like
// objects.
//
// Spec: Python 3.11 library, "bytes-like object".
package buffer

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// Bytes returns the bytes of a bytes-like object, not to be modified and not to
// be kept across calls into Python; false for other objects.
func Bytes(m *object.Machine, v object.Value) ([]byte, bool) { return m.Buffer(v) }

// Read is Bytes with CPython's TypeError for other objects.
func Read(m *object.Machine, v object.Value) ([]byte, *object.Exception) {
	if b, ok := m.Buffer(v); ok {
		return b, nil
	}
	if e := m.ViewFault(v); e != nil {
		return nil, e
	}
	return nil, m.TypeError("a bytes-like object is required, not '%s'", v.Type().Name)
}

// Writable returns the bytes of a mutable bytes-like object, which writes change.
func Writable(m *object.Machine, v object.Value) ([]byte, *object.Exception) {
	if b, ok := m.WritableBuffer(v); ok {
		return b, nil
	}
	return nil, m.TypeError("argument must be read-write bytes-like object, not %s", v.Type().Name)
}
