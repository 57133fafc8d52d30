package coverage

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Names the instrumented code uses; programs cannot write them.
const (
	coverModule = "_cowboy_cover"
	coverName   = ".cover"
)

// Coverage notes the lines of actors that run. A statement calls the note with its line and the number of its file.
type Coverage struct {
	files   []string // paths by number
	numbers map[string]int
	ran     map[string]map[int]bool
	// Executable has, by file, the lines that can run, ascending; Branches the lines whose two outcomes can be told, one entry for each outcome.
	Executable map[string][]int
	Branches   map[string][]int
}

// ofBranches ends the name under which the branches of a file are noted.
const ofBranches = "\x00branches"

// New gives one that has seen nothing.
func New() *Coverage {
	return &Coverage{numbers: map[string]int{}, ran: map[string]map[int]bool{}, Executable: map[string][]int{}, Branches: map[string][]int{}}
}

// linesMax bounds the lines of a source: it has at most as many as bytes.
const linesMax = pvm.MaxSource + 1

// Instrument is what a cache of programs is made with (host.NewInstrumented) so that its actors note their lines. fileOf names the file of an actor's canonical
// source.
func (c *Coverage) Instrument(fileOf func(source []byte) string) host.Instrument {
	return host.Instrument{
		Rewrite: func(source []byte, tree *syntax.Module) { c.rewrite(fileOf(source), tree) },
		Natives: map[string]pvm.NativeModule{coverModule: c.module},
	}
}

// Taken gives what ran since the last Taken: lines by file, and branches by file, as their numbers in Branches; ascending.
func (c *Coverage) Taken() (lines, branches map[string][]int) {
	lines, branches = map[string][]int{}, map[string][]int{}
	for key, ran := range c.ran {
		into, file := lines, key
		if base, ok := strings.CutSuffix(key, ofBranches); ok {
			into, file = branches, base
		}
		for n := range ran {
			into[file] = append(into[file], n)
		}
		slices.Sort(into[file])
	}
	c.ran = map[string]map[int]bool{}
	return lines, branches
}

// module makes the module instrumented code imports.
func (c *Coverage) module(m *object.Machine, mod *object.Module) *object.Exception {
	mod.Define(m, "note", object.NewLateBuiltin(object.Method{Name: "note", Sig: "place, /",
		Func: func(_ *object.Machine, a object.Args) (object.Value, *object.Exception) {
			place, _ := a.V[0].AsInt()
			n := int(place.BigInt().Int64())
			file := c.files[n/linesMax]
			if c.ran[file] == nil {
				c.ran[file] = map[int]bool{}
			}
			c.ran[file][n%linesMax] = true
			return object.None, nil
		}}).Value())
	return nil
}

// rewrite puts a note before every statement.
func (c *Coverage) rewrite(file string, tree *syntax.Module) {
	w := &noter{base: c.number(file) * linesMax, outcomes: c.number(file+ofBranches) * linesMax, lines: map[int]bool{}}
	at := syntax.Span{Line: 1, EndLine: 1}
	head := 0
	for head < len(tree.Body) && (head == 0 && IsText(tree.Body[0]) || IsFuture(tree.Body[head])) {
		head++
	}
	rest := w.block(tree.Body[head:])
	load := &syntax.ImportFrom{Span: at, Module: coverModule, Names: []syntax.Alias{{Span: at, Name: "note", AsName: coverName}}}
	tree.Body = slices.Concat(tree.Body[:head], []syntax.Stmt{load}, rest)
	var lines []int
	for line := range w.lines {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	c.Executable[file], c.Branches[file] = lines, w.branches
}

// number is the number of a name.
func (c *Coverage) number(name string) int {
	n, known := c.numbers[name]
	if !known {
		n = len(c.files)
		c.numbers[name] = n
		c.files = append(c.files, name)
	}
	return n
}

// noter puts the calls into blocks.
type noter struct {
	base, outcomes int
	lines          map[int]bool
	branches       []int
}

// note is the call that notes a place.
func note(at syntax.Span, place int) syntax.Stmt {
	arg := &syntax.Constant{Span: at, Kind: syntax.Int, Int: int64(place)}
	return &syntax.ExprStmt{Span: at, Value: &syntax.Call{Span: at, Func: &syntax.Name{Span: at, ID: coverName}, Args: []syntax.Expr{arg}}}
}

// outcome puts the note of one more outcome of a condition before a block.
func (w *noter) outcome(at syntax.Span, body []syntax.Stmt) []syntax.Stmt {
	w.branches = append(w.branches, int(at.Line))
	return append([]syntax.Stmt{note(at, w.outcomes+len(w.branches)-1)}, body...)
}

func (w *noter) block(body []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for i, s := range body {
		at := s.At()
		if !(i == 0 && IsText(s)) && !isMachinery(s) {
			w.lines[int(at.Line)] = true
			out = append(out, note(at, w.base+int(at.Line)))
		}
		w.inside(s)
		out = append(out, s)
	}
	return out
}

func (w *noter) inside(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.FunctionDef:
		s.Body = w.block(s.Body)
	case *syntax.ClassDef:
		s.Body = w.block(s.Body)
	case *syntax.If:
		s.Body, s.Else = w.outcome(s.Span, w.block(s.Body)), w.outcome(s.Span, w.block(s.Else))
	case *syntax.For:
		s.Body, s.Else = w.outcome(s.Span, w.block(s.Body)), w.outcome(s.Span, w.block(s.Else))
	case *syntax.While:
		s.Body, s.Else = w.outcome(s.Span, w.block(s.Body)), w.outcome(s.Span, w.block(s.Else))
	case *syntax.With:
		s.Body = w.block(s.Body)
	case *syntax.Try:
		s.Body, s.Else, s.Final = w.block(s.Body), w.block(s.Else), w.block(s.Final)
		for _, h := range s.Handlers {
			h.Body = w.block(h.Body)
		}
	case *syntax.Match:
		for i := range s.Cases {
			s.Cases[i].Body = w.outcome(s.Cases[i].Pattern.At(), w.block(s.Cases[i].Body))
		}
	}
}

// IsText recognizes a statement that is a text: where it is the first one, a docstring.
func IsText(s syntax.Stmt) bool {
	x, ok := s.(*syntax.ExprStmt)
	if !ok {
		return false
	}
	c, ok := x.Value.(*syntax.Constant)
	return ok && c.Kind == syntax.Str
}

// isMachinery recognizes the import that lowered continuations begin with: no line of the source.
func isMachinery(s syntax.Stmt) bool {
	x, ok := s.(*syntax.ImportFrom)
	return ok && len(x.Names) == 1 && strings.HasPrefix(x.Names[0].AsName, ".")
}

// IsFuture recognizes an import from __future__.
func IsFuture(s syntax.Stmt) bool {
	x, ok := s.(*syntax.ImportFrom)
	return ok && x.Module == "__future__"
}
