package explorer

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// What of a program stands on a page.
const (
	maxHandlers  = 32
	maxSignature = 120 // characters
	maxDoc       = 240
	keptPrograms = 320
)

// program is what the source of an actor says of itself, as a page may show it.
type program struct {
	Name, Doc string // of the class that is the actor, else of the module
	Handlers  []handler
}

// handler is a function that a message may name.
type handler struct {
	Name, Signature, Doc string
	Marks                []string // decorators, without @
	Line                 int
}

// programs remembers what was read, by code hash.
type programs struct {
	kept recent.Table[string, *program]
}

// of reads a source, or remembers it.
func (p *programs) of(code wire.Code) *program {
	if one, ok := p.kept.Find(code.CodeHash); ok {
		return one
	}
	one := describe(code.Code)
	p.kept.Put(code.CodeHash, one, keptPrograms)
	return one
}

// named gives the program of an actor by its code hash, and reads its source where it is not remembered; nil where there is none or budget, in bytes of
// source, is used up.
func (s *site) named(address, hash string, budget *int) *program {
	if one, ok := s.programs.kept.Find(hash); ok {
		return one
	}
	addr, err := account.ParseAddress(address)
	if err != nil || *budget <= 0 {
		return nil
	}
	code, err := s.source.Code(addr)
	if err != nil {
		return nil
	}
	*budget -= len(code.Code)
	return s.programs.of(code)
}

// readAtOnce is how many bytes of sources nobody asked for yet are read for one page.
const readAtOnce = 1 << 20

// describe finds handlers as the machine does: the methods of the class marked @actor and functions of the module whose names do not begin with _. A source
// that does not parse has none.
func describe(source string) *program {
	p := &program{}
	module, err := syntax.Parse([]byte(source))
	if err != nil {
		return p
	}
	text := &excerpts{lines: strings.Split(source, "\n")}
	p.Doc = document(module.Body)
	for _, s := range module.Body {
		switch s := s.(type) {
		case *syntax.ClassDef:
			if !text.marked(s.Decorators, "actor") {
				continue
			}
			p.Name = cut(unitext.PlainLine(s.Name), maxSignature)
			if doc := document(s.Body); doc != "" {
				p.Doc = doc
			}
			for _, m := range s.Body {
				if f, ok := m.(*syntax.FunctionDef); ok {
					p.add(text, f, true)
				}
			}
		case *syntax.FunctionDef:
			p.add(text, s, false)
		}
	}
	return p
}

// add appends a function, unless it is private.
func (p *program) add(text *excerpts, f *syntax.FunctionDef, method bool) {
	if strings.HasPrefix(f.Name, "_") || len(p.Handlers) == maxHandlers {
		return
	}
	h := handler{Name: cut(unitext.PlainLine(f.Name), maxSignature), Doc: document(f.Body), Line: int(f.At().Line)}
	for _, d := range f.Decorators[:min(len(f.Decorators), 4)] {
		h.Marks = append(h.Marks, cut(unitext.PlainLine(text.of(d)), 40))
	}
	args := f.Args.Args
	if method && len(args) > 0 {
		args = args[1:]
	}
	var parts []string
	first := len(args) - len(f.Args.Defaults)
	for i, a := range args {
		part := a.Name
		if a.Annotation != nil {
			part += ": " + text.of(a.Annotation)
		}
		if i >= first && i-first < len(f.Args.Defaults) {
			part += " = " + text.of(f.Args.Defaults[i-first])
		}
		parts = append(parts, part)
	}
	h.Signature = "(" + strings.Join(parts, ", ") + ")"
	if f.Returns != nil {
		h.Signature += " → " + text.of(f.Returns)
	}
	if f.Async {
		h.Marks = append(h.Marks, "async")
	}
	h.Signature = cut(unitext.PlainLine(h.Signature), maxSignature)
	p.Handlers = append(p.Handlers, h)
}

// document is the docstring of a body, with its lines joined.
func document(body []syntax.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	s, ok := body[0].(*syntax.ExprStmt)
	if !ok {
		return ""
	}
	c, ok := s.Value.(*syntax.Constant)
	if !ok || c.Kind != syntax.Str {
		return ""
	}
	return cut(unitext.PlainLine(strings.Join(strings.Fields(c.Text[:min(len(c.Text), 4*maxDoc)]), " ")), maxDoc)
}

// excerpts gives the source of nodes.
type excerpts struct{ lines []string }

func (e *excerpts) of(n syntax.Node) string {
	at := n.At()
	if at.Line < 1 || int(at.EndLine) > len(e.lines) {
		return ""
	}
	if at.Line == at.EndLine {
		return slice(e.lines[at.Line-1], at.Col, at.EndCol)
	}
	return slice(e.lines[at.Line-1], at.Col, int32(len(e.lines[at.Line-1]))) + " …"
}

func slice(line string, from, to int32) string {
	return line[min(int(from), len(line)):min(max(int(to), int(from)), len(line))]
}

// marked tells whether one of the decorators is, or ends in, a name.
func (e *excerpts) marked(decorators []syntax.Expr, name string) bool {
	for _, d := range decorators {
		if call, ok := d.(*syntax.Call); ok {
			d = call.Func
		}
		text := e.of(d)
		if text == name || strings.HasSuffix(text, "."+name) {
			return true
		}
	}
	return false
}

// cut bounds a text in characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
