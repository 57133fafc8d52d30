package syntax

// expression parses a conditional expression or a lambda.
func (p *parser) expression() Expr {
	if p.k == kLambda {
		return p.lambda()
	}
	p.enter()
	start := p.i
	x := p.disjunction()
	if p.k == kIf {
		h := p.h
		p.next()
		test := p.disjunction()
		h = max(h, p.h)
		p.expect(kElse)
		other := p.expression()
		p.grow(max(h, p.h) + 1)
		x = &IfExp{Span: p.span(start), Test: test, Body: x, Else: other}
	}
	p.leave()
	return x
}

// lambda parses a lambda expression.
func (p *parser) lambda() Expr {
	p.enter()
	start := p.i
	p.next()
	p.h = 0
	args := p.parameters(tColon, false)
	h := p.h
	p.expect(tColon)
	body := p.expression()
	p.grow(max(h, p.h) + 1)
	p.leave()
	return &Lambda{Span: p.span(start), Args: args, Body: body}
}

// namedExpression parses an expression that may be name := value.
func (p *parser) namedExpression() Expr {
	if p.k == tName && p.peek() == tWalrus {
		p.enter()
		start := p.i
		target := p.name(start, Store)
		p.next()
		p.next()
		value := p.expression()
		p.grow(p.h + 1)
		p.leave()
		return &NamedExpr{Span: p.span(start), Target: target, Value: value}
	}
	x := p.expression()
	if p.k == tWalrus {
		p.fail()
	}
	return x
}

// starNamedExpression is an element of a display: *x or a named expression.
func (p *parser) starNamedExpression() Expr {
	if p.k == tStar {
		return p.starred()
	}
	return p.namedExpression()
}

// starExpression is an element of an unparenthesized tuple: *x or an expression.
func (p *parser) starExpression() Expr {
	if p.k == tStar {
		return p.starred()
	}
	return p.expression()
}

// starred parses *x.
func (p *parser) starred() Expr {
	start := p.i
	p.next()
	x := p.binary(precOr)
	p.grow(p.h + 1)
	return &Starred{Span: p.span(start), Value: x}
}

// starExpressions parses one expression or a tuple without parentheses.
func (p *parser) starExpressions() Expr {
	start := p.i
	x := p.starExpression()
	if p.k != tComma {
		return x
	}
	elts := []Expr{x}
	h := p.h
	for p.accept(tComma) && beginsStarExpression(p.k) {
		elts = append(elts, p.starExpression())
		h = max(h, p.h)
	}
	p.grow(h + 1)
	return &Tuple{Span: p.span(start), Elts: elts}
}

// yieldOrStar parses what may stand right of an assignment.
func (p *parser) yieldOrStar() Expr {
	if p.k == kYield {
		return p.yieldExpression()
	}
	return p.starExpressions()
}

// yieldExpression parses yield [x] or yield from x.
func (p *parser) yieldExpression() Expr {
	start := p.i
	p.next()
	if p.accept(kFrom) {
		x := p.expression()
		p.grow(p.h + 1)
		return &YieldFrom{Span: p.span(start), Value: x}
	}
	if !beginsStarExpression(p.k) {
		p.grow(1)
		return &Yield{Span: p.span(start)}
	}
	x := p.starExpressions()
	p.grow(p.h + 1)
	return &Yield{Span: p.span(start), Value: x}
}

// disjunction parses x or y or ….
func (p *parser) disjunction() Expr {
	start := p.i
	x := p.conjunction()
	if p.k != kOr {
		return x
	}
	values := []Expr{x}
	h := p.h
	for p.accept(kOr) {
		values = append(values, p.conjunction())
		h = max(h, p.h)
	}
	p.grow(h + 1)
	return &BoolOp{Span: p.span(start), Op: Or, Values: values}
}

// conjunction parses x and y and ….
func (p *parser) conjunction() Expr {
	start := p.i
	x := p.inversion()
	if p.k != kAnd {
		return x
	}
	values := []Expr{x}
	h := p.h
	for p.accept(kAnd) {
		values = append(values, p.inversion())
		h = max(h, p.h)
	}
	p.grow(h + 1)
	return &BoolOp{Span: p.span(start), Op: And, Values: values}
}

// inversion parses not x.
func (p *parser) inversion() Expr {
	if p.k != kNot {
		return p.comparison()
	}
	p.enter()
	start := p.i
	p.next()
	x := p.inversion()
	p.grow(p.h + 1)
	p.leave()
	return &UnaryOp{Span: p.span(start), Op: Not, Operand: x}
}

// comparison parses a chain of comparisons.
func (p *parser) comparison() Expr {
	start := p.i
	x := p.binary(precOr)
	op, ok := p.cmpOperator()
	if !ok {
		return x
	}
	c := &Compare{Left: x}
	h := p.h
	for ok {
		c.Ops = append(c.Ops, op)
		c.Comparators = append(c.Comparators, p.binary(precOr))
		h = max(h, p.h)
		op, ok = p.cmpOperator()
	}
	p.grow(h + 1)
	c.Span = p.span(start)
	return c
}

// cmpOperator passes a comparison operator if there is one.
func (p *parser) cmpOperator() (op CmpOperator, ok bool) {
	switch p.k {
	case tEq:
		op = Eq
	case tNe:
		op = NotEq
	case tLt:
		op = Lt
	case tLe:
		op = LtE
	case tGt:
		op = Gt
	case tGe:
		op = GtE
	case kIn:
		op = In
	case kNot:
		if p.peek() != kIn {
			return 0, false
		}
		p.next()
		op = NotIn
	case kIs:
		p.next()
		if p.accept(kNot) {
			return IsNot, true
		}
		return Is, true
	default:
		return 0, false
	}
	p.next()
	return op, true
}

// Precedences of the binary operators; 0 is no operator.
const (
	precOr = 1 + iota
	precXor
	precAnd
	precShift
	precSum
	precTerm
)

// binaryOp tells precedence and operator of a token.
type binaryOp struct {
	prec uint8
	op   Operator
}

var binaryOps = [numKinds]binaryOp{
	tPipe: {precOr, BitOr}, tCaret: {precXor, BitXor}, tAmp: {precAnd, BitAnd},
	tLShift: {precShift, LShift}, tRShift: {precShift, RShift},
	tPlus: {precSum, Add}, tMinus: {precSum, Sub},
	tStar: {precTerm, Mult}, tSlash: {precTerm, Div}, tDoubleSlash: {precTerm, FloorDiv},
	tPercent: {precTerm, Mod}, tAt: {precTerm, MatMult},
}

// binary parses a chain of left-associative operators of at least the given
// precedence.
func (p *parser) binary(prec uint8) Expr {
	start := p.i
	x := p.factor()
	for {
		op := binaryOps[p.k]
		if op.prec < prec {
			return x
		}
		h := p.h
		p.next()
		y := p.binary(op.prec + 1)
		p.grow(max(h, p.h) + 1)
		x = &BinOp{Span: p.span(start), Left: x, Op: op.op, Right: y}
	}
}

// factor parses unary operators and powers.
func (p *parser) factor() Expr {
	var op UnaryOperator
	switch p.k {
	case tPlus:
		op = UAdd
	case tMinus:
		op = USub
	case tTilde:
		op = Invert
	default:
		return p.power()
	}
	p.enter()
	start := p.i
	p.next()
	x := p.factor()
	p.grow(p.h + 1)
	p.leave()
	return &UnaryOp{Span: p.span(start), Op: op, Operand: x}
}

// power parses [await] primary [** factor].
func (p *parser) power() Expr {
	start := p.i
	await := p.accept(kAwait)
	x := p.primary()
	if await {
		p.grow(p.h + 1)
		x = &Await{Span: p.span(start), Value: x}
	}
	if p.k != tDoubleStar {
		return x
	}
	p.enter()
	h := p.h
	p.next()
	y := p.factor()
	p.grow(max(h, p.h) + 1)
	p.leave()
	return &BinOp{Span: p.span(start), Left: x, Op: Pow, Right: y}
}

// beginsExpression holds for the tokens an expression can begin with.
var beginsExpressionTable = [numKinds]bool{
	tName: true, tNumber: true, tString: true, tLPar: true, tLSqb: true, tLBrace: true,
	tEllipsis: true, tPlus: true, tMinus: true, tTilde: true, kFalse: true, kNone: true,
	kTrue: true, kAwait: true, kLambda: true, kNot: true,
}

func beginsExpression(k kind) bool     { return beginsExpressionTable[k] }
func beginsStarExpression(k kind) bool { return k == tStar || beginsExpressionTable[k] }
