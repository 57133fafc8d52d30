package syntax

import "strings"

// pegOp is the kind of a node of the grammar of mistakes.
type pegOp uint8

const (
	pegToken  pegOp = iota // a token of kind
	pegWord                // a name spelled text
	pegSoft                // any soft keyword
	pegRule                // rule number index
	pegSeq                 // all of kids
	pegAlt                 // the first of kids that matches
	pegOpt                 // kids[0] or nothing
	pegStar                // any number of kids[0]
	pegPlus                // one or more of kids[0]
	pegGather              // kids[1] with kids[0] between
	pegAnd                 // kids[0] would match
	pegNot                 // kids[0] would not match
	pegForce               // kids[0], a token, must match
	pegCut                 // no further alternative
	pegName                // kids[0], captured as text
	pegReport              // the alternative kids[0] is a mistake: text says how to report it
)

// pegNode is a node of the grammar.
type pegNode struct {
	op    pegOp
	kind  kind
	index int
	text  string
	kids  []*pegNode
}

// pegGrammar is the grammar of mistakes, ready to run.
type pegGrammar struct {
	names []string
	rules []*pegNode
	kept  []bool // rules whose results outlive a change of mode
	bad   []bool // rules that recognize mistakes
}

// grammar is built once and never changes.
var grammar = compileGrammar(mistakes)

// find returns the number of a rule.
func (g *pegGrammar) find(name string) int {
	for i, n := range g.names {
		if n == name {
			return i
		}
	}
	panic("syntax: the grammar of mistakes has no rule " + name)
}

// compileGrammar reads the notation described at mistakes.
func compileGrammar(source string) *pegGrammar {
	g := &pegGrammar{}
	numbers := map[string]int{}
	var bodies [][]string
	for _, line := range strings.Split(source, "\n") {
		switch {
		case line == "":
		case line[0] == '|':
			bodies[len(bodies)-1] = append(bodies[len(bodies)-1], strings.TrimSpace(line[1:]))
		default:
			name := strings.TrimSuffix(line, ":")
			kept := strings.HasSuffix(name, "*")
			name = strings.TrimSuffix(name, "*")
			numbers[name] = len(g.names)
			g.names = append(g.names, name)
			g.kept = append(g.kept, kept)
			g.bad = append(g.bad, strings.HasPrefix(name, "bad_"))
			bodies = append(bodies, nil)
		}
	}
	for _, lines := range bodies {
		rule := &pegNode{op: pegAlt}
		for _, line := range lines {
			body, report, isReport := strings.Cut(line, " -> ")
			r := &pegReader{text: body, rules: numbers}
			alternative := r.sequence()
			if isReport {
				alternative = &pegNode{op: pegReport, text: report, kids: []*pegNode{alternative}}
			}
			rule.kids = append(rule.kids, alternative)
		}
		g.rules = append(g.rules, rule)
	}
	return g
}

// pegReader reads one alternative.
type pegReader struct {
	text  string
	i     int
	rules map[string]int
}

// peek returns the next character after blanks, 0 at the end.
func (r *pegReader) peek() byte {
	for r.i < len(r.text) && r.text[r.i] == ' ' {
		r.i++
	}
	if r.i == len(r.text) {
		return 0
	}
	return r.text[r.i]
}

// choice reads alternatives up to a closing parenthesis.
func (r *pegReader) choice() *pegNode {
	n := &pegNode{op: pegAlt}
	for {
		n.kids = append(n.kids, r.sequence())
		if r.peek() != '|' {
			return n
		}
		r.i++
	}
}

// sequence reads items up to | or ) or the end.
func (r *pegReader) sequence() *pegNode {
	n := &pegNode{op: pegSeq}
	for {
		switch r.peek() {
		case 0, '|', ')':
			if len(n.kids) == 1 {
				return n.kids[0]
			}
			return n
		}
		n.kids = append(n.kids, r.item())
	}
}

// item reads one item with its prefix and suffix.
func (r *pegReader) item() *pegNode {
	prefix := func(op pegOp, n int) *pegNode {
		r.i += n
		return &pegNode{op: op, kids: []*pegNode{r.item()}}
	}
	rest := r.text[r.i:]
	switch {
	case rest[0] == '~':
		r.i++
		return &pegNode{op: pegCut}
	case strings.HasPrefix(rest, "!!"):
		return prefix(pegForce, 2)
	case rest[0] == '!':
		return prefix(pegNot, 1)
	case rest[0] == '&':
		return prefix(pegAnd, 1)
	case len(rest) > 2 && rest[1] == '=' && 'a' <= rest[0] && rest[0] <= 'z':
		n := prefix(pegName, 2)
		n.text = rest[:1]
		return n
	}
	x := r.primary()
	if r.i >= len(r.text) {
		return x
	}
	switch r.text[r.i] {
	case '?':
		r.i++
		return &pegNode{op: pegOpt, kids: []*pegNode{x}}
	case '*':
		r.i++
		return &pegNode{op: pegStar, kids: []*pegNode{x}}
	case '+':
		r.i++
		return &pegNode{op: pegPlus, kids: []*pegNode{x}}
	case '.':
		r.i++
		y := r.primary()
		r.i++ // the plus sign
		return &pegNode{op: pegGather, kids: []*pegNode{x, y}}
	}
	return x
}

// primary reads a token, a rule name or a group.
func (r *pegReader) primary() *pegNode {
	c := r.peek()
	if c == '(' {
		r.i++
		n := r.choice()
		r.peek()
		r.i++ // the parenthesis
		return n
	}
	if c == '\'' || c == '"' {
		end := r.i + 1 + strings.IndexByte(r.text[r.i+1:], c)
		word := r.text[r.i+1 : end]
		r.i = end + 1
		if c == '"' {
			return &pegNode{op: pegWord, text: word}
		}
		return &pegNode{op: pegToken, kind: kindOf(word)}
	}
	start := r.i
	for r.i < len(r.text) && (identByte(r.text[r.i])) {
		r.i++
	}
	word := r.text[start:r.i]
	if k, ok := tokenClasses[word]; ok {
		return &pegNode{op: pegToken, kind: k}
	}
	if word == "SOFT_KEYWORD" {
		return &pegNode{op: pegSoft}
	}
	index, ok := r.rules[word]
	if !ok {
		panic("syntax: unknown item in the grammar of mistakes: " + r.text)
	}
	return &pegNode{op: pegRule, index: index}
}

var tokenClasses = map[string]kind{
	"NAME": tName, "NUMBER": tNumber, "STRING": tString, "NEWLINE": tNewline, "INDENT": tIndent, "DEDENT": tDedent,
	"TYPE_COMMENT": numKinds,
}

// kindOf returns the kind of a keyword or operator.
func kindOf(word string) kind {
	for k, text := range kindText {
		if text == word {
			return kind(k)
		}
	}
	panic("syntax: no token " + word)
}
