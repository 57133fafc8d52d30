package syntax

import (
	"strings"
	"unicode/utf8"
)

// MaxDepth bounds the height of the tree above statements, and so the recursion
// of every pass over it. CPython 3.11's compiler gives up at about this depth.
const MaxDepth = 3000

// Parse parses a source file. The error is a *SyntaxError. Line ends may be LF,
// CR LF or CR; one leading byte order mark is skipped.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func Parse(source []byte) (*Module, error) {
	p := &parser{}
	return p.parse(source)
}

// ParsePlainly is Parse without the search for a helpful message, which can take a hundred times as long as parsing: the error says "invalid syntax" and where
// the parser stopped.
func ParsePlainly(source []byte) (*Module, error) {
	p := &parser{plain: true}
	return p.parse(source)
}

func (p *parser) parse(source []byte) (*Module, error) {
	text, fault := prepare(source)
	if fault != nil {
		return nil, fault
	}
	p.scanner = scanner{text: text, room: MaxTokens}
	p.scan()
	if p.room < 0 && p.stop == stopHard {
		return nil, p.stopError()
	}
	module, ok := p.module()
	if !ok {
		return nil, p.explain()
	}
	module.Tokens = MaxTokens - p.room
	return module, nil
}

// prepare checks the encoding and brings the source into the form the scanner
// wants: no byte order mark, LF line ends, a newline at the end.
func prepare(source []byte) (string, *SyntaxError) {
	text := string(source)
	text = strings.TrimPrefix(text, "\uFEFF")
	if i := strings.IndexByte(text, 0); i >= 0 {
		return "", refusal(text, i, "source code string cannot contain null bytes")
	}
	if fault := checkEncoding(text); fault != nil {
		return "", fault
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text, nil
}

// parser is a recursive-descent parser over the scanned tokens. A failed rule
// panics with bailout; nothing else panics, and module recovers.
type parser struct {
	scanner
	i     int  // current token
	k     kind // its kind
	top   int  // first token of the current statement of the module
	depth int  // recursion of expressions
	h     int  // height of the expression parsed last
	err   *SyntaxError
	plain bool // errors are not explained
	work  int  // tokens passed and steps of the search for a message, those of inner parsers included

	part *part   // set when the text is an expression inside an f-string
	sub  *parser // for expressions inside f-strings, if there was one

	names  []Name     // slab
	consts []Constant // slab
}

// bailout unwinds the parser after p.err is set, or left nil for an error that
// explain has to find.
type bailout struct{}

// module parses the whole file.
func (p *parser) module() (m *Module, ok bool) {
	ok = p.try(func() {
		m = &Module{Body: p.statements(tEnd), Lines: p.line - 1}
	})
	return m, ok
}

// try runs a rule from the first token and says whether it succeeded.
func (p *parser) try(rule func()) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, expected := r.(bailout); !expected {
				panic(r)
			}
			ok = false
		}
	}()
	p.seek(0)
	rule()
	return true
}

// fail gives up at the current token.
func (p *parser) fail() {
	panic(bailout{})
}

// failWith gives up with an error whose cause is already known.
func (p *parser) failWith(err *SyntaxError) {
	p.err = err
	panic(bailout{})
}

// next moves to the following token.
func (p *parser) next() {
	p.i++
	p.work++
	p.k = p.tokens[p.i].kind
}

// seek moves to a token.
func (p *parser) seek(i int) {
	p.i = i
	p.k = p.tokens[i].kind
}

// peek returns the kind of the token after the current one.
func (p *parser) peek() kind {
	if p.i+1 < len(p.tokens) {
		return p.tokens[p.i+1].kind
	}
	return tEnd
}

// expect passes a token of the given kind.
func (p *parser) expect(k kind) {
	if p.k != k {
		p.fail()
	}
	p.next()
}

// accept passes a token of the given kind if it is the current one.
func (p *parser) accept(k kind) bool {
	if p.k != k {
		return false
	}
	p.next()
	return true
}

// word returns the text of a token.
func (p *parser) word(t *token) string { return p.text[t.start:t.end] }

// isWord says whether the current token is the given soft keyword.
func (p *parser) isWord(word string) bool {
	return p.k == tName && p.word(&p.tokens[p.i]) == word
}

// identifier passes a name and returns it normalized.
func (p *parser) identifier() string {
	if p.k != tName {
		p.fail()
	}
	name := p.ident(p.i)
	p.next()
	return name
}

// ident returns the normalized name of token i.
func (p *parser) ident(i int) string {
	word := p.word(&p.tokens[i])
	for j := 0; j < len(word); j++ {
		if word[j] >= utf8.RuneSelf {
			return normalizeName(word)
		}
	}
	return word
}

// span covers the tokens from start up to the one before the current.
func (p *parser) span(start int) Span {
	a, b := &p.tokens[start], &p.tokens[p.i-1]
	return Span{a.line, a.col, b.endLine, b.endCol}
}

// blockSpan is span for a rule that ends with a block: it leaves out the tokens
// that only lay out lines.
func (p *parser) blockSpan(start int) Span {
	i := p.i - 1
	for i > start && p.tokens[i].kind <= tDedent {
		i--
	}
	a, b := &p.tokens[start], &p.tokens[i]
	return Span{a.line, a.col, b.endLine, b.endCol}
}

// enter counts a level of recursion.
func (p *parser) enter() {
	p.depth++
	if p.depth > MaxDepth {
		p.tooDeep()
	}
}

func (p *parser) leave() { p.depth-- }

// grow records that the last expression has height h.
func (p *parser) grow(h int) {
	p.h = h
	if h > MaxDepth {
		p.tooDeep()
	}
}

func (p *parser) tooDeep() {
	p.failWith(p.errorAt(p.i, p.i, "too many nested expressions"))
}

// name makes a Name of the single token at index start.
func (p *parser) name(start int, ctx Context) *Name {
	if len(p.names) == 0 {
		p.names = make([]Name, 32)
	}
	n := &p.names[0]
	p.names = p.names[1:]
	t := &p.tokens[start]
	n.Span = Span{t.line, t.col, t.endLine, t.endCol}
	n.ID = p.ident(start)
	n.Ctx = ctx
	p.h = 1
	return n
}

// constant makes a constant of the single token at index start.
func (p *parser) constant(start int, k ConstKind) *Constant {
	if len(p.consts) == 0 {
		p.consts = make([]Constant, 16)
	}
	c := &p.consts[0]
	p.consts = p.consts[1:]
	t := &p.tokens[start]
	c.Span = Span{t.line, t.col, t.endLine, t.endCol}
	c.Kind = k
	p.h = 1
	return c
}
