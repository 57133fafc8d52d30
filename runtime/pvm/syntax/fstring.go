package syntax

import (
	"fmt"
	"strings"
)

// joiner gathers the parts of an f-string, merging adjacent literal text.
type joiner struct {
	span    Span // of all adjacent literals
	own     Span // of the text at the end: span, or in a format spec its token alone
	text    []byte
	values  []Expr
	unicode bool
	h       int // height of the highest part
}

// flush turns the gathered text into a constant.
func (j *joiner) flush(span Span) {
	if len(j.text) == 0 {
		return
	}
	j.values = append(j.values, &Constant{Span: span, Kind: Str, Text: string(j.text), Unicode: j.unicode})
	j.text = j.text[:0]
	j.h = max(j.h, 1)
}

// formatter walks through the body of one f-string token.
type formatter struct {
	p     *parser
	body  string
	raw   bool
	i     int   // next byte of body
	at    int   // byte that line and col describe
	line  int32 // place of byte at in the source
	col   int32
	token int
}

// formatString parses the body of f-string token i into j.
func (p *parser) formatString(j *joiner, i int, l literal) {
	t := &p.tokens[i]
	f := &formatter{p: p, body: l.body, raw: l.raw, line: t.line, col: t.col + int32(l.bodyOffset), token: i}
	f.parse(j, 0)
}

// place moves line and col to byte i of the body.
func (f *formatter) place(i int) {
	part := f.body[f.at:i]
	if n := strings.Count(part, "\n"); n > 0 {
		f.line += int32(n)
		f.col = int32(len(part) - strings.LastIndexByte(part, '\n') - 1)
	} else {
		f.col += int32(len(part))
	}
	f.at = i
}

// parse reads literal text and replacement fields up to the end of the body,
// or, in a format spec (level > 0), up to the closing brace.
func (f *formatter) parse(j *joiner, level int) {
	for {
		doubled := f.literal(j, level)
		if doubled {
			continue
		}
		if f.i >= len(f.body) || f.body[f.i] == '}' {
			break
		}
		f.field(j, level)
	}
	if level > 0 && f.i >= len(f.body) {
		f.fail("f-string: expecting '}'")
	}
}

func (f *formatter) fail(msg string) { f.p.failAfterStrings(msg) }

// literal reads literal text. It reports whether it stopped behind a doubled
// brace, which stands for one.
func (f *formatter) literal(j *joiner, level int) (doubled bool) {
	start, end := f.i, f.i
	body := f.body
scan:
	for f.i < len(body) {
		c := body[f.i]
		f.i++
		end = f.i
		if c == '\\' && !f.raw && f.i < len(body) {
			c = body[f.i]
			f.i++
			end = f.i
			if c == 'N' {
				if f.i < len(body) && body[f.i] == '{' {
					for f.i < len(body) && body[f.i] != '}' {
						f.i++
					}
					f.i = min(f.i+1, len(body))
				}
				end = f.i
				continue
			}
		}
		if c != '{' && c != '}' {
			continue
		}
		if level == 0 {
			if f.i < len(body) && body[f.i] == c {
				f.i++
				doubled = true
				break scan
			}
			if c == '}' {
				f.fail("f-string: single '}' is not allowed")
			}
		}
		f.i--
		end = f.i
		break
	}
	if text := body[start:end]; text != "" {
		if !f.raw && strings.IndexByte(text, '\\') >= 0 {
			text = f.p.decodeText(text)
		}
		j.text = append(j.text, text...)
	}
	return doubled
}

// field reads one replacement field.
func (f *formatter) field(j *joiner, level int) {
	if level >= 2 {
		f.fail("f-string: expressions nested too deeply")
	}
	open := f.i
	f.i++
	f.skipExpression()
	v := &FormattedValue{Span: j.span}
	v.Value = f.compile(open)
	h := f.p.h
	debug := f.body[f.i] == '='
	if debug {
		f.i++
		for f.i < len(f.body) && (f.body[f.i] == ' ' || '\t' <= f.body[f.i] && f.body[f.i] <= '\r') {
			f.i++
		}
		f.mustHaveMore()
		j.text = append(j.text, f.body[open+1:f.i]...)
	}
	if f.body[f.i] == '!' {
		f.i++
		f.mustHaveMore()
		v.Conversion = f.body[f.i]
		f.i++
		if c := v.Conversion; c != 's' && c != 'r' && c != 'a' {
			f.fail("f-string: invalid conversion character: expected 's', 'r', or 'a'")
		}
		f.mustHaveMore()
	}
	if f.body[f.i] == ':' {
		f.i++
		f.mustHaveMore()
		t := &f.p.tokens[f.token]
		spec := joiner{span: j.span, own: Span{t.line, t.col, t.endLine, t.endCol}, unicode: j.unicode}
		f.parse(&spec, level+1)
		spec.flush(spec.own)
		v.Spec = &JoinedStr{Span: spec.own, Values: spec.values}
		h = max(h, spec.h+1)
	}
	if f.i >= len(f.body) || f.body[f.i] != '}' {
		f.fail("f-string: expecting '}'")
	}
	f.i++
	if debug && v.Spec == nil && v.Conversion == 0 {
		v.Conversion = 'r'
	}
	j.flush(j.span)
	j.values = append(j.values, v)
	j.h = max(j.h, h+1)
	f.p.h = j.h
}

// mustHaveMore fails at the end of the body.
func (f *formatter) mustHaveMore() {
	if f.i >= len(f.body) {
		f.fail("f-string: expecting '}'")
	}
}

// skipExpression moves to the character that ends the expression of a field.
func (f *formatter) skipExpression() {
	var open []byte
	var quote byte
	triple := false
	body := f.body
	for ; f.i < len(body); f.i++ {
		c := body[f.i]
		if c == '\\' {
			f.fail("f-string expression part cannot include a backslash")
		}
		if quote != 0 {
			if c == quote {
				switch {
				case !triple:
					quote = 0
				case f.tripled(c):
					f.i += 2
					quote = 0
				}
			}
			continue
		}
		switch c {
		case '\'', '"':
			quote, triple = c, f.tripled(c)
			if triple {
				f.i += 2
			}
		case '(', '[', '{':
			if len(open) >= MaxBrackets {
				f.fail("f-string: too many nested parenthesis")
			}
			open = append(open, c)
		case '#':
			f.fail("f-string expression part cannot include '#'")
		case '!', ':', '=', '<', '>':
			if len(open) > 0 {
				continue
			}
			if c != ':' && f.i+1 < len(body) && body[f.i+1] == '=' {
				f.i++
				continue
			}
			if c != '<' && c != '>' {
				return
			}
		case '}', ')', ']':
			if len(open) == 0 {
				if c == '}' {
					return
				}
				f.fail(fmt.Sprintf("f-string: unmatched '%c'", c))
			}
			top := open[len(open)-1]
			open = open[:len(open)-1]
			if !(top == '(' && c == ')' || top == '[' && c == ']' || top == '{' && c == '}') {
				f.fail(fmt.Sprintf("f-string: closing parenthesis '%c' does not match opening parenthesis '%c'", c, top))
			}
		}
	}
	if quote != 0 {
		f.fail("f-string: unterminated string")
	}
	if len(open) > 0 {
		f.fail(fmt.Sprintf("f-string: unmatched '%c'", open[len(open)-1]))
	}
	f.mustHaveMore()
}

// tripled says whether the quote at the current byte is the first of three.
func (f *formatter) tripled(c byte) bool {
	return f.i+2 < len(f.body) && f.body[f.i+1] == c && f.body[f.i+2] == c
}

// part is the place of an expression inside an f-string: of its opening brace.
// Errors inside count columns from base: col, or 0 if the expression begins on
// another line.
type part struct {
	line, col, base int32
}

// compile parses the expression between the brace at byte open and the current
// byte, in parentheses so that it may span lines.
func (f *formatter) compile(open int) Expr {
	source := f.body[open+1 : f.i]
	if strings.Trim(source, " \t\n\f") == "" {
		if c := f.body[f.i]; c == '!' || c == ':' || c == '=' {
			f.fail(fmt.Sprintf("f-string: expression required before '%c'", c))
		}
		f.fail("f-string: empty expression not allowed")
	}
	f.place(open)
	base := f.col
	if blank := strings.TrimLeft(source, " \t\f"); blank[0] == '\n' {
		base = 0
	}
	p := f.p.inner("("+source+")\n", part{f.line, f.col, base})
	defer func() {
		f.p.names, f.p.consts, f.p.room = p.names, p.consts, p.room
		f.p.work += p.work + len(p.tokens)
	}()
	p.scan()
	p.shift()
	var x Expr
	if !p.try(func() { x = p.starExpressions() }) {
		f.p.failWith(p.explain())
	}
	f.p.grow(p.h)
	return x
}

// inner returns the parser for an expression inside an f-string: the same for
// every expression, with the unused nodes of p.
func (p *parser) inner(text string, at part) *parser {
	if p.sub == nil {
		p.sub = &parser{}
	}
	sub := p.sub
	*sub = parser{plain: p.plain, sub: sub.sub, part: sub.part, depth: p.depth + 1, names: p.names, consts: p.consts,
		scanner: scanner{text: text, tokens: sub.tokens[:0], room: p.room}}
	if sub.part == nil {
		sub.part = new(part)
	}
	*sub.part = at
	return sub
}

// shift moves the tokens of a part to their place in the whole source.
func (p *parser) shift() {
	if p.failure != nil {
		p.failure.Line += int(p.part.line) - 1
		p.failure.EndLine += int(p.part.line) - 1
	}
	for i := range p.tokens {
		t := &p.tokens[i]
		if t.line == 1 && t.col >= 0 {
			t.col += p.part.col
		}
		if t.endLine == 1 && t.endCol >= 0 {
			t.endCol += p.part.col
		}
		t.line += p.part.line - 1
		t.endLine += p.part.line - 1
	}
}
