package golden

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// Records holds the encodings of a package's records to testdata/records.golden, a line each: name, length in bytes, SHA-256. A name is the type's; more
// may follow it. What the file fixes is what chains, disks and clients have: a line that changes is a change of protocol or of a disk's format.
func Records(t *testing.T, records map[string][]byte) {
	t.Helper()
	var list bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(records)) {
		data := records[name]
		fmt.Fprintf(&list, "%s %d %x\n", name, len(data), sha256.Sum256(data))
	}
	File(t, "testdata/records.golden", list.Bytes())
}

// Fill gives every field of a value something that is not zero and that differs from field to field, so that an encoding which leaves one out, swaps two or
// writes one in another way comes out different. What is not zero already stays. Single bytes and truth values are 1, since most of them are kinds; an
// interface stays nil. Unexported fields are filled as well.
func Fill[T any](v *T) *T {
	f := filler{}
	f.fill(reflect.ValueOf(v).Elem())
	return v
}

type filler struct{ n uint64 }

// next is a number that takes two bytes as a varint and differs from all before it.
func (f *filler) next() uint64 {
	f.n++
	return 1_000 + f.n
}

func (f *filler) fill(v reflect.Value) {
	if !v.CanSet() { // unexported
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
		return
	case reflect.Array:
		for i := range v.Len() {
			f.element(v.Index(i))
		}
		return
	}
	if !v.IsZero() {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(f.next())
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.next()))
	case reflect.String:
		v.SetString(fmt.Sprint("text ", f.next()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range v.Len() {
			f.element(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	}
}

// element fills one of a row; bytes in a row differ.
func (f *filler) element(v reflect.Value) {
	if v.Kind() == reflect.Uint8 && v.IsZero() && v.CanSet() {
		v.SetUint(f.next() % 251)
		return
	}
	f.fill(v)
}
