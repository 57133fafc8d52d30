package heap

import (
	"fmt"
	"reflect"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Apart names something that two machines share and that could be written.
func Apart(a, b *object.Machine) error {
	first := &reach{met: map[pointer]string{}}
	if err := first.from(a); err != nil {
		return err
	}
	second := &reach{met: map[pointer]string{}}
	if err := second.from(b); err != nil {
		return err
	}
	for at, path := range second.met {
		if where, shared := first.met[at]; shared {
			return fmt.Errorf("a %v is shared: %s is %s", at.of, path, where)
		}
	}
	return nil
}

// reach is everything a machine can write.
type reach struct {
	met  map[pointer]string
	todo []func() error
}

func (r *reach) from(m *object.Machine) error {
	r.value(reflect.ValueOf(m).Elem(), "machine")
	for len(r.todo) > 0 {
		next := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		if err := next(); err != nil {
			return err
		}
	}
	return nil
}

// enter notes an address and says whether it is new.
func (r *reach) enter(at uintptr, of reflect.Type, path string) bool {
	_, met := r.met[pointer{at, of}]
	if !met {
		r.met[pointer{at, of}] = path
	}
	return !met
}

func (r *reach) value(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		r.pointer(bare(v), path)
	case reflect.Struct:
		t := v.Type()
		if unwritten[t.String()] {
			return
		}
		for i := range t.NumField() {
			name := t.Name() + "." + t.Field(i).Name
			if fixed[name] {
				r.elements(v.Field(i), path)
			} else if name == "Frame.Regs" {
				r.elements(window(v), path)
			} else if !skipped[name] {
				r.value(v.Field(i), path+"."+t.Field(i).Name)
			}
		}
	case reflect.Slice:
		r.slice(v, path)
	case reflect.Array:
		for i := range v.Len() {
			r.value(v.Index(i), path)
		}
	case reflect.Map:
		if !v.IsNil() {
			r.enter(v.Pointer(), v.Type(), path)
			for _, key := range bare(v).MapKeys() {
				r.value(key, path+".key")
				r.value(bare(v).MapIndex(key), path+entry(key))
			}
		}
	}
}

// skipped are fields that lead out of a machine's own memory, or to what is never written.
var skipped = map[string]bool{
	"Machine.meter": true, "Machine.costs": true, "Machine.units": true,
	"Machine.template": true, "Machine.stack": true, "Machine.evaluator": true, "Machine.importer": true,
	"Machine.Stdout": true, "Machine.Host": true, "Machine.watch": true, "Machine.arena": true, "Machine.pool": true, "Machine.chunks": true,
	"Big.i": true, "Bytes.b": true, "strMore.runes": true, "Layout.of": true, "Type.layout": true, "Loaded.Code": true,
}

func (r *reach) pointer(v reflect.Value, path string) {
	of := v.Type().Elem()
	if v.IsNil() || unwritten[of.String()] {
		return
	}
	if !embeds(of) {
		if r.enter(v.Pointer(), of, path) {
			r.todo = append(r.todo, func() error { r.value(v.Elem(), path); return nil })
		}
		return
	}
	o := header(v)
	if static(o) || !r.enter(v.Pointer(), typeObject, path) {
		return
	}
	r.todo = append(r.todo, func() error {
		if anchor(o) {
			r.value(v.Elem(), path)
			return nil
		}
		all, err := structures(o)
		for _, s := range all {
			r.value(s, path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
}

// fixed are arrays of values that are never written; their elements count.
var fixed = map[string]bool{
	"Tuple.items": true, "Function.Defaults": true, "Function.KwDefaults": true, "method.refs": true, "maker.defaults": true,
}

// slice enters an array that can be written. Names and other lists that are replaced as a whole cannot; their elements count.
func (r *reach) slice(v reflect.Value, path string) {
	if v.Cap() == 0 {
		return
	}
	switch of := v.Type().Elem(); {
	case of == typeValue, of.Name() == "entry", of.Kind() == reflect.Int32, of.Kind() == reflect.Uint8:
		r.enter(v.Pointer(), of, path)
	}
	r.elements(v, path)
}

func (r *reach) elements(v reflect.Value, path string) {
	for i := range v.Len() {
		r.value(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
	}
}
