package syntax

// parameters parses the parameter list of a def (end is a parenthesis,
// annotations allowed) or of a lambda (end is a colon). It leaves the end.
func (p *parser) parameters(end kind, annotated bool) *Arguments {
	a := &Arguments{}
	h := 0
	keywordOnly, slash, defaults := false, false, false
	for p.k != end {
		switch {
		case p.k == tSlash:
			if slash || keywordOnly || len(a.Args) == 0 {
				p.fail()
			}
			slash = true
			a.PosOnly, a.Args = a.Args, nil
			p.next()
		case p.k == tStar:
			if keywordOnly {
				p.fail()
			}
			keywordOnly = true
			p.next()
			if p.k == tComma {
				if k := p.peek(); k != tName {
					p.fail()
				}
			} else {
				a.VarArg = p.parameter(annotated, true)
				h = max(h, p.h)
			}
		case p.k == tDoubleStar:
			p.next()
			a.KwArg = p.parameter(annotated, false)
			h = max(h, p.h)
			p.accept(tComma)
			if p.k != end {
				p.fail()
			}
			continue
		default:
			arg := p.parameter(annotated, false)
			h = max(h, p.h)
			var value Expr
			if p.accept(tAssign) {
				value = p.expression()
				h = max(h, p.h)
				defaults = defaults || !keywordOnly
			} else if defaults && !keywordOnly {
				p.fail()
			}
			if keywordOnly {
				a.KwOnly = append(a.KwOnly, arg)
				a.KwDefaults = append(a.KwDefaults, value)
				break
			}
			a.Args = append(a.Args, arg)
			if value != nil {
				a.Defaults = append(a.Defaults, value)
			}
		}
		if !p.accept(tComma) && p.k != end {
			p.fail()
		}
	}
	p.h = h
	return a
}

// parameter parses a name with its annotation, which for *args may be *x.
func (p *parser) parameter(annotated, star bool) *Arg {
	start := p.i
	arg := &Arg{Name: p.identifier()}
	p.h = 1
	if annotated && p.accept(tColon) {
		if star && p.k == tStar {
			arg.Annotation = p.starred()
		} else {
			arg.Annotation = p.expression()
		}
	}
	arg.Span = p.span(start)
	return arg
}
