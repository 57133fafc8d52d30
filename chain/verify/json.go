package verify

import (
	"cmp"
	"errors"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// The bounds of a JSON value.
const (
	maxDepth  = 32    // how deep it is nested
	maxValues = 4_096 // values in it, itself among them
)

// Kind is what a JSON value is.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Num
	Text
	List
	Object
)

// Value is a JSON value.
type Value struct {
	Kind    Kind
	Truth   bool     // Bool
	Number  Number   // Num
	Text    string   // Text
	List    []Value  // List
	Members []Member // Object; strictly ascending by name
}

// Member is a name with its value in an object.
type Member struct {
	Name  string
	Value Value
}

// ErrJSON reports text that is not one JSON value within our bounds: UTF-8, at most 32 levels and 4,096 values, no name twice in an object, numbers of at most
// 64 digits.
//
// Spec: runner-marketplace §2.3.
var ErrJSON = errors.New("verify: not a JSON value within bounds")

// ParseJSON reads one JSON value. It takes work in proportion to the text and gives ErrJSON for any other text.
//
// Spec: runner-marketplace §2.3, §2.4.
func ParseJSON(text []byte) (Value, error) {
	p := parser{text: text}
	if !utf8.Valid(text) {
		return Value{}, ErrJSON
	}
	v, ok := p.value(0)
	p.space()
	if !ok || p.at != len(text) {
		return Value{}, ErrJSON
	}
	return v, nil
}

type parser struct {
	text   []byte
	at     int
	values int // begun
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek is the next byte, zero at the end.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) take(c byte) bool {
	if p.peek() != c || p.at == len(p.text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) word(w string, v Value) (Value, bool) {
	if len(p.text)-p.at < len(w) || string(p.text[p.at:p.at+len(w)]) != w {
		return Value{}, false
	}
	p.at += len(w)
	return v, true
}

func (p *parser) value(depth int) (Value, bool) {
	if p.values++; depth > maxDepth || p.values > maxValues {
		return Value{}, false
	}
	p.space()
	switch c := p.peek(); c {
	case 'n':
		return p.word("null", Value{})
	case 't':
		return p.word("true", Value{Kind: Bool, Truth: true})
	case 'f':
		return p.word("false", Value{Kind: Bool})
	case '"':
		s, ok := p.quoted()
		return Value{Kind: Text, Text: s}, ok
	case '[':
		return p.list(depth)
	case '{':
		return p.object(depth)
	}
	return p.number()
}

func (p *parser) list(depth int) (Value, bool) {
	v := Value{Kind: List}
	p.at++
	if p.space(); p.take(']') {
		return v, true
	}
	for {
		item, ok := p.value(depth + 1)
		if !ok {
			return Value{}, false
		}
		v.List = append(v.List, item)
		p.space()
		if p.take(']') {
			return v, true
		}
		if !p.take(',') {
			return Value{}, false
		}
	}
}

func (p *parser) object(depth int) (Value, bool) {
	v := Value{Kind: Object}
	p.at++
	if p.space(); p.take('}') {
		return v, true
	}
	for {
		p.space()
		name, ok := p.quoted()
		if !ok {
			return Value{}, false
		}
		if p.space(); !p.take(':') {
			return Value{}, false
		}
		item, ok := p.value(depth + 1)
		if !ok {
			return Value{}, false
		}
		v.Members = append(v.Members, Member{name, item})
		p.space()
		if p.take('}') {
			break
		}
		if !p.take(',') {
			return Value{}, false
		}
	}
	slices.SortFunc(v.Members, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	for i := 1; i < len(v.Members); i++ {
		if v.Members[i-1].Name == v.Members[i].Name {
			return Value{}, false
		}
	}
	return v, true
}

// digits takes decimal digits and gives how many there were.
func (p *parser) digits() int {
	from := p.at
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.at++
	}
	return p.at - from
}

func (p *parser) number() (Value, bool) {
	from := p.at
	p.take('-')
	zero := p.peek() == '0'
	if n := p.digits(); n == 0 || zero && n > 1 {
		return Value{}, false
	}
	if p.take('.') && p.digits() == 0 {
		return Value{}, false
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		if p.digits() == 0 {
			return Value{}, false
		}
	}
	n, err := ParseNumber(string(p.text[from:p.at]))
	return Value{Kind: Num, Number: n}, err == nil
}

// quoted takes a text in quotation marks.
func (p *parser) quoted() (string, bool) {
	if !p.take('"') {
		return "", false
	}
	var out []byte
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '"':
			return string(out), true
		case c < ' ':
			return "", false
		case c != '\\':
			out = append(out, c)
		default:
			var ok bool
			if out, ok = p.escape(out); !ok {
				return "", false
			}
		}
	}
	return "", false
}

// escape takes what stands behind a backslash. Half of a surrogate pair alone is refused.
func (p *parser) escape(out []byte) ([]byte, bool) {
	c := p.peek()
	p.at++
	switch c {
	case '"', '\\', '/':
		return append(out, c), true
	case 'b':
		return append(out, '\b'), true
	case 'f':
		return append(out, '\f'), true
	case 'n':
		return append(out, '\n'), true
	case 'r':
		return append(out, '\r'), true
	case 't':
		return append(out, '\t'), true
	case 'u':
		r, ok := p.hex4()
		if ok && utf16.IsSurrogate(r) {
			low := rune(0)
			if p.take('\\') && p.take('u') {
				low, _ = p.hex4()
			}
			r = utf16.DecodeRune(r, low)
			ok = r != utf8.RuneError
		}
		return utf8.AppendRune(out, r), ok
	}
	return out, false
}

func (p *parser) hex4() (r rune, ok bool) {
	if len(p.text)-p.at < 4 {
		return 0, false
	}
	for _, c := range p.text[p.at : p.at+4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	p.at += 4
	return r, true
}
