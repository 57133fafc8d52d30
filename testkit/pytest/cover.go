package pytest

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
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

// coverage notes the lines of actors that run. A statement calls the note with its line and the number of its file.
type coverage struct {
	files      []string // paths by number
	numbers    map[string]int
	ran        map[string]map[int]bool
	executable map[string][]int
}

func newCoverage() *coverage {
	return &coverage{numbers: map[string]int{}, ran: map[string]map[int]bool{}, executable: map[string][]int{}}
}

// linesMax bounds the lines of a source: it has at most as many as bytes.
const linesMax = pvm.MaxSource + 1

// cover runs the tests again with actors that note the lines they run, and adds the lines to the results. A test that ends otherwise than before keeps the
// lines it came to.
func (r *Runner) cover(report *Report) {
	c := newCoverage()
	second := *r
	second.options.instrumented = true
	second.genesis = nil
	second.programs = host.NewInstrumented(host.Instrument{
		Rewrite: func(source []byte, tree *syntax.Module) { c.rewrite(r.fileOf(source), tree) },
		Natives: map[string]pvm.NativeModule{coverModule: c.module},
	})
	for i := range report.Results {
		c.ran = map[string]map[int]bool{}
		second.one(report.Results[i].Name)
		report.Results[i].Lines = map[string][]int{}
		for file, lines := range c.ran {
			for line := range lines {
				report.Results[i].Lines[file] = append(report.Results[i].Lines[file], line)
			}
			slices.Sort(report.Results[i].Lines[file])
		}
	}
	report.Executable = c.executable
}

// remember notes which file a source came from.
func (r *Runner) remember(source []byte, path string) {
	if canonical, err := account.CanonicalSource(source); err == nil {
		r.files[string(canonical)] = path
	}
}

// fileOf names the file of an actor's source: what a test wrote itself has none.
func (r *Runner) fileOf(source []byte) string {
	if path, ok := r.files[string(source)]; ok {
		return path
	}
	return "<text>"
}

// module makes the module instrumented code imports.
func (c *coverage) module(m *object.Machine, mod *object.Module) *object.Exception {
	mod.Define(m, "note", object.NewBuiltin(object.Method{Name: "note", Sig: "place, /", Func: func(_ *object.Machine, a object.Args) (object.Value, *object.Exception) {
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
func (c *coverage) rewrite(file string, tree *syntax.Module) {
	number, known := c.numbers[file]
	if !known {
		number = len(c.files)
		c.numbers[file] = number
		c.files = append(c.files, file)
	}
	w := &noter{base: number * linesMax, lines: map[int]bool{}}
	at := syntax.Span{Line: 1, EndLine: 1}
	head := 0
	for head < len(tree.Body) && (head == 0 && isText(tree.Body[0]) || isFuture(tree.Body[head])) {
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
	c.executable[file] = lines
}

// noter puts the calls into blocks.
type noter struct {
	base  int
	lines map[int]bool
}

func (w *noter) block(body []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for i, s := range body {
		at := s.At()
		if !(i == 0 && isText(s)) && !isMachinery(s) {
			w.lines[int(at.Line)] = true
			place := &syntax.Constant{Span: at, Kind: syntax.Int, Int: int64(w.base + int(at.Line))}
			call := &syntax.Call{Span: at, Func: &syntax.Name{Span: at, ID: coverName}, Args: []syntax.Expr{place}}
			out = append(out, &syntax.ExprStmt{Span: at, Value: call})
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
		s.Body, s.Else = w.block(s.Body), w.block(s.Else)
	case *syntax.For:
		s.Body, s.Else = w.block(s.Body), w.block(s.Else)
	case *syntax.While:
		s.Body, s.Else = w.block(s.Body), w.block(s.Else)
	case *syntax.With:
		s.Body = w.block(s.Body)
	case *syntax.Try:
		s.Body, s.Else, s.Final = w.block(s.Body), w.block(s.Else), w.block(s.Final)
		for _, h := range s.Handlers {
			h.Body = w.block(h.Body)
		}
	case *syntax.Match:
		for i := range s.Cases {
			s.Cases[i].Body = w.block(s.Cases[i].Body)
		}
	}
}

func isText(s syntax.Stmt) bool {
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

func isFuture(s syntax.Stmt) bool {
	x, ok := s.(*syntax.ImportFrom)
	return ok && x.Module == "__future__"
}
