package pvm

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/check"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Program is a compiled source file. It is immutable: goroutines may share it and
// a cache may keep it under its code hash.
type Program struct {
	unit   *object.Unit
	weight int
}

// scopeWeight is what a function, class or comprehension takes to compile, in tokens: its own code, names and tables.
const scopeWeight = 24

// SyntaxError rejects a source text; see package syntax.
type SyntaxError = syntax.SyntaxError

// MaxSource is the largest source text accepted, in bytes. A source has at most
// syntax.MaxTokens tokens and resolve.MaxScopes functions, classes and
// comprehensions, so that compiling any needs less than 74 MiB.
const MaxSource = 1 << 20

// ErrSourceTooLarge rejects a source of more than MaxSource bytes.
var ErrSourceTooLarge = errors.New("pvm: source too large")

// DeterminismError rejects a source that contains what consensus forbids; see
// package check.
type DeterminismError = check.DeterminismError

// Compile compiles the source of the module called name and refuses what
// consensus forbids. The error is a *SyntaxError or a *DeterminismError, with
// line and column, or ErrSourceTooLarge.
//
// Spec: WP "The Cowboy Actor VM (PVM)", "Forbidden Operations".
func Compile(name string, source []byte) (*Program, error) { return Compiler{}.Compile(name, source) }

// Compiler compiles programs for machines with certain prices. The zero value is for those of version 1, as the functions of the same names are.
type Compiler struct {
	Prices *cost.Prices
	// Plain leaves out the search for a helpful message: a source that does not parse gives "invalid syntax" and where the parser stopped.
	Plain bool
}

// Compile is the function Compile.
func (c Compiler) Compile(name string, source []byte) (*Program, error) {
	return c.compile(source, compile.Options{Name: name, File: name + ".py", Prices: c.Prices}, true, nil)
}

// CompileLibrary is the function CompileLibrary.
func (c Compiler) CompileLibrary(name string, source []byte) (*Program, error) {
	return c.compile(source, compile.Options{Name: name, File: "<" + name + ">", Library: true, Prices: c.Prices}, false, nil)
}

// Check returns everything that Compile would refuse in a source, in order. A
// source that does not parse gives its *SyntaxError alone.
func Check(source []byte) []error {
	tree, err := parse(source)
	if err == nil {
		_, err = resolve.Resolve(tree)
	}
	if err != nil {
		return []error{err}
	}
	var out []error
	for _, found := range check.Check(tree, checkOptions) {
		out = append(out, found)
	}
	return out
}

// Waits gives the lines where a generator of a source waits inside a try with a finally or inside a with: what is due there never happens if the
// program drops the generator before it ends. A source that does not parse has none.
//
// Spec: WP "Determinism Guarantees" (reference counting).
func Waits(source []byte) []int {
	tree, err := parse(source)
	if err != nil {
		return nil
	}
	var lines []int
	for _, at := range check.Waits(tree) {
		lines = append(lines, int(at.Line))
	}
	return lines
}

// checkOptions let every actor import the host's module beside the white list.
var checkOptions = check.Options{Importable: func(module string) bool {
	return check.Whitelisted(module) || module == "pvm_host"
}}

// CompileRewritten is Compile with a step before code is made: rewrite changes a fresh, unresolved tree of the source and reports whether it
// did. What is refused in the source is refused as it was written.
func (c Compiler) CompileRewritten(name string, source []byte, rewrite func(*syntax.Module) (bool, error)) (*Program, error) {
	o := compile.Options{Name: name, File: name + ".py", Prices: c.Prices}
	program, err := c.compile(source, o, true, nil)
	if err != nil {
		return nil, err
	}
	tree, err := c.parse(source)
	if err != nil {
		return nil, err
	}
	if changed, err := rewrite(tree); err != nil || !changed {
		return program, err
	}
	table, err := resolve.Resolve(tree)
	if err != nil {
		return nil, err
	}
	unit, err := compile.Compile(tree, table, o)
	if err != nil {
		return nil, err
	}
	return &Program{unit, program.weight}, nil
}

// CompileFile compiles a script for local tools: tracebacks show file and source
// lines, and what consensus forbids fails when it is reached.
func CompileFile(name, file string, source []byte) (*Program, error) {
	return Compiler{}.compile(source, compile.Options{Name: name, File: file, Lines: compile.Lines(string(source))}, false, nil)
}

// CompileFileRewritten is CompileFile with a step before code is made: rewrite changes the tree of the source. What lies on the lines of the source keeps its
// place.
func CompileFileRewritten(name, file string, source []byte, rewrite func(*syntax.Module)) (*Program, error) {
	return Compiler{}.compile(source, compile.Options{Name: name, File: file, Lines: compile.Lines(string(source))}, false, rewrite)
}

// CompileLibrary is Compile for modules of the standard library: their frames are
// left out of tracebacks and their objects out of the search for reference cycles.
func CompileLibrary(name string, source []byte) (*Program, error) {
	return Compiler{}.CompileLibrary(name, source)
}

func parse(source []byte) (*syntax.Module, error) { return Compiler{}.parse(source) }

func (c Compiler) parse(source []byte) (*syntax.Module, error) {
	if len(source) > MaxSource {
		return nil, fmt.Errorf("%w: %d bytes", ErrSourceTooLarge, len(source))
	}
	read := syntax.Parse
	if c.Plain {
		read = syntax.ParsePlainly
	}
	tree, err := read(source)
	if err != nil {
		return nil, err
	}
	return tree, nil
}

func (c Compiler) compile(source []byte, o compile.Options, checked bool, rewrite func(*syntax.Module)) (*Program, error) {
	tree, err := c.parse(source)
	if err != nil {
		return nil, err
	}
	if rewrite != nil {
		rewrite(tree)
	}
	table, err := resolve.Resolve(tree)
	if err != nil {
		return nil, err
	}
	if checked {
		if found := check.Check(tree, checkOptions); len(found) > 0 {
			return nil, found[0]
		}
	}
	unit, err := compile.Compile(tree, table, o)
	if err != nil {
		return nil, err
	}
	return &Program{unit, tree.Tokens + scopeWeight*len(table.Scopes)}, nil
}

// Weight is what compiling the program's source takes, in tokens: the source's own, and scopeWeight for each function, class and comprehension. It depends on
// the source alone.
func (p *Program) Weight() int { return p.weight }

// Name returns the module name the program was compiled under.
func (p *Program) Name() string { return p.unit.Name }

// Unit returns the compiled code.
func (p *Program) Unit() *object.Unit { return p.unit }

// Disassemble lists the program's instructions, for people.
func (p *Program) Disassemble() string { return compile.Disassemble(p.unit) }
