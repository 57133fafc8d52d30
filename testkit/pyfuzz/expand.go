package pyfuzz

import (
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
)

// maxDepth is the nesting at which expressions end as soon as they can.
const maxDepth = 5

// maxNest is the nesting of blocks.
const maxNest = 4

// variable is a name in scope.
type variable struct {
	name, typ string
	function  int // which function binds it
}

// generator writes one program.
type generator struct {
	grammar *Grammar
	rand    *rand.Rand
	vars    []variable
	names   int
	modules map[string]bool

	function int    // number of the function being written
	made     int    // functions so far
	context  string // FUNC, GEN, CORO, AGEN, CLASS or "" at module level
	loop     bool
	nest     int
	failed   bool // a production asked for a variable there is none of
	bare     int  // how many of a hundred statements of the module have no handler around
}

// expansion is one production being written.
type expansion struct {
	g        *generator
	labels   map[byte]string
	exported []variable
	locals   []variable // of the line being written: visible from the next one
	inline   bool       // an expression: locals are visible at once
}

func (g *generator) chance(percent int) bool { return g.rand.IntN(100) < percent }

// fresh makes a name for a variable of a type; in functions it is sometimes one
// that the code around uses already.
func (g *generator) fresh(typ string) string {
	if g.function != 0 && len(g.vars) > 0 && g.chance(6) {
		return g.vars[g.rand.IntN(len(g.vars))].name
	}
	g.names++
	return shortName(typ) + strconv.Itoa(g.names)
}

// shortName is the prefix of names of a type.
func shortName(typ string) string {
	if len(typ) > 3 {
		typ = typ[:3]
	}
	return typ
}

// pick returns a variable of a type, if there is one.
func (g *generator) pick(typ string, own bool) (string, bool) {
	var found []string
	for i := len(g.vars) - 1; i >= 0 && len(found) < 6; i-- {
		if v := g.vars[i]; v.typ == typ && (!own || v.function == g.function) {
			found = append(found, v.name)
		}
	}
	if len(found) == 0 {
		return "", false
	}
	return found[g.rand.IntN(len(found))], true
}

// choose draws a production of a section that need not go deeper than allowed.
func (g *generator) choose(s *section, depth int) *production {
	if depth >= maxDepth {
		total := 0
		for _, p := range s.productions {
			if p.depth == s.depth {
				total += p.weight
			}
		}
		n := g.rand.IntN(total)
		for _, p := range s.productions {
			if p.depth == s.depth {
				if n -= p.weight; n < 0 {
					return p
				}
			}
		}
	}
	n := g.rand.IntN(s.weight)
	for _, p := range s.productions {
		if n -= p.weight; n < 0 {
			return p
		}
	}
	panic("pyfuzz: weights do not add up")
}

// isType says whether a section describes a type of values: variables can stand
// for it.
func isType(name string) bool { return strings.ToLower(name) == name && len(name) <= 5 }

// expr writes an expression of a section.
func (g *generator) expr(name string, depth int) string {
	if isType(name) && g.chance(30+5*depth) {
		if v, ok := g.pick(name, false); ok {
			return v
		}
	}
	p := g.choose(g.grammar.sections[name], depth)
	x := expansion{g: g, labels: map[byte]string{}, inline: true}
	mark := len(g.vars)
	out := x.line(p.lines[0], depth+1)
	g.vars = append(g.vars[:mark], x.exported...)
	g.need(p)
	return out
}

func (g *generator) need(p *production) {
	for _, m := range p.modules {
		g.modules[m] = true
	}
}

// line writes one line of a production.
func (x *expansion) line(parts []part, depth int) string {
	var b strings.Builder
	for _, p := range parts {
		switch p.kind {
		case text:
			b.WriteString(p.text)
		case expand:
			b.WriteString(x.g.expr(p.text, depth))
		case declare, local:
			name := x.g.fresh(p.text)
			x.labels[p.label] = name
			v := variable{name, p.text, x.g.function}
			switch {
			case p.kind == declare:
				x.exported = append(x.exported, v)
			case x.inline:
				x.g.vars = append(x.g.vars, v)
			default:
				x.locals = append(x.locals, v)
			}
			b.WriteString(name)
		case label:
			b.WriteString(x.labels[p.label])
		case assign:
			name, ok := x.g.pick(p.text, true)
			if !ok {
				x.g.failed = true
			}
			b.WriteString(name)
		}
	}
	return b.String()
}

// statement writes one production of a section of statements; the variables it
// declares are added to the scope. Nil means that the production did not fit.
func (g *generator) statement(name string) (lines []string, declared []variable) {
	p := g.choose(g.grammar.sections[name], 0)
	x := expansion{g: g, labels: map[byte]string{}}
	mark := len(g.vars)
	saved := g.failed
	g.failed = false
	for _, parts := range p.lines {
		if n := len(parts) - 1; n >= 0 && parts[n].kind == block {
			indent := ""
			if n > 0 {
				indent = parts[0].text
			}
			for _, l := range g.block(parts[n].text) {
				lines = append(lines, indent+l)
			}
			continue
		}
		lines = append(lines, x.line(parts, 1))
		g.vars = append(g.vars, x.locals...)
		x.locals = nil
	}
	g.vars = append(g.vars[:mark], x.exported...)
	failed := g.failed
	g.failed = saved
	if failed {
		g.vars = g.vars[:mark]
		return nil, nil
	}
	g.need(p)
	return lines, x.exported
}

// block writes the statements of a context.
func (g *generator) block(context string) []string {
	outer := *g
	mark := len(g.vars)
	g.nest++
	switch context {
	case "BLOCK":
	case "LOOP":
		g.loop = true
	default:
		g.made++
		g.function, g.context, g.loop = g.made, context, false
	}
	var lines []string
	if context == "CLASS" {
		lines = g.classBody()
	} else {
		lines = g.statements()
	}
	g.vars = g.vars[:mark]
	g.function, g.context, g.loop, g.nest = outer.function, outer.context, outer.loop, outer.nest
	return lines
}

// statements writes a few statements for the current context.
func (g *generator) statements() []string {
	var lines []string
	count := 1 + g.rand.IntN(3)
	if g.nest > maxNest {
		count = 1
	}
	for range count {
		for range 20 {
			if s, _ := g.statement(g.statementSection()); s != nil {
				lines = append(lines, s...)
				break
			}
		}
	}
	if g.context != "" && g.context != "AGEN" && g.chance(60) && !g.loop {
		lines = append(lines, "return "+g.expr("any", 2))
	}
	if len(lines) == 0 {
		lines = []string{"pass"}
	}
	return lines
}

// statementSection draws what kind of statement comes next.
func (g *generator) statementSection() string {
	if g.nest > maxNest {
		return "simple"
	}
	special := map[string]string{"FUNC": "infunc", "GEN": "ingen", "CORO": "incoro", "AGEN": "inagen"}[g.context]
	switch {
	case g.loop && g.chance(20):
		return "inloop"
	case special != "" && g.chance(30):
		return special
	case g.chance(45):
		return "simple"
	}
	return "stmt"
}

// classBody writes members of a class, each at most once.
func (g *generator) classBody() []string {
	var lines []string
	seen := map[string]bool{}
	for range 3 + g.rand.IntN(8) {
		s, _ := g.statement("member")
		if s == nil || seen[s[0]] {
			continue
		}
		seen[s[0]] = true
		lines = append(lines, s...)
	}
	if len(lines) == 0 {
		return []string{"pass"}
	}
	return lines
}

// imports lists the import statements the program needs.
func (g *generator) imports() []string {
	names := make([]string, 0, len(g.modules))
	for name := range g.modules { // order-free: sorted below
		names = append(names, name)
	}
	sort.Strings(names)
	for i, name := range names {
		names[i] = "import " + name
	}
	return names
}
