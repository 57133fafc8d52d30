package pyre

import (
	"bytes"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/regex"
)

// output collects the result of a substitution: bytes, or text in UTF-8.
type output struct {
	m     *object.Machine
	s     *subject
	b     []byte
	items int // elements put so far, and pieces of the subject that are not empty
}

func newOutput(m *object.Machine, s *subject) *output { return &output{m: m, s: s} }

// room makes space for n more bytes, reserved by the formula of doubling.
func (o *output) room(n int) *object.Exception {
	if len(o.b)+n <= cap(o.b) {
		return nil
	}
	size := max(2*cap(o.b), len(o.b)+n, 64)
	if e := o.m.Reserve(size); e != nil {
		return e
	}
	grown := make([]byte, len(o.b), size)
	copy(grown, o.b)
	o.b = grown
	return nil
}

func (o *output) raw(b []byte) *object.Exception {
	if e := o.m.Charge(len(b)); e != nil {
		return e
	}
	if e := o.room(len(b)); e != nil {
		return e
	}
	o.b = append(o.b, b...)
	return nil
}

// copy appends part of the subject.
func (o *output) copy(lo, hi int) *object.Exception {
	if o.s.wide == nil {
		return o.raw(o.s.narrow[lo:hi])
	}
	if e := o.m.Charge(hi - lo); e != nil {
		return e
	}
	if e := o.room(4 * (hi - lo)); e != nil {
		return e
	}
	o.b = object.AppendUTF8(o.b, o.s.wide[lo:hi])
	return nil
}

// put appends a replacement, as an element of the list of pieces that CPython joins; None adds nothing.
func (o *output) put(v object.Value) *object.Exception {
	if v.IsNone() {
		return nil
	}
	if o.s.str != nil {
		s, ok := v.AsStr()
		if !ok {
			return o.m.TypeError("sequence item %d: expected str instance, %s found", o.items, v.Type().Name)
		}
		o.items++
		return o.raw(s.Bytes())
	}
	b, ok := o.m.Buffer(v)
	if !ok {
		return o.m.TypeError("sequence item %d: expected a bytes-like object, %s found", o.items, v.Type().Name)
	}
	o.items++
	return o.raw(b)
}

func (o *output) value() object.Value {
	if o.s.str == nil {
		return o.m.Bytes(o.b)
	}
	return o.m.Str(string(o.b))
}

// replacement is what takes the place of matches: a function, a text, or pieces of a template.
type replacement struct {
	function object.Value
	literal  object.Value
	template object.Value
	pieces   []piece
}

// piece is literal text as the output holds it, or a group.
type piece struct {
	literal []byte
	group   int // -1 for literal text
}

// newReplacement reads the repl argument of sub. That it suits the subject is looked at when it is used.
func newReplacement(m *object.Machine, p *Pattern, v object.Value) (*replacement, *object.Exception) {
	if object.Callable(v) {
		return &replacement{function: v}, nil
	}
	var units []rune
	str, isText := v.AsStr()
	if isText {
		if bytes.IndexByte(str.Bytes(), '\\') < 0 {
			return &replacement{literal: v}, m.Charge(str.Len())
		}
		units = str.Runes()
	} else {
		b, ok := m.Buffer(v)
		if !ok {
			if _, e := m.Hash(v); e != nil {
				return nil, e
			}
			return nil, m.TypeError("decoding to str: need a bytes-like object, %s found", v.Type().Name)
		}
		if bytes.IndexByte(b, '\\') < 0 {
			return &replacement{literal: v}, m.Charge(len(b))
		}
		units = latin1(b)
	}
	return newTemplate(m, p, v, units, isText)
}

// newTemplate parses a replacement template.
func newTemplate(m *object.Machine, p *Pattern, v object.Value, units []rune, isText bool) (*replacement, *object.Exception) {
	if e := m.Charge(compileUnit * len(units)); e != nil {
		return nil, e
	}
	parts, err := regex.ParseTemplate(units, isText, p.prog)
	if err != nil {
		e := raise(m, err, v)
		if name, bad := strings.CutPrefix(err.Error(), "bad escape "); bad && len(name) >= 2 {
			// The name of the escape was looked up in a table.
			e.Context = m.KeyError(m.Str(name[:2]))
			e.Cause, e.Suppress = object.None, true
		}
		return nil, e
	}
	if len(parts) == 1 && parts[0].Group < 0 {
		if isText {
			return &replacement{literal: m.StrOf(parts[0].Literal)}, nil
		}
		return &replacement{literal: m.Bytes(narrow(parts[0].Literal))}, nil
	}
	r := &replacement{template: v}
	for _, part := range parts {
		x := piece{group: part.Group}
		if isText {
			x.literal = object.AppendUTF8(nil, part.Literal)
		} else {
			x.literal = narrow(part.Literal)
		}
		r.pieces = append(r.pieces, x)
	}
	return r, nil
}

// narrow turns Latin-1 characters into bytes.
func narrow(s []rune) []byte {
	b := make([]byte, len(s))
	for i, r := range s {
		b[i] = byte(r)
	}
	return b
}

// expand appends the template with the groups of a match.
func (r *replacement) expand(o *output, span func(g int) (lo, hi int)) *object.Exception {
	if !r.literal.IsZero() {
		return o.put(r.literal)
	}
	_, isText := r.template.AsStr()
	for i, x := range r.pieces {
		var e *object.Exception
		switch {
		case x.group < 0 && isText != (o.s.str != nil):
			want := "str instance"
			if o.s.str == nil {
				want = "a bytes-like object"
			}
			return o.m.TypeError("sequence item %d: expected %s, %s found", i, want, r.template.Type().Name)
		case x.group < 0:
			e = o.raw(x.literal)
		default:
			if lo, hi := span(x.group); lo >= 0 {
				e = o.copy(lo, hi)
			}
		}
		if e != nil {
			return e
		}
	}
	o.items++
	return nil
}

// substitute is Pattern.subn.
func substitute(m *object.Machine, p *Pattern, repl, v, count object.Value) (object.Value, int, *object.Exception) {
	most, e := limit(m, count)
	if e != nil {
		return object.Value{}, 0, e
	}
	r, e := newReplacement(m, p, repl)
	if e != nil {
		return object.Value{}, 0, e
	}
	s, e := newSubject(m, p.prog, v)
	if e != nil {
		return object.Value{}, 0, e
	}
	out := newOutput(m, s)
	matcher := regex.NewMatcher(p.prog, 0)
	var scan regex.Scan
	last, n := 0, 0
	for most >= 0 && (most == 0 || n < most) {
		ok, e := next(m, matcher, s, &scan, regex.Search)
		if e != nil {
			return object.Value{}, 0, e
		}
		if !ok {
			break
		}
		lo, hi := matcher.Span(0)
		if e := out.copy(last, lo); e != nil {
			return object.Value{}, 0, e
		}
		if last < lo {
			out.items++
		}
		if e := r.apply(m, out, p, matcher); e != nil {
			return object.Value{}, 0, e
		}
		last = hi
		n++
	}
	if n == 0 {
		whole, e := s.slice(m, 0, s.size)
		return whole, 0, e
	}
	if e := out.copy(last, s.end); e != nil {
		return object.Value{}, 0, e
	}
	return out.value(), n, nil
}

// limit converts the count of sub and split.
func limit(m *object.Machine, v object.Value) (int, *object.Exception) {
	if v.IsZero() {
		return 0, nil
	}
	return m.IndexInt(v, nil)
}

// apply appends what takes the place of the matcher's match.
func (r *replacement) apply(m *object.Machine, out *output, p *Pattern, matcher *regex.Matcher) *object.Exception {
	if r.function.IsZero() {
		return r.expand(out, matcher.Span)
	}
	if e := m.Enter(); e != nil {
		return e
	}
	v, e := m.Call(r.function, object.Positional(newMatch(m, p, out.s, 0, matcher)))
	m.Leave()
	if e != nil {
		return e
	}
	return out.put(v)
}
