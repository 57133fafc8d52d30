package host

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// jsonDepth is how deep lists and dicts of an event may nest.
const jsonDepth = 64

// jsonText is a value as JSON: keys sorted, compact separators, UTF-8 unescaped but for what JSON demands, bytes as lower-case
// hexadecimal text. It writes no more than an event may hold.
//
// Spec: WP "Determinism Guarantees" (JSON output); sdk §8 (emit_event).
func jsonText(m *object.Machine, v object.Value) ([]byte, *object.Exception) {
	w := jsonWriter{m: m}
	e := w.value(v, 0)
	if e != nil {
		if spent := m.Charge(len(w.out)*int(params.CostEventPerByte) + w.sorted*sortedKey); spent != nil {
			return nil, spent
		}
	}
	return w.out, e
}

// sortedKey is the price of a key that was sorted in a payload that is refused; an event that is made pays for its bytes.
const sortedKey = 50

type jsonWriter struct {
	m      *object.Machine
	out    []byte
	sorted int // keys
}

// room refuses n bytes more than an event may hold, before they are written.
func (w *jsonWriter) room(n int) *object.Exception {
	if n > params.MaxEventDataBytes-len(w.out) {
		return w.m.ValueError("event payload exceeds %d bytes", params.MaxEventDataBytes)
	}
	return nil
}

func (w *jsonWriter) value(v object.Value, depth int) *object.Exception {
	if depth > jsonDepth {
		return w.m.ValueError("event payload is nested more than %d deep", jsonDepth)
	}
	if len(w.out) > params.MaxEventDataBytes {
		return w.m.ValueError("event payload exceeds %d bytes", params.MaxEventDataBytes)
	}
	switch {
	case v.IsNone():
		w.out = append(w.out, "null"...)
		return nil
	case v.IsBool():
		if v.IsTrue() {
			w.out = append(w.out, "true"...)
		} else {
			w.out = append(w.out, "false"...)
		}
		return nil
	}
	if s, ok := v.AsStr(); ok {
		if e := w.room(len(s.String())); e != nil {
			return e
		}
		if s.HasSurrogate() >= 0 {
			return w.m.ValueError("event payload holds a lone surrogate")
		}
		w.text(s.String())
		return nil
	}
	if b, ok := v.AsBytes(); ok {
		return w.octets(b.Data())
	}
	if b, ok := v.AsByteArray(); ok {
		return w.octets(b.Data())
	}
	if l, ok := v.AsList(); ok {
		return w.array(l.Items(), depth)
	}
	if t, ok := v.AsTuple(); ok {
		return w.array(t.Items(), depth)
	}
	if d, ok := v.AsDict(); ok {
		return w.dict(d, depth)
	}
	if i, ok := v.AsInt(); ok {
		w.out = i.BigInt().Append(w.out, 10)
		return nil
	}
	if v.IsFloat() {
		text, e := w.m.ReprText(v)
		if e != nil {
			return e
		}
		if strings.ContainsAny(text, "in") { // inf and nan
			return w.m.ValueError("%s is not JSON", text)
		}
		w.out = append(w.out, text...)
		return nil
	}
	return w.m.TypeError("a value of type %s is not JSON", v.Type().Name)
}

func (w *jsonWriter) octets(b []byte) *object.Exception {
	if e := w.room(2 * len(b)); e != nil {
		return e
	}
	w.text(hex.EncodeToString(b))
	return nil
}

func (w *jsonWriter) array(items []object.Value, depth int) *object.Exception {
	w.out = append(w.out, '[')
	for i, v := range items {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if e := w.value(v, depth+1); e != nil {
			return e
		}
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *jsonWriter) dict(d *object.Dict, depth int) *object.Exception {
	const least = len(`"":0,`)
	if e := w.room(d.Len() * least); e != nil {
		return e
	}
	w.sorted += d.Len()
	type item struct {
		key string
		val object.Value
	}
	items := make([]item, 0, d.Len())
	bad, long := object.Value{}, (*object.Exception)(nil)
	d.Each(func(key, val object.Value) bool {
		s, ok := key.AsStr()
		if ok {
			if long = w.room(len(s.String())); long != nil {
				return false
			}
		}
		if !ok || s.HasSurrogate() >= 0 {
			bad = key
			return false
		}
		items = append(items, item{s.String(), val})
		return true
	})
	if long != nil {
		return long
	}
	if !bad.IsZero() {
		return w.m.TypeError("keys of an event payload must be str, not %s", bad.Type().Name)
	}
	slices.SortFunc(items, func(a, b item) int { return strings.Compare(a.key, b.key) })
	w.out = append(w.out, '{')
	for i, x := range items {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.text(x.key)
		w.out = append(w.out, ':')
		if e := w.value(x.val, depth+1); e != nil {
			return e
		}
	}
	w.out = append(w.out, '}')
	return nil
}

// text writes a string with the escapes JSON demands.
func (w *jsonWriter) text(s string) {
	const digits = "0123456789abcdef"
	w.out = append(w.out, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			w.out = append(w.out, '\\', c)
		case c == '\n':
			w.out = append(w.out, '\\', 'n')
		case c == '\r':
			w.out = append(w.out, '\\', 'r')
		case c == '\t':
			w.out = append(w.out, '\\', 't')
		case c < 0x20:
			w.out = append(w.out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			w.out = append(w.out, c)
		}
	}
	w.out = append(w.out, '"')
}
