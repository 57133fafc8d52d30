package pyjson

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/jsontext"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Price of reading and writing a document beside one cycle for each unit, and of each value read.
//
// Spec: CIP-3 §2.2.1 (20 + total_bytes).
const (
	documentCost  = 20 // the published price of serialising
	valueCost     = 12
	wideCost      = 4  // a character of a document that is not ASCII, which is decoded
	containerCost = 40 // of an array or object beside its members
	floatCost     = 10 // of a float beside its text
	intCost       = 5  // of an integer or string that is written, beside its text
	mixedCost     = 40 // of a key among others that are not all strings, beside their comparisons
	longIntCost   = 80 // of an integer of more than wordDigits characters beside what int takes for them
)

// hooks are what a decoder calls for parts of a document; zero values stand for the built-in way.
type hooks struct {
	object, pairs, float, integer, constant object.Value
	strict                                  bool
}

// reader turns a document of one width into values.
type reader[T text.Unit] struct {
	m    *object.Machine
	doc  *object.Str
	s    []T
	h    *hooks
	buf  []rune
	keys [keySlots]*object.Str // keys met lately, so that equal ones share a string
}

// keySlots is how many keys of a document are remembered, each in the slot that its text chooses.
const keySlots = 32

// scan reads the value at an index and answers the index behind it. Without a value there it fails like JSONDecoder.raw_decode.
func scan(m *object.Machine, doc *object.Str, h *hooks, at int) (object.Value, int, *object.Exception) {
	n := doc.Len()
	if !doc.ASCII() {
		n *= wideCost
	}
	if e := m.Charge(documentCost + n); e != nil {
		return object.Value{}, 0, e
	}
	if doc.ASCII() {
		r := reader[byte]{m: m, doc: doc, s: doc.Bytes(), h: h}
		return r.value(at)
	}
	r := reader[rune]{m: m, doc: doc, s: m.Decoded(doc), h: h}
	return r.value(at)
}

// decode reads a whole document.
func decode(m *object.Machine, doc *object.Str, h *hooks) (object.Value, *object.Exception) {
	v, at, e := scan(m, doc, h, skipSpace(doc, 0))
	if e != nil {
		return object.Value{}, e
	}
	if at = skipSpace(doc, at); at != doc.Len() {
		return object.Value{}, decodeError(m, doc, jsontext.ExtraData, at)
	}
	return v, nil
}

func skipSpace(doc *object.Str, at int) int {
	if doc.ASCII() {
		return jsontext.SkipSpace(doc.Bytes(), at)
	}
	return jsontext.SkipSpace(doc.Runes(), at)
}

func (r *reader[T]) fail(message string, at int) *object.Exception {
	return decodeError(r.m, r.doc, message, at)
}

func (r *reader[T]) value(at int) (object.Value, int, *object.Exception) {
	if e := r.m.Charge(valueCost); e != nil {
		return object.Value{}, 0, e
	}
	token, end := jsontext.Scan(r.s, at)
	switch token {
	case jsontext.StringStart:
		return r.str(end)
	case jsontext.ObjectStart, jsontext.ArrayStart:
		return r.nested(token, end)
	case jsontext.Null:
		return object.None, end, nil
	case jsontext.True, jsontext.False:
		return object.Bool(token == jsontext.True), end, nil
	case jsontext.Integer:
		v, e := r.integer(at, end)
		return v, end, e
	case jsontext.Real:
		v, e := r.real(at, end)
		return v, end, e
	case jsontext.NaN, jsontext.Infinity, jsontext.NegativeInfinity:
		v, e := r.constant(token, r.text(at, end))
		return v, end, e
	default:
		return object.Value{}, 0, r.fail(jsontext.ExpectingValue, at)
	}
}

// text is an ASCII part of the document.
func (r *reader[T]) text(at, end int) string {
	b := make([]byte, end-at)
	for i, u := range r.s[at:end] {
		b[i] = byte(u)
	}
	return string(b)
}

// nested reads an array or object inside the recursion limit.
func (r *reader[T]) nested(token jsontext.Token, at int) (v object.Value, end int, e *object.Exception) {
	if e := r.m.Charge(containerCost); e != nil {
		return object.Value{}, 0, e
	}
	if e := r.m.Enter(); e != nil {
		return object.Value{}, 0, e
	}
	pins := r.m.Pinned()
	if token == jsontext.ObjectStart {
		v, end, e = r.mapping(at)
	} else {
		v, end, e = r.array(at)
	}
	r.m.Unpin(pins)
	r.m.Leave()
	return v, end, e
}

func (r *reader[T]) integer(at, end int) (object.Value, *object.Exception) {
	if !r.h.integer.IsZero() {
		return r.m.Call(r.h.integer, object.Positional(r.m.Str(r.text(at, end))))
	}
	if end-at <= wordDigits {
		return object.Int(small(r.s[at:end])), nil
	}
	if e := r.m.Charge(longIntCost); e != nil {
		return object.Value{}, e
	}
	return r.m.ToInt(r.m.Str(r.text(at, end)))
}

// wordDigits are characters of an integer that always fits 64 bits, a sign included.
const wordDigits = 18

// small is the value of an integer of at most wordDigits characters.
func small[T text.Unit](s []T) (n int64) {
	negative := s[0] == '-'
	if negative {
		s = s[1:]
	}
	for _, u := range s {
		n = n*10 + int64(u) - '0'
	}
	if negative {
		return -n
	}
	return n
}

func (r *reader[T]) real(at, end int) (object.Value, *object.Exception) {
	if !r.h.float.IsZero() {
		return r.m.Call(r.h.float, object.Positional(r.m.Str(r.text(at, end))))
	}
	if e := r.m.Charge(floatCost + (end-at)/2); e != nil {
		return object.Value{}, e
	}
	var short [32]byte
	b := short[:0]
	for _, u := range r.s[at:end] {
		b = append(b, byte(u))
	}
	bits, err := softfloat.Parse(string(b))
	if err != nil {
		return object.Value{}, r.m.ValueError("could not convert string to float: '%s'", r.text(at, end))
	}
	return object.Float(bits), nil
}

func (r *reader[T]) constant(token jsontext.Token, s string) (object.Value, *object.Exception) {
	if !r.h.constant.IsZero() {
		return r.m.Call(r.h.constant, object.Positional(r.m.Str(s)))
	}
	switch token {
	case jsontext.NaN:
		return object.Float(softfloat.NaN), nil
	case jsontext.Infinity:
		return object.Float(softfloat.Inf), nil
	default:
		return object.Float(softfloat.Neg(softfloat.Inf)), nil
	}
}

// str reads the string whose opening quote stands before at.
func (r *reader[T]) str(at int) (object.Value, int, *object.Exception) {
	end, next, decoded, escaped, err := jsontext.String(r.s, at, r.h.strict, r.buf)
	if err != nil {
		return object.Value{}, 0, r.fail(err.Message, err.At)
	}
	if escaped {
		r.buf = decoded
		return r.m.StrOf(decoded), next, nil
	}
	return r.doc.Slice(r.m, at, end), next, nil
}

// key reads a key of an object; equal keys of a document share one string.
func (r *reader[T]) key(at int) (*object.Str, int, *object.Exception) {
	v, next, e := r.str(at)
	if e != nil {
		return nil, 0, e
	}
	s, _ := v.AsStr()
	slot := &r.keys[keySlot(s.String())]
	if *slot == nil || !(*slot).Equal(s) {
		*slot = s
	}
	return *slot, next, nil
}

func keySlot(s string) int {
	h := len(s)
	if h > 0 {
		h += 7*int(s[0]) + 31*int(s[len(s)-1]) + 13*int(s[len(s)/2])
	}
	return h % keySlots
}

func (r *reader[T]) at(i int) rune {
	if i < len(r.s) {
		return rune(r.s[i])
	}
	return -1
}

func (r *reader[T]) array(at int) (object.Value, int, *object.Exception) {
	l := r.m.NewList(nil)
	r.m.Pin(l.Value())
	at = jsontext.SkipSpace(r.s, at)
	if r.at(at) == ']' {
		return l.Value(), at + 1, nil
	}
	for {
		v, next, e := r.value(at)
		if e != nil {
			return object.Value{}, 0, e
		}
		l.Append(r.m, v)
		at = jsontext.SkipSpace(r.s, next)
		switch r.at(at) {
		case ']':
			return l.Value(), at + 1, nil
		case ',':
			at = jsontext.SkipSpace(r.s, at+1)
		default:
			return object.Value{}, 0, r.fail(jsontext.ExpectingComma, at)
		}
	}
}

// mapping reads an object and hands it to the hook, if there is one.
func (r *reader[T]) mapping(at int) (object.Value, int, *object.Exception) {
	if !r.h.pairs.IsZero() {
		l := r.m.NewList(nil)
		r.m.Pin(l.Value())
		end, e := r.members(at, func(k *object.Str, v object.Value) { l.Append(r.m, r.m.Tuple(k.Value(), v)) })
		if e != nil {
			return object.Value{}, 0, e
		}
		v, e := r.m.Call(r.h.pairs, object.Positional(l.Value()))
		return v, end, e
	}
	d := r.m.NewDict()
	r.m.Pin(d.Value())
	end, e := r.members(at, func(k *object.Str, v object.Value) { d.SetStr(r.m, k, v) })
	if e != nil || r.h.object.IsZero() {
		return d.Value(), end, e
	}
	v, e := r.m.Call(r.h.object, object.Positional(d.Value()))
	return v, end, e
}

// members reads the members of an object up to its closing brace.
func (r *reader[T]) members(at int, add func(k *object.Str, v object.Value)) (int, *object.Exception) {
	at = jsontext.SkipSpace(r.s, at)
	if r.at(at) == '}' {
		return at + 1, nil
	}
	for {
		if r.at(at) != '"' {
			return 0, r.fail(jsontext.ExpectingName, at)
		}
		k, next, e := r.key(at + 1)
		if e != nil {
			return 0, e
		}
		if at = jsontext.SkipSpace(r.s, next); r.at(at) != ':' {
			return 0, r.fail(jsontext.ExpectingColon, at)
		}
		v, next, e := r.value(jsontext.SkipSpace(r.s, at+1))
		if e != nil {
			return 0, e
		}
		add(k, v)
		at = jsontext.SkipSpace(r.s, next)
		switch r.at(at) {
		case '}':
			return at + 1, nil
		case ',':
			at = jsontext.SkipSpace(r.s, at+1)
		default:
			return 0, r.fail(jsontext.ExpectingComma, at)
		}
	}
}
