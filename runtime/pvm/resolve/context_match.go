package resolve

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// match checks a match statement. A pattern that always matches may come last
// only, unless guarded.
func (c *context) match(s *syntax.Match) {
	c.expr(s.Subject)
	for i := range s.Cases {
		k := &s.Cases[i]
		last := i == len(s.Cases)-1
		p := patternContext{context: c, at: new(syntax.Span)}
		p.pattern(k.Pattern, last || k.Guard != nil)
		c.expr(k.Guard)
		c.stmts(k.Body)
	}
}

// patternContext checks one pattern; names are those it has bound so far, seen
// the same as a set. Errors stand at the pattern visited last, which at points to.
type patternContext struct {
	*context
	at    *syntax.Span
	names []string
	seen  map[string]bool
}

// pattern checks a pattern; irrefutable says that it may match everything.
func (c *patternContext) pattern(p syntax.Pattern, irrefutable bool) {
	*c.at = p.At()
	switch p := p.(type) {
	case *syntax.MatchValue:
		if _, format := p.Value.(*syntax.JoinedStr); format {
			refuse(p.Span, "patterns may only match literals and attribute lookups")
		}
		c.expr(p.Value)
	case *syntax.MatchSequence:
		c.sequencePattern(p)
	case *syntax.MatchMapping:
		c.mappingPattern(p)
	case *syntax.MatchClass:
		c.classPattern(p)
	case *syntax.MatchStar:
		c.bindName(p.Name)
	case *syntax.MatchAs:
		c.asPattern(p, irrefutable)
	case *syntax.MatchOr:
		c.orPattern(p, irrefutable)
	}
}

// bindName refuses a second capture of one name.
func (c *patternContext) bindName(name string) {
	if name == "" {
		return
	}
	if name == "__debug__" {
		refuse(*c.at, "cannot assign to __debug__")
	}
	if c.seen[name] {
		refuse(*c.at, "multiple assignments to name '"+name+"' in pattern")
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[name] = true
	c.names = append(c.names, name)
}

func (c *patternContext) asPattern(p *syntax.MatchAs, irrefutable bool) {
	if p.Pattern == nil {
		if !irrefutable {
			if p.Name != "" {
				refuse(p.Span, "name capture '"+p.Name+"' makes remaining patterns unreachable")
			}
			refuse(p.Span, "wildcard makes remaining patterns unreachable")
		}
		c.bindName(p.Name)
		return
	}
	c.pattern(p.Pattern, irrefutable)
	c.bindName(p.Name)
}

func (c *patternContext) sequencePattern(p *syntax.MatchSequence) {
	starred := false
	for i, x := range p.Patterns {
		if _, ok := x.(*syntax.MatchStar); !ok {
			continue
		}
		if starred {
			refuse(p.Span, "multiple starred names in sequence pattern")
		}
		if i >= 256 {
			refuse(p.Span, "too many expressions in star-unpacking sequence pattern")
		}
		starred = true
	}
	skip := skipsWildcards(p)
	for _, x := range p.Patterns {
		if !skip || !isWildcard(x) {
			c.pattern(x, true)
		}
	}
}

// skipsWildcards says whether a sequence is matched element by element, so that wildcards, and errors at them, do not
// occur: it has *_ or nothing but wildcards.
func skipsWildcards(p *syntax.MatchSequence) bool {
	only := true
	for _, x := range p.Patterns {
		if s, ok := x.(*syntax.MatchStar); ok && s.Name == "" {
			return true
		}
		only = only && isWildcard(x)
	}
	return only
}

func isWildcard(p syntax.Pattern) bool {
	switch p := p.(type) {
	case *syntax.MatchStar:
		return p.Name == ""
	case *syntax.MatchAs:
		return p.Pattern == nil && p.Name == ""
	}
	return false
}

// mappingPattern refuses two equal literal keys.
func (c *patternContext) mappingPattern(p *syntax.MatchMapping) {
	seen := map[string]bool{}
	for _, key := range p.Keys {
		if id, ok := keyValue(key); ok {
			if seen[id] {
				refuse(p.Span, "mapping pattern checks duplicate key ("+syntax.Unparse(key)+")")
			}
			seen[id] = true
		}
		if _, format := key.(*syntax.JoinedStr); format {
			refuse(p.Span, "mapping pattern keys may only match literals and attribute lookups")
		}
		c.expr(key)
	}
	for _, x := range p.Patterns {
		c.pattern(x, true)
	}
	c.bindName(p.Rest)
}

func (c *patternContext) classPattern(p *syntax.MatchClass) {
	seen := map[string]bool{}
	for i, attr := range p.KwdAttrs {
		if attr == "__debug__" {
			refuse(p.KwdPatterns[i].At(), "cannot assign to __debug__")
		}
		if seen[attr] {
			refuse(p.KwdPatterns[i].At(), "attribute name repeated in class pattern: "+attr)
		}
		seen[attr] = true
	}
	c.expr(p.Class)
	for _, x := range p.Patterns {
		c.pattern(x, true)
	}
	for _, x := range p.KwdPatterns {
		c.pattern(x, true)
	}
}

// orPattern refuses alternatives that bind different names.
func (c *patternContext) orPattern(p *syntax.MatchOr, irrefutable bool) {
	var first *patternContext
	for i, x := range p.Patterns {
		alternative := &patternContext{context: c.context, at: c.at}
		alternative.pattern(x, irrefutable && i == len(p.Patterns)-1)
		if i == 0 {
			first = alternative
			continue
		}
		same := len(first.names) == len(alternative.names)
		for _, name := range alternative.names {
			same = same && first.seen[name]
		}
		if !same {
			refuse(*c.at, "alternative patterns bind different names")
		}
	}
	for _, name := range first.names {
		c.bindName(name)
	}
}
