package compile

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// capture is a name that a pattern binds once the whole pattern has matched.
type capture struct {
	bind syntax.Binding
	reg  int
}

// matcher compiles the pattern of one case: control goes to fail if it does not
// match; captured values wait in registers until all of it has.
type matcher struct {
	*coder
	fail     label
	captures []capture
}

func (c *coder) match(s *syntax.Match) {
	subject := c.temp()
	c.into(s.Subject, subject)
	end := c.newLabel()
	before := c.assigned.clone()
	var out bits
	for i := range s.Cases {
		k := &s.Cases[i]
		next := c.newLabel()
		mark := c.temps
		c.assigned = before.clone()
		m := &matcher{coder: c, fail: next}
		c.setAt(k.Pattern.At())
		m.pattern(k.Pattern, subject)
		for _, cp := range m.captures {
			c.store(cp.bind, cp.reg)
		}
		if k.Guard != nil {
			c.condition(k.Guard, next, false)
		}
		c.release(mark)
		c.stmts(k.Body)
		if out == nil {
			out = c.assigned.clone()
		} else {
			out.meet(c.assigned)
		}
		c.setAt(s.Span)
		c.jumpTo(0, end, OpJump, 0, 0, 0, 0)
		c.place(next)
	}
	c.assigned = before
	c.assigned.meet(out)
	c.place(end)
}

func (m *matcher) pattern(p syntax.Pattern, r int) {
	old := m.setAt(p.At())
	defer m.setAt(old)
	switch p := p.(type) {
	case *syntax.MatchValue:
		v := m.operand(p.Value)
		m.jumpTo(m.price.Match, m.fail, OpJumpEq, r, v, 0, 0)
	case *syntax.MatchSingleton:
		k := m.temp()
		v := m.literalOf(&syntax.Constant{Kind: p.Kind})
		m.emit(0, OpConst, k, 0, 0, int(m.constant(v)), 0)
		m.jumpTo(m.price.Match, m.fail, OpJumpIs, r, k, 0, 0)
	case *syntax.MatchSequence:
		m.sequence(p, r)
	case *syntax.MatchMapping:
		m.mapping(p, r)
	case *syntax.MatchClass:
		m.class(p, r)
	case *syntax.MatchAs:
		if p.Pattern != nil {
			m.pattern(p.Pattern, r)
		}
		m.capture(p.Name, p.Bind, r)
	case *syntax.MatchStar:
		m.capture(p.Name, p.Bind, r)
	case *syntax.MatchOr:
		m.or(p, r)
	}
}

func (m *matcher) capture(name string, b syntax.Binding, r int) {
	if name == "" {
		return
	}
	m.captures = append(m.captures, capture{b, r})
}

// sequence matches the elements of a sequence.
func (m *matcher) sequence(p *syntax.MatchSequence, r int) {
	star := -1
	for i, e := range p.Patterns {
		if _, ok := e.(*syntax.MatchStar); ok {
			star = i
		}
	}
	m.jumpTo(m.price.Match, m.fail, OpMatchSeq, r, 0, 0, 0)
	n := len(p.Patterns)
	if star >= 0 {
		n--
	}
	if star < 0 || n > 0 {
		m.jumpTo(m.price.Match, m.fail, OpMatchLen, r, n, boolInt(star >= 0), 0)
	}
	base := m.tempsOf(len(p.Patterns))
	price := m.price.Unpack + m.price.Element*len(p.Patterns)
	switch {
	case len(p.Patterns) == 0, star == 0 && len(p.Patterns) == 1 && wildcard(p.Patterns[0]):
		return
	case star >= 0 && wildcard(p.Patterns[star]):
		m.items(p.Patterns, star, base, r)
		return
	case star >= 0:
		m.emit(price, OpUnpackEx, base, r, star, n-star, 0)
	default:
		m.emit(price, OpUnpack, base, r, n, 0, 0)
	}
	for i, e := range p.Patterns {
		if !wildcard(e) {
			m.pattern(e, base+i)
		}
	}
}

// items matches the elements beside a star that binds nothing: each is taken by its
// index when its turn comes, and what the star stands for is never looked at.
func (m *matcher) items(patterns []syntax.Pattern, star, base, r int) {
	for i, e := range patterns {
		if wildcard(e) {
			continue
		}
		at, fromEnd := i, 0
		if i > star {
			at, fromEnd = len(patterns)-i, 1
		}
		m.emit(m.price.Item, OpMatchItem, base+i, r, at, fromEnd, 0)
		m.pattern(e, base+i)
	}
}

// wildcard says whether a pattern matches anything and binds nothing.
func wildcard(p syntax.Pattern) bool {
	switch p := p.(type) {
	case *syntax.MatchAs:
		return p.Pattern == nil && p.Name == ""
	case *syntax.MatchStar:
		return p.Name == ""
	}
	return false
}

func (m *matcher) mapping(p *syntax.MatchMapping, r int) {
	m.jumpTo(m.price.Match, m.fail, OpMatchMap, r, 0, 0, 0)
	if len(p.Keys) == 0 && p.Rest == "" {
		return
	}
	if len(p.Keys) > 0 {
		m.jumpTo(m.price.Match, m.fail, OpMatchLen, r, len(p.Keys), 1, 0)
	}
	keys := m.temp()
	m.display(p.Keys, OpTuple, keys)
	values := m.temp()
	m.emit(m.price.Call+m.price.DictAccess*len(p.Keys), OpMatchKeys, values, r, keys, 0, 0)
	m.jumpTo(m.price.Branch, m.fail, OpJumpNone, values, 0, 1, 0)
	base := m.tempsOf(len(p.Patterns) + 1)
	m.emit(m.price.Element*len(p.Keys), OpUnpack, base, values, len(p.Patterns), 0, 0)
	for i, e := range p.Patterns {
		if !wildcard(e) {
			m.pattern(e, base+i)
		}
	}
	if p.Rest != "" {
		rest := m.temp()
		m.emit(m.price.Mapping, OpMatchRest, rest, r, keys, 0, 0)
		m.capture(p.Rest, p.Bind, rest)
	}
}

func (m *matcher) class(p *syntax.MatchClass, r int) {
	cls := m.temp()
	m.into(p.Class, cls)
	names := make([]object.Value, len(p.KwdAttrs))
	for i, n := range p.KwdAttrs {
		names[i] = m.name(n).Value()
	}
	n := len(p.Patterns) + len(p.KwdPatterns)
	values := m.temp()
	k := m.constant(object.StaticTuple(names).Value())
	if k > 0xffff || len(p.Patterns) > 0x7fff {
		fail(p.Span, "pattern too complex")
	}
	m.emit(m.price.Call+m.price.Attribute*n, OpMatchClass, values, r, cls, int(k)|len(p.Patterns)<<16, 0)
	m.jumpTo(m.price.Branch, m.fail, OpJumpNone, values, 0, 1, 0)
	if n == 0 {
		return
	}
	base := m.tempsOf(n)
	m.emit(m.price.Element*n, OpUnpack, base, values, n, 0, 0)
	for i, e := range append(append([]syntax.Pattern(nil), p.Patterns...), p.KwdPatterns...) {
		if !wildcard(e) {
			m.pattern(e, base+i)
		}
	}
}

// or tries alternatives; each binds the same names, whose values are brought to
// the same registers.
func (m *matcher) or(p *syntax.MatchOr, r int) {
	found := m.newLabel()
	failed, outer := m.fail, m.captures
	var common []capture
	for i, e := range p.Patterns {
		m.captures = nil
		m.fail = m.newLabel()
		if i == len(p.Patterns)-1 {
			m.fail = failed
		}
		mark := m.temps
		m.pattern(e, r)
		if i == 0 {
			m.release(mark)
			common = append(common, m.captures...)
			m.placeCaptures(m.captures, common, true)
			mark = m.temps
		} else {
			m.placeCaptures(m.captures, common, false)
		}
		m.release(mark)
		if i < len(p.Patterns)-1 {
			m.jumpTo(0, found, OpJump, 0, 0, 0, 0)
			m.place(m.fail)
		}
	}
	m.place(found)
	m.fail, m.captures = failed, append(outer, common...)
}

// placeCaptures moves what an alternative captured to the registers of common,
// which the first alternative chooses.
func (m *matcher) placeCaptures(got, common []capture, choose bool) {
	if choose {
		// Above everything the alternative used, so that no source is overwritten.
		base := m.maxRegs
		m.temps = base
		base = m.tempsOf(len(common))
		for i := range common {
			m.emit(0, OpMove, base+i, got[i].reg, 0, 0, 0)
			common[i].reg = base + i
		}
		return
	}
	for i := range common {
		for _, g := range got {
			if g.bind.Name == common[i].bind.Name {
				m.emit(0, OpMove, common[i].reg, g.reg, 0, 0, 0)
			}
		}
	}
}
