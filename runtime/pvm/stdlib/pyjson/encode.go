package pyjson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/jsontext"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// layout says how a document is written.
type layout struct {
	skipKeys, ascii, circular, allowNaN bool
	sortKeys, sortAsked                 bool // asked: the call itself named sort_keys
	indent                              string
	indented                            bool
	item, colon                         string       // separators
	fallback                            object.Value // called for what JSON has no form for; zero for none
}

// canonical is the layout of calls that ask for nothing.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (sort_keys=True, separators=(",", ":")); WP-January "Serialization" (ensure_ascii=False).
func canonical() layout {
	return layout{circular: true, allowNaN: true, sortKeys: true, item: ",", colon: ":"}
}

// writer writes one document.
type writer struct {
	m       *object.Machine
	l       *layout
	b       []byte
	level   int
	pending []object.Value // containers and objects being written
	members []member       // entries of the dicts being written
}

// encode writes a value as a document.
func encode(m *object.Machine, l *layout, v object.Value) (object.Value, *object.Exception) {
	if e := m.Charge(documentCost); e != nil {
		return object.Value{}, e
	}
	w := writer{m: m, l: l}
	if e := w.value(v); e != nil {
		return object.Value{}, e
	}
	return m.Str(string(w.b)), nil
}

// room charges n bytes and makes room for them.
func (w *writer) room(n int) *object.Exception {
	if e := w.m.Charge(n); e != nil || n <= cap(w.b)-len(w.b) {
		return e
	}
	return w.grow(n)
}

// grow reserves n more bytes by the formula of doubling.
func (w *writer) grow(n int) *object.Exception {
	size := max(2*cap(w.b), len(w.b)+n, 64)
	if e := w.m.Reserve(size); e != nil {
		return e
	}
	grown := make([]byte, len(w.b), size)
	copy(grown, w.b)
	w.b = grown
	return nil
}

func (w *writer) text(s string) *object.Exception {
	if e := w.room(len(s)); e != nil {
		return e
	}
	w.b = append(w.b, s...)
	return nil
}

// value writes any value.
func (w *writer) value(v object.Value) *object.Exception {
	switch v.Kind().Base() {
	case object.KindNone:
		return w.text("null")
	case object.KindBool:
		if v.IsTrue() {
			return w.text("true")
		}
		return w.text("false")
	case object.KindStr:
		s, _ := v.AsStr()
		return w.str(s)
	case object.KindList:
		l, _ := v.AsList()
		return w.nested(v, func() *object.Exception { return w.array(l.Items) })
	case object.KindTuple:
		t, _ := v.AsTuple()
		return w.nested(v, func() *object.Exception { return w.array(t.Items) })
	case object.KindDict:
		d, _ := v.AsDict()
		return w.nested(v, func() *object.Exception { return w.mapping(v, d) })
	}
	if bits, ok := v.AsFloat(); ok {
		return w.float(bits)
	}
	if v.IsInt() {
		return w.integer(v.Int64())
	}
	if s, ok, e := w.number(v); ok || e != nil {
		if e != nil {
			return e
		}
		return w.text(s)
	}
	return w.other(v)
}

// float writes a float.
func (w *writer) float(bits uint64) *object.Exception {
	if e := w.m.Charge(2 * floatCost); e != nil {
		return e
	}
	var buf [32]byte
	text, e := w.appendFloat(buf[:0], bits)
	if e != nil {
		return e
	}
	if e := w.room(len(text)); e != nil {
		return e
	}
	w.b = append(w.b, text...)
	return nil
}

// integer writes an int of 64 bits at the price of its text.
func (w *writer) integer(i int64) *object.Exception {
	if e := w.m.Charge(intCost); e != nil {
		return e
	}
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], i, 10)
	if e := w.room(len(digits)); e != nil {
		return e
	}
	w.b = append(w.b, digits...)
	return nil
}

// number returns the text of an int or float, also of instances of subclasses.
func (w *writer) number(v object.Value) (string, bool, *object.Exception) {
	if i, ok := v.AsInt(); ok {
		s, e := w.m.ReprText(i)
		return s, true, e
	}
	bits, ok := v.AsFloat()
	if !ok {
		return "", false, nil
	}
	if e := w.m.Charge(2 * floatCost); e != nil {
		return "", true, e
	}
	text, e := w.appendFloat(nil, bits)
	return string(text), true, e
}

// appendFloat appends the text of a float.
func (w *writer) appendFloat(dst []byte, bits uint64) ([]byte, *object.Exception) {
	if softfloat.IsFinite(bits) {
		return softfloat.AppendRepr(dst, bits), nil
	}
	if !w.l.allowNaN {
		message := "Out of range float values are not JSON compliant"
		if w.l.indented {
			message += ": " + softfloat.Repr(bits)
		}
		return nil, w.m.ValueError("%s", message)
	}
	switch {
	case softfloat.IsNaN(bits):
		return append(dst, "NaN"...), nil
	case softfloat.SignBit(bits):
		return append(dst, "-Infinity"...), nil
	default:
		return append(dst, "Infinity"...), nil
	}
}

// str writes a string.
func (w *writer) str(s *object.Str) *object.Exception {
	if e := w.m.Charge(intCost); e != nil {
		return e
	}
	if s.ASCII() || !w.l.ascii {
		// Without escapes for characters outside ASCII, their UTF-8 bytes pass through as they are.
		if e := w.room(jsontext.QuotedLen(s.Bytes(), false)); e != nil {
			return e
		}
		w.b = appendUTF8Quoted(w.b, s, w.l.ascii)
		return nil
	}
	if e := w.room(jsontext.QuotedLen(s.Runes(), true)); e != nil {
		return e
	}
	w.b = jsontext.AppendQuoted(w.b, s.Runes(), true)
	return nil
}

// appendUTF8Quoted quotes ASCII text, or any text whose bytes from 0x80 on stay.
func appendUTF8Quoted(dst []byte, s *object.Str, ascii bool) []byte {
	return jsontext.AppendQuoted(dst, s.Bytes(), ascii)
}

// other writes what the fallback makes of an object.
func (w *writer) other(v object.Value) *object.Exception {
	if w.l.fallback.IsZero() {
		return w.m.TypeError("Object of type %s is not JSON serializable", v.Type().ShortName())
	}
	return w.nested(v, func() *object.Exception {
		r, e := w.m.Call(w.l.fallback, object.Positional(v))
		if e != nil {
			return e
		}
		pins := w.m.Pinned()
		w.m.Pin(r)
		e = w.value(r)
		w.m.Unpin(pins)
		return e
	})
}

// nested writes something that can hold itself, inside the recursion limit.
func (w *writer) nested(v object.Value, write func() *object.Exception) *object.Exception {
	if w.l.circular {
		for _, p := range w.pending {
			if p == v {
				return w.m.ValueError("Circular reference detected")
			}
		}
	}
	if e := w.m.Charge(containerCost + len(w.pending)/8); e != nil {
		return e
	}
	if e := w.m.Enter(); e != nil {
		return e
	}
	w.pending = append(w.pending, v)
	e := write()
	w.pending = w.pending[:len(w.pending)-1]
	w.m.Leave()
	return e
}

// line begins a new line of an indented document.
func (w *writer) line() *object.Exception {
	if !w.l.indented {
		return nil
	}
	if e := w.text("\n"); e != nil {
		return e
	}
	for range w.level {
		if e := w.text(w.l.indent); e != nil {
			return e
		}
	}
	return nil
}

// separator goes before element i.
func (w *writer) separator(i int) *object.Exception {
	if i > 0 {
		if e := w.text(w.l.item); e != nil {
			return e
		}
	}
	return w.line()
}

func (w *writer) array(items func() []object.Value) *object.Exception {
	if len(items()) == 0 {
		return w.text("[]")
	}
	if e := w.text("["); e != nil {
		return e
	}
	w.level++
	for i := 0; i < len(items()); i++ {
		if e := w.separator(i); e != nil {
			return e
		}
		if e := w.value(items()[i]); e != nil {
			return e
		}
	}
	w.level--
	if e := w.line(); e != nil {
		return e
	}
	return w.text("]")
}

// member is an entry of a dict with the text of its key.
type member struct {
	key, val object.Value
	text     string // in UTF-8, without quotes
}

func (w *writer) mapping(v object.Value, d *object.Dict) *object.Exception {
	if d.Len() == 0 && v.Kind() == object.KindDict {
		return w.text("{}")
	}
	first := len(w.members)
	defer func() { w.members = w.members[:first] }()
	if e := w.collect(v, d); e != nil {
		return e
	}
	n := len(w.members) - first
	if n == 0 {
		return w.text("{}")
	}
	if e := w.text("{"); e != nil {
		return e
	}
	w.level++
	written := 0
	for i := range n {
		done, e := w.member(w.members[first+i], written)
		if e != nil {
			return e
		}
		if done {
			written++
		}
	}
	if written == 0 { // all keys were skipped
		if e := w.line(); e != nil {
			return e
		}
	}
	w.level--
	if e := w.line(); e != nil {
		return e
	}
	return w.text("}")
}

// member writes an entry after so many others; done is false when its key is skipped.
func (w *writer) member(x member, written int) (done bool, e *object.Exception) {
	text, ok, e := w.keyText(x.key)
	if e != nil {
		return false, e
	}
	if !ok {
		if w.l.skipKeys {
			return false, nil
		}
		return false, w.m.TypeError("keys must be str, int, float, bool or None, not %s", x.key.Type().Name)
	}
	x.text = text
	if e := w.separator(written); e != nil {
		return false, e
	}
	if e := w.key(x); e != nil {
		return false, e
	}
	if e := w.text(w.l.colon); e != nil {
		return false, e
	}
	return true, w.value(x.val)
}

func (w *writer) key(x member) *object.Exception {
	if s, ok := x.key.AsStr(); ok {
		return w.str(s)
	}
	return w.text(`"` + x.text + `"`)
}

// collect adds the entries of a dict to the members, in the order in which they are written.
func (w *writer) collect(v object.Value, d *object.Dict) *object.Exception {
	if e := w.m.Charge(valueCost * d.Len()); e != nil {
		return e
	}
	if e := w.m.Reserve(64 * d.Len()); e != nil {
		return e
	}
	first, texts := len(w.members), true
	if v.Kind() == object.KindDict {
		d.Each(func(k, val object.Value) bool {
			w.members = append(w.members, member{key: k, val: val})
			return true
		})
	} else if e := w.items(v); e != nil {
		return e
	}
	list := w.members[first:]
	for _, x := range list {
		_, isText := x.key.AsStr()
		texts = texts && isText
	}
	switch {
	case !w.l.sortKeys:
		return nil
	case texts:
		return w.sortTexts(list)
	default:
		return w.sortMixed(list)
	}
}

// items asks an instance of a subclass of dict for its items.
func (w *writer) items(v object.Value) *object.Exception {
	if e := w.m.Charge(2 * containerCost); e != nil {
		return e
	}
	items, e := w.m.CallMethod(v, nItems)
	if e != nil {
		return e
	}
	return w.m.Iterate(items, func(x object.Value) (bool, *object.Exception) {
		t, ok := x.AsTuple()
		if !ok || t.Len() != 2 {
			return false, w.m.ValueError("items must return 2-tuples")
		}
		w.members = append(w.members, member{key: t.Items()[0], val: t.Items()[1]})
		return true, nil
	})
}

var nItems = object.StaticName("items")

// sortTexts orders entries by keys that are all strings; UTF-8 orders as code points do.
func (w *writer) sortTexts(list []member) *object.Exception {
	for i := range list {
		s, _ := list[i].key.AsStr()
		list[i].text = s.String()
	}
	return w.sortByText(list)
}

func (w *writer) sortByText(list []member) *object.Exception {
	comparisons := 0
	for n := len(list); n > 1; n /= 2 {
		comparisons += len(list)
	}
	if e := w.m.Charge(2 * comparisons); e != nil {
		return e
	}
	slices.SortStableFunc(list, func(a, b member) int { return strings.Compare(a.text, b.text) })
	return nil
}

// sortMixed orders entries by keys of any type, as Python orders them; if it cannot, by their text, unless the call asked
// for the order itself.
func (w *writer) sortMixed(list []member) *object.Exception {
	if e := w.m.Charge(mixedCost * len(list)); e != nil {
		return e
	}
	keys := make([]object.Value, len(list))
	for i, x := range list {
		keys[i] = w.m.Tuple(x.key, object.Int(int64(i)))
	}
	e := w.m.Sort(keys, object.Value{}, false)
	if e == nil {
		old := slices.Clone(list)
		for i, k := range keys {
			t, _ := k.AsTuple()
			list[i] = old[t.Items()[1].Int64()]
		}
		return nil
	}
	if w.l.sortAsked || !e.Is(&object.ExcTypeError) {
		return e
	}
	for i := range list {
		text, _, e := w.keyText(list[i].key)
		if e != nil {
			return e
		}
		list[i].text = text
	}
	return w.sortByText(list)
}

// keyText is a key as a JSON string, without quotes; ok is false for types that no key can have.
func (w *writer) keyText(k object.Value) (text string, ok bool, e *object.Exception) {
	if s, ok := k.AsStr(); ok {
		return s.String(), true, nil
	}
	switch {
	case k.IsNone():
		return "null", true, nil
	case k.IsBool() && k.IsTrue():
		return "true", true, nil
	case k.IsBool():
		return "false", true, nil
	default:
		return w.number(k)
	}
}
