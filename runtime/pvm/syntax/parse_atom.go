package syntax

// primary parses an atom followed by attributes, subscripts and calls.
func (p *parser) primary() Expr {
	start := p.i
	x := p.atom()
	for {
		h := p.h
		switch p.k {
		case tDot:
			p.next()
			attr := p.identifier()
			x = &Attribute{Span: p.span(start), Value: x, Attr: attr}
			p.h = 0
		case tLPar:
			x = p.call(start, x)
		case tLSqb:
			p.next()
			index := p.subscript()
			p.expect(tRSqb)
			x = &Subscript{Span: p.span(start), Value: x, Index: index}
		default:
			return x
		}
		p.grow(max(h, p.h) + 1)
	}
}

// subscript parses the index inside […].
func (p *parser) subscript() Expr {
	start := p.i
	star := p.k == tStar
	x := p.slice()
	if p.k != tComma && !star {
		return x
	}
	elts := []Expr{x}
	h := p.h
	for p.accept(tComma) && p.k != tRSqb {
		elts = append(elts, p.slice())
		h = max(h, p.h)
	}
	p.grow(h + 1)
	return &Tuple{Span: p.span(start), Elts: elts}
}

// slice parses one element of a subscript: an expression, *x or a slice.
func (p *parser) slice() Expr {
	if p.k == tStar {
		return p.starred()
	}
	start := p.i
	var s Slice
	h := 0
	if p.k != tColon {
		s.Lower = p.namedExpression()
		if p.k != tColon {
			return s.Lower
		}
		if _, named := s.Lower.(*NamedExpr); named && p.tokens[start].kind == tName {
			p.fail() // a bare x:=y may not bound a slice
		}
		h = p.h
	}
	p.next()
	if beginsExpression(p.k) {
		s.Upper = p.expression()
		h = max(h, p.h)
	}
	if p.accept(tColon) && beginsExpression(p.k) {
		s.Step = p.expression()
		h = max(h, p.h)
	}
	p.grow(h + 1)
	s.Span = p.span(start)
	return &s
}

// atom parses the smallest expressions.
func (p *parser) atom() Expr {
	start := p.i
	switch p.k {
	case tName:
		p.next()
		return p.name(start, Load)
	case tNumber:
		return p.number()
	case tString:
		return p.strings()
	case tLPar:
		return p.parenthesized()
	case tLSqb:
		return p.listDisplay()
	case tLBrace:
		return p.braceDisplay()
	case kNone:
		p.next()
		return p.constant(start, None)
	case kTrue:
		p.next()
		return p.constant(start, True)
	case kFalse:
		p.next()
		return p.constant(start, False)
	case tEllipsis:
		p.next()
		return p.constant(start, Ellipsis)
	}
	p.fail()
	return nil
}

// parenthesized parses a group, a tuple or a generator expression.
func (p *parser) parenthesized() Expr {
	start := p.i
	p.next()
	switch p.k {
	case tRPar:
		p.next()
		p.h = 1
		return &Tuple{Span: p.span(start)}
	case kYield:
		p.enter()
		x := p.yieldExpression()
		p.expect(tRPar)
		p.leave()
		return x
	}
	x := p.starNamedExpression()
	switch p.k {
	case kFor, kAsync:
		p.notStarred(x)
		c := &Comp{Kind: GeneratorExp, Elt: x}
		p.clauses(c)
		p.expect(tRPar)
		c.Span = p.span(start)
		return c
	case tComma:
		elts := p.elements(x, tRPar)
		return &Tuple{Span: p.span(start), Elts: elts}
	}
	p.notStarred(x)
	p.expect(tRPar)
	return x
}

// notStarred fails on *x.
func (p *parser) notStarred(x Expr) {
	if _, starred := x.(*Starred); starred {
		p.fail()
	}
}

// elements parses what follows the first element of a display up to and
// including the closing bracket.
func (p *parser) elements(first Expr, end kind) []Expr {
	elts := []Expr{first}
	h := p.h
	for p.k == tComma {
		p.next()
		if p.k == end {
			break
		}
		elts = append(elts, p.starNamedExpression())
		h = max(h, p.h)
	}
	p.expect(end)
	p.grow(h + 1)
	return elts
}

// listDisplay parses […].
func (p *parser) listDisplay() Expr {
	start := p.i
	p.next()
	if p.accept(tRSqb) {
		p.h = 1
		return &List{Span: p.span(start)}
	}
	x := p.starNamedExpression()
	if p.k == kFor || p.k == kAsync {
		p.notStarred(x)
		c := &Comp{Kind: ListComp, Elt: x}
		p.clauses(c)
		p.expect(tRSqb)
		c.Span = p.span(start)
		return c
	}
	elts := p.elements(x, tRSqb)
	return &List{Span: p.span(start), Elts: elts}
}

// braceDisplay parses {…}: a dict, a set or a comprehension of either.
func (p *parser) braceDisplay() Expr {
	start := p.i
	p.next()
	switch p.k {
	case tRBrace:
		p.next()
		p.h = 1
		return &Dict{Span: p.span(start)}
	case tDoubleStar:
		return p.dictDisplay(start, nil)
	case tStar:
		elts := p.elements(p.starred(), tRBrace)
		return &Set{Span: p.span(start), Elts: elts}
	}
	x := p.namedExpression()
	switch p.k {
	case tColon:
		if _, named := x.(*NamedExpr); named && p.tokens[start+1].kind == tName {
			p.fail() // a bare x:=y may not be a key
		}
		return p.dictDisplay(start, x)
	case kFor, kAsync:
		c := &Comp{Kind: SetComp, Elt: x}
		p.clauses(c)
		p.expect(tRBrace)
		c.Span = p.span(start)
		return c
	}
	elts := p.elements(x, tRBrace)
	return &Set{Span: p.span(start), Elts: elts}
}

// dictDisplay parses a dict display from the colon behind its first key, or
// from ** if key is nil.
func (p *parser) dictDisplay(start int, key Expr) Expr {
	d := &Dict{}
	h := p.h
	for {
		if key == nil {
			p.expect(tDoubleStar)
			d.Keys = append(d.Keys, nil)
			d.Values = append(d.Values, p.binary(precOr))
		} else {
			p.expect(tColon)
			d.Keys = append(d.Keys, key)
			d.Values = append(d.Values, p.expression())
		}
		h = max(h, p.h)
		if key != nil && len(d.Keys) == 1 && (p.k == kFor || p.k == kAsync) {
			c := &Comp{Kind: DictComp, Elt: key, Value: d.Values[0]}
			p.h = h
			p.clauses(c)
			p.expect(tRBrace)
			c.Span = p.span(start)
			return c
		}
		if p.k != tComma {
			break
		}
		p.next()
		if p.k == tRBrace {
			break
		}
		key = nil
		if p.k != tDoubleStar {
			key = p.expression()
			h = max(h, p.h)
		}
	}
	p.expect(tRBrace)
	p.grow(h + 1)
	d.Span = p.span(start)
	return d
}

// clauses parses the for and if parts of a comprehension.
func (p *parser) clauses(c *Comp) {
	h := p.h
	for p.k == kFor || p.k == kAsync {
		var clause CompClause
		clause.Async = p.accept(kAsync)
		p.expect(kFor)
		clause.Target = p.targetList(kIn)
		h = max(h, p.h)
		p.expect(kIn)
		clause.Iter = p.disjunction()
		h = max(h, p.h)
		for p.accept(kIf) {
			clause.Ifs = append(clause.Ifs, p.disjunction())
			h = max(h, p.h)
		}
		c.Clauses = append(c.Clauses, clause)
	}
	p.grow(h + 1)
}
