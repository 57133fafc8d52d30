package host

import (
	"bytes"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	"github.com/cowboyinc/cowboy-go/runtime/sdk"
	"github.com/cowboyinc/cowboy-go/runtime/sdk/lower"
)

// Code is an actor's program and the form of its source.
type Code struct {
	Program *pvm.Program
	Form    Form
	size    int
	load    load
}

// cacheBytes bounds the memory of the programs that are kept.
const cacheBytes = 64 << 20

// Programs keeps compiled programs by code hash, with their templates. What it holds never changes a result. One goroutine uses it at a time.
type Programs struct {
	codes     map[digest.Hash]*Code
	order     []digest.Hash // oldest first
	size      int
	libraries map[string]*pvm.Program
	natives   map[string]pvm.NativeModule // those of every machine
	tool      *Instrument
	stack     object.Stack // of the machines that ended
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

// NewPrograms returns an empty cache.
func NewPrograms() *Programs {
	return &Programs{
		codes: map[digest.Hash]*Code{}, libraries: map[string]*pvm.Program{}, natives: map[string]pvm.NativeModule{moduleName: fillModule},
	}
}

// Compile compiles an actor's canonical source as a deployment does, continuations lowered. The error is pvm.Compile's, a *lower.Error or a
// *TestOnlyError.
//
// Spec: sdk §10.2.
func Compile(source []byte) (*pvm.Program, error) {
	return compileActor(actorModule, source)
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

func compileActor(name string, source []byte) (*pvm.Program, error) {
	continues := bytes.Contains(source, []byte("continuation"))
	if !continues && !bytes.Contains(source, []byte("testing")) && !bytes.Contains(source, []byte("mock_host")) {
		return pvm.Compile(name, source)
	}
	return pvm.CompileRewritten(name, source, func(tree *syntax.Module) (bool, error) {
		if err := refuseTesting(tree.Body); err != nil || !continues {
			return false, err
		}
		return lower.Module(tree)
	})
}

func (p *Programs) compileActor(source []byte) (*pvm.Program, error) {
	if p.tool == nil {
		return Compile(source)
	}
	if _, err := Compile(source); err != nil {
		return nil, err
	}
	return pvm.CompileRewritten(actorModule, source, func(tree *syntax.Module) (bool, error) {
		_, err := lower.Module(tree)
		p.tool.Rewrite(source, tree)
		return true, err
	})
}

// CompileModule compiles an actor's module under a name of its own, for tools that import it.
func CompileModule(name string, source []byte) (*pvm.Program, error) {
	return compileActor(name, source)
}

// compile gives the program of canonical source; the error is about the source.
func (p *Programs) compile(hash digest.Hash, source []byte) (*Code, error) {
	if code := p.codes[hash]; code != nil {
		return code, nil
	}
	program, err := p.compileActor(source)
	if err != nil {
		return nil, err
	}
	code := &Code{Program: program, Form: FormOf(source), size: program.Unit().Size()}
	p.codes[hash] = code
	p.order = append(p.order, hash)
	p.size += code.size
	p.evict()
	return code, nil
}

// evict drops the oldest programs until the others fit; the newest stays.
func (p *Programs) evict() {
	for ; p.size > cacheBytes && len(p.order) > 1; p.order = p.order[1:] {
		p.size -= p.codes[p.order[0]].size
		delete(p.codes, p.order[0])
	}
}

// code gives the program under a code hash in state. Source in state has compiled once, so an error is a failure.
func (p *Programs) code(from state.Reader, hash digest.Hash) (*Code, error) {
	if code := p.codes[hash]; code != nil {
		return code, nil
	}
	source, ok, err := from.Lookup(CodeKey(hash))
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
	return code, nil
}

// library gives the program of a module of cowboy_sdk. Its source is the node's own and always compiles.
func (p *Programs) library(name string) (*pvm.Program, bool) {
	if program, ok := p.libraries[name]; ok {
		return program, true
	}
	source, ok := sdk.Source(name)
	if !ok {
		return nil, false
	}
	program, err := pvm.CompileLibrary(name, source)
	if err != nil {
		panic(fmt.Sprintf("host: %s does not compile: %v", name, err))
	}
	p.libraries[name] = program
	return program, true
}

// actorModule is the name an actor's own module has.
const actorModule = "actor"

// machine makes the machine of a frame.
func (p *Programs) machine(f *Frame, meter *object.Meter) *object.Machine {
	m := p.fresh(f, meter)
	m.UseStack(&p.stack)
	return m
}

// fresh makes a machine with a stack of its own.
func (p *Programs) fresh(f *Frame, meter *object.Meter) *object.Machine {
	m := pvm.New(pvm.Config{
		Meter: meter, MemoryLimit: params.MemoryPerCallBytes, RecursionLimit: params.RecursionDepth,
		Natives: p.natives, Library: p.library, Imports: &f.work.imports,
	}).Inner()
	m.Host, f.meter = f, machineMeter{m}
	return m
}
