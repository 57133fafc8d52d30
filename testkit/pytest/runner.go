package pytest

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/testkit"
)

//go:embed python/testing.py
var testingSource []byte

//go:embed python/mock_host.py
var mockSource []byte

// testModule is the name a test file's module has.
const testModule = "test"

// Limits of one test's own code. What its actors use is limited as on the network.
const (
	defaultCycles = 2_000_000_000
	maxCells      = 1 << 61
	testMemory    = 256 << 20 // bytes
)

// Options say how tests run.
type Options struct {
	// Filter picks tests by name; nil runs all.
	Filter func(name string) bool
	// Cycles limits what a test's own code may use; 0 is two billion.
	Cycles uint64
	// Path lists directories, besides the test file's own, whose files tests can import.
	Path []string
	// Cover collects the lines of actors that ran. Each test then runs a second time, with actors that note their lines, so that what is measured
	// and asserted is never about changed code.
	Cover bool
	// Profile has the cycles of actors counted by handler, function and line.
	Profile bool

	instrumented bool
}

// limit is the cycles limit of transactions: instrumented actors get room for what notes their lines.
func (o *Options) limit(n unit.Cycles) unit.Cycles {
	if o.instrumented {
		return 4 * n
	}
	return n
}

func (o *Options) cycles() uint64 {
	if o.Cycles == 0 {
		return defaultCycles
	}
	return o.Cycles
}

// Result is what became of one test.
type Result struct {
	Name    string
	OK      bool
	Failure string // of a test that is not OK: the traceback, or why it could not run
	Output  string // what the test printed
	Cycles  uint64 // used by transactions, messages and timers of its chains
	Cells   uint64
	Lines   map[string][]int // by source file: lines of actors that ran, ascending; with Options.Cover
	// Branches are the outcomes of conditions that were met, by source file, as their numbers in Report.Branches.
	Branches map[string][]int
}

// Report is what became of the tests of one file.
type Report struct {
	Results []Result
	// Executable has, by source file of an actor that was deployed, the lines that can run, ascending; with Options.Cover.
	Executable map[string][]int
	Branches   map[string][]int // and the line of each outcome of a condition
	// Profile says where the cycles of actors went in all tests, with Options.Profile. Its files are those of the actors, and those of the library.
	Profile pvm.Stacks
}

// ErrLoad is a test file that does not load; the error says why.
var ErrLoad = errors.New("pytest: test file does not load")

// Runner runs the tests of one file.
type Runner struct {
	options  Options
	file     string
	source   []byte
	program  *pvm.Program
	programs *host.Programs
	genesis  *testkit.Chain
	testing  *pvm.Program
	mock     *pvm.Program
	modules  map[string]*pvm.Program
	files    map[string]string // by canonical source: where it came from
	profile  *pvm.Profile      // nil: nothing is counted
}

// Run runs the tests of a file in the order they are written. The error, which wraps ErrLoad, is about the file; failing tests are results.
//
// Spec: sdk §21.
func Run(file string, o Options) (*Report, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLoad, err)
	}
	r, err := NewRunner(file, source, o)
	if err != nil {
		return nil, err
	}
	return r.Run()
}

// NewRunner prepares the tests of a source; file names it and says where its modules are.
func NewRunner(file string, source []byte, o Options) (*Runner, error) {
	r := &Runner{options: o, file: file, source: source, programs: host.NewPrograms(), modules: map[string]*pvm.Program{}, files: map[string]string{}}
	if o.Profile {
		r.profile = pvm.NewProfile()
	}
	var err error
	if r.program, err = pvm.CompileFileRewritten(testModule, file, source, showAsserts); err != nil {
		return nil, fmt.Errorf("%w: %s:%w", ErrLoad, file, err)
	}
	if r.testing, err = pvm.CompileLibrary("cowboy_sdk.testing", testingSource); err != nil {
		return nil, fmt.Errorf("%w: cowboy_sdk.testing: %w", ErrLoad, err)
	}
	if r.mock, err = pvm.CompileLibrary("cowboy_sdk.mock_host", mockSource); err != nil {
		return nil, fmt.Errorf("%w: cowboy_sdk.mock_host: %w", ErrLoad, err)
	}
	return r, nil
}

// Names lists the tests in order.
func (r *Runner) Names() ([]string, error) {
	t, err := r.start("")
	if err != nil {
		return nil, err
	}
	return t.names()
}

// Run runs the tests that the filter picks.
func (r *Runner) Run() (*Report, error) {
	names, err := r.Names()
	if err != nil {
		return nil, err
	}
	report := &Report{}
	for _, name := range names {
		if r.options.Filter != nil && !r.options.Filter(name) {
			continue
		}
		report.Results = append(report.Results, r.one(name))
	}
	if r.profile != nil {
		report.Profile = r.profile.Stacks().Renamed(r.fileNames()).Merged()
		r.genesis.Profile(nil)
	}
	if r.options.Cover {
		r.cover(report)
	}
	return report, nil
}

// one runs one test in a machine of its own.
func (r *Runner) one(name string) Result {
	if fuzzes(name) {
		return r.brief(name)
	}
	t, err := r.start(name)
	if err != nil {
		return Result{Name: name, Failure: err.Error()}
	}
	failure := t.session.told(t.run(name))
	return Result{
		Name: name, OK: failure == "", Failure: failure, Output: t.output.String(), Cycles: t.session.cycles, Cells: t.session.cells,
	}
}

// library finds what tests import besides the white list.
func (r *Runner) library(name string) (*pvm.Program, bool) {
	switch name {
	case "cowboy_sdk.testing":
		return r.testing, true
	case "cowboy_sdk.mock_host":
		return r.mock, true
	}
	if strings.HasPrefix(name, "cowboy_sdk") || strings.HasPrefix(name, ".") {
		return nil, false
	}
	if p, ok := r.modules[name]; ok {
		return p, p != nil
	}
	path, source, err := r.find(name)
	if err != nil {
		r.modules[name] = nil
		return nil, false
	}
	compile := func() (*pvm.Program, error) { return host.CompileModule(name, source) }
	if IsTest(filepath.Base(path)) { // another file of tests, as a test that fuzzing found imports
		compile = func() (*pvm.Program, error) { return pvm.CompileFileRewritten(name, path, source, showAsserts) }
	}
	program, err := compile()
	if err != nil {
		panic(broken{Text: path + ":" + err.Error()})
	}
	r.modules[name] = program
	return program, true
}

// IsTest tells the name of a file of Python tests: test_*.py or *_test.py.
func IsTest(name string) bool {
	return strings.HasSuffix(name, ".py") && (strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test.py"))
}

// find looks for the file of a module: name.py, or main.py in a directory of its name, as projects keep actors.
func (r *Runner) find(name string) (string, []byte, error) {
	if strings.ContainsAny(name, `/\`) {
		return "", nil, os.ErrNotExist
	}
	rel := strings.ReplaceAll(name, ".", string(filepath.Separator))
	for _, dir := range append([]string{filepath.Dir(r.file)}, r.options.Path...) {
		for _, path := range [...]string{rel + ".py", filepath.Join(rel, "main.py"), filepath.Join("actors", rel, "main.py")} {
			path = filepath.Join(dir, path)
			if source, err := os.ReadFile(path); err == nil {
				return path, source, nil
			}
		}
	}
	return "", nil, fmt.Errorf("no file for module %s beside %s: %w", name, r.file, os.ErrNotExist)
}

// open reads a source file named by a test, beside it or on the path.
func (r *Runner) open(path string) ([]byte, error) {
	if filepath.IsAbs(path) {
		return os.ReadFile(path)
	}
	var first error
	for _, dir := range append([]string{filepath.Dir(r.file)}, r.options.Path...) {
		source, err := os.ReadFile(filepath.Join(dir, path))
		if err == nil {
			r.remember(source, filepath.Join(dir, path))
			return source, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// actorSource is the source of the module an actor's class is defined in. A class of the test file itself is deployed with everything of the file but
// its tests.
func (r *Runner) actorSource(module string) (string, error) {
	if module == testModule {
		source, err := r.ownActors()
		r.remember([]byte(source), r.file)
		return source, err
	}
	path, source, err := r.find(module)
	if err == nil {
		r.remember(source, path)
	}
	return string(source), err
}

// running is one test under way.
type running struct {
	runner  *Runner
	machine *pvm.Machine
	module  *object.Module
	session *session
	meter   *pvm.Meter
	output  bytes.Buffer
}

// start loads the file in a machine of its own.
func (r *Runner) start(string) (t *running, err error) {
	defer func() {
		if b, ok := recover().(broken); ok {
			err = fmt.Errorf("%w: %s", ErrLoad, b.Text)
		}
	}()
	t = &running{runner: r, session: &session{runner: r}, meter: pvm.NewMeter(r.options.cycles(), maxCells)}
	t.session.output = &t.output
	around := &host.Scratch{}
	t.machine, err = r.programs.Offline(host.Offline{
		Scratch: around,
		Meter:   t.meter, MemoryLimit: testMemory, Stdout: &t.output,
		Natives: map[string]pvm.NativeModule{nativeName: t.session.module(), mockName: mockModule(around)}, Library: r.library,
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLoad, err)
	}
	module, fault := t.machine.Load(r.program)
	if fault != nil {
		return nil, fmt.Errorf("%w: %s", ErrLoad, explain(fault))
	}
	t.module = module
	return t, nil
}

// explain is a fault as a test's author reads it.
func explain(f *pvm.Fault) string {
	if f.Traceback != "" {
		return strings.TrimRight(f.Traceback, "\n")
	}
	return f.Error()
}
