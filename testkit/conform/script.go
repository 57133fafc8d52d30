package conform

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Script runs a file as __main__ with the modules of a suite, and prints to out what it prints. It returns the status a
// process would have: 0, the code of SystemExit, or 1 with a traceback on failures. skipped says why the script does not
// apply, if it does not.
func (s *Suite) Script(file string, out, failures io.Writer) (status int, skipped string) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(failures, "panic: %v\n%s", p, debug.Stack())
			status = 2
		}
	}()
	source, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(failures, err)
		return 2, ""
	}
	meter := pvm.NewMeter(uint64(s.Cycles), 1<<60)
	sess := &session{suite: s, meter: meter}
	sess.m = pvm.New(pvm.Config{Meter: meter, MemoryLimit: memoryLimit, RecursionLimit: recursionLimit, Natives: s.modules(sess), Stdout: stdout{sess}})
	sess.m.Inner().Track(false)
	run := object.NewBuiltin(object.Method{Name: "run", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		mod := m.NewModule("__main__")
		m.Modules["__main__"] = mod
		return object.None, sess.fill(mod, "__main__", file, source)
	}})
	start, fault := sess.m.Load(mustCompile("_start", "import unittest, sys\ndef start(f):\n  f()\n"))
	if fault == nil {
		begin, _ := start.Lookup("start")
		_, fault = sess.m.Call(begin, run.Value())
	}
	if _, err := out.Write(sess.out); err != nil {
		return 2, ""
	}
	if fault == nil {
		return 0, ""
	}
	if reason, ok := forbidden(fault); ok {
		return 0, reason
	}
	if code, text, ok := sess.m.ExitStatus(fault); ok {
		fmt.Fprint(failures, text)
		return code, ""
	}
	fmt.Fprintln(failures, fault.Error())
	fmt.Fprintln(failures, fault.Traceback)
	return 1, ""
}

// beside returns the names of the modules in the directories of the suite's Beside, with their files.
func (s *Suite) beside() map[string]string {
	found := map[string]string{}
	for _, dir := range s.Beside {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rest, isPython := strings.CutSuffix(path, ".py")
			if !isPython || d.IsDir() {
				return nil
			}
			name, err := filepath.Rel(dir, rest)
			if err != nil {
				return err
			}
			name = strings.TrimSuffix(strings.ReplaceAll(name, string(filepath.Separator), "."), ".__init__")
			if _, known := found[name]; !known && name != "__init__" {
				found[name] = path
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			panic(err)
		}
	}
	return found
}

// neighbour returns what builds a module from a file of Beside.
func (s *session) neighbour(file string) pvm.NativeModule {
	return func(m *object.Machine, mod *object.Module) *object.Exception {
		source, err := os.ReadFile(file)
		if err != nil {
			return m.Fail(err)
		}
		return s.fill(mod, mod.Name, file, source)
	}
}

// absolute turns the relative imports of a module of the package into those of whole names.
func absolute(body []syntax.Stmt, pack string) {
	for _, s := range body {
		if f, ok := s.(*syntax.ImportFrom); ok && f.Level > 0 && pack != "" {
			base := pack
			for range f.Level - 1 {
				base = packageOf(base)
			}
			if f.Module != "" {
				base += "." + f.Module
			}
			f.Module, f.Level = base, 0
		}
		syntax.Parts(s, func(syntax.Expr) {}, func(inner []syntax.Stmt) { absolute(inner, pack) })
	}
}
