package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// explain finds the error of a source that the parser refused.
func (p *parser) explain() *SyntaxError {
	if p.err != nil {
		return p.preferScanner(p.err, p.i)
	}
	if p.k == tFail {
		return p.stopError()
	}
	if p.plain {
		return p.preferScanner(p.errorAt(p.i, p.i, "invalid syntax"), p.i)
	}
	rule, at := ruleStatement, p.top
	if p.part != nil {
		rule, at = ruleStarExpressions, 0
	}
	failed := p.i
	m := &matcher{p: p, fill: at, memo: make([][]memoEntry, len(p.tokens))}
	defer func() { p.work += m.steps + len(p.tokens) }()
	if _, through := m.run(rule, at, false); !through {
		if m.err == nil {
			m.err = p.errorAt(failed, failed, "invalid syntax")
		}
		return m.finish()
	}
	last := max(m.fill-1, at)
	m.forget(at, m.fill)
	m.earlierMatch(at)
	if m.err == nil {
		m.run(rule, at, true)
	}
	if m.err != nil {
		return m.finish()
	}
	switch p.tokens[last].kind {
	case tIndent:
		return m.lastError(KindIndentation, "unexpected indent")
	case tDedent:
		return m.lastError(KindIndentation, "unexpected unindent")
	case tEnd:
		line := int(p.tokens[last].line)
		m.err = p.locate(&SyntaxError{Msg: "invalid syntax", Line: line, EndLine: line})
	default:
		m.err = p.errorAt(last, last, "invalid syntax")
	}
	return m.finish()
}

// earlierMatch looks for a call of a function named match that is a statement
// before token end. Once a source is known to be wrong, CPython takes the first
// of them for a match statement without a colon.
func (m *matcher) earlierMatch(end int) {
	for i := 0; i < end && m.err == nil; i++ {
		t := &m.p.tokens[i]
		if t.kind == tName && m.p.word(t) == "match" && (i == 0 || m.p.tokens[i-1].kind <= tDedent && m.p.tokens[i-1].kind != tEnd) {
			m.run(ruleMatch, i, true)
		}
	}
}

var ruleMatch = grammar.find("match_stmt")

var ruleStarExpressions = grammar.find("star_expressions")

// finish returns the error found, or a graver one of the scanner.
func (m *matcher) finish() *SyntaxError {
	return m.p.preferScanner(m.err, m.fill-1)
}

// preferScanner returns the error of a malformed token anywhere in the source,
// or of a bracket that stays open to its end if the parser had read beyond the
// bracket's line; else err.
func (p *parser) preferScanner(err *SyntaxError, last int) *SyntaxError {
	switch {
	case p.stop == stopNone || p.tokens[last].kind == tFail:
		return err
	case p.stop == stopHard:
		return p.stopError()
	case p.bracketTop == 0 || p.tokens[last].line <= p.tokens[p.brackets[p.bracketTop-1].token].line:
		return err
	}
	return p.unclosed()
}

// lastError makes an error at the last token read.
func (m *matcher) lastError(k ErrorKind, msg string) *SyntaxError {
	err := m.p.errorAt(m.fill-1, m.fill-1, msg)
	err.Kind = k
	return err
}

// fromError makes an error from a capture to where the scanner stands.
func (m *matcher) fromError(c capture, msg string) *SyntaxError {
	last := &m.p.tokens[m.fill-1]
	from := m.span(c)
	err := m.p.errorSpan(Span{from.Line, from.Col, last.endLine, max(last.endCol, 0)}, nil, msg)
	err.EndCol--
	return err
}

// join returns the span from the start of a to the end of b.
func join(a, b Span) Span { return Span{a.Line, a.Col, b.EndLine, b.EndCol} }

// tokenSpan returns the span of tokens from start to before end.
func (m *matcher) tokenSpan(start, end int) Span {
	a, b := &m.p.tokens[start], &m.p.tokens[end-1]
	return Span{a.line, a.col, b.endLine, b.endCol}
}

// span returns the place of what was captured: of the node for an expression,
// which leaves out parentheses around it, else of the tokens.
func (m *matcher) span(c capture) Span {
	if x := m.node(c); x != nil {
		return x.At()
	}
	return m.tokenSpan(c.start, c.end)
}

// node parses a captured expression; nil if it is none.
func (m *matcher) node(c capture) (x Expr) {
	p := m.p
	var rule func() Expr
	switch c.rule {
	case "expression", "expression_without_bad":
		rule = p.expression
	case "disjunction":
		rule = p.disjunction
	case "bitwise_or":
		rule = func() Expr { return p.binary(precOr) }
	case "star_expressions":
		rule = p.starExpressions
	case "star_named_expression":
		rule = p.starNamedExpression
	case "bad_ann_assign_target":
		rule = p.atom
	default:
		return nil
	}
	return m.parse(c, rule)
}

// parse runs a rule of the parser on captured tokens; nil if it fails. The token
// behind them is taken for the end, so that the parser stops where the matcher
// did.
func (m *matcher) parse(c capture, rule func() Expr) (x Expr) {
	p := m.p
	behind := &p.tokens[c.end]
	kind := behind.kind
	behind.kind = tEnd
	ok := p.try(func() { p.seek(c.start); x = rule() })
	behind.kind = kind
	if !ok {
		p.err = nil
		return nil
	}
	return x
}

// fillIn replaces {a} in a message by the kind of the expression captured as a,
// and {#a} by its line.
func (m *matcher) fillIn(msg string) string {
	before, after, found := strings.Cut(msg, "{a}")
	if found {
		c := m.captured("a")
		name := m.p.word(&m.p.tokens[c.start])
		if x := m.node(c); x != nil {
			name = exprName(x)
		}
		return before + name + after
	}
	before, after, found = strings.Cut(msg, "{#a}")
	if found {
		return before + strconv.Itoa(int(m.p.tokens[m.captured("a").start].line)) + after
	}
	return msg
}

// level returns how many brackets are open behind a token.
func (m *matcher) level(at int) int {
	if m.levels == nil {
		m.levels = make([]uint8, len(m.p.tokens))
		level := uint8(0)
		for i := range m.levels {
			switch m.p.tokens[i].kind {
			case tLPar, tLSqb, tLBrace:
				level++
			case tRPar, tRSqb, tRBrace:
				level--
			}
			m.levels[i] = level
		}
	}
	return int(m.levels[at])
}

// do runs the report of a mistake that takes more than a place and a text.
func (m *matcher) do(name string, end int) {
	switch name {
	case "missingComma":
		m.missingComma(end)
	case "legacyStatement":
		m.legacyStatement()
	case "bareGenerator":
		m.bareGenerator()
	case "bareLastGenerator":
		m.bareLastGenerator()
	case "positionalAfterKeyword":
		m.positionalAfterKeyword()
	case "unparenthesizedTarget":
		m.unparenthesizedTarget()
	case "parameterWithoutDefault":
		at := m.captured("a").start
		to := at + 1
		for to < m.captured("a").end && m.p.tokens[to].kind != tComma {
			to++
		}
		m.report(m.p.errorSpan(m.tokenSpan(at, to), nil, "non-default argument follows default argument"))
	case "missingColon":
		m.missingColon()
	case "assignTarget":
		m.target(assignTargets)
	case "forTarget":
		m.target(forTargets)
	case "deleteTarget":
		m.target(deleteTargets)
	}
}

// isLegacy says whether a captured expression is the name of a statement of
// Python 2.
func (m *matcher) isLegacy(c capture) bool {
	if t := &m.p.tokens[c.start]; c.end == c.start+1 && t.kind == tName {
		word := m.p.word(t)
		return word == "print" || word == "exec"
	}
	return false
}

// missingComma reports two expressions in a row inside brackets.
func (m *matcher) missingComma(end int) {
	a, b := m.captured("a"), m.captured("b")
	if m.isLegacy(a) || m.level(end-1) == 0 {
		return
	}
	m.report(m.p.errorSpan(join(m.span(a), m.span(b)), nil, "invalid syntax. Perhaps you forgot a comma?"))
}

func (m *matcher) legacyStatement() {
	a := m.captured("a")
	if !m.isLegacy(a) {
		return
	}
	name := m.p.word(&m.p.tokens[a.start])
	m.report(m.p.errorSpan(join(m.span(a), m.span(m.captured("b"))), nil,
		fmt.Sprintf("Missing parentheses in call to '%s'. Did you mean %s(...)?", name, name)))
}

// lastItem returns the span of the iterable, or the last condition, of the last
// clause in a capture, and of that clause's target.
func (m *matcher) lastItem(c capture) (item, target Span) {
	comp := &Comp{}
	if m.parse(c, func() Expr { m.p.clauses(comp); return comp }) == nil {
		whole := m.tokenSpan(c.start, c.end)
		return whole, whole
	}
	clause := comp.Clauses[len(comp.Clauses)-1]
	item = clause.Iter.At()
	if n := len(clause.Ifs); n > 0 {
		item = clause.Ifs[n-1].At()
	}
	return item, clause.Target.At()
}

const bareGeneratorMsg = "Generator expression must be parenthesized"

// bareGenerator reports a generator expression without parentheses behind other
// arguments.
func (m *matcher) bareGenerator() {
	pieces := m.arguments(m.captured("a"))
	last, count := -1, 0
	for _, at := range pieces {
		k := m.p.tokens[at].kind
		if k == tDoubleStar || k == tName && m.p.tokens[at+1].kind == tAssign {
			continue
		}
		last = at
		count++
	}
	if count <= 1 {
		return
	}
	x := m.parse(capture{start: last, end: m.captured("a").end}, m.p.starNamedExpression)
	if x == nil {
		return
	}
	item, _ := m.lastItem(m.captured("b"))
	m.report(m.p.errorSpan(join(x.At(), item), nil, bareGeneratorMsg))
}

func (m *matcher) bareLastGenerator() {
	_, target := m.lastItem(m.captured("b"))
	m.report(m.p.errorSpan(join(m.span(m.captured("a")), target), nil, bareGeneratorMsg))
}

// arguments returns the tokens at which the arguments in a capture begin.
func (m *matcher) arguments(c capture) []int {
	starts := []int{c.start}
	level := 0
	for i := c.start; i < c.end; i++ {
		switch m.p.tokens[i].kind {
		case tLPar, tLSqb, tLBrace:
			level++
		case tRPar, tRSqb, tRBrace:
			level--
		case tComma:
			if level == 0 {
				starts = append(starts, i+1)
			}
		}
	}
	return starts
}

func (m *matcher) positionalAfterKeyword() {
	msg := "positional argument follows keyword argument"
	for _, at := range m.arguments(m.captured("a")) {
		if m.p.tokens[at].kind == tDoubleStar {
			msg += " unpacking"
			break
		}
	}
	m.report(m.lastError(KindSyntax, msg))
}

// unparenthesizedTarget reports "a, b for …" as the element of a comprehension.
func (m *matcher) unparenthesizedTarget() {
	b := m.captured("b")
	end := m.tokenSpan(b.start, b.end)
	starts := m.arguments(b)
	for i := len(starts) - 1; i >= 0; i-- {
		if starts[i] >= b.end {
			continue
		}
		if x := m.parse(capture{start: starts[i], end: b.end}, m.p.starNamedExpression); x != nil {
			end = x.At()
		}
		break
	}
	m.report(m.p.errorSpan(join(m.span(m.captured("a")), end), nil,
		"did you forget parentheses around the comprehension target?"))
}

func (m *matcher) missingColon() {
	at := m.span(m.captured("a"))
	at.Col = at.EndCol - 1
	err := m.p.errorSpan(at, nil, "':' expected after dictionary key")
	err.EndCol = 0
	m.report(err)
}
