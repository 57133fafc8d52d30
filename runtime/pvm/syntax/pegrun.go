package syntax

import "strings"

// Bounds of a search for the message of an error. A statement beyond them gets
// the plain message.
const (
	pegStepsMax = 4_000_000
	pegDepthMax = 60_000
)

// matcher runs the grammar of mistakes over tokens.
type matcher struct {
	p     *parser
	fill  int  // tokens read so far
	bad   bool // try the bad_ rules
	steps int
	depth int

	// memo holds, per token, the results of rules there.
	memo [][]memoEntry

	captures []capture
	levels   []uint8 // open brackets behind each token
	err      *SyntaxError
	cut      bool // the alternative that failed allows no other
}

// memoEntry is the result of a rule at a token: the token behind the match, or
// -1. Rules that are not kept are memorized per mode.
type memoEntry struct {
	rule int32 // twice the number, plus one in bad mode
	end  int32
}

// capture is a range of tokens captured under a name.
type capture struct {
	name       string
	start, end int
	rule       string // the rule or "" for a token
}

// gaveUp unwinds the matcher once its error, or that there is none, is known.
type gaveUp struct{}

// run matches a rule from a token, in one mode. It reports whether the matcher
// went through without finding an error or running out of its bounds.
func (m *matcher) run(rule, at int, bad bool) (end int, through bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, expected := r.(gaveUp); !expected {
				panic(r)
			}
			through = false
		}
	}()
	m.bad = bad
	m.p.err = nil
	m.captures = m.captures[:0]
	m.depth = 0
	return m.rule(rule, at), true
}

// report ends the search with an error.
func (m *matcher) report(err *SyntaxError) {
	m.err = err
	panic(gaveUp{})
}

// token returns a token, reading up to it if need be.
func (m *matcher) token(at int) *token {
	if at >= m.fill {
		m.fill = at + 1
		if m.p.tokens[at].kind == tFail {
			m.report(m.p.stopError())
		}
	}
	return &m.p.tokens[at]
}

// rule matches a rule and returns the token behind the match, or -1.
func (m *matcher) rule(index, at int) int {
	m.token(at)
	key := int32(index * 2)
	if m.bad && !grammar.kept[index] {
		key++
	}
	for _, e := range m.memo[at] {
		if e.rule == key {
			return int(e.end)
		}
	}
	m.depth++
	if m.depth > pegDepthMax {
		panic(gaveUp{})
	}
	mode := m.bad
	if index == ruleWithoutBad {
		m.bad = false
	}
	outer := m.captures
	m.captures = m.captures[len(m.captures):]
	end := m.choice(grammar.rules[index], at)
	m.captures = outer
	m.bad = mode
	m.depth--
	switch index {
	case ruleStatement:
		if end > 0 {
			m.forget(at+1, end)
		}
	case ruleStrings:
		m.checkStrings(at, end)
	}
	m.memo[at] = append(m.memo[at], memoEntry{key, int32(end)})
	return end
}

var (
	ruleStatement  = grammar.find("statement")
	ruleStrings    = grammar.find("strings")
	ruleWithoutBad = grammar.find("expression_without_bad")
)

// forget drops what is known of a range of tokens: of those of a finished
// statement, so that the memory needed is that of one statement.
func (m *matcher) forget(from, to int) {
	for i := from; i < to; i++ {
		m.memo[i] = nil
	}
}

// checkStrings reports what is wrong inside string literals.
func (m *matcher) checkStrings(at, end int) {
	if end < 0 {
		return
	}
	if p := m.p; !p.try(func() { p.seek(at); p.strings() }) && p.err != nil {
		m.report(p.err)
	}
}

// choice matches the first alternative that does.
func (m *matcher) choice(n *pegNode, at int) int {
	for _, kid := range n.kids {
		if kid.op == pegRule && grammar.bad[kid.index] && !m.bad {
			continue
		}
		captured := len(m.captures)
		m.cut = false
		end := m.match(kid, at)
		m.captures = m.captures[:captured]
		if end >= 0 {
			m.cut = false
			return end
		}
		if m.cut {
			m.cut = false
			return -1
		}
	}
	return -1
}

// match matches a node and returns the token behind the match, or -1.
func (m *matcher) match(n *pegNode, at int) int {
	if m.steps++; m.steps > pegStepsMax {
		panic(gaveUp{})
	}
	switch n.op {
	case pegToken:
		if m.token(at).kind == n.kind {
			return at + 1
		}
		return -1
	case pegWord:
		if t := m.token(at); t.kind == tName && m.p.word(t) == n.text {
			return at + 1
		}
		return -1
	case pegSoft:
		// CPython 3.11 takes the beginning of a soft keyword for one.
		if t := m.token(at); t.kind == tName {
			for _, soft := range [...]string{"_", "case", "match"} {
				if strings.HasPrefix(soft, m.p.word(t)) {
					return at + 1
				}
			}
		}
		return -1
	case pegRule:
		return m.rule(n.index, at)
	case pegSeq:
		return m.sequence(n, at)
	case pegAlt:
		return m.group(n, at)
	case pegOpt:
		if end := m.match(n.kids[0], at); end >= 0 {
			return end
		}
		return at
	case pegStar, pegPlus:
		return m.repeat(n, at)
	case pegGather:
		return m.gather(n, at)
	case pegAnd:
		if m.match(n.kids[0], at) < 0 {
			return -1
		}
		return at
	case pegNot:
		if m.match(n.kids[0], at) >= 0 {
			return -1
		}
		return at
	case pegForce:
		return m.force(n.kids[0], at)
	case pegName:
		return m.capture(n, at)
	case pegReport:
		end := m.match(n.kids[0], at)
		if end < 0 {
			return -1
		}
		m.mistake(n.text, end)
		m.cut = true // no mistake after all: CPython tries no other alternative
		return -1
	}
	return at // pegCut is handled by sequence
}

func (m *matcher) sequence(n *pegNode, at int) int {
	cut := false
	for _, kid := range n.kids {
		if kid.op == pegCut {
			cut = true
			continue
		}
		if at = m.match(kid, at); at < 0 {
			m.cut = cut
			return -1
		}
	}
	return at
}

// group matches alternatives in parentheses; captures inside stay visible.
func (m *matcher) group(n *pegNode, at int) int {
	for _, kid := range n.kids {
		captured := len(m.captures)
		if end := m.match(kid, at); end >= 0 {
			return end
		}
		m.captures = m.captures[:captured]
	}
	return -1
}

func (m *matcher) repeat(n *pegNode, at int) int {
	count := 0
	for {
		end := m.match(n.kids[0], at)
		if end < 0 {
			break
		}
		count++
		if end == at {
			break
		}
		at = end
	}
	if n.op == pegPlus && count == 0 {
		return -1
	}
	return at
}

func (m *matcher) gather(n *pegNode, at int) int {
	at = m.match(n.kids[1], at)
	for at >= 0 {
		next := m.match(n.kids[0], at)
		if next < 0 {
			break
		}
		next = m.match(n.kids[1], next)
		if next < 0 {
			break
		}
		at = next
	}
	return at
}

// force matches a token that must follow.
func (m *matcher) force(n *pegNode, at int) int {
	if m.token(at).kind != n.kind {
		m.report(m.p.errorAt(at, at, "expected '"+kindText[n.kind]+"'"))
	}
	return at + 1
}

func (m *matcher) capture(n *pegNode, at int) int {
	end := m.match(n.kids[0], at)
	if end >= 0 {
		rule := ""
		if n.kids[0].op == pegRule {
			rule = grammar.names[n.kids[0].index]
		}
		m.captures = append(m.captures, capture{n.text, at, end, rule})
	}
	return end
}

// captured returns the capture of a name.
func (m *matcher) captured(name string) capture {
	for i := len(m.captures) - 1; i >= 0; i-- {
		if m.captures[i].name == name {
			return m.captures[i]
		}
	}
	panic("syntax: nothing captured as " + name)
}

// mistake reports the mistake that an alternative recognized up to token end, as
// its text says. It returns if the mistake turns out to be none.
func (m *matcher) mistake(text string, end int) {
	place, msg, _ := strings.Cut(text, " ")
	switch {
	case place == "do":
		m.do(msg, end)
		return
	case place == "last":
		m.report(m.lastError(KindSyntax, msg))
	case place == "indent":
		m.report(m.lastError(KindIndentation, m.fillIn(msg)))
	case strings.HasSuffix(place, ".."):
		m.report(m.fromError(m.captured(place[:1]), msg))
	}
	from := m.span(m.captured(place))
	if rest, two := strings.CutPrefix(msg, "b "); two {
		msg = rest
		from = join(from, m.span(m.captured("b")))
	}
	m.report(m.p.errorSpan(from, nil, m.fillIn(msg)))
}
