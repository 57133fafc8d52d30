package pyfuzz

import (
	_ "embed"
	"math/rand/v2"
	"strings"
)

// preludeSource holds what programs build on, in chunks: "#: names" begins one, which a program that uses any of the
// names begins with. show prints values, sets in the order of their elements' text.
//
//go:embed prelude.py
var preludeSource string

// starters are the variables every program has from the start, with their types.
var starters = []string{"int", "float", "bool", "str", "bytes", "ints", "strs", "tup", "dsi", "seti", "any", "fn"}

// shown are the types whose values print the same everywhere.
var shown = map[string]bool{
	"int": true, "float": true, "bool": true, "str": true, "bytes": true, "ints": true, "strs": true, "tup": true,
	"dsi": true, "seti": true, "any": true, "cplx": true, "ba": true, "obj": true,
}

// Program writes the program of a seed, which goes on behind nearly all of its exceptions.
func (g *Grammar) Program(seed uint64) string { return g.program(seed, 3) }

// Raising writes the program of a seed in which most statements have no handler around, so that it ends in a traceback
// if one of them raises.
func (g *Grammar) Raising(seed uint64) string { return g.program(seed, 70) }

func (g *Grammar) program(seed uint64, bare int) string {
	w := &generator{grammar: g, rand: rand.New(rand.NewPCG(seed, 0x5079_6675_7a7a)), modules: map[string]bool{}, bare: bare}
	var body []string
	for _, typ := range starters {
		name := shortName(typ) + "0"
		if typ == "strs" || typ == "ints" {
			name = typ + "0"
		}
		body = append(body, name+" = "+w.expr("lit"+typ, maxDepth))
		w.vars = append(w.vars, variable{name, typ, 0})
	}
	for range 4 + w.rand.IntN(9) {
		body = append(body, w.top()...)
	}
	for i, v := range w.vars {
		if i < 30 && shown[v.typ] {
			body = append(body, "try: show('"+v.name+"', "+v.name+")", "except Exception as e: bad(e)")
		}
	}
	text := strings.Join(body, "\n") + "\n"
	return strings.Join(append(w.imports(), ""), "\n") + prelude(text) + text
}

// prelude returns the chunks of the prelude that a program uses, and those that
// these use.
func prelude(body string) string {
	chunks := strings.Split(preludeSource, "#: ")[1:]
	out := ""
	for i := len(chunks) - 1; i >= 0; i-- {
		names, code, _ := strings.Cut(chunks[i], "\n")
		for _, name := range strings.Fields(names) {
			if strings.Contains(body+out, name) {
				out = code + out
				break
			}
		}
	}
	return out
}

// top writes a statement of the module, most of them guarded: an exception is
// printed and what the statement should have bound gets a plain value.
func (g *generator) top() []string {
	var lines []string
	var declared []variable
	for range 20 {
		section := "stmt"
		switch {
		case g.chance(35):
			section = "scene"
		case g.chance(30):
			section = "simple"
		}
		if lines, declared = g.statement(section); lines != nil {
			break
		}
	}
	if g.chance(g.bare) {
		return lines
	}
	out := []string{"try:"}
	for _, l := range lines {
		out = append(out, "    "+l)
	}
	out = append(out, "except Exception as e:", "    bad(e)")
	for _, v := range declared {
		if g.grammar.sections["lit"+v.typ] != nil {
			out = append(out, "    "+v.name+" = "+g.expr("lit"+v.typ, maxDepth))
		}
	}
	return out
}
