package syntax

// block parses the body of a compound statement, from behind its colon.
func (p *parser) block() []Stmt {
	if p.k != tNewline {
		return p.simpleStatements(nil)
	}
	p.next()
	p.expect(tIndent)
	body := p.statements(tDedent)
	p.next()
	return body
}

// colonBlock parses a colon and a block.
func (p *parser) colonBlock() []Stmt {
	p.expect(tColon)
	return p.block()
}

// elseBlock parses an else clause if there is one.
func (p *parser) elseBlock() []Stmt {
	if !p.accept(kElse) {
		return nil
	}
	return p.colonBlock()
}

// ifStatement parses if … elif … else. The chain of elif is a chain of nested
// statements, so its length counts as depth.
func (p *parser) ifStatement() Stmt {
	var chain []*If
	var starts []int
	var last []Stmt
	for {
		start := p.i
		p.next()
		s := &If{Test: p.namedExpression()}
		s.Body = p.colonBlock()
		chain = append(chain, s)
		starts = append(starts, start)
		if len(chain) > MaxDepth {
			p.tooDeep()
		}
		if p.k != kElif {
			last = p.elseBlock()
			break
		}
	}
	for i := len(chain) - 1; i >= 0; i-- {
		chain[i].Else = last
		chain[i].Span = p.blockSpan(starts[i])
		last = []Stmt{chain[i]}
	}
	return chain[0]
}

func (p *parser) whileStatement() Stmt {
	start := p.i
	p.next()
	s := &While{Test: p.namedExpression()}
	s.Body = p.colonBlock()
	s.Else = p.elseBlock()
	s.Span = p.blockSpan(start)
	return s
}

// forStatement parses a for statement; start is its first token.
func (p *parser) forStatement(start int, async bool) Stmt {
	p.next()
	s := &For{Async: async, Target: p.targetList(kIn)}
	p.expect(kIn)
	s.Iter = p.starExpressions()
	s.Body = p.colonBlock()
	s.Else = p.elseBlock()
	s.Span = p.blockSpan(start)
	return s
}

// asyncStatement parses async def, for or with.
func (p *parser) asyncStatement() Stmt {
	start := p.i
	p.next()
	switch p.k {
	case kDef:
		return p.functionDef(start, nil, true)
	case kFor:
		return p.forStatement(start, true)
	case kWith:
		return p.withStatement(start, true)
	}
	p.fail()
	return nil
}

// withStatement parses a with statement; start is its first token.
func (p *parser) withStatement(start int, async bool) Stmt {
	p.next()
	s := &With{Async: async}
	items, ok := p.parenthesizedItems()
	if !ok {
		for {
			items = append(items, p.withItem())
			if !p.accept(tComma) {
				break
			}
		}
	}
	s.Items = items
	s.Body = p.colonBlock()
	s.Span = p.blockSpan(start)
	return s
}

// withItem parses expression [as target].
func (p *parser) withItem() WithItem {
	item := WithItem{Context: p.expression()}
	if p.accept(kAs) {
		item.Target = p.starTarget()
	}
	return item
}

// parenthesizedItems parses (item, …) if that is what stands between with and
// its colon; else it moves back and reports false. What follows the opening
// parenthesis is either such a list or one expression; both begin alike, so the
// text is read at most twice.
func (p *parser) parenthesizedItems() (items []WithItem, ok bool) {
	start := p.i
	if p.k != tLPar {
		return nil, false
	}
	p.next()
	for beginsExpression(p.k) {
		if p.k == tName && p.peek() == tWalrus {
			break
		}
		items = append(items, p.withItem())
		if p.k != tComma {
			break
		}
		p.next()
	}
	if p.k == tRPar && p.peek() == tColon && len(items) > 0 {
		p.next()
		return items, true
	}
	p.seek(start)
	return nil, false
}

// tryStatement parses try with its handlers.
func (p *parser) tryStatement() Stmt {
	start := p.i
	p.next()
	s := &Try{Body: p.colonBlock()}
	for p.k == kExcept {
		star := p.peek() == tStar
		if len(s.Handlers) > 0 && star != s.Star {
			p.fail()
		}
		s.Star = star
		s.Handlers = append(s.Handlers, p.handler(star))
	}
	if len(s.Handlers) > 0 {
		s.Else = p.elseBlock()
	}
	if p.accept(kFinally) {
		s.Final = p.colonBlock()
	} else if len(s.Handlers) == 0 {
		p.fail()
	}
	s.Span = p.blockSpan(start)
	return s
}

// handler parses one except or except* clause.
func (p *parser) handler(star bool) *ExceptHandler {
	start := p.i
	p.next()
	h := &ExceptHandler{}
	if star {
		p.next()
	}
	if star || p.k != tColon {
		h.Type = p.expression()
		if p.accept(kAs) {
			h.Name = p.identifier()
		}
	}
	h.Body = p.colonBlock()
	h.Span = p.blockSpan(start)
	return h
}

// decorated parses decorators and the definition they belong to.
func (p *parser) decorated() Stmt {
	var decorators []Expr
	for p.accept(tAt) {
		decorators = append(decorators, p.namedExpression())
		p.expect(tNewline)
	}
	start := p.i
	switch p.k {
	case kClass:
		return p.classDef(decorators)
	case kDef:
		return p.functionDef(start, decorators, false)
	case kAsync:
		if p.peek() == kDef {
			p.next()
			return p.functionDef(start, decorators, true)
		}
	}
	p.fail()
	return nil
}

// functionDef parses a function definition; start is its first token.
func (p *parser) functionDef(start int, decorators []Expr, async bool) Stmt {
	p.next()
	s := &FunctionDef{Decorators: decorators, Async: async, Name: p.identifier()}
	p.expect(tLPar)
	s.Args = p.parameters(tRPar, true)
	p.expect(tRPar)
	if p.accept(tArrow) {
		s.Returns = p.expression()
	}
	s.Body = p.colonBlock()
	s.Span = p.blockSpan(start)
	return s
}

func (p *parser) classDef(decorators []Expr) Stmt {
	start := p.i
	p.next()
	s := &ClassDef{Decorators: decorators, Name: p.identifier()}
	if p.accept(tLPar) {
		s.Bases, s.Keywords = p.arguments(false)
		p.expect(tRPar)
	}
	s.Body = p.colonBlock()
	s.Span = p.blockSpan(start)
	return s
}
