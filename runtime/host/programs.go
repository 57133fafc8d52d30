package host

import (
	"bytes"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	"github.com/cowboyinc/cowboy-go/runtime/sdk"
	"github.com/cowboyinc/cowboy-go/runtime/sdk/lower"
)

// Code is an actor's program and the form of its source.
type Code struct {
	Program *pvm.Program
	Form    Form
	hash    digest.Hash
	size    int
	load    load
}

// cacheBytes bounds the memory of the programs that are kept where nobody says otherwise.
const cacheBytes = 64 << 20

// Programs keeps compiled programs by code hash, with their templates. What it holds never changes a result. One goroutine uses it at a time.
type Programs struct {
	prices    *cost.Prices // of the machines that are made now
	codes     map[codeKey]*Code
	order     []codeKey // oldest first
	size      int
	limit     int
	grew      func(bytes int) // is told by how much size changes; nil: nobody is
	libraries map[*cost.Prices]*library
	natives   map[string]pvm.NativeModule // those of every machine
	tool      *Instrument
	stack     object.Stack // of the machines that ended
}

// codeKey names a compiled program. Its instructions carry their prices, so that a source is compiled once for each version that has others.
type codeKey struct {
	hash   digest.Hash
	prices *cost.Prices
}

// library is what is compiled of the node's own sources for some prices.
type library struct {
	sdk   map[string]*pvm.Program
	units map[string]*object.Unit // of the standard library
}

// at has programs and machines made with the prices of a block's version from now on.
func (p *Programs) at(v *protocol.Version) { p.prices = v.Costs.Machine }

// compiled is the library for the prices of now. There are as many as the program knows versions.
func (p *Programs) compiled() *library {
	l := p.libraries[p.prices]
	if l == nil {
		l = &library{map[string]*pvm.Program{}, map[string]*object.Unit{}}
		p.libraries[p.prices] = l
	}
	return l
}

// Instrument changes the actors a cache compiles, for tools that watch them run. It changes what they cost, so a node never has one.
type Instrument struct {
	// Rewrite changes the tree of a canonical source, continuations lowered already.
	Rewrite func(source []byte, tree *syntax.Module)
	// Natives are the modules the changed code imports.
	Natives map[string]pvm.NativeModule
}

// NewInstrumented returns an empty cache whose actors are changed.
func NewInstrumented(tool Instrument) *Programs {
	p := NewPrograms()
	p.tool = &tool
	for name, build := range tool.Natives { // order-free: a copy
		p.natives[name] = build
	}
	return p
}

// NewPrograms returns an empty cache of 64 MiB.
func NewPrograms() *Programs { return NewProgramsWithin(cacheBytes, nil) }

// NewProgramsWithin returns an empty cache that keeps so many bytes of programs, or one program if that is larger. grew, if set, is told by how many bytes
// what is kept grows, or shrinks if they are negative.
func NewProgramsWithin(limit int, grew func(bytes int)) *Programs {
	return &Programs{
		limit: limit, grew: grew, prices: protocol.First().Costs.Machine,
		codes: map[codeKey]*Code{}, libraries: map[*cost.Prices]*library{}, natives: map[string]pvm.NativeModule{moduleName: fillModule},
	}
}

// Compile compiles an actor's canonical source as a deployment does, continuations lowered. The error is pvm.Compile's, a *lower.Error or a
// *TestOnlyError.
//
// Spec: sdk §10.2.
func Compile(source []byte) (*pvm.Program, error) {
	return compileActor(pvm.Compiler{}, actorModule, source)
}

// Check gives everything for which a deployment would refuse a source: what pvm.Check finds, and of a source it finds nothing in, the first
// continuation that cannot be lowered or an import that exists in test runs only.
func Check(source []byte) []error {
	found := pvm.Check(source)
	if len(found) == 0 {
		if _, err := Compile(source); err != nil {
			found = append(found, err)
		}
	}
	return found
}

func compileActor(c pvm.Compiler, name string, source []byte) (*pvm.Program, error) {
	continues := bytes.Contains(source, []byte("continuation"))
	if !continues && !bytes.Contains(source, []byte("testing")) && !bytes.Contains(source, []byte("mock_host")) {
		return c.Compile(name, source)
	}
	return c.CompileRewritten(name, source, func(tree *syntax.Module) (bool, error) {
		if err := refuseTesting(tree.Body); err != nil || !continues {
			return false, err
		}
		return lower.Module(tree)
	})
}

func (p *Programs) compileActor(source []byte) (*pvm.Program, error) {
	c := pvm.Compiler{Prices: p.prices, Plain: true}
	if p.tool == nil {
		return compileActor(c, actorModule, source)
	}
	if _, err := compileActor(c, actorModule, source); err != nil {
		return nil, err
	}
	return c.CompileRewritten(actorModule, source, func(tree *syntax.Module) (bool, error) {
		_, err := lower.Module(tree)
		p.tool.Rewrite(source, tree)
		return true, err
	})
}

// CompileModule compiles an actor's module under a name of its own, for tools that import it.
func CompileModule(name string, source []byte) (*pvm.Program, error) {
	return compileActor(pvm.Compiler{}, name, source)
}

// compile gives the program of canonical source; the error is about the source.
func (p *Programs) compile(hash digest.Hash, source []byte) (*Code, error) {
	key := codeKey{hash, p.prices}
	if code := p.codes[key]; code != nil {
		return code, nil
	}
	program, err := p.compileActor(source)
	if err != nil {
		return nil, err
	}
	code := &Code{Program: program, Form: FormOf(source), hash: hash, size: program.Unit().Size()}
	p.codes[key] = code
	p.order = append(p.order, key)
	p.grow(code.size)
	p.evict()
	return code, nil
}

// grow counts what is kept.
func (p *Programs) grow(bytes int) {
	p.size += bytes
	if p.grew != nil {
		p.grew(bytes)
	}
}

// evict drops the oldest programs until the others fit; the newest stays.
func (p *Programs) evict() {
	for ; p.size > p.limit && len(p.order) > 1; p.order = p.order[1:] {
		p.grow(-p.codes[p.order[0]].size)
		delete(p.codes, p.order[0])
	}
}

// code gives the program under a code hash in state. Source in state has compiled once, so an error is a failure.
func (p *Programs) code(from state.Reader, hash digest.Hash, find sourceOf) (*Code, error) {
	if code := p.codes[codeKey{hash, p.prices}]; code != nil {
		p.ready(code, mostStart)
		return code, nil
	}
	source, ok, err := find(from, hash)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("host: no source under code hash %v", hash)
	}
	code, err := p.compile(hash, source)
	if err != nil {
		return nil, fmt.Errorf("host: deployed source does not compile: %w", err)
	}
	p.ready(code, mostStart)
	return code, nil
}

// library gives the program of a module of cowboy_sdk. Its source is the node's own and always compiles.
func (p *Programs) library(name string) (*pvm.Program, bool) {
	l := p.compiled()
	if program, ok := l.sdk[name]; ok {
		return program, true
	}
	source, ok := sdk.Source(name)
	if !ok {
		return nil, false
	}
	program, err := pvm.Compiler{Prices: p.prices}.CompileLibrary(name, source)
	if err != nil {
		panic(fmt.Sprintf("host: %s does not compile: %v", name, err))
	}
	l.sdk[name] = program
	return program, true
}

// actorModule is the name an actor's own module has.
const actorModule = "actor"

// machine makes the machine of an invocation.
func (p *Programs) machine(f *Invocation, meter *object.Meter) *object.Machine {
	m := p.fresh(f, meter)
	m.UseStack(&p.stack)
	return m
}

// fresh makes a machine with a stack of its own.
func (p *Programs) fresh(f *Invocation, meter *object.Meter) *object.Machine {
	m := pvm.New(pvm.Config{
		Meter: meter, Prices: p.prices, Units: p.compiled().units, MemoryLimit: params.MemoryPerCallBytes, RecursionLimit: params.RecursionDepth,
		Natives: p.natives, Library: p.library, Imports: &f.work.imports,
	}).Inner()
	m.Host, f.meter = f, machineMeter{m}
	return m
}
