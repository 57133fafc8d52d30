package syntax

import "strings"

// statements parses statements up to the token end, which it leaves.
func (p *parser) statements(end kind) []Stmt {
	var body []Stmt
	for p.k != end {
		if end == tEnd {
			p.top = p.i
		}
		body = p.statement(body)
	}
	return body
}

// statement parses one compound statement or one line of simple ones.
func (p *parser) statement(body []Stmt) []Stmt {
	switch p.k {
	case kIf:
		return append(body, p.ifStatement())
	case kWhile:
		return append(body, p.whileStatement())
	case kFor:
		return append(body, p.forStatement(p.i, false))
	case kTry:
		return append(body, p.tryStatement())
	case kWith:
		return append(body, p.withStatement(p.i, false))
	case kDef:
		return append(body, p.functionDef(p.i, nil, false))
	case kClass:
		return append(body, p.classDef(nil))
	case tAt:
		return append(body, p.decorated())
	case kAsync:
		return append(body, p.asyncStatement())
	case tName:
		if p.isWord("match") && p.beginsMatch() {
			return append(body, p.matchStatement())
		}
	}
	return p.simpleStatements(body)
}

// simpleStatements parses simple statements separated by semicolons and the end
// of their line.
func (p *parser) simpleStatements(body []Stmt) []Stmt {
	for {
		body = append(body, p.simpleStatement())
		if !p.accept(tSemi) || p.k == tNewline {
			break
		}
	}
	p.expect(tNewline)
	return body
}

// simpleStatement parses a statement without a block.
func (p *parser) simpleStatement() Stmt {
	start := p.i
	switch p.k {
	case kPass:
		p.next()
		return &Pass{p.span(start)}
	case kBreak:
		p.next()
		return &Break{p.span(start)}
	case kContinue:
		p.next()
		return &Continue{p.span(start)}
	case kReturn:
		return p.returnStatement()
	case kRaise:
		return p.raiseStatement()
	case kDel:
		return p.deleteStatement()
	case kAssert:
		return p.assertStatement()
	case kImport:
		return p.importStatement()
	case kFrom:
		return p.importFromStatement()
	case kGlobal:
		names := p.nameList()
		return &Global{Span: p.span(start), Names: names}
	case kNonlocal:
		names := p.nameList()
		return &Nonlocal{Span: p.span(start), Names: names}
	case kYield:
		x := p.yieldExpression()
		return &ExprStmt{Span: p.span(start), Value: x}
	}
	return p.expressionStatement()
}

// expressionStatement parses an assignment of any form or an expression.
func (p *parser) expressionStatement() Stmt {
	start := p.i
	x := p.starExpressions()
	switch {
	case p.k == tAssign:
		return p.assignment(start, x)
	case p.k == tColon:
		return p.annotation(start, x)
	case tPlusEq <= p.k && p.k <= tDoubleSlashEq:
		if ok, _ := p.singleTarget(start, x); !ok {
			p.fail()
		}
		op := Operator(0) + Operator(p.k-tPlusEq)
		p.target(x)
		p.next()
		value := p.yieldOrStar()
		return &AugAssign{Span: p.span(start), Target: x, Op: op, Value: value}
	}
	return &ExprStmt{Span: p.span(start), Value: x}
}

// assignment parses = and what follows; x is the first target.
func (p *parser) assignment(start int, x Expr) Stmt {
	a := &Assign{}
	for p.k == tAssign {
		p.target(x)
		a.Targets = append(a.Targets, x)
		p.next()
		if p.k == kYield {
			x = p.yieldExpression()
			if p.k == tAssign {
				p.fail()
			}
			break
		}
		x = p.starExpressions()
	}
	a.Value = x
	a.Span = p.span(start)
	return a
}

// annotation parses an annotated assignment from its colon.
func (p *parser) annotation(start int, x Expr) Stmt {
	ok, simple := p.singleTarget(start, x)
	if !ok {
		p.fail()
	}
	p.target(x)
	p.next()
	a := &AnnAssign{Target: x, Simple: simple}
	a.Annotation = p.expression()
	if p.accept(tAssign) {
		a.Value = p.yieldOrStar()
	}
	a.Span = p.span(start)
	return a
}

func (p *parser) returnStatement() Stmt {
	start := p.i
	p.next()
	r := &Return{}
	if beginsStarExpression(p.k) {
		r.Value = p.starExpressions()
	}
	r.Span = p.span(start)
	return r
}

func (p *parser) raiseStatement() Stmt {
	start := p.i
	p.next()
	r := &Raise{}
	if beginsExpression(p.k) {
		r.Exc = p.expression()
		if p.accept(kFrom) {
			r.Cause = p.expression()
		}
	}
	r.Span = p.span(start)
	return r
}

func (p *parser) deleteStatement() Stmt {
	start := p.i
	p.next()
	d := &Delete{}
	for {
		x := p.primary()
		if !setContext(x, Del) {
			p.fail()
		}
		d.Targets = append(d.Targets, x)
		if !p.accept(tComma) || p.k == tNewline || p.k == tSemi {
			break
		}
	}
	if p.k != tNewline && p.k != tSemi {
		p.fail()
	}
	d.Span = p.span(start)
	return d
}

func (p *parser) assertStatement() Stmt {
	start := p.i
	p.next()
	a := &Assert{}
	a.Test = p.expression()
	if p.accept(tComma) {
		a.Msg = p.expression()
	}
	a.Span = p.span(start)
	return a
}

// nameList parses the keyword global or nonlocal and its names.
func (p *parser) nameList() []string {
	p.next()
	names := []string{p.identifier()}
	for p.accept(tComma) {
		names = append(names, p.identifier())
	}
	return names
}

// dottedName parses a.b.c.
func (p *parser) dottedName() string {
	name := p.identifier()
	if p.k != tDot {
		return name
	}
	parts := []string{name}
	for p.accept(tDot) {
		parts = append(parts, p.identifier())
	}
	return strings.Join(parts, ".")
}

func (p *parser) importStatement() Stmt {
	start := p.i
	p.next()
	s := &Import{}
	for {
		at := p.i
		a := Alias{Name: p.dottedName()}
		if p.accept(kAs) {
			a.AsName = p.identifier()
		}
		a.Span = p.span(at)
		s.Names = append(s.Names, a)
		if !p.accept(tComma) {
			break
		}
	}
	s.Span = p.span(start)
	return s
}

func (p *parser) importFromStatement() Stmt {
	start := p.i
	p.next()
	s := &ImportFrom{}
	for ; p.k == tDot || p.k == tEllipsis; p.next() {
		s.Level++
		if p.k == tEllipsis {
			s.Level += 2
		}
	}
	if s.Level == 0 || p.k == tName {
		s.Module = p.dottedName()
	}
	p.expect(kImport)
	switch p.k {
	case tStar:
		at := p.i
		p.next()
		s.Names = []Alias{{Span: p.span(at), Name: "*"}}
	case tLPar:
		p.next()
		s.Names = p.importNames(tRPar)
		p.expect(tRPar)
	default:
		s.Names = p.importNames(tNewline)
	}
	s.Span = p.span(start)
	return s
}

// importNames parses a [as b], …; only parenthesized names may end in a comma.
func (p *parser) importNames(end kind) []Alias {
	var names []Alias
	for {
		at := p.i
		a := Alias{Name: p.identifier()}
		if p.accept(kAs) {
			a.AsName = p.identifier()
		}
		a.Span = p.span(at)
		names = append(names, a)
		if !p.accept(tComma) || end == tRPar && p.k == tRPar {
			return names
		}
	}
}
