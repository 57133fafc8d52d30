package host

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// handler is a callable an actor answers with.
type handler struct {
	callable object.Value // bound to its instance
	function object.Value // as found: where tags and parameters are read
	code     *object.Code // of the innermost function; nil if it is not Python's
	self     bool         // the first parameter is the instance
	open     bool         // a module-level function without a method of its name: reachable by definition
	tagged   object.Value // where else tags may be: the method a module-level function forwards to
	instance object.Value // of form C: its attributes are kept
}

// Names the host looks for in a module and on a function.
var (
	nameActorClass   = object.StaticName("Actor")
	nameAccess       = object.StaticName("__cowboy_access__")
	nameModeTag      = object.StaticName("__cowboy_mode__")
	nameContinuation = object.StaticName("__cowboy_continuation__")
	nameInternal     = object.StaticName("__cowboy_internal__")
	nameWrapped      = object.StaticName("__wrapped__")
	nameDict         = object.StaticName("__dict__")
	nameNew          = object.StaticName("__new__")
)

// wrappings is how many __wrapped__ steps the host follows.
const wrappings = 8

// find looks a handler up: one registered under the name, a function the module itself defines, a method of the registered class, a method of a class named
// Actor. A nil handler means that there is none of the name.
//
// Spec: sdk §3.1 (lookup order), §3.5.
func (f *Invocation) find(m *object.Machine, mod *object.Module, name string) (*handler, *object.Exception) {
	if name == "" || name[0] == '_' {
		return nil, nil
	}
	nameValue, _ := m.Str(name).AsStr()
	if v, ok := f.registered(nameValue); ok {
		if _, isFunction := v.AsFunction(); isFunction {
			return &handler{callable: v, function: v, code: innermost(m, v), open: true}, nil
		}
		method, isMethod := v.AsStr()
		if !isMethod || method.Len() == 0 || method.String()[0] == '_' {
			return nil, nil
		}
		nameValue = method
	}
	class := f.class
	if class.IsZero() {
		class = ownClass(mod)
	}
	if v, ok := mod.Dict.GetStr(nameValue); ok {
		if code := ownFunction(m, mod, v); code != nil {
			h := &handler{callable: v, function: v, code: code, open: true}
			if method, ok := methodOf(class, nameValue); ok {
				h.open, h.tagged = false, method
			}
			return h, nil
		}
	}
	method, ok := methodOf(class, nameValue)
	if !ok {
		return nil, nil
	}
	instance, kept, e := f.instance(m, class)
	if e != nil {
		return nil, e
	}
	callable, e := m.GetAttr(instance, nameValue)
	if e != nil {
		return nil, e
	}
	h := &handler{callable: callable, function: method, code: innermost(m, method), self: true}
	if kept {
		h.instance = instance
	}
	return h, nil
}

// registered looks a name up in the table given to register_handlers. The table is Python's own, so what it holds counts as the actor's memory.
func (f *Invocation) registered(name *object.Str) (object.Value, bool) {
	if f.named.IsZero() {
		return object.Value{}, false
	}
	table, _ := f.named.AsDict()
	return table.GetStr(name)
}

// ownClass is the class literally named Actor that the module defines.
func ownClass(mod *object.Module) object.Value {
	if v, ok := mod.Dict.GetStr(nameActorClass); ok {
		if t, isType := v.AsType(); isType && !t.Static() {
			return v
		}
	}
	return object.Value{}
}

// methodOf finds a function of that name on a class or its bases. Static and class methods, classes and other values are no handlers.
func methodOf(class object.Value, name *object.Str) (object.Value, bool) {
	if class.IsZero() {
		return object.Value{}, false
	}
	t, _ := class.AsType()
	v, ok := t.Lookup(name)
	if !ok {
		return object.Value{}, false
	}
	_, isFunction := v.AsFunction()
	return v, isFunction
}

// ownFunction is the code of v if v is a function the module defines, or wraps one with a decorator from elsewhere; nil otherwise, so
// that an imported function is not reachable from outside.
func ownFunction(m *object.Machine, mod *object.Module, v object.Value) *object.Code {
	own := false
	var code *object.Code
	for range wrappings {
		fn, ok := v.AsFunction()
		if !ok {
			break
		}
		code = fn.L.Code
		own = own || fn.L.Image.Globals == mod.Dict
		next, e := m.LookupAttr(v, nameWrapped)
		if e != nil || next.IsZero() {
			break
		}
		v = next
	}
	if !own {
		return nil
	}
	return code
}

// innermost is the code of the function that decorators wrapped.
func innermost(m *object.Machine, v object.Value) *object.Code {
	var code *object.Code
	for range wrappings {
		fn, ok := v.AsFunction()
		if !ok {
			break
		}
		code = fn.L.Code
		next, e := m.LookupAttr(v, nameWrapped)
		if e != nil || next.IsZero() {
			break
		}
		v = next
	}
	return code
}

// tag reads an attribute of a handler: the outermost of the wrapped functions that has it, then the method it forwards to.
func (h *handler) tag(m *object.Machine, name *object.Str) (object.Value, *object.Exception) {
	for _, v := range [...]object.Value{h.function, h.tagged} {
		for range wrappings {
			if v.IsZero() {
				break
			}
			found, e := m.LookupAttr(v, name)
			if e != nil || !found.IsZero() {
				return found, e
			}
			if v, e = m.LookupAttr(v, nameWrapped); e != nil {
				return object.Value{}, e
			}
		}
	}
	return object.Value{}, nil
}

// resumeSuffix ends the names of resume steps.
const resumeSuffix = "__resume"

// isResume says that a handler is a resume step by its name. It takes one parameter, the result, whatever the continuation it belongs to takes.
func isResume(name string) bool {
	return len(name) > len(resumeSuffix) && name[len(name)-len(resumeSuffix):] == resumeSuffix
}

// permit decides whether the sender may call a handler.
//
// Spec: sdk §5; README "Permissions".
func (f *Invocation) permit(m *object.Machine, h *handler, i *handlerCall) *object.Exception {
	name := i.handler
	if f.native || f.sentBy(f.self) {
		return nil
	}
	denied := func() *object.Exception {
		return f.raise(m, raise(PermissionDenied, "the sender may not call %s", name))
	}
	internal, e := h.tag(m, nameInternal)
	if e != nil {
		return e
	}
	if isResume(name) || internal.IsBool() && internal.IsTrue() {
		if f.stranger {
			return denied()
		}
		expected, err := f.awaits(&i.delivery)
		if err != nil {
			return f.raise(m, err)
		}
		if expected {
			return nil
		}
		return denied()
	}
	if name == initHandler {
		done, err := f.initialized()
		if err != nil {
			return f.raise(m, err)
		}
		if !done {
			return nil
		}
	}
	tags, e := h.tag(m, nameAccess)
	if e != nil {
		return e
	}
	if !tags.IsZero() {
		if list, ok := tags.AsTuple(); ok && list.Len() > 0 {
			admitted, e := f.admits(m, list)
			if e != nil || admitted {
				return e
			}
		}
		return denied()
	}
	if h.open || !f.form.Permissions {
		return nil
	}
	return denied()
}

// modeOf is the mode a handler runs in.
//
// Spec: sdk §6; README "Handler modes".
func (f *Invocation) modeOf(m *object.Machine, h *handler) (Mode, *object.Exception) {
	tag, e := h.tag(m, nameModeTag)
	if e != nil {
		return Pure, e
	}
	if !tag.IsZero() {
		if s, ok := tag.AsStr(); ok && s.String() == "deferred" {
			return Deferred, nil
		}
		return Pure, nil
	}
	if !f.form.Modes {
		return Deferred, nil
	}
	tag, e = h.tag(m, nameContinuation)
	if e == nil && tag.IsBool() && tag.IsTrue() {
		return Deferred, nil
	}
	return Pure, e
}
