package syntax

// setContext turns a parsed expression into a target. It reports false if the
// expression cannot be one.
func setContext(x Expr, ctx Context) bool {
	switch x := x.(type) {
	case *Name:
		x.Ctx = ctx
	case *Attribute:
		x.Ctx = ctx
	case *Subscript:
		x.Ctx = ctx
	case *Starred:
		x.Ctx = ctx
		return ctx == Store && setContext(x.Value, ctx)
	case *Tuple:
		x.Ctx = ctx
		return setContexts(x.Elts, ctx)
	case *List:
		x.Ctx = ctx
		return setContexts(x.Elts, ctx)
	default:
		return false
	}
	return true
}

func setContexts(elts []Expr, ctx Context) bool {
	for _, x := range elts {
		if !setContext(x, ctx) {
			return false
		}
	}
	return true
}

// target checks that x can be assigned to and makes it a target.
func (p *parser) target(x Expr) {
	if !setContext(x, Store) {
		p.fail()
	}
}

// starTarget parses one target: *x, or a name, attribute, subscript, or
// bracketed targets.
func (p *parser) starTarget() Expr {
	start := p.i
	if p.accept(tStar) {
		if p.k == tStar {
			p.fail()
		}
		x := p.primary()
		p.target(x)
		p.grow(p.h + 1)
		return &Starred{Span: p.span(start), Value: x, Ctx: Store}
	}
	x := p.primary()
	p.target(x)
	return x
}

// targetList parses the targets of a for clause, which the token end follows.
func (p *parser) targetList(end kind) Expr {
	start := p.i
	x := p.starTarget()
	if p.k != tComma {
		return x
	}
	elts := []Expr{x}
	h := p.h
	for p.accept(tComma) && p.k != end {
		elts = append(elts, p.starTarget())
		h = max(h, p.h)
	}
	p.grow(h + 1)
	return &Tuple{Span: p.span(start), Elts: elts, Ctx: Store}
}

// singleTarget says whether x, which began at token start, may be annotated or
// assigned to with an operator; simple says it is a bare name.
func (p *parser) singleTarget(start int, x Expr) (ok, simple bool) {
	switch x.(type) {
	case *Name:
		return true, p.tokens[start].kind == tName
	case *Attribute, *Subscript:
		return true, false
	}
	return false, false
}
