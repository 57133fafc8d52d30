package pyfuzz

import (
	"embed"
	"fmt"
	"io/fs"
	"sort"
	"strconv"
	"strings"
)

//go:embed grammar/*.txt
var grammarFiles embed.FS

// Grammar is a set of sections, each a weighted list of productions.
type Grammar struct {
	sections map[string]*section
}

type section struct {
	name        string
	productions []*production
	weight      int
	depth       int // of the shallowest production
}

// production is one alternative: lines of parts.
type production struct {
	weight  int
	modules []string
	lines   [][]part
	depth   int // nesting of the shallowest expansion
}

type partKind uint8

const (
	text    partKind = iota // literal text
	expand                  // a section
	block                   // statements in the context named by text
	declare                 // a variable visible behind the statement
	local                   // a variable visible within the production
	label                   // a variable declared before
	assign                  // an existing variable of a type
)

type part struct {
	kind  partKind
	text  string // of text, section or context
	label byte
}

// contexts are the names that open a block.
var contexts = map[string]bool{
	"BLOCK": true, "LOOP": true, "FUNC": true, "GEN": true, "CORO": true, "AGEN": true, "CLASS": true,
}

// modules are what productions may ask for; another word behind "@" is a decorator.
var modules = map[string]bool{
	"abc": true, "collections": true, "dataclasses": true, "decimal": true, "enum": true, "functools": true,
	"hashlib": true, "itertools": true, "json": true, "math": true, "re": true, "struct": true, "typing": true,
}

// LoadGrammar reads the embedded grammar. An error is a mistake in its text.
func LoadGrammar() (*Grammar, error) {
	g := &Grammar{sections: map[string]*section{}}
	names, err := fs.Glob(grammarFiles, "grammar/*.txt")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	for _, name := range names {
		source, err := grammarFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := g.parse(string(source)); err != nil {
			return nil, fmt.Errorf("%s:%w", name, err)
		}
	}
	return g, g.settle()
}

// parse adds the sections of one file.
func (g *Grammar) parse(source string) error {
	var in *section
	var current *production
	for i, line := range strings.Split(source, "\n") {
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
			continue
		case strings.HasPrefix(line, "["):
			name := strings.Trim(line, "[]")
			if g.sections[name] == nil {
				g.sections[name] = &section{name: name}
			}
			in, current = g.sections[name], nil
			continue
		case in == nil:
			return fmt.Errorf("%d: text outside a section", i+1)
		case strings.HasPrefix(line, "-"):
			current = &production{weight: 1}
			line = current.head(line[1:])
			in.productions = append(in.productions, current)
		case current == nil || !strings.HasPrefix(line, "  "):
			return fmt.Errorf("%d: neither a production nor part of one", i+1)
		default:
			line = line[2:]
		}
		parts, err := split(line)
		if err != nil {
			return fmt.Errorf("%d: %w", i+1, err)
		}
		current.lines = append(current.lines, parts)
	}
	return nil
}

// head reads weight and modules and returns the rest of the line.
func (p *production) head(line string) string {
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		p.weight, _ = strconv.Atoi(line[:digits])
	}
	line = strings.TrimPrefix(line[digits:], " ")
	for strings.HasPrefix(line, "@") {
		module, rest, _ := strings.Cut(line[1:], " ")
		if !modules[module] {
			break
		}
		p.modules = append(p.modules, module)
		line = rest
	}
	return line
}

// split takes a line of a production apart.
func split(line string) ([]part, error) {
	var parts []part
	for line != "" {
		i := strings.IndexByte(line, '$')
		if i < 0 {
			return append(parts, part{kind: text, text: line}), nil
		}
		if i > 0 {
			parts = append(parts, part{kind: text, text: line[:i]})
		}
		line = line[i+1:]
		p, n := reference(line)
		if n == 0 {
			return nil, fmt.Errorf("a dollar sign before %q", line)
		}
		parts = append(parts, p)
		line = line[n:]
	}
	return parts, nil
}

// reference reads what follows a dollar sign and returns its length.
func reference(s string) (part, int) {
	switch {
	case strings.HasPrefix(s, "$"):
		return part{kind: text, text: "$"}, 1
	case strings.HasPrefix(s, "="):
		n := word(s[1:])
		return part{kind: assign, text: s[1 : 1+n]}, n + 1
	}
	n := word(s)
	name := s[:n]
	switch {
	case n == 0:
		return part{}, 0
	case contexts[name]:
		return part{kind: block, text: name}, n
	case n == 1 && name[0] >= 'A' && name[0] <= 'Z':
		if len(s) > 1 && (s[1] == '@' || s[1] == '~') {
			if typ := word(s[2:]); typ > 0 {
				kind := declare
				if s[1] == '~' {
					kind = local
				}
				return part{kind: kind, text: s[2 : 2+typ], label: name[0]}, 2 + typ
			}
		}
		return part{kind: label, label: name[0]}, 1
	}
	return part{kind: expand, text: name}, n
}

// word returns the length of the identifier that s begins with.
func word(s string) int {
	n := 0
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z' || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

// settle checks references and finds how deep the shallowest expansion of every
// production is, so that a generator that has gone deep enough can end.
func (g *Grammar) settle() error {
	const unknown = 1 << 20
	for _, s := range g.sections { // order-free: every section gets the same value
		s.depth = unknown
		for _, p := range s.productions {
			s.weight += p.weight
		}
	}
	for changed := true; changed; {
		changed = false
		for _, s := range g.sections { // order-free: repeated until nothing changes
			for _, p := range s.productions {
				depth := 0
				for _, line := range p.lines {
					for _, x := range line {
						if x.kind != expand {
							continue
						}
						inner := g.sections[x.text]
						if inner == nil {
							return fmt.Errorf("pyfuzz: section %q refers to %q, which there is not", s.name, x.text)
						}
						depth = max(depth, inner.depth+1)
					}
				}
				p.depth = min(depth, unknown)
				if p.depth < s.depth {
					s.depth, changed = p.depth, true
				}
			}
		}
	}
	for name, s := range g.sections { // order-free: any of the errors will do
		if s.depth == unknown {
			return fmt.Errorf("pyfuzz: section %q never ends", name)
		}
	}
	return nil
}
