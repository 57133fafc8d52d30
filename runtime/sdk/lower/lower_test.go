package lower

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// lowered parses and lowers a source.
func lowered(t testing.TB, source string) (tree *syntax.Module, changed bool, err error) {
	t.Helper()
	tree, syntaxErr := syntax.Parse([]byte(source))
	if syntaxErr != nil {
		return nil, false, syntaxErr
	}
	changed, err = Module(tree)
	return tree, changed, err
}

// compiles checks that a tree still compiles.
func compiles(t testing.TB, tree *syntax.Module) {
	t.Helper()
	table, err := resolve.Resolve(tree)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compile.Compile(tree, table, compile.Options{Name: "actor"}); err != nil {
		var refused *syntax.SyntaxError
		if !errors.As(err, &refused) {
			t.Fatal(err)
		}
	}
}

// A continuation is found by what its decorator's name was imported as, whatever way, and by nothing else.
//
// Spec: sdk §10.1.
func TestRecognition(t *testing.T) {
	for source, want := range map[string]bool{
		"from cowboy_sdk import runner\nclass A:\n    @runner.continuation\n    async def f(self): pass":                                          true,
		"from cowboy_sdk import runner as r\nclass A:\n    @r.continuation(timeout_blocks=2)\n    async def f(self): pass":                        true,
		"from cowboy_sdk import actor\n@actor\nclass A:\n    @actor.continuation\n    async def f(self): pass":                                    true,
		"import cowboy_sdk\nclass A:\n    @cowboy_sdk.runner.continuation\n    async def f(self): pass":                                           true,
		"import cowboy_sdk.runner as x\nclass A:\n    @x.continuation\n    async def f(self): pass":                                               true,
		"from cowboy_sdk.runner import continuation as c\n@c\nasync def f(msg): pass":                                                             true,
		"try:\n    from cowboy_sdk import runner\nexcept ImportError:\n    pass\nclass A:\n    @runner.continuation\n    async def f(self): pass": true,
		"class A:\n    @runner.continuation\n    async def f(self): pass":                                                                         false,
		"from other import runner\nclass A:\n    @runner.continuation\n    async def f(self): pass":                                               false,
		"from cowboy_sdk import runner\nclass A:\n    @runner.other\n    async def f(self): pass":                                                 false,
		"from cowboy_sdk import runner\ndef g():\n    @runner.continuation\n    async def f(self): pass":                                          false,
	} {
		t.Run(source, func(t *testing.T) {
			tree, changed, err := lowered(t, source)
			if err != nil || changed != want {
				t.Errorf("%v %v, want %v:\n%s", changed, err, want, source)
				return
			}
			compiles(t, tree)
		})
	}
}

// An error says where, in which function, and which variable is the reason.
//
// Spec: sdk §10.5 (a load-time error naming the variable).
func TestErrorPlaces(t *testing.T) {
	_, _, err := lowered(t, "from cowboy_sdk import runner\nclass A:\n    @runner.continuation\n    async def f(self, m):\n        x = open\n"+
		"        await runner.llm(m)\n        return x\n")
	var refused *Error
	if !errors.As(err, &refused) || refused.Line != 6 || refused.Col != 9 || refused.Function != "f" || refused.Variable != "x" {
		t.Fatalf("%+v", err)
	}
	for source, want := range map[string]string{
		"from cowboy_sdk import runner\nclass A:\n    @runner.continuation\n" +
			"    def f(self, m): pass": "4:5: ContinuationLimitError: continuation 'f': a continuation is an async def",
		"from cowboy_sdk import runner\nclass A:\n    @runner.continuation\n    async def f(): pass":             "takes self",
		"from cowboy_sdk import runner\nclass A:\n    @runner.continuation\n    async def _f(self, m): pass":     "results could not reach it",
		"from cowboy_sdk import runner\n@runner.continuation\nasync def f(m):\n    while 1: await runner.llm(m)": "without a bound",
	} {
		t.Run(source, func(t *testing.T) {
			if _, _, err := lowered(t, source); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// What is inferred to be savable, and what is not, one assignment at a time.
//
// Spec: sdk §10.5 (locals inferred where the analysis is certain).
func TestInference(t *testing.T) {
	for value, want := range map[string]bool{
		"1": true, "'a'": true, "f'{m}'": true, "None": true, "-2.5": true, "1j": false, "...": false, "m": true, "m['k']": true, "m.result": true,
		"[1, m]": true, "{'a': [m]}": true, "(1, 2)": true, "{1, 2}": true, "[open]": false, "{m: open}": false, "m + 1": true, "m + thing": false,
		"'%s' % thing": true, "not thing": true, "thing is None": true, "thing in m": true, "thing < 1": false, "m if thing else 2": true,
		"m if m else thing": false, "len(thing)": true, "str(thing)": true, "list(m)": true, "list(thing)": false, "sorted(m, key=thing)": true,
		"max(1, m)": true, "enumerate(m)": false, "list(enumerate(m))": true, "dict(zip(m, m))": true, "open(m)": false, "m.split()": true,
		"m.items()": false, "list(m.items())": true, "thing.x": false, "thing()": false, "self.storage['x']": true, "self.storage.get('x')": true,
		"self.storage.guard('x')": true, "self.address": true, "self.other": false, "self.plain()": true, "self.odd()": false, "self.typed()": true,
		"self.recursive(3)": true, "helper(m)": true, "strange()": false, "LIMIT": true, "TABLE": true, "WEIRD": false, "runtime.get_sender()": true,
		"call(m, 'x')": true, "json.loads(m)": true, "hashlib.sha256(m).hexdigest()": true, "hashlib.sha256(m)": false, "re.match('a', m)": false,
		"re.findall('a', m)": true, "capture()": true, "Model(x=1)": true, "Plain()": false, "Model.from_dict(m)": true, "[x for x in m]": true,
		"[thing for x in m]": false, "(x for x in m)": false, "{k: v for k, v in m.items()}": true, "lambda: 1": false, "[*m]": true,
		"(y := m)": true, "codec.encode(m)": true, "runner.llm(m)": false, "m[1:2]": true, "m and thing": false, "struct.unpack('>I', m)": true,
	} {
		t.Run(value, func(t *testing.T) {
			source := `from cowboy_sdk import CowboyModel, call, capture, codec, runner, runtime
import hashlib, json, re, struct
LIMIT = 5
TABLE = {"a": [1, -2]}
WEIRD = open
class Model(CowboyModel):
    x: int
class Plain:
    pass
def helper(x):
    if x:
        return str(x)
    return None
def strange():
    return open
class A:
    def plain(self):
        out = []
        for i in range(3):
            out.append(i)
        return out
    def odd(self):
        return self.other
    def typed(self) -> dict[str, int]:
        return self.other
    def recursive(self, n):
        return 0 if n == 0 else self.recursive(n - 1) + 1
    @runner.continuation
    async def f(self, m):
        from somewhere import thing
        x = ` + value + `
        await runner.llm("q")
        return x
`
			tree, _, err := lowered(t, source)
			if (err == nil) != want {
				t.Errorf("%s: %v, want savable %v", value, err, want)
			}
			if err == nil {
				compiles(t, tree)
			}
		})
	}
}

// Loading is linear in the source: deep nesting of loops and finally clauses is analysed once, not once per level.
func TestDeepNesting(t *testing.T) {
	var b strings.Builder
	b.WriteString("from cowboy_sdk import runner\nclass A:\n    @runner.continuation\n    async def f(self, m):\n        x = 0\n")
	depth := 2
	for i := range 18 {
		pad := strings.Repeat(" ", 4*depth)
		if i%2 == 0 {
			fmt.Fprintf(&b, "%sfor i%d in range(2):\n", pad, i)
		} else {
			fmt.Fprintf(&b, "%stry:\n%s    x += 1\n%sfinally:\n", pad, pad, pad)
		}
		depth++
	}
	b.WriteString(strings.Repeat(" ", 4*depth) + "x += 1\n        await runner.llm('q')\n        return x\n")
	tree, _, err := lowered(t, b.String())
	if err != nil {
		t.Fatal(err)
	}
	compiles(t, tree)
}

// The bound of a loop is what its constant iterable has at most: CPython's len() of the same expressions.
//
// Spec: sdk §10.5 (N is that constant).
func TestBounds(t *testing.T) {
	for iterable, want := range map[string]int{
		"range(5)": 5, "range(2, 5)": 3, "range(5, 2)": 0, "range(0, 10, 3)": 4, "range(10, 0, -3)": 4, "range(0, 9, 3)": 3, "range(0)": 0,
		"range(-3, 3)": 6, "range(3, -3, -2)": 3, "range(N)": 7, "range(-N, N, 2)": 7, "m[:5]": 5, "m[2:5]": 3, "m[5:2]": 0, "m[-3:]": 3, "m[-5:-2]": 3,
		"m[:N]": 7, "m[0:4:2]": 4, "[m, m]": 2, "(1, 2, 3)": 3, "enumerate(m[:4])": 4, "zip(m, m[:6], range(3))": 3, "LIST": 2, "reversed(LIST)": 2,
		"m": -9, "m[2:]": -9, "m[:-1]": -9, "m[1:-1]": -9, "m[:k]": -9, "range(m)": -9, "range(0, 5, 0)": -9, "range()": -9, "[*m]": -9, "m[::-1]": -9,
		"range(1 << 3)": -9, "range(300000000)": -9, "range(True)": -9, "enumerate(m)": -9, "zip(m, m)": -9, "OTHER": -9, "m()": -9,
	} {
		t.Run(iterable, func(t *testing.T) {
			tree, err := syntax.Parse([]byte("from cowboy_sdk import runner\nN = 7\nLIST = ['a', 'b']\nOTHER = m\nasync def f(m, k):\n    for i in " +
				iterable +
				":\n        pass\n"))
			if err != nil {
				t.Fatal(err)
			}
			m := newModule(tree)
			f := newFunction(m, nil, m.functions["f"])
			f.collect()
			got, ok := f.boundOf(f.def.Body[0].(*syntax.For).Iter)
			if !ok {
				got = -9
			}
			if got != want {
				t.Errorf("%s: %d, want %d", iterable, got, want)
			}
		})
	}
}

// Nothing in a continuation makes loading it long: nested comprehensions and calls, long chains of elif, of variables and of helpers.
func TestHostileSources(t *testing.T) {
	nest := func(n int, open, inner, shut string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.NewReplacer("$1", fmt.Sprint(i+1), "$0", fmt.Sprint(i)).Replace(format))
		}
		return b.String()
	}
	const head = "from cowboy_sdk import runner\nclass A:\n    @runner.continuation\n    async def f(self, m):\n"
	for name, c := range map[string]struct {
		source string
		ok     bool
	}{
		"comprehensions": {head + "        x = " + nest(40, "[i for i in ", "open", "]") + "\n        await runner.llm(m)\n        return x\n", false},
		"calls":          {head + "        x = " + nest(60, "list(", "m", ")") + "\n        await runner.llm(m)\n        return x\n", true},
		"elif": {head + "        if m == 0:\n            pass\n" + lines(1_000,
			"        elif m == $0:\n            pass\n") + "        else:\n            await runner.llm(m)\n", true},
		"statements": {head + lines(5_000, "        m = m\n") + "        await runner.llm(m)\n", false},
		"variables":  {head + "        x0 = open\n" + lines(600, "        x$1 = x$0\n") + "        await runner.llm(m)\n", false},
		"chain":      {head + "        x0 = m\n" + lines(400, "        x$1 = x$0\n") + "        await runner.llm(m)\n        return x400\n", true},
		"awaits":     {head + lines(70, "        for i in range(2): await runner.llm(m)\n"), false},
		"helpers": {"def h0(): return 1\n" + lines(2_000, "def h$1():\n    return h$0() + h$0()\n") + head +
			"        x = h2000()\n        await runner.llm(m)\n        return x\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			tree, _, err := lowered(t, c.source)
			if (err == nil) != c.ok {
				t.Errorf("%s: %v", name, err)
			}
			if err == nil {
				compiles(t, tree)
			}
		})
	}
}

// FuzzModule lowers whatever parses: it is refused with an Error or still compiles.
func FuzzModule(f *testing.F) {
	const head = "from cowboy_sdk import *\nfrom cowboy_sdk import runner, capture, bounded_loop, TaskGroup\nclass A:\n    @runner.continuation\n" +
		"    async def f(self, m, *a, k=1):\n"
	for _, body := range []string{
		"        x = 1\n        await runner.llm(x)\n        return x\n",
		"        for i in m[:3]:\n            try:\n                y = await runner.llm(i)\n            except E as e:\n                break\n" +
			"            finally:\n                pass\n",
		"        @bounded_loop(max_iterations=3)\n        async def g(z):\n            while z:\n                z = await runner.llm(z)\n" +
			"                if z: return 1\n        q = await g(m)\n",
		"        async with TaskGroup() as t:\n            a = [t.create_task(runner.llm(i)) for i in m]\n        return a[0].result()\n",
		"        match m:\n            case {'a': x, **r}:\n                pass\n        await runner.llm(x := 1)\n        del x\n" +
			"        return [x async for x in m]\n",
	} {
		f.Add(head + body)
	}
	f.Fuzz(func(t *testing.T, source string) {
		tree, syntaxErr := syntax.Parse([]byte(source))
		if syntaxErr != nil {
			return
		}
		first, _ := syntax.Parse([]byte(source))
		if _, err := resolve.Resolve(first); err != nil {
			return
		}
		_, err := Module(tree)
		var refused *Error
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if err == nil {
			compiles(t, tree)
		}
	})
}

// What a variable can hold is looked for in a bounded number of steps: a long value given to very many variables is more than that, and the last
// of them counts as uncertain.
//
// Spec: sdk §10.5.
func TestInferenceIsBounded(t *testing.T) {
	source := func(variables, elements int) string {
		var b strings.Builder
		b.WriteString("from cowboy_sdk import runner\nclass A:\n    @runner.continuation\n    async def f(self, b):\n        ")
		for i := range variables {
			fmt.Fprintf(&b, "x%d = ", i)
		}
		fmt.Fprintf(&b, "[%s]\n        await runner.llm('')\n        return x%d\n", strings.Repeat("b, ", elements), variables-1)
		return b.String()
	}
	if _, changed, err := lowered(t, source(10, 1000)); err != nil || !changed {
		t.Errorf("10 variables: %v %v", changed, err)
	}
	_, _, err := lowered(t, source(400, 20_000))
	var refused *Error
	if !errors.As(err, &refused) || refused.Variable != "x399" || refused.Line != 6 {
		t.Errorf("400 variables: %v", err)
	}
}
