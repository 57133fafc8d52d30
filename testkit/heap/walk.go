package heap

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// pointer is an address together with what is there: a structure and its first field have the same address.
type pointer struct {
	at uintptr
	of reflect.Type
}

// speed names the fields that hold what was learned, or room in advance, and by which no program can tell machines apart.
var speed = map[string]bool{
	"Type.cache": true, "Type.searches": true, "Type.initFunc": true, "Type.initVersion": true, "Type.initPlain": true,
	"Loaded.Caches": true, "Loaded.cold": true, "Machine.learning": true, "Image.places": true,
	"Dict.room": true, "Image.spare": true, "Image.codes": true, "Image.number": true, "Shape.number": true,
	"Object.epoch": true, "cache.programs": true, "cache.length": true, "Layout.of": true,
	"Machine.meter": true, "Machine.costs": true, "Machine.units": true,
	"Machine.template": true, "Machine.arena": true, "Machine.caches": true, "Machine.stack": true, "Machine.pool": true,
	"Machine.free": true, "Machine.evaluator": true, "Machine.importer": true, "Machine.Stdout": true, "Machine.Host": true,
	"Machine.halves": true, "Machine.scratch": true, "Machine.digits": true, "Machine.drafts": true, "Machine.finder": true, "Machine.chunks": true,
	"Machine.lent": true, "Machine.showing": true, "work.showing": true, // empty, with room or without
}

// unwritten are the structures no operation writes once they are made, so that machines may share them.
var unwritten = map[string]bool{
	"object.Code": true, "object.Unit": true, "regex.Program": true, "regex.class": true, "pystruct.layout": true, "decimal.Number": true,
	"object.wideRange": true, "object.Func": true,
}

var (
	typeObject = reflect.TypeFor[object.Object]()
	typeValue  = reflect.TypeFor[object.Value]()
	typeType   = reflect.TypeFor[object.Type]()
)

// static says whether an object belongs to all machines.
func static(o reflect.Value) bool { return o.FieldByName("flags").Uint()&1 != 0 }

// anchor says whether something that looks like an object is none of the program's, but where a ring of them begins.
func anchor(o reflect.Value) bool { return bare(o.FieldByName("typ")).IsNil() }

// bare gives access to what an unexported field holds.
func bare(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	return v
}

// structures are the whole structures that an object consists of: that of its native type, and the attributes behind it if its class is the
// program's own.
func structures(o reflect.Value) ([]reflect.Value, error) {
	at := unsafe.Pointer(o.UnsafeAddr())
	kind := object.Kind(o.FieldByName("kind").Uint())
	typ := bare(o.FieldByName("typ")).Elem()
	whole := func(t reflect.Type) []reflect.Value { return []reflect.Value{reflect.NewAt(t, at).Elem()} }
	switch kind.Base() {
	case object.KindType:
		return whole(typeType), nil
	case object.KindException:
		return whole(reflect.TypeFor[object.Exception]()), nil
	case object.KindInstance:
		return whole(reflect.TypeFor[object.Instance]()), nil
	case object.KindMethod: // of several types
		return whole(reflect.TypeFor[object.BoundMethod]()), nil
	case object.KindBig:
		return whole(reflect.TypeFor[object.Big]()), nil
	}
	native := typ
	for !static(native.FieldByName("Object")) {
		native = bare(native.FieldByName("base")).Elem()
	}
	of, ok := bare(native.FieldByName("layout").FieldByName("of")).Interface().(reflect.Type)
	if !ok || of == nil {
		return nil, fmt.Errorf("type %s has no structure", native.FieldByName("Name"))
	}
	all := whole(of)
	if off := typ.FieldByName("attrsOff").Uint(); off != 0 && uintptr(off) >= of.Size() {
		all = append(all, reflect.NewAt(reflect.TypeFor[object.Attrs](), unsafe.Add(at, off)).Elem())
	}
	return all, nil
}

// window are the registers of a suspended frame that are still needed; its pointer to them has a type larger than what is there.
func window(frame reflect.Value) reflect.Value {
	f := (*object.Frame)(unsafe.Pointer(frame.UnsafeAddr()))
	var live []object.Value
	if f.Regs == nil {
		return reflect.ValueOf(live)
	}
	all, c := unsafe.Slice((*object.Value)(unsafe.Pointer(f.Regs)), f.Limit), f.L.Code
	if c.ClearAll {
		return reflect.ValueOf(all[:c.Regs:c.Regs])
	}
	live = append(live, all[:c.Locals+c.Cells]...)
	for _, run := range c.LiveSets[c.Live[f.PC]] {
		live = append(live, all[run.From:run.From+run.N]...)
	}
	return reflect.ValueOf(live[:len(live):len(live)])
}

// entry is the part of a path that leads to the entry of a map.
func entry(key reflect.Value) string {
	if key.Kind() == reflect.String {
		return "[" + key.String() + "]"
	}
	return "[…]"
}

// embeds says whether a structure begins with the header of an object.
func embeds(t reflect.Type) bool {
	return t == typeObject || t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Type == typeObject && t.Field(0).Anonymous
}
