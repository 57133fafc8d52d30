package syntax

// beginsMatch says whether the name match at the current token begins a match
// statement: its line must end in a colon before an indented block.
func (p *parser) beginsMatch() bool {
	switch p.peek() {
	case tName, tNumber, tString, tLPar, tLSqb, tLBrace, tEllipsis, tPlus, tMinus, tTilde, tStar,
		kFalse, kNone, kTrue, kAwait, kLambda, kNot:
	default:
		return false
	}
	i := p.i + 2
	for p.tokens[i].kind > tDedent {
		if p.tokens[i].kind == tFail {
			return false
		}
		i++
	}
	return p.tokens[i].kind == tNewline && p.tokens[i-1].kind == tColon && p.tokens[i+1].kind == tIndent
}

// matchStatement parses a match statement.
func (p *parser) matchStatement() Stmt {
	start := p.i
	p.next()
	s := &Match{Subject: p.matchSubject()}
	p.expect(tColon)
	p.expect(tNewline)
	p.expect(tIndent)
	for {
		s.Cases = append(s.Cases, p.matchCase())
		if p.accept(tDedent) {
			break
		}
	}
	s.Span = p.blockSpan(start)
	return s
}

// matchSubject parses what stands between match and its colon.
func (p *parser) matchSubject() Expr {
	start := p.i
	x := p.starNamedExpression()
	if p.k != tComma {
		p.notStarred(x)
		return x
	}
	elts := []Expr{x}
	h := p.h
	for p.accept(tComma) && p.k != tColon {
		elts = append(elts, p.starNamedExpression())
		h = max(h, p.h)
	}
	p.grow(h + 1)
	return &Tuple{Span: p.span(start), Elts: elts}
}

// matchCase parses one case clause.
func (p *parser) matchCase() MatchCase {
	if !p.isWord("case") {
		p.fail()
	}
	p.next()
	c := MatchCase{Pattern: p.openPattern()}
	if p.accept(kIf) {
		c.Guard = p.namedExpression()
	}
	c.Body = p.colonBlock()
	return c
}

// openPattern parses the patterns of a case, which may be a sequence without
// brackets.
func (p *parser) openPattern() Pattern {
	start := p.i
	first := p.starPattern()
	if p.k != tComma {
		if _, star := first.(*MatchStar); star {
			p.fail()
		}
		return first
	}
	patterns := []Pattern{first}
	for p.accept(tComma) && p.k != tColon && p.k != kIf {
		patterns = append(patterns, p.starPattern())
	}
	return &MatchSequence{Span: p.span(start), Patterns: patterns}
}

// starPattern parses *name or a pattern.
func (p *parser) starPattern() Pattern {
	if p.k != tStar {
		return p.pattern()
	}
	start := p.i
	p.next()
	name := p.identifier()
	if name == "_" {
		name = ""
	}
	return &MatchStar{Span: p.span(start), Name: name}
}

// pattern parses p1 | p2 | … [as name].
func (p *parser) pattern() Pattern {
	p.enter()
	start := p.i
	x := p.closedPattern()
	if p.k == tPipe {
		patterns := []Pattern{x}
		for p.accept(tPipe) {
			patterns = append(patterns, p.closedPattern())
		}
		x = &MatchOr{Span: p.span(start), Patterns: patterns}
	}
	if p.accept(kAs) {
		if p.isWord("_") {
			p.fail()
		}
		name := p.identifier()
		if k := p.k; k == tDot || k == tLPar || k == tAssign {
			p.fail()
		}
		x = &MatchAs{Span: p.span(start), Pattern: x, Name: name}
	}
	p.leave()
	return x
}

// closedPattern parses a pattern that needs no brackets around it.
func (p *parser) closedPattern() Pattern {
	start := p.i
	switch p.k {
	case tName:
		return p.namePattern()
	case kNone:
		return p.singleton(None)
	case kTrue:
		return p.singleton(True)
	case kFalse:
		return p.singleton(False)
	case tNumber, tMinus:
		x := p.numberPattern()
		return &MatchValue{Span: p.span(start), Value: x}
	case tString:
		x := p.strings()
		return &MatchValue{Span: p.span(start), Value: x}
	case tLPar:
		return p.groupPattern()
	case tLSqb:
		p.next()
		patterns, _ := p.sequencePatterns(tRSqb)
		return &MatchSequence{Span: p.span(start), Patterns: patterns}
	case tLBrace:
		return p.mappingPattern()
	}
	p.fail()
	return nil
}

func (p *parser) singleton(k ConstKind) Pattern {
	start := p.i
	p.next()
	return &MatchSingleton{Span: p.span(start), Kind: k}
}

// namePattern parses a capture, the wildcard, a dotted name or a class pattern.
func (p *parser) namePattern() Pattern {
	start := p.i
	p.next()
	if p.k != tDot && p.k != tLPar {
		if p.k == tAssign {
			p.fail()
		}
		name := p.ident(start)
		if name == "_" {
			name = ""
		}
		return &MatchAs{Span: p.span(start), Name: name}
	}
	var x Expr = p.name(start, Load)
	for p.accept(tDot) {
		attr := p.identifier()
		p.grow(p.h + 1)
		x = &Attribute{Span: p.span(start), Value: x, Attr: attr}
	}
	if p.k == tLPar {
		return p.classPattern(start, x)
	}
	if p.k == tAssign {
		p.fail()
	}
	return &MatchValue{Span: p.span(start), Value: x}
}

// classPattern parses the arguments of a class pattern.
func (p *parser) classPattern(start int, class Expr) Pattern {
	p.next()
	m := &MatchClass{Class: class}
	for p.k != tRPar {
		if p.k == tName && p.peek() == tAssign {
			m.KwdAttrs = append(m.KwdAttrs, p.identifier())
			p.next()
			m.KwdPatterns = append(m.KwdPatterns, p.pattern())
		} else {
			if len(m.KwdAttrs) > 0 {
				p.fail()
			}
			m.Patterns = append(m.Patterns, p.pattern())
		}
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRPar)
	m.Span = p.span(start)
	return m
}

// groupPattern parses (pattern) or a sequence in parentheses.
func (p *parser) groupPattern() Pattern {
	start := p.i
	p.next()
	patterns, comma := p.sequencePatterns(tRPar)
	if len(patterns) == 1 && !comma {
		if _, star := patterns[0].(*MatchStar); star {
			p.fail()
		}
		return patterns[0]
	}
	return &MatchSequence{Span: p.span(start), Patterns: patterns}
}

// sequencePatterns parses patterns up to and including the closing bracket.
func (p *parser) sequencePatterns(end kind) (patterns []Pattern, comma bool) {
	for p.k != end {
		patterns = append(patterns, p.starPattern())
		if !p.accept(tComma) {
			break
		}
		comma = true
	}
	p.expect(end)
	return patterns, comma
}

// mappingPattern parses {key: pattern, …, **rest}.
func (p *parser) mappingPattern() Pattern {
	start := p.i
	p.next()
	m := &MatchMapping{}
	for p.k != tRBrace {
		if p.accept(tDoubleStar) {
			if p.isWord("_") {
				p.fail()
			}
			m.Rest = p.identifier()
			p.accept(tComma)
			break
		}
		m.Keys = append(m.Keys, p.mappingKey())
		p.expect(tColon)
		m.Patterns = append(m.Patterns, p.pattern())
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRBrace)
	m.Span = p.span(start)
	return m
}

// mappingKey parses a literal or a dotted name.
func (p *parser) mappingKey() Expr {
	start := p.i
	switch p.k {
	case tNumber, tMinus:
		return p.numberPattern()
	case tString:
		return p.strings()
	case kNone, kTrue, kFalse:
		return p.atom()
	case tName:
		if p.peek() != tDot {
			p.fail()
		}
		p.next()
		var x Expr = p.name(start, Load)
		for p.accept(tDot) {
			attr := p.identifier()
			p.grow(p.h + 1)
			x = &Attribute{Span: p.span(start), Value: x, Attr: attr}
		}
		return x
	}
	p.fail()
	return nil
}

// numberPattern parses [-]number or [-]real±imaginary.
func (p *parser) numberPattern() Expr {
	start := p.i
	x := p.signedNumber()
	if p.k != tPlus && p.k != tMinus {
		return x
	}
	op := Add
	if p.k == tMinus {
		op = Sub
	}
	if constantOf(x).Kind == Complex {
		p.failWith(p.errorAt(start, p.i-1, "real number required in complex literal"))
	}
	p.next()
	at := p.i
	if p.k != tNumber {
		p.fail()
	}
	y := p.number()
	if constantOf(y).Kind != Complex {
		p.failWith(p.errorAt(at, at, "imaginary number required in complex literal"))
	}
	p.h = 2
	return &BinOp{Span: p.span(start), Left: x, Op: op, Right: y}
}

// signedNumber parses [-]number.
func (p *parser) signedNumber() Expr {
	start := p.i
	minus := p.accept(tMinus)
	if p.k != tNumber {
		p.fail()
	}
	x := p.number()
	if minus {
		p.h = 2
		return &UnaryOp{Span: p.span(start), Op: USub, Operand: x}
	}
	return x
}

// constantOf returns the constant under an optional sign.
func constantOf(x Expr) *Constant {
	if u, ok := x.(*UnaryOp); ok {
		x = u.Operand
	}
	return x.(*Constant)
}
