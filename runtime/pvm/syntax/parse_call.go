package syntax

// call parses the argument list after a primary that began at token start.
func (p *parser) call(start int, fun Expr) Expr {
	c := &Call{Func: fun}
	p.next()
	c.Args, c.Keywords = p.arguments(true)
	p.expect(tRPar)
	c.Span = p.span(start)
	return c
}

// arguments parses the arguments of a call or of a class header, up to but not
// including the closing parenthesis. Only a call may have a generator expression
// without parentheses of its own.
func (p *parser) arguments(call bool) (args []Expr, keywords []*Keyword) {
	open := p.i - 1
	named, unpacked := false, false // seen name=… or **…; seen **…
	h := 0
	for p.k != tRPar {
		start := p.i
		switch {
		case p.k == tDoubleStar:
			p.next()
			value := p.expression()
			keywords = append(keywords, &Keyword{Span: p.span(start), Value: value})
			named, unpacked = true, true
		case p.k == tStar:
			if unpacked {
				p.fail()
			}
			p.next()
			value := p.expression()
			p.grow(p.h + 1)
			args = append(args, &Starred{Span: p.span(start), Value: value})
		case p.k == tName && p.peek() == tAssign:
			name := p.identifier()
			p.next()
			value := p.expression()
			keywords = append(keywords, &Keyword{Span: p.span(start), Arg: name, Value: value})
			named = true
		default:
			if named {
				p.fail()
			}
			x := p.namedExpression()
			if p.k == kFor || p.k == kAsync {
				if len(args) > 0 || !call {
					p.fail()
				}
				args = append(args, p.argumentGenerator(open, x))
				return args, nil
			}
			args = append(args, x)
		}
		h = max(h, p.h)
		if p.k != tComma {
			break
		}
		p.next()
	}
	p.h = h
	return args, keywords
}

// argumentGenerator parses a generator expression that is the only argument
// and takes its parentheses from the call.
func (p *parser) argumentGenerator(open int, elt Expr) Expr {
	c := &Comp{Kind: GeneratorExp, Elt: elt}
	p.clauses(c)
	if p.k != tRPar {
		p.fail()
	}
	a, b := &p.tokens[open], &p.tokens[p.i]
	c.Span = Span{a.line, a.col, b.endLine, b.endCol}
	return c
}
