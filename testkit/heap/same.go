package heap

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Same says in what two machines, neither of which runs, differ. Objects are paired in the order in which they are met: identity, order,
// capacity, versions and everything else but what was learned for speed has to agree.
func Same(a, b *object.Machine) error {
	p := &pairs{there: map[pointer]uintptr{}, back: map[pointer]uintptr{}}
	p.pointers(reflect.ValueOf(a), reflect.ValueOf(b), "machine")
	for p.err == nil && len(p.todo) > 0 {
		next := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		next()
	}
	return p.err
}

// pairs is a walk through two memories at a time.
type pairs struct {
	there, back map[pointer]uintptr
	todo        []func()
	tuple       bool // the array at hand is a tuple's
	err         error
}

func (p *pairs) differ(path, format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...))
	}
}

// pair notes that two addresses correspond and says whether that is new.
func (p *pairs) pair(a, b uintptr, of reflect.Type, path string) bool {
	x, met := p.there[pointer{a, of}]
	y, metBack := p.back[pointer{b, of}]
	if met != metBack || met && (x != b || y != a) {
		p.differ(path, "other identity")
		return false
	}
	p.there[pointer{a, of}], p.back[pointer{b, of}] = b, a
	return !met
}

// pointers compares what two pointers lead to.
func (p *pairs) pointers(a, b reflect.Value, path string) {
	if a.IsNil() || b.IsNil() {
		if a.IsNil() != b.IsNil() {
			p.differ(path, "nil on one side")
		}
		return
	}
	of := a.Type().Elem()
	if a.Pointer() == b.Pointer() {
		if embeds(of) && !static(header(a)) {
			p.differ(path, "shared %v", of)
		}
		return
	}
	if embeds(of) {
		of = typeObject
	}
	if !p.pair(a.Pointer(), b.Pointer(), of, path) {
		return
	}
	p.todo = append(p.todo, func() {
		if of == typeObject && !anchor(header(a)) {
			p.objects(a, b, path)
			return
		}
		p.values(a.Elem(), b.Elem(), path)
	})
}

// objects compares two objects as what they really are.
func (p *pairs) objects(a, b reflect.Value, path string) {
	x, err := structures(header(a))
	y, err2 := structures(header(b))
	if err != nil || err2 != nil {
		p.differ(path, "%v, %v", err, err2)
		return
	}
	if len(x) != len(y) || x[0].Type() != y[0].Type() {
		p.differ(path, "a %v and a %v", x[0].Type(), y[0].Type())
		return
	}
	for i := range x {
		p.values(x[i], y[i], path)
	}
}

// header is the object that a pointer to a structure, or to its header, leads to.
func header(v reflect.Value) reflect.Value {
	return reflect.NewAt(typeObject, v.UnsafePointer()).Elem()
}

func (p *pairs) values(a, b reflect.Value, path string) {
	switch a.Kind() {
	case reflect.Pointer:
		p.pointers(bare(a), bare(b), path)
	case reflect.Struct:
		p.structs(a, b, path)
	case reflect.Slice:
		if a.Len() != b.Len() || p.counted(a, path) && a.Cap() != b.Cap() {
			p.differ(path, "%d of %d elements, and %d of %d", a.Len(), a.Cap(), b.Len(), b.Cap())
			return
		}
		for i := range a.Len() {
			p.values(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Array:
		for i := range a.Len() {
			p.values(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Map:
		p.maps(bare(a), bare(b), path)
	case reflect.Func:
		if a.Pointer() != b.Pointer() {
			p.differ(path, "other functions")
		}
	case reflect.Interface:
		if a.IsNil() != b.IsNil() || !a.IsNil() && !bare(a).Elem().Equal(bare(b).Elem()) {
			p.differ(path, "%v and %v", a, b)
		}
	default:
		if !bare(a).Equal(bare(b)) {
			p.differ(path, "%v and %v", bare(a), bare(b))
		}
	}
}

// counted says whether the capacity of an array counts as memory.
func (p *pairs) counted(a reflect.Value, path string) bool {
	of := a.Type().Elem()
	return of.Name() == "entry" || of == typeValue && !p.tuple && !strings.HasSuffix(path, ".Args") && path != "machine.pins"
}

func (p *pairs) structs(a, b reflect.Value, path string) {
	t := a.Type()
	for i := range t.NumField() {
		name := t.Name() + "." + t.Field(i).Name
		if name == "Frame.Regs" {
			p.values(window(a), window(b), path)
		} else if !speed[name] {
			p.tuple = name == "Tuple.items"
			p.values(a.Field(i), b.Field(i), path+"."+t.Field(i).Name)
		}
	}
}

// maps compares maps whose keys are texts, static types or objects that have a pair.
func (p *pairs) maps(a, b reflect.Value, path string) {
	if a.Len() != b.Len() {
		p.differ(path, "%d and %d entries", a.Len(), b.Len())
		return
	}
	if a.Type().Key() == reflect.PointerTo(typeObject) { // identities: when all objects are paired
		p.todo = append([]func(){func() { p.identities(a, b, path) }}, p.todo...)
		return
	}
	for _, key := range a.MapKeys() {
		x, y := a.MapIndex(key), b.MapIndex(key)
		if !y.IsValid() {
			p.differ(path, "no entry %s", entry(key))
			return
		}
		p.values(x, y, path+entry(key))
	}
}

func (p *pairs) identities(a, b reflect.Value, path string) {
	other := map[uint64]uintptr{}
	for _, key := range b.MapKeys() {
		other[b.MapIndex(key).Uint()] = key.Pointer()
	}
	for _, key := range a.MapKeys() {
		at := key.Pointer()
		if to, met := p.there[pointer{at, typeObject}]; met {
			at = to
		}
		if other[a.MapIndex(key).Uint()] != at {
			p.differ(path, "identity %d is of another object", a.MapIndex(key).Uint())
		}
	}
}
