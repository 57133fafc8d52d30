package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax/charname"
)

// literal is a string token taken apart.
type literal struct {
	body       string
	bodyOffset int // of the body in the token
	bytes      bool
	raw        bool
	format     bool
	unicode    bool // prefix u, in lower case as the tree records it
}

// openLiteral takes a string token apart.
func openLiteral(word string) literal {
	var l literal
	i := 0
	for ; ; i++ {
		switch word[i] {
		case 'b', 'B':
			l.bytes = true
			continue
		case 'r', 'R':
			l.raw = true
			continue
		case 'f', 'F':
			l.format = true
			continue
		case 'u':
			l.unicode = true
			continue
		case 'U':
			continue
		}
		break
	}
	n := 1
	if len(word)-i >= 6 && word[i+1] == word[i] && word[i+2] == word[i] {
		n = 3
	}
	l.bodyOffset = i + n
	l.body = word[i+n : len(word)-n]
	return l
}

// strings parses adjacent string literals into one constant or f-string.
func (p *parser) strings() Expr {
	start := p.i
	for p.k == tString {
		p.next()
	}
	if p.k == tFail {
		p.fail()
	}
	first := openLiteral(p.word(&p.tokens[start]))
	if p.i == start+1 && !first.format {
		return p.plainString(start, first)
	}
	format := false
	span := p.span(start)
	j := joiner{span: span, own: span, unicode: first.unicode}
	for i := start; i < p.i; i++ {
		l := openLiteral(p.word(&p.tokens[i]))
		text := ""
		if !l.format {
			text = p.decode(i, l)
		}
		if i > start && l.bytes != first.bytes {
			p.failAfterStrings("cannot mix bytes and nonbytes literals")
		}
		if l.format {
			format = true
			p.formatString(&j, i, l)
		} else {
			j.text = append(j.text, text...)
		}
	}
	if !format {
		c := p.constant(start, Str)
		if first.bytes {
			c.Kind = Bytes
		}
		c.Span = p.span(start)
		c.Text = string(j.text)
		c.Unicode = first.unicode
		return c
	}
	j.flush(j.own)
	p.grow(j.h + 1)
	return &JoinedStr{Span: j.span, Values: j.values}
}

// plainString makes the constant of a single literal.
func (p *parser) plainString(start int, l literal) Expr {
	c := p.constant(start, Str)
	if l.bytes {
		c.Kind = Bytes
	}
	c.Text = p.decode(start, l)
	c.Unicode = l.unicode
	return c
}

// failAfterStrings gives up at the token after the literals, which is where
// CPython reports errors inside them.
func (p *parser) failAfterStrings(msg string) {
	p.failWith(p.errorAt(p.i, p.i, msg))
}

// decode returns the value of a literal that is no f-string.
func (p *parser) decode(token int, l literal) string {
	if l.bytes {
		for i := 0; i < len(l.body); i++ {
			if l.body[i] >= utf8.RuneSelf {
				p.failWith(p.errorAt(token, token, "bytes can only contain ASCII literal characters"))
			}
		}
	}
	if l.raw || strings.IndexByte(l.body, '\\') < 0 {
		return l.body
	}
	if l.bytes {
		return p.decodeBytes(l.body)
	}
	return p.decodeText(l.body)
}

// decodeBytes resolves the escapes of a bytes literal.
func (p *parser) decodeBytes(body string) string {
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); {
		c := body[i]
		if c != '\\' {
			out = append(out, c)
			i++
			continue
		}
		if v, n, ok := simpleEscape(body[i+1:]); ok {
			out = append(out, v...)
			i += 1 + n
			continue
		}
		switch c := body[i+1]; {
		case c == 'x':
			if i+3 >= len(body) || !isDigit(body[i+2], 16) || !isDigit(body[i+3], 16) {
				p.failAfterStrings(fmt.Sprintf("(value error) invalid \\x escape at position %d", i))
			}
			out = append(out, digitValue(body[i+2])<<4|digitValue(body[i+3]))
			i += 4
		case isDigit(c, 8):
			v, n := octalEscape(body[i+1:])
			out = append(out, byte(v))
			i += 1 + n
		default:
			out = append(out, '\\')
			i++
		}
	}
	return string(out)
}

// simpleEscape resolves the escapes of one character, behind the backslash.
func simpleEscape(s string) (value string, n int, ok bool) {
	if s == "" {
		return "", 0, false
	}
	switch s[0] {
	case '\n':
		return "", 1, true
	case '\\', '\'', '"':
		return s[:1], 1, true
	case 'a':
		return "\a", 1, true
	case 'b':
		return "\b", 1, true
	case 'f':
		return "\f", 1, true
	case 'n':
		return "\n", 1, true
	case 'r':
		return "\r", 1, true
	case 't':
		return "\t", 1, true
	case 'v':
		return "\v", 1, true
	}
	return "", 0, false
}

// octalEscape reads up to three octal digits.
func octalEscape(s string) (v, n int) {
	for n < 3 && n < len(s) && isDigit(s[n], 8) {
		v = v<<3 | int(s[n]-'0')
		n++
	}
	return v, n
}

// decodeText resolves the escapes of a str literal, or of a literal part of an
// f-string.
func (p *parser) decodeText(body string) string {
	out := make([]byte, 0, len(body))
	at := 0 // position CPython reports: other than ASCII counts ten
	for i := 0; i < len(body); {
		c := body[i]
		if c != '\\' {
			n := 1
			if c < utf8.RuneSelf {
				at++
			} else {
				_, n = utf8.DecodeRuneInString(body[i:])
				at += 10
			}
			out = append(out, body[i:i+n]...)
			i += n
			continue
		}
		if v, n, ok := simpleEscape(body[i+1:]); ok {
			out = append(out, v...)
			i += 1 + n
			at += 1 + n
			continue
		}
		r, n := p.wideEscape(body[i:], at)
		if n == 0 {
			out = append(out, '\\')
			i++
			at++
			if i >= len(body) || body[i] >= utf8.RuneSelf {
				at += 5 // CPython writes the backslash as \u005c
			}
			continue
		}
		out = appendRune(out, r)
		i += n
		at += n
	}
	return string(out)
}

// wideEscape resolves an escape that names a code point. n is 0 if s begins
// with no escape.
func (p *parser) wideEscape(s string, at int) (r rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch c := s[1]; c {
	case 'x':
		return p.hexEscape(s, at, 2, "truncated \\xXX escape")
	case 'u':
		return p.hexEscape(s, at, 4, "truncated \\uXXXX escape")
	case 'U':
		return p.hexEscape(s, at, 8, "truncated \\UXXXXXXXX escape")
	case 'N':
		return p.namedEscape(s, at)
	default:
		if isDigit(c, 8) {
			v, n := octalEscape(s[1:])
			return rune(v), n + 1
		}
	}
	return 0, 0
}

// hexEscape resolves an escape of a fixed number of hexadecimal digits.
func (p *parser) hexEscape(s string, at, digits int, truncated string) (rune, int) {
	v := uint32(0)
	for n := 0; n < digits; n++ {
		if 2+n >= len(s) || !isDigit(s[2+n], 16) {
			p.escapeFailure(at, 2+n, truncated)
		}
		v = v<<4 | uint32(digitValue(s[2+n]))
	}
	if v > utf8.MaxRune {
		p.escapeFailure(at, 2+digits, "illegal Unicode character")
	}
	return rune(v), 2 + digits
}

// namedEscape resolves \N{name}.
func (p *parser) namedEscape(s string, at int) (rune, int) {
	if len(s) < 3 || s[2] != '{' {
		p.escapeFailure(at, 2, "malformed \\N character escape")
	}
	end := strings.IndexByte(s, '}')
	if end < 0 {
		p.escapeFailure(at, len(s), "malformed \\N character escape")
	}
	if end == 3 {
		p.escapeFailure(at, 3, "malformed \\N character escape")
	}
	r, ok := charname.Lookup(s[3:end])
	if !ok {
		p.escapeFailure(at, end+1, "unknown Unicode character name")
	}
	return r, end + 1
}

// escapeFailure gives up over an escape of n bytes at position at.
func (p *parser) escapeFailure(at, n int, reason string) {
	where := fmt.Sprintf("bytes in position %d-%d", at, at+n-1)
	p.failAfterStrings(fmt.Sprintf("(unicode error) 'unicodeescape' codec can't decode %s: %s", where, reason))
}

// appendRune appends the UTF-8 form of r; a surrogate takes three bytes.
func appendRune(dst []byte, r rune) []byte {
	if 0xD800 <= r && r <= 0xDFFF {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}
