package pvm_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// execute compiles a script without static checks and runs it.
func execute(t testing.TB, source string, c pvm.Config) (*pvm.Machine, *object.Module, *pvm.Fault) {
	t.Helper()
	p, err := pvm.CompileFile("__main__", "main.py", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	m := pvm.New(c)
	mod, fault := m.Load(p)
	return m, mod, fault
}

// cycles runs a script and returns what it cost.
func cycles(t testing.TB, source string) uint64 {
	t.Helper()
	meter := pvm.NewMeter(1<<40, 0)
	if _, _, fault := execute(t, source, pvm.Config{Meter: meter}); fault != nil {
		t.Fatalf("%v\n%s", fault, fault.Traceback)
	}
	return meter.Used()
}

// TestPublishedCosts measures the published prices as the difference between two
// programs.
//
// Spec: CIP-3 §2.2.1; sdk §17.4.
func TestPublishedCosts(t *testing.T) {
	const head = "def f(a, b, d, l, s):\n  "
	const tail = "\nf(7, 3, {'k': 1}, [1, 2], 'abc')\n"
	base := cycles(t, head+"pass"+tail)
	for i, c := range []struct {
		statement string
		want      uint64
	}{
		{"a + b", 1}, {"a - 3", 1}, {"a * b", 1}, {"a // b", 1}, {"a % b", 1}, {"a & b", 1},
		{"a ** 2", 1 + 1 + 5 + 2*2},                                            // a literal, an operator that is no step, and two for each bit of the exponent
		{"d['k']", 3}, {"d['k'] = a", 3 + 1}, {"l[0]", 2}, {"l[0] = a", 2 + 1}, // a store has its literal put in place first
		{"s + s", 7 + 2*5},              // one operator, six characters, a text
		{"s * 4", 13 + 2*5 + 25},        // one operator, twelve characters, no numbers, and a text made of another
		{"l.append(a)", 18 + 2 + 8*3/4}, // attribute 6, call 10, append 2; the receiver and the argument; room for eight
		{"s.encode()", 29 + 1},          // attribute 6, call 10, encode 10 + 3; the receiver
		{"d.get('k')", 19 + 2},          // attribute 6, call 10, dict access 3; the receiver and the argument
		{"(1 << 640) * b", 12 + 1 + 5 + 2*7 + 2*(20+(40+11*8)/32)}, // constant operands, one put in place: shift 1 + 0 and 5 for a result that is no
		// word, product 1 + 641 / 64 and two for each of its 11 words beyond four, and the memory of two ints
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := cycles(t, head+c.statement+tail) - base; got != c.want {
				t.Errorf("%s costs %d cycles, want %d", c.statement, got, c.want)
			}
		})
	}
	natives := map[string]pvm.NativeModule{"one": func(*object.Machine, *object.Module) *object.Exception { return nil }}
	empty := cycles(t, "pass")
	for i, c := range []struct {
		source string
		want   uint64
	}{
		{"import one", 100 + 3}, // and storing the name
		{"import one\nimport one", 100 + 3 + 5 + 3},
		// the block, its handler, a name, the match, and the way out, which forgets the exception and jumps
		{"try:\n  import nosuch\nexcept ImportError:\n  pass", 50 + 1 + 5 + 2 + 4 + 2},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			meter := pvm.NewMeter(1<<40, 0)
			if _, _, fault := execute(t, c.source, pvm.Config{Meter: meter, Natives: natives}); fault != nil {
				t.Fatal(fault)
			}
			if got := meter.Used() - empty; got != c.want {
				t.Errorf("%q costs %d cycles, want %d", c.source, got, c.want)
			}
		})
	}
}

// TestExceptionGivesBack checks that an exception in the middle of a block costs
// what was executed and no more.
//
// Spec: CIP-3 §2.2.1 (costs are deducted instruction by instruction).
func TestExceptionGivesBack(t *testing.T) {
	const program = "def f(x):\n  try:\n    x.y%s\n  except AttributeError:\n    pass\nf(1)\n"
	short := cycles(t, strings.ReplaceAll(program, "%s", ""))
	long := cycles(t, strings.ReplaceAll(program, "%s", "; x + 1; x * 2; x - 3; [x, x, x]"))
	if short != long {
		t.Errorf("code behind an exception costs %d cycles", long-short)
	}
}

// TestOutOfCycles checks that running out cannot be caught and runs no finally.
//
// Spec: CIP-3 §2.2.1; sdk §18.
func TestOutOfCycles(t *testing.T) {
	for _, source := range []string{
		"while True:\n  pass",
		"try:\n  while True:\n    pass\nexcept BaseException:\n  print('caught')\nfinally:\n  print('finally')",
		"def g():\n  try:\n    while True:\n      yield 1\n  finally:\n    print('finally')\nfor x in g():\n  pass",
		"x = 1\nwhile True:\n  x = x * 3 % (1 << 3000)",
		"class C:\n  def __eq__(self, o):\n    while True: pass\n  __hash__ = None\nC() in [C()]",
		"sorted(range(100000), key=lambda x: [0] * 100)",
		"def f():\n  try: f()\n  finally: f()\nf()",
	} {
		var out bytes.Buffer
		meter := pvm.NewMeter(200_000, 0)
		_, _, fault := execute(t, source, pvm.Config{Meter: meter, Stdout: &out})
		if fault == nil || fault.Kind != pvm.OutOfCycles {
			t.Errorf("%q ended with %v", source, fault)
			continue
		}
		if meter.Left() != 0 || out.Len() > 0 {
			t.Errorf("%q: %d cycles left, output %q", source, meter.Left(), out.String())
		}
	}
}

// TestLimits checks the faults that limits end in.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (10 MiB per call, recursion 256); CIP-3 §2.2.1 (4,096 bits).
func TestLimits(t *testing.T) {
	for i, c := range []struct {
		source string
		kind   pvm.FaultKind
		typ    string
	}{
		{"l = []\nwhile True:\n  l.append([0] * 100)", pvm.Memory, "MemoryError"},
		{"x = 'a' * (1 << 40)", pvm.Memory, "MemoryError"},
		{"x = [0] * (1 << 24)", pvm.Memory, "MemoryError"},
		{"x = {}\ni = 0\nwhile True:\n  x[i] = i\n  i += 1", pvm.Memory, "MemoryError"},
		{"class A: pass\nl = []\nwhile True:\n  a = A()\n  a.x = a.y = a.z = 1\n  l.append(a)", pvm.Memory, "MemoryError"},
		{"def f(): return f()\nf()", pvm.Recursion, "RecursionError"},
		{"x = []\nfor i in range(1000): x = [x]\nrepr(x)", pvm.Recursion, "RecursionError"},
		{"x = ()\nfor i in range(1000): x = (x,)\nhash(x)", pvm.Recursion, "RecursionError"},
		{"class A: pass\nA.__call__ = A()\nA()()", pvm.Recursion, "RecursionError"},
		{"x = iter([1])\nfor i in range(1000): x = map(int, x)\nnext(x)", pvm.Recursion, "RecursionError"},
		{"x = iter([1])\nfor i in range(1000): x = zip(filter(None, x))\nlist(x)", pvm.Recursion, "RecursionError"},
		{"x = iter([1])\nfor i in range(1000): x = enumerate(x)\nfor y in x: pass", pvm.Recursion, "RecursionError"},
		{"import itertools\nx = iter([1])\nfor i in range(1000): x = itertools.chain(x)\nnext(x)", pvm.Recursion, "RecursionError"},
		{"f = len\nfor i in range(1000): f = f.__call__\nf('')", pvm.Recursion, "RecursionError"},
		{"import functools\nf = len\nfor i in range(1000): f = functools.partial(f).__call__\nf('')", pvm.Recursion, "RecursionError"},
		{"p = property(lambda s: 1)\nfor i in range(1000): p = property(p.__get__)\nclass A: x = p\nA().x", pvm.Recursion, "RecursionError"},
		{"2 ** 4096", pvm.Exception, "OverflowError"},
		{"1 << 4096", pvm.Exception, "OverflowError"},
		{"'a' is 'a'", pvm.Determinism, "DeterminismError"},
		{"x = 1000\nx is x", pvm.Determinism, "DeterminismError"},
		{"eval('1')", pvm.Determinism, "DeterminismError"},
		{"class A:\n  def __del__(self): pass", pvm.Determinism, "DeterminismError"},
		{"import os", pvm.Exception, "ModuleNotFoundError"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			_, _, fault := execute(t, c.source, pvm.Config{Meter: pvm.NewMeter(1<<32, 0)})
			if fault == nil || fault.Kind != c.kind || fault.Type != c.typ {
				t.Errorf("%q ended with %v", c.source, fault)
			}
		})
	}
	if _, _, fault := execute(t, "2 ** 4095\nx = None\nx is None\n[] is []\n", pvm.Config{}); fault != nil {
		t.Error(fault)
	}
}

// TestMemoryIsReused checks that garbage does not count and MemoryError can be
// survived.
func TestMemoryIsReused(t *testing.T) {
	source := `
for i in range(2000):
    x = [0] * 10000
def fill():
    l = []
    try:
        while True:
            l.append([0] * 1000)
    except MemoryError:
        return len(l)
n = fill()
assert 600 < n < 700, n
assert abs(fill() - n) < 3
`
	if _, _, fault := execute(t, source, pvm.Config{}); fault != nil {
		t.Error(fault, fault.Traceback)
	}
}

// TestReferenceCycles checks which calls leave a reference cycle among their own
// objects.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (creating reference cycles MUST raise DeterminismError).
func TestReferenceCycles(t *testing.T) {
	for i, c := range []struct {
		source string
		cyclic bool
	}{
		{"x = []\nx.append(x)", true},
		{"def f():\n  x = []\n  x.append(x)\nf()", true},
		{"d = {}\nd['d'] = d", true},
		{"class N: pass\na, b = N(), N()\na.b, b.a = b, a", true},
		{"class N: pass\na, b = N(), N()\na.b, b.a = b, a\ndel a.b", false},
		{"class N:\n  def __init__(self): self.f = self.g\n  def g(self): pass\nN()", true},
		{"class N:\n  def __init__(self): self.f = lambda: self\nN()", true},
		{"def f():\n  def g(n): return g(n - 1) if n else 0\n  return g(3)\nf()", false},
		{"class N: pass\nN.me = N()\nN.cls = N", false},
		{"t = ([],)\nt[0].append(t)", true},
		{"def g():\n  x = yield\n  yield\ni = g()\nnext(i)\ni.send(i)", true},
		{"l = [1]\nm = [l, l]\nn = {'l': l, 'm': m}\nl.append([2])", false},
		{"x = []\nx.append(x)\nx.clear()", false},
		{"def f():\n  x = []\n  x.append(x)\nf()\nfor i in range(3000): y = [0] * 1000", true},
		{"try:\n  1 / 0\nexcept Exception as e:\n  s = e\n  try:\n    raise ValueError from s\n  except ValueError as v:\n    w = v", false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			_, _, fault := execute(t, c.source, pvm.Config{})
			if cyclic := fault != nil && fault.Kind == pvm.Determinism; cyclic != c.cyclic || fault != nil && !cyclic {
				t.Errorf("%q: %v", c.source, fault)
			}
		})
	}
}

// TestCall goes through the facade: calls with values made in Go, keyword
// arguments, a coroutine, an exception, a native module.
func TestCall(t *testing.T) {
	natives := map[string]pvm.NativeModule{"chain": func(m *object.Machine, mod *object.Module) *object.Exception {
		mod.DefineFunc(m, object.NewBuiltin(object.Method{Name: "height", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			return object.Int(42), m.Charge(100)
		}}), object.NewBuiltin(object.Method{Name: "broken", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			return object.Value{}, m.Fail(errors.New("disk"))
		}}))
		return nil
	}}
	source := `
import chain
def add(a, b=1, *, k=0):
    return a + b + k
async def later(x):
    return x * 2
def fail(x):
    raise KeyError(x)
def height():
    return chain.height()
def broken():
    try:
        chain.broken()
    except BaseException:
        return 'caught'
`
	m, mod, fault := execute(t, source, pvm.Config{Natives: natives})
	if fault != nil {
		t.Fatal(fault)
	}
	function := func(name string) pvm.Value {
		v, ok := mod.Lookup(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		return v
	}
	v, fault := m.CallKeywords(function("add"), []pvm.Value{object.Int(1)}, []string{"k"}, []pvm.Value{object.Int(5)})
	if fault != nil || v != object.Int(7) {
		t.Error(v, fault)
	}
	if v, fault := m.Call(function("later"), object.Int(21)); fault != nil || v != object.Int(42) {
		t.Error(v, fault)
	}
	if v, fault := m.Call(function("height")); fault != nil || v != object.Int(42) {
		t.Error(v, fault)
	}
	_, fault = m.Call(function("fail"), m.Inner().Str("k"))
	if fault == nil || fault.Type != "KeyError" || fault.Message != "'k'" || !strings.Contains(fault.Traceback, "line 8, in fail") {
		t.Error(fault, fault.Traceback)
	}
	_, fault = m.Call(function("broken"))
	if fault == nil || fault.Kind != pvm.Host || fault.Err == nil {
		t.Error(fault)
	}
}

// TestRefusedAtDeploy checks that Compile refuses what consensus forbids.
//
// Spec: WP "Forbidden Operations".
func TestRefusedAtDeploy(t *testing.T) {
	_, err := pvm.Compile("actor", []byte("def f(x):\n    return eval(x)\n"))
	var forbidden *pvm.DeterminismError
	if !errors.As(err, &forbidden) || forbidden.Line != 2 {
		t.Error(err)
	}
	_, err = pvm.Compile("actor", []byte("def f(:\n"))
	var syntax *pvm.SyntaxError
	if !errors.As(err, &syntax) || syntax.Line != 1 {
		t.Error(err)
	}
	if _, err := pvm.Compile("actor", bytes.Repeat([]byte("#"), pvm.MaxSource+1)); !errors.Is(err, pvm.ErrSourceTooLarge) {
		t.Error(err)
	}
}

// TestTasks checks the order in which coroutines take turns.
//
// Spec: CIP-3 §2.2.1 (await operation scheduling follows a FIFO queue).
func TestTasks(t *testing.T) {
	natives := map[string]pvm.NativeModule{"tasks": func(m *object.Machine, mod *object.Module) *object.Exception {
		mod.DefineFunc(m, object.NewBuiltin(object.Method{Name: "spawn", Sig: "coro, /",
			Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
				return m.Spawn(a.V[0])
			}}))
		return nil
	}}
	source := `
from tasks import spawn
class Pause:
    def __await__(self):
        yield
async def worker(name, n):
    for i in range(n):
        print(name, i)
        await Pause()
    if name == "c":
        raise ValueError(name)
    return name * n
async def main():
    a, b, c = spawn(worker("a", 2)), spawn(worker("b", 3)), spawn(worker("c", 1))
    print(await a, await b)
    try:
        await c
    except ValueError as e:
        print("caught", e)
    return "end"
async def stuck():
    me = []
    async def wait():
        await me[0]
    me.append(spawn(wait()))
    await me.pop()
`
	var out bytes.Buffer
	m, mod, fault := execute(t, source, pvm.Config{Natives: natives, Stdout: &out})
	if fault != nil {
		t.Fatal(fault)
	}
	fn, _ := mod.Lookup("main")
	v, fault := m.Call(fn)
	if fault != nil {
		t.Fatal(fault, fault.Traceback)
	}
	if s, _ := v.AsStr(); s.String() != "end" {
		t.Error(s)
	}
	const want = "a 0\nb 0\nc 0\na 1\nb 1\nb 2\naa bbb\ncaught c\n"
	if out.String() != want {
		t.Errorf("order:\n%s", out.String())
	}
	stuck, _ := mod.Lookup("stuck")
	if _, fault = m.Call(stuck); fault == nil {
		t.Error("tasks that wait for nothing ended")
	}
}

// TestShared runs one program on several goroutines at once: everything shared
// between machines is read only. The race detector makes it a proof.
func TestShared(t *testing.T) {
	source := `
import collections, json, math
class A:
    n = 0
    def __init__(self, x): self.x = x
    def __repr__(self): return f"A({self.x})"
def work(n):
    d = collections.OrderedDict()
    for i in range(n):
        d[str(i)] = A(i)
        A.n += 1
    text = "é" * n + "".join(sorted(d)) + json.dumps({"a": [1, 2.5, None]})
    return hash(text) ^ len(repr(list(d.values()))) ^ A.n ^ math.isqrt(n)
result = work(50)
`
	p, err := pvm.CompileFile("__main__", "main.py", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan pvm.Value, 4)
	for range cap(results) {
		go func() {
			m := pvm.New(pvm.Config{})
			mod, fault := m.Load(p)
			if fault != nil {
				t.Error(fault)
				results <- pvm.Value{}
				return
			}
			v, _ := mod.Lookup("result")
			results <- v
		}()
	}
	first := <-results
	for range cap(results) - 1 {
		if v := <-results; v != first {
			t.Error("machines disagree", v, first)
		}
	}
}

// TestMemoryErrorCanBeHandled lets a program go on after it let go of what was too
// much, and end if it does not.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (per-call memory 10 MiB).
func TestMemoryErrorCanBeHandled(t *testing.T) {
	const fill = "l = []\ntry:\n  while True: l.append([1, 2, {}])\nexcept MemoryError:\n  "
	if _, _, fault := execute(t, fill+"l.clear()\n"+fill+"l = None\n", pvm.Config{}); fault != nil {
		t.Fatal(fault, fault.Traceback)
	}
	_, _, fault := execute(t, fill+"while True: l.append([1, 2, {}])\n", pvm.Config{})
	if fault == nil || fault.Kind != pvm.Memory {
		t.Fatal(fault)
	}
}
