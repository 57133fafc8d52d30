package object

import (
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Str is a Python string: code points in UTF-8, where a lone surrogate takes its
// three-byte form (ED A0..BF xx). An ASCII string is indexed through its bytes,
// any other through the decoded form, which is made when first needed.
type Str struct {
	Object
	s    string
	hash int64    // 0 while unknown; never 0 once known except for ""
	n    int      // code points
	more *strMore // nil for most ASCII strings
}

// strMore is what only some strings have: the decoded form, and the buffer of one
// made by concatenation.
type strMore struct {
	runes []rune
	tail  *tail
}

func (s *Str) ensureMore() *strMore {
	if s.more == nil {
		s.more = &strMore{}
	}
	return s.more
}

// tail is the buffer of a string made by concatenation. The string that ends
// where the buffer does can be extended in place: strings that are prefixes of it
// stay as they are. So building a text piece by piece takes linear time.
type tail struct {
	buf   []byte
	epoch uint32 // of the last count of live memory that reached it
}

const strSize = 56

// NewStatic returns a string shared by all machines, with everything that is
// otherwise computed on demand; for constants of programs and native tables.
func NewStatic(s string) *Str {
	str := &Str{s: s, n: codePoints(s)}
	str.typ, str.kind, str.flags = &TypeStr, KindStr, flagStatic
	str.hash = hashString(str)
	if str.n != len(s) {
		str.more = &strMore{runes: decode(s, str.n)}
	}
	return str
}

// Str returns a new string of s, which is UTF-8 as Str holds it.
func (m *Machine) Str(s string) Value {
	return m.strN(s, codePoints(s))
}

// StrOf returns a new string of the code points in runes.
func (m *Machine) StrOf(runes []rune) Value {
	if len(runes) == 1 && runes[0] < 256 {
		return latin1[runes[0]].Value()
	}
	return m.strN(encode(runes), len(runes))
}

// strN is Str when the number of code points is known.
func (m *Machine) strN(s string, n int) Value {
	if len(s) <= 1 {
		if len(s) == 0 {
			return emptyStr.Value()
		}
		return latin1[s[0]].Value()
	}
	m.hold(strSize + len(s))
	str := &Str{s: s, n: n}
	str.typ, str.kind = &TypeStr, KindStr
	return Value{ref: &str.Object}
}

// tinyStr and shortStr are strings whose text lies beside them.
type (
	tinyStr struct {
		Str
		text [tinyText]byte
	}
	shortStr struct {
		Str
		text [shortText]byte
	}
)

const (
	tinyText  = 8
	shortText = 24
)

// copied returns a new string of the ASCII text s, a part of another one that it
// must not keep alive.
func (m *Machine) copied(s string) Value {
	switch len(s) {
	case 0:
		return emptyStr.Value()
	case 1:
		return latin1[s[0]].Value()
	}
	v, b := m.newText(len(s), len(s))
	copy(b, s)
	return v
}

// decimal returns the digits of i.
func (m *Machine) decimal(i int64) Value {
	if uint64(i) < 10 {
		return latin1['0'+i].Value()
	}
	var buf [20]byte
	return m.ASCIIOf(strconv.AppendInt(buf[:0], i, 10))
}

// newText returns a new string of n code points and its bytes, two or more, which
// the caller fills in before anybody sees the string.
func (m *Machine) newText(size, n int) (Value, []byte) {
	m.hold(strSize + size)
	var str *Str
	var b []byte
	switch {
	case size <= tinyText:
		s := &tinyStr{}
		str, b = &s.Str, s.text[:size]
	case size <= shortText:
		s := &shortStr{}
		str, b = &s.Str, s.text[:size]
	default:
		str, b = &Str{}, make([]byte, size)
	}
	str.s, str.n = unsafe.String(&b[0], size), n
	str.typ, str.kind = &TypeStr, KindStr
	return str.Value(), b
}

// ASCIIOf returns a new string of ASCII bytes, which it copies.
func (m *Machine) ASCIIOf(b []byte) Value {
	return m.copied(unsafe.String(unsafe.SliceData(b), len(b)))
}

var (
	emptyStr = NewStatic("")
	latin1   = latin1Table()
)

func latin1Table() (t [256]*Str) {
	for i := range t {
		t[i] = NewStatic(string(rune(i)))
	}
	return t
}

// Value returns the string as a value.
func (s *Str) Value() Value { return Value{ref: &s.Object} }

// String returns the text in UTF-8, lone surrogates in three-byte form.
func (s *Str) String() string { return s.s }

// Len returns the number of code points.
func (s *Str) Len() int { return s.n }

// ASCII says whether every code point is below 128.
func (s *Str) ASCII() bool { return s.n == len(s.s) }

// Bytes returns the UTF-8 form without copying; not to be modified.
func (s *Str) Bytes() []byte { return unsafe.Slice(unsafe.StringData(s.s), len(s.s)) }

// Runes returns the code points; not to be modified. It decodes the text of a
// string that is not ASCII once, and of an ASCII string each time.
func (s *Str) Runes() []rune {
	if s.more != nil && s.more.runes != nil || s.n == 0 {
		if s.n == 0 {
			return nil
		}
		return s.more.runes
	}
	r := decode(s.s, s.n)
	if s.flags&flagStatic == 0 && !s.ASCII() {
		s.ensureMore().runes = r
	}
	return r
}

// undecoded is the price of the code points of a string that was not decoded yet: texts made by concatenation, which pay for what is
// added, are the longest of them. What is short is in the price of what asks.
func (s *Str) undecoded() int {
	if s.n <= longText || s.ASCII() || s.more != nil && s.more.runes != nil {
		return 0
	}
	return 2 * s.n
}

// Decoded is Runes for an operation that looks at few of the code points: it pays for those of a string that was not decoded yet.
func (m *Machine) Decoded(s *Str) []rune {
	m.meter.Owe(s.undecoded())
	return s.Runes()
}

// At returns code point i.
func (s *Str) At(i int) rune {
	if s.ASCII() {
		return rune(s.s[i])
	}
	return s.Runes()[i]
}

// Slice returns the code points from lo up to hi as a value.
func (s *Str) Slice(m *Machine, lo, hi int) Value {
	if lo <= 0 && hi >= s.n && s.typ == &TypeStr {
		return s.Value()
	}
	if s.ASCII() {
		return m.copied(s.s[lo:hi])
	}
	m.meter.Owe(m.costs.Element + hi - lo) // each character is written anew
	return m.StrOf(m.Decoded(s)[lo:hi])
}

// madeChar is the price of a string made for one code point, which those of Latin-1 have already.
const madeChar = 18

// char returns the string of one code point.
func (m *Machine) char(r rune) Value {
	if r < 256 {
		return latin1[r].Value()
	}
	m.meter.Owe(madeChar)
	v, b := m.newText(bytesOfRune(r), 1)
	appendRune(b[:0], r)
	return v
}

// equal compares two strings.
func (s *Str) equal(t *Str) bool {
	if s == t {
		return true
	}
	if len(s.s) != len(t.s) || s.hash != 0 && t.hash != 0 && s.hash != t.hash {
		return false
	}
	return s.s == t.s
}

// hashOf returns the hash, computing it once.
func (s *Str) hashOf() int64 {
	if s.hash == 0 && len(s.s) > 0 {
		s.hash = hashString(s)
	}
	return s.hash
}

// decode returns the n code points of generalised UTF-8.
func decode(s string, n int) []rune {
	out := make([]rune, 0, n)
	for i := 0; i < len(s); {
		r, w := nextRune(s, i)
		out = append(out, r)
		i += w
	}
	return out
}

// nextRune decodes the code point that begins at byte i.
func nextRune(s string, i int) (rune, int) {
	c := s[i]
	switch {
	case c < utf8.RuneSelf:
		return rune(c), 1
	case c >= 0xC2 && c < 0xE0 && i+1 < len(s) && s[i+1]&0xC0 == 0x80:
		return rune(c&0x1F)<<6 | rune(s[i+1]&0x3F), 2
	case c < 0xF0 && i+2 < len(s) && s[i+1]&0xC0 == 0x80 && s[i+2]&0xC0 == 0x80 && (c > 0xE0 || c == 0xE0 && s[i+1] >= 0xA0): // surrogates too
		return rune(c&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F), 3
	case c >= 0xF0 && c < 0xF4 && i+3 < len(s) && s[i+1]&0xC0 == 0x80 && (c > 0xF0 || s[i+1] >= 0x90) && s[i+2]&0xC0 == 0x80 && s[i+3]&0xC0 == 0x80:
		return rune(c&0x07)<<18 | rune(s[i+1]&0x3F)<<12 | rune(s[i+2]&0x3F)<<6 | rune(s[i+3]&0x3F), 4
	}
	return decodeRune(s[i:])
}

// decodeRune decodes the first code point of generalised UTF-8.
func decodeRune(s string) (rune, int) {
	c := s[0]
	if c < utf8.RuneSelf {
		return rune(c), 1
	}
	if c == 0xED && len(s) >= 3 && s[1] >= 0xA0 {
		return rune(c&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

// encode is the inverse of decode.
func encode(runes []rune) string {
	size := 0
	for _, r := range runes {
		size += bytesOfRune(r)
	}
	b := make([]byte, 0, size)
	for _, r := range runes {
		b = appendRune(b, r)
	}
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// bytesOfRune is the length of a code point, lone surrogates included, in UTF-8.
func bytesOfRune(r rune) int {
	switch {
	case r < 0x80:
		return 1
	case r < 0x800:
		return 2
	case r < 0x10000:
		return 3
	}
	return 4
}

func appendRune(b []byte, r rune) []byte {
	if r >= 0xD800 && r < 0xE000 {
		return append(b, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(b, r)
}

// HasSurrogate returns the index of the first lone surrogate, or -1.
func (s *Str) HasSurrogate() int {
	if s.ASCII() {
		return -1
	}
	for at := 0; ; at++ { // in UTF-8 surrogates begin with 0xED and go on with 0xA0 or more
		next := strings.IndexByte(s.s[at:], 0xED)
		if next < 0 {
			return -1
		}
		if at += next; s.s[at+1] >= 0xA0 {
			return codePoints(s.s[:at])
		}
	}
}

// compareStr orders two strings by code points.
func compareStr(a, b *Str) int {
	// UTF-8 orders as code points do, the three-byte surrogates included.
	switch {
	case a.s < b.s:
		return -1
	case a.s > b.s:
		return 1
	}
	return 0
}
