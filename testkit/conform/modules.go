package conform

import (
	"embed"
	"os"
	"path/filepath"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/interp"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib"
)

//go:embed python/*.py
var python embed.FS

// borrowed are modules in pure Python that tests use and that are read from the
// installation: beside the directory of tests, or in it.
var borrowed = []string{
	"operator", "copy", "contextlib", "fractions", "numbers", "heapq", "bisect", "string", "textwrap", "copyreg", "keyword",
	"statistics", "reprlib", "graphlib", "difflib", "pprint", "shlex", "html", "html.entities", "html.parser", "_markupbase",
	"urllib", "urllib.parse", "ipaddress", "getopt", "colorsys", "test.test_set", "tomllib", "tomllib._parser", "tomllib._re",
	"tomllib._types", "configparser", "argparse", "optparse", "http", "http.cookies", "fnmatch", "posixpath", "ntpath", "genericpath",
	"xdrlib", "hmac", "base64", "cmd", "calendar", "stringprep", "datetime", "token", "tokenize", "queue", "sched", "uuid", "_strptime", "test.datetimetester",
	"test.test_genericpath", "asdl", "pathlib", "stat", "asyncio.mixins",
	"test.mapping_tests", "test.seq_tests", "test.list_tests", "test.string_tests", "test.re_tests", "test.test_grammar",
	"test.ann_module", "test.ann_module2", "test.ann_module3", "test.ann_module4", "test.ann_module5", "test.ann_module6",
	"test.ann_module7", "test.ann_module8", "test.dataclass_module_1", "test.dataclass_module_1_str", "test.dataclass_module_2",
	"test.dataclass_module_2_str", "test.dataclass_textanno", "test.test_json", "test.typinganndata",
	"test.typinganndata.ann_module", "test.typinganndata.ann_module2", "test.typinganndata.ann_module3",
	"test.typinganndata.ann_module4", "test.typinganndata.ann_module5", "test.typinganndata.ann_module6",
	"test.typinganndata.ann_module7", "test.typinganndata.ann_module8", "test.typinganndata.mod_generics_cache",
	"test.typinganndata._typed_dict_helper", "test.test_contextlib",
}

// absent are modules that are neither shims nor borrowed: see python/_absent.py.
var absent = []string{
	"_testcapi", "_testinternalcapi", "_opcode", "_random", "_thread", "array", "ast", "binascii", "calendar",
	"cmath", "code", "codecs", "concurrent.futures", "concurrent.futures.thread", "contextvars", "csv", "ctypes", "ctypes.util", "dis",
	"faulthandler", "fileinput", "filecmp", "getpass", "glob", "http.client", "importlib", "importlib.util",
	"importlib.machinery", "linecache", "logging", "mailbox", "marshal", "mmap", "multiprocessing", "multiprocessing.managers",
	"multiprocessing.pool", "multiprocessing.queues", "multiprocessing.shared_memory", "opcode", "_io", "_abc", "test.tokenizedata", "pdb", "pickle",
	"pickletools", "pty", "pydoc", "resource", "select", "shelve", "signal", "socket",
	"subprocess", "symtable", "sysconfig", "threading", "timeit", "trace", "traceback", "tty", "unicodedata",
	"unittest.mock", "weakref", "xml", "xml.etree", "xml.etree.ElementTree", "xxsubtype", "zlib", "_string", "_sre",
	"_collections", "_functools", "_struct", "_json", "_decimal", "_pydecimal", "_py_abc", "_weakref", "_blake2", "_md5",
	"_hashlib", "_sha1", "_sha256", "_sha512", "_sha3", "_typing", "test.support.script_helper", "test.support.threading_helper", "test.support.socket_helper",
	"test.support.hashlib_helper", "test.support.bytecode_helper", "test.support.testcase", "test.support.interpreters",
	"re._compiler", "re._constants", "re._parser", "sre_compile", "sre_constants", "sre_parse", "json.encoder", "json.decoder", "json.scanner",
	"json.tool", "concurrent", "imp", "zipimport", "pkgutil", "runpy", "site", "gzip", "bz2", "lzma", "sqlite3",
}

// modules returns what a program may import beside the standard library.
func (s *Suite) modules(sess *session) map[string]pvm.NativeModule {
	all := map[string]pvm.NativeModule{"_conform": sess.native}
	for _, name := range absent {
		all[name] = sess.missing
	}
	for _, name := range borrowed {
		all[name] = sess.borrow
	}
	shims, err := python.ReadDir("python")
	if err != nil {
		panic(err)
	}
	for _, f := range shims {
		all[strings.TrimSuffix(f.Name(), ".py")] = sess.shim
	}
	for name, file := range s.beside() { // order-free: each module by itself
		all[name] = sess.neighbour(file)
	}
	for name := range private { // order-free: each module by itself
		all[name] = sess.withPrivate
	}
	all["_collections_abc"] = func(m *object.Machine, mod *object.Module) *object.Exception {
		return sess.alias(m, mod, "collections.abc")
	}
	return all
}

// private are names that tests take from modules of the library although they are
// not for programs, or, in decimal, change what is fixed on the machine; using one
// skips the test.
var private = map[string][]string{
	"enum":    {"_simple_enum", "_test_simple_enum", "_iter_bits_lsb"},
	"decimal": {"Context", "setcontext", "localcontext"},
}

// withPrivate builds a module of the library with its private names.
func (s *session) withPrivate(m *object.Machine, mod *object.Module) *object.Exception {
	build, _ := stdlib.Module(mod.Name)
	if e := build(m, mod); e != nil {
		return e
	}
	missing, e := m.ImportName(object.StaticName("_absent"), 0, true)
	if e != nil {
		return e
	}
	for _, name := range private[mod.Name] {
		v, e := m.CallMethod(missing, object.StaticName("value"), m.Str(mod.Name+"."+name))
		if e != nil {
			return e
		}
		mod.Define(m, name, v)
	}
	return nil
}

// shim builds a module written for the harness.
func (s *session) shim(m *object.Machine, mod *object.Module) *object.Exception {
	source, err := python.ReadFile("python/" + mod.Name + ".py")
	if err != nil {
		return m.Fail(err)
	}
	return s.fill(mod, mod.Name, "<"+mod.Name+">", source)
}

// borrow builds a module of the installation.
func (s *session) borrow(m *object.Machine, mod *object.Module) *object.Exception {
	rest, inside := strings.CutPrefix(mod.Name, "test.")
	dir := s.suite.Dir
	if !inside {
		dir = filepath.Dir(dir)
	}
	base := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(rest, ".", "/")))
	for _, file := range []string{base + ".py", filepath.Join(base, "__init__.py")} {
		if source, err := os.ReadFile(file); err == nil {
			return s.fill(mod, mod.Name, file, source)
		}
	}
	return m.Raise(&object.ExcModuleNotFoundError, "No module named '%s'", mod.Name)
}

// missing builds a module whose contents skip the tests that use them.
func (s *session) missing(m *object.Machine, mod *object.Module) *object.Exception {
	return s.fill(mod, mod.Name, "<"+mod.Name+">", []byte("import _absent\n__getattr__ = _absent.module(__name__)\n"))
}

// alias makes mod a copy of another module.
func (s *session) alias(m *object.Machine, mod *object.Module, name string) *object.Exception {
	return s.fill(mod, mod.Name, "<"+mod.Name+">", []byte("from "+name+" import *\nimport "+name+" as _m\n__getattr__ = lambda n: getattr(_m, n)\n"))
}

// fill runs source as the code of mod, with the functions of evaluate.go.
func (s *session) fill(mod *object.Module, name, file string, source []byte) *object.Exception {
	m := s.m.Inner()
	mod.Frozen = false
	for _, f := range evaluators {
		mod.Define(m, f.Name, f.Value())
	}
	mod.Define(m, "__file__", m.Str(file))
	pack := packageOf(name)
	if filepath.Base(file) == "__init__.py" {
		pack = name
		mod.Define(m, "__path__", m.NewList([]object.Value{m.Str(filepath.Dir(file))}).Value())
	}
	mod.Define(m, "__package__", m.Str(pack))
	mod.Define(m, identityName, identity.Value())
	mod.Define(m, recodeName, recode.Value())
	u, err := compileModule(name, pack, file, source)
	if err != nil {
		return syntaxError(m, err, file)
	}
	return interp.RunModule(m, object.NewImage(u, mod))
}

func packageOf(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i]
	}
	return ""
}
