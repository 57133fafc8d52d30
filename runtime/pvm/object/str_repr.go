package object

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Repr returns repr(v).
func (m *Machine) Repr(v Value) (Value, *Exception) {
	if e := m.Charge(2); e != nil {
		return Value{}, e
	}
	return v.ref.typ.Slots.Repr(m, v)
}

// ToStr returns str(v).
func (m *Machine) ToStr(v Value) (Value, *Exception) {
	if v.ref.kind == KindStr {
		return v, nil
	}
	if v.IsInt() {
		if e := m.showInt(); e != nil {
			return Value{}, e
		}
		return m.decimal(v.Int64()), nil
	}
	t := v.ref.typ
	if t.Slots.Str == nil {
		return m.Repr(v)
	}
	if e := m.Charge(2); e != nil {
		return Value{}, e
	}
	return t.Slots.Str(m, v)
}

// showInt takes what str of an int costs: that of str, which goes a level down, and that of repr there.
func (m *Machine) showInt() *Exception {
	if e := m.Charge(2); e != nil {
		return e
	}
	if e := m.Enter(); e != nil {
		return e
	}
	e := m.Charge(2)
	m.Leave()
	return e
}

// reprText is Repr as Go text.
func (m *Machine) reprText(v Value) (string, *Exception) {
	r, e := m.Repr(v)
	if e != nil {
		return "", e
	}
	s, ok := r.AsStr()
	if !ok {
		return "", m.TypeError(reprNoText, r.ref.typ.Name)
	}
	return s.s, nil
}

// strText is ToStr as Go text.
func (m *Machine) strText(v Value) (string, *Exception) {
	r, e := m.ToStr(v)
	if e != nil {
		return "", e
	}
	s, ok := r.AsStr()
	if !ok {
		return "", m.TypeError(strNoText, r.ref.typ.Name)
	}
	return s.s, nil
}

// Messages about methods that return something else than text.
const (
	reprNoText = "__repr__ returned non-string (type %s)"
	strNoText  = "__str__ returned non-string (type %s)"
)

// ReprText returns repr(v) as UTF-8 text.
func (m *Machine) ReprText(v Value) (string, *Exception) { return m.reprText(v) }

// StrText returns str(v) as UTF-8 text.
func (m *Machine) StrText(v Value) (string, *Exception) { return m.strText(v) }

// shown returns a text that says what an object is, paid for with a cycle for each byte. The names in it are texts that
// the program has.
func (m *Machine) shown(s string) Value {
	m.meter.Owe(2*m.costs.Format + len(s))
	return m.Str(s)
}

// Called returns a name that is kept as Go text, as an attribute has it.
func (m *Machine) Called(name string) Value { return m.called(name) }

// called returns a name that is kept as Go text, whose characters are counted.
func (m *Machine) called(name string) Value {
	m.meter.Owe(m.costs.Operand + len(name)>>(m.costs.ByteShift&63))
	return m.Str(name)
}

// quietRepr is Repr for messages: what cannot be shown is left out.
func (m *Machine) quietRepr(v Value) string {
	s, e := m.reprText(v)
	if e != nil {
		return "<" + v.ref.typ.ShortName() + ">"
	}
	return s
}

// builder collects text whose size the program chooses; writing charges one
// cycle for each character and checks the memory limit.
type builder struct {
	m        *Machine
	b        []byte
	reserved int
}

func (b *builder) text(s string) *Exception {
	if e := b.m.Charge(len(s)); e != nil {
		return e
	}
	if n := len(b.b) + len(s); n > b.reserved {
		if e := b.m.Reserve(2 * n); e != nil {
			return e
		}
		if b.reserved = 2 * n; b.b == nil {
			b.b = b.m.draft()
		}
	}
	b.b = append(b.b, s...)
	return nil
}

// bytes is text for what the caller writes over again.
func (b *builder) bytes(s []byte) *Exception {
	return b.text(unsafe.String(unsafe.SliceData(s), len(s)))
}

func (b *builder) repr(v Value) *Exception {
	if v.IsInt() { // what Repr does, without the string between
		if e := b.m.Charge(2); e != nil {
			return e
		}
		return b.decimal(v.Int64())
	}
	if v.ref.kind == KindStr && v.str().plain() {
		return b.quoted(v.str())
	}
	s, e := b.m.reprText(v)
	if e != nil {
		return e
	}
	return b.text(s)
}

// quoted writes the repr of a plain string as repr does, without the string between.
func (b *builder) quoted(s *Str) *Exception {
	if e := b.m.Charge(2 + s.measuring()); e != nil {
		return e
	}
	n := s.n + 2
	if e := b.m.output(int64(n), 4); e != nil {
		return e
	}
	b.m.hold(strSize + n)
	var short [longText + 2]byte
	return b.bytes(append(append(append(short[:0], '\''), s.s...), '\''))
}

// plain says whether a string is short and its repr is its text between quotes.
func (s *Str) plain() bool {
	if s.n > longText || !s.ASCII() {
		return false
	}
	for i := range len(s.s) {
		if c := s.s[i]; c < 0x20 || c >= 0x7F || c == '\'' || c == '\\' {
			return false
		}
	}
	return true
}

// decimal appends the digits of i, counted as a string of them is.
func (b *builder) decimal(i int64) *Exception {
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], i, 10)
	if len(digits) > 1 {
		b.m.hold(strSize + len(digits))
	}
	return b.bytes(digits)
}

// value returns the text as a string and gives the buffer back.
func (b *builder) value() Value {
	s := unsafe.String(unsafe.SliceData(b.b), len(b.b))
	if cap(b.b) > mostDraft {
		return b.m.Str(s)
	}
	defer b.done()
	if len(s) <= 1 {
		return b.m.Str(s) // one of those that all machines share
	}
	v, text := b.m.newText(len(s), codePoints(s))
	copy(text, s)
	return v
}

// done gives the buffer back.
func (b *builder) done() {
	if cap(b.b) > 0 && cap(b.b) <= mostDraft && len(b.m.drafts) < mostDrafts {
		b.m.drafts = append(b.m.drafts, b.b[:0])
	}
}

// A draft is a buffer in which a text is written before its length is known.
const (
	leastDraft = 256
	mostDraft  = 16 << 10
	mostDrafts = 8
)

// draft takes a buffer that nobody writes into. Those of texts that failed are not given back.
func (m *Machine) draft() []byte {
	last := len(m.drafts) - 1
	if last < 0 {
		return make([]byte, 0, leastDraft)
	}
	b := m.drafts[last]
	m.drafts = m.drafts[:last]
	return b
}

// guardCost is the price of noting that a container is being shown, beside looking for it among those that are, guarded of
// them for a cycle.
const (
	guardCost = 3
	guarded   = 8
)

// reprGuard detects containers that contain themselves: it says whether v is
// being shown already, else notes that it is.
func (m *Machine) reprGuard(v Value) (again bool, e *Exception) {
	m.meter.Owe(guardCost + len(m.showing)/guarded)
	for _, o := range m.showing {
		if o == v.ref {
			return true, nil
		}
	}
	if e := m.Enter(); e != nil {
		return false, e
	}
	m.showing = append(m.showing, v.ref)
	return false, nil
}

// ReprEnter notes that the text of a container is being made, which ReprLeave
// ends, or says that it is being made already.
func (m *Machine) ReprEnter(v Value) (again bool, e *Exception) { return m.reprGuard(v) }

// ReprLeave ends what ReprEnter began.
func (m *Machine) ReprLeave() { m.reprDone() }

func (m *Machine) reprDone() {
	m.showing = m.showing[:len(m.showing)-1]
	m.Leave()
}

// listedCost is the price of the text of one sequence, beside those of its elements.
const listedCost = 50

// reprItems writes the elements of a sequence between brackets.
func (m *Machine) reprItems(v Value, open, end string, items func() []Value) (Value, *Exception) {
	if len(items()) == 0 {
		return m.shown(open + end), nil
	}
	again, e := m.reprGuard(v)
	if e != nil {
		return Value{}, e
	}
	if again {
		return m.shown(open + "..." + end), nil
	}
	defer m.reprDone()
	if e := m.Charge(listedCost); e != nil {
		return Value{}, e
	}
	b := builder{m: m}
	if e := b.text(open); e != nil {
		return Value{}, e
	}
	for i := 0; i < len(items()); i++ {
		if i > 0 {
			if e := b.text(", "); e != nil {
				return Value{}, e
			}
		}
		if e := b.repr(items()[i]); e != nil {
			return Value{}, e
		}
	}
	if e := b.text(end); e != nil {
		return Value{}, e
	}
	return b.value(), nil
}

func intRepr(m *Machine, v Value) (Value, *Exception) {
	i, _ := asInt(v)
	if i.IsInt() {
		return m.decimal(i.Int64()), nil
	}
	s, e := m.intText(i)
	if e != nil {
		return Value{}, e
	}
	return m.strN(s, len(s)), nil
}

// intText returns the decimal digits of an exact int. Conversion is quadratic;
// it is charged by the square of the length.
func (m *Machine) intText(i Value) (string, *Exception) {
	if i.IsInt() {
		return itoa(i.Int64()), nil
	}
	words := bitLen(i)/64 + 1
	if e := m.Charge(20 + words*words + words*20); e != nil {
		return "", e
	}
	return i.big().i.String(), nil
}

// floatText is the price of the shortest text that reads back as a float.
const floatText = 40

func floatRepr(m *Machine, v Value) (Value, *Exception) {
	f, _ := asFloat(v)
	if e := m.Charge(floatText); e != nil {
		return Value{}, e
	}
	s := softfloat.Repr(f)
	return m.strN(s, len(s)), nil
}

// quoting is how the repr of a string is written.
type quoting struct {
	s     *Str
	quote byte
	n     int // code points of the repr
	size  int // bytes
}

// measuring is the price of finding out what the repr of a string escapes, beside that of writing it: of a text that is not ASCII every
// character is decoded and its properties are looked up.
func (s *Str) measuring() int {
	if s.ASCII() {
		return s.n / searchChars
	}
	return 3 * s.n
}

// quotingOf measures the repr of a string.
func quotingOf(s *Str) quoting {
	q := quoting{s: s, quote: '\'', n: s.n + 2, size: len(s.s) + 2}
	if strings.IndexByte(s.s, '\'') >= 0 && strings.IndexByte(s.s, '"') < 0 {
		q.quote = '"'
	}
	if s.ASCII() {
		q.n = text.QuotedBytesLen(s.Bytes()) - 1 // without the b
		q.size = q.n
		return q
	}
	for i := 0; i < len(s.s); {
		if c := s.s[i]; c >= 0x20 && c < 0x7F && c != q.quote && c != '\\' {
			i++
			continue
		}
		r, w := nextRune(s.s, i)
		i += w
		if n := q.width(r); n > 1 {
			q.n, q.size = q.n+n-1, q.size+n-w
		}
	}
	return q
}

// width is how many code points are written for one; more than one are ASCII.
func (q quoting) width(r rune) int {
	switch {
	case r == rune(q.quote) || r == '\\' || r == '\t' || r == '\n' || r == '\r':
		return 2
	case text.IsPrintable(r):
		return 1
	case r < 0x100:
		return 4
	case r < 0x10000:
		return 6
	}
	return 10
}

// String writes the repr. What stays as it is is copied in runs.
func (q quoting) String() string {
	s, out := q.s.s, make([]byte, 0, q.size)
	out = append(out, q.quote)
	done := 0
	for i := 0; i < len(s) && q.size > len(s)+2; {
		if c := s[i]; c >= 0x20 && c < 0x7F && c != q.quote && c != '\\' {
			i++
			continue
		}
		r, w := nextRune(s, i)
		if q.width(r) > 1 {
			out = text.AppendQuotedRune(append(out, s[done:i]...), r)
			done = i + w
		}
		i += w
	}
	out = append(append(out, s[done:]...), q.quote)
	return unsafe.String(unsafe.SliceData(out), len(out))
}

func itoa(i int64) string {
	var buf [20]byte
	p := len(buf)
	u := uint64(i)
	if i < 0 {
		u = -u
	}
	for u >= 10 {
		p--
		buf[p] = byte('0' + u%10)
		u /= 10
	}
	p--
	buf[p] = byte('0' + u)
	if i < 0 {
		p--
		buf[p] = '-'
	}
	return string(buf[p:])
}
