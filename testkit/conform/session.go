package conform

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// memoryLimit and recursionLimit of a session.
const (
	memoryLimit    = 512 << 20
	recursionLimit = 1000
)

// session is a machine with a test program loaded.
type session struct {
	suite *Suite
	m     *pvm.Machine
	meter *pvm.Meter
	run   object.Value // unittest._run
	ids   []string
	out   []byte // printed by the test that runs
}

// loadFault says why a program could not be loaded; skip if it said so itself.
type loadFault struct {
	text string
	skip bool
}

// load runs a program's top level and collects its tests.
func (s *Suite) load(program string) (sess *session, fault *loadFault) {
	defer func() {
		if p := recover(); p != nil {
			sess, fault = nil, &loadFault{text: fmt.Sprintf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	meter := pvm.NewMeter(1<<60, 1<<60)
	sess = &session{suite: s, meter: meter}
	sess.m = pvm.New(pvm.Config{
		Meter: meter, MemoryLimit: memoryLimit, RecursionLimit: recursionLimit,
		Natives: s.modules(sess), Stdout: stdout{sess},
	})
	m := sess.m.Inner()
	m.Track(false)
	defer meter.Aside(s.Cycles)()
	file, source, err := s.read(program)
	if err != nil {
		return nil, &loadFault{text: err.Error()}
	}
	start, failed := sess.m.Load(mustCompile("_start", startup))
	if failed != nil {
		return nil, &loadFault{text: failed.Error() + "\n" + failed.Traceback}
	}
	collect, _ := start.Lookup("collect")
	sess.run, _ = start.Lookup("run")
	begin, _ := start.Lookup("begin")
	builder := object.NewBuiltin(object.Method{Name: "load", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		return sess.program("test."+program, file, source)
	}})
	_, failed = sess.m.Call(begin, builder.Value())
	if failed != nil {
		reason, skip := forbidden(failed)
		if !skip {
			reason = failed.Error() + "\n" + failed.Traceback
		}
		return nil, &loadFault{text: reason, skip: failed.Type == "SkipTest"}
	}
	list, failed := sess.m.Call(collect)
	if failed != nil {
		return nil, &loadFault{text: failed.Error() + "\n" + failed.Traceback, skip: failed.Type == "SkipTest"}
	}
	ids, _ := list.AsList()
	for _, v := range ids.Items() {
		id, _ := v.AsStr()
		sess.ids = append(sess.ids, id.String())
	}
	return sess, nil
}

// startup imports what every program needs and gives the harness its handles.
const startup = `
import unittest
_module = None

def begin(load):
    global _module
    _module = load()

def collect():
    return unittest._collect(_module)

run = unittest._run
`

// read returns the source of a program and its file: a module, or what a package
// begins with.
func (s *Suite) read(program string) (file string, source []byte, err error) {
	base := filepath.Join(s.Dir, filepath.FromSlash(strings.ReplaceAll(program, ".", "/")))
	file = base + ".py"
	if source, err = os.ReadFile(file); errors.Is(err, fs.ErrNotExist) {
		file = filepath.Join(base, "__init__.py")
		source, err = os.ReadFile(file)
	}
	return file, source, err
}

// program builds the test program as a module.
func (s *session) program(name, file string, source []byte) (object.Value, *object.Exception) {
	m := s.m.Inner()
	mod := m.NewModule(name)
	m.Modules[name] = mod
	if e := s.fill(mod, name, file, source); e != nil {
		delete(m.Modules, name)
		return object.Value{}, e
	}
	return mod.Value(), nil
}

// test runs test number i. It is not usable any more if the machine was left in
// the middle of something.
func (s *session) test(i int) (r Result, usable bool) {
	defer func() {
		if p := recover(); p != nil {
			r, usable = Result{Status: Failed, Detail: fmt.Sprintf("panic: %v", p), Trace: string(debug.Stack())}, false
		}
	}()
	s.out = s.out[:0]
	restore := s.meter.Aside(s.suite.Cycles)
	before := s.meter.Left()
	v, fault := s.m.Call(s.run, object.Int(int64(i)))
	r = Result{Status: Passed, Cycles: before - s.meter.Left()}
	restore()
	if fault != nil {
		r.Status, r.Detail, r.Trace = Failed, fault.Error(), fault.Traceback
		if reason, ok := forbidden(fault); ok {
			r.Status, r.Detail, r.Trace = NotApplicable, reason, ""
		}
		return r, fault.Type != "" && fault.Kind != pvm.Memory
	}
	if reason, ok := v.AsStr(); ok {
		r.Status, r.Detail = NotApplicable, reason.String()
	}
	return r, true
}

// forbidden says whether a test ended because consensus forbids what it does,
// or because it skipped itself, and why.
func forbidden(f *pvm.Fault) (reason string, ok bool) {
	switch {
	case f.Type == "SkipTest":
		return f.Message, true
	case f.Kind == pvm.Determinism:
		return "forbidden: " + f.Message, true
	case f.Type == "PermissionError" && strings.HasPrefix(f.Message, "[Errno 13]"):
		return "forbidden: a file outside /tmp", true
	case f.Type == "OverflowError" && strings.Contains(f.Message, "4096 bits"):
		return "integers of more than 4,096 bits", true
	}
	return "", false
}

// stdout is where the machine prints: sys.stdout of the program.
type stdout struct{ s *session }

// Write calls sys.stdout.write.
func (w stdout) Write(p []byte) (int, error) {
	m := w.s.m.Inner()
	sys, ok := m.Modules["sys"]
	if !ok {
		return len(p), nil
	}
	out, ok := sys.Lookup("stdout")
	if !ok {
		return len(p), nil
	}
	if _, e := m.CallMethod(out, nameWrite, m.Str(string(p))); e != nil {
		return 0, fmt.Errorf("sys.stdout: %s", e.Type().Name)
	}
	return len(p), nil
}

var nameWrite = object.StaticName("write")

func mustCompile(name, source string) *pvm.Program {
	p, err := pvm.CompileFile(name, "<"+name+">", []byte(source))
	if err != nil {
		panic(err)
	}
	return p
}
