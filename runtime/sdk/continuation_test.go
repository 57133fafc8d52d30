package sdk_test

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// echo answers every job with its type and its first argument.
func echo(j *testkit.Job) testkit.Answer {
	text := ""
	if args := j.Args(); len(args) > 0 {
		text, _ = args[0].(string)
	}
	return testkit.Answer{Result: j.Type + ":" + text}
}

const head = `
from cowboy_sdk import (
    ActorRef, Capture, CowboyModel, GuardSet, Retry, TaskGroup, Verify, actor, bounded_loop, call, capture, codec, deferred, public,
    runner, runtime, storage_guard,
)
from cowboy_sdk.errors import *
import json

`

// simple puts the methods of a class that keeps what it sees under "out".
func simple(methods string) string {
	return head + `
NAMES = ["one", "two"]

@actor
class A:
    def _put(self, value):
        self.storage["out"] = (self.storage["out"] or []) + [repr(value)]
    @public
    def out(self, payload):
        return "|".join(self.storage["out"] or []).encode()
` + methods
}

// run deploys, calls handler with payload, lets the chain go on, and gives what was put out.
func run(t *testing.T, answer func(*testkit.Job) testkit.Answer, source, handler, payload string) string {
	t.Helper()
	c := testkit.NewChain(t)
	c.Jobs(answer)
	alice := c.Account("alice")
	a := alice.Deploy(source, nil)
	if x := alice.Try(a, handler, payload); x.Status != block.Success {
		return "fault: " + x.Fault.Text
	}
	for range 24 {
		for _, x := range c.Mine().Receipts {
			if x.Status != block.Success {
				return "fault: " + x.Fault.Text
			}
		}
	}
	return alice.Call(a, "out", "")
}

// continuationShapes are handlers that await, each with what it puts out when "7" or "xy" was its payload and every await was answered.
var continuationShapes = map[string]struct{ body, want string }{
	"straight": {`
        x = "a" + str(len(payload))
        r = await runner.llm("one")
        self._put((x, r))
        s = await runner.http("two")
        self._put((x, r, s))
`, `('a2', 'llm:one')|('a2', 'llm:one', 'http:two')`},
	"capture": {`
        ctx = capture()
        ctx.n = [1, (2, 3), {4}]
        ctx.r = await runner.llm("one")
        ctx.s = await runner.llm(ctx.r)
        self._put((ctx.n, ctx.r, ctx.s))
`, `([1, [2, 3], [4]], 'llm:one', 'llm:llm:one')`},
	"if": {`
        n = int(payload)
        if n > 5:
            r = await runner.llm("big")
        elif n > 2:
            r = "none"
        else:
            r = await runner.llm("small")
            r = r + "!"
        self._put((n, r))
`, `(7, 'llm:big')`},
	"early return": {`
        if payload == b"7":
            r = await runner.llm("x")
            self._put(r)
            return
        await runner.llm("never")
        self._put("never")
`, `'llm:x'`},
	"try": {`
        n = 1
        try:
            n = 2
            r = await runner.llm("x")
            n = 3
            raise ValueError(r)
        except ValueError as e:
            self._put((n, str(e)))
        else:
            self._put("else")
        finally:
            self._put("finally")
        self._put("end")
`, `(3, 'llm:x')|'finally'|'end'`},
	"except": {`
        n = 1
        try:
            try:
                n = 2
                r = await runner.llm("x")
                raise ValueError(r)
            except KeyError:
                self._put(await runner.llm("key"))
            except ValueError as e:
                said = str(e)
                n += 1
                self._put((n, await runner.llm("y"), said))
                raise TypeError("again")
            else:
                self._put("else")
        except TypeError as e:
            self._put(str(e))
            for i in range(2):
                self._put((i, n, await runner.llm("z")))
        self._put("end")
`, `(3, 'llm:y', 'llm:x')|'again'|(0, 3, 'llm:z')|(1, 3, 'llm:z')|'end'`},
	"except passed over": {`
        r = None
        try:
            r = await runner.llm("x")
        except ValueError:
            await runner.llm("never")
        self._put(r)
`, `'llm:x'`},
	"except returns": {`
        for i in range(2):
            try:
                raise ValueError(i)
            except ValueError:
                if i:
                    return self._put("left")
                self._put(await runner.llm("x"))
                continue
            self._put("never")
`, `'llm:x'|'left'`},
	"try else": {`
        try:
            n = 2
        except ValueError:
            n = 5
        else:
            r = await runner.llm("x")
            self._put((n, r))
        finally:
            self._put("finally")
`, `(2, 'llm:x')|'finally'`},
	"for range": {`
        total = []
        for i in range(1, 8, 3):
            if i == 4:
                continue
            r = await runner.llm(str(i))
            total.append(r)
        else:
            total.append("else")
        self._put(total)
`, `['llm:1', 'llm:7', 'else']`},
	"for slice": {`
        words = "a b c d e f".split()
        out = {}
        for i, w in enumerate(words):
            out[w] = i
        for w in words[:3]:
            r = await runner.llm(w)
            if w == "b":
                break
            out[w] = r
        self._put((w, out))
`, `('b', {'a': 'llm:a', 'b': 1, 'c': 2, 'd': 3, 'e': 4, 'f': 5})`},
	"wrapped iterables": {`
        items = "a b c d".split()
        out = []
        for i, x in enumerate(items[:2], 5):
            out.append((i, x, await runner.llm(x)))
        for x, y in zip(items, range(1)):
            out.append((x, y, await runner.llm(x)))
        for x in reversed(NAMES):
            out.append(await runner.llm(x))
        self._put(out)
`, `[(5, 'a', 'llm:a'), (6, 'b', 'llm:b'), ('a', 0, 'llm:a'), 'llm:two', 'llm:one']`},
	"nested loops": {`
        out = []
        for a in [1, 2]:
            for b in range(2):
                r = await runner.llm(str(a) + str(b))
                out.append(r)
            out.append(a)
        self._put(out)
`, `['llm:10', 'llm:11', 1, 'llm:20', 'llm:21', 2]`},
	"bounded loop": {`
        ctx = capture()
        ctx.seen = []
        limit = 2
        @bounded_loop(max_iterations=4)
        async def loop(prefix):
            n = 0
            while True:
                r = await runner.llm(prefix + str(n))
                ctx.seen.append(r)
                for k in range(3):
                    if k == limit and n == k:
                        return k + 40
                n += 1
        found = await loop("p")
        self._put((found, ctx.seen))
`, `(42, ['llm:p0', 'llm:p1', 'llm:p2'])`},
	"in expressions": {`
        out = []
        out.append((await runner.llm("a")).upper())
        if "b" in await runner.llm("b"):
            out += [await runner.llm("c"), await runner.llm("d")]
        x: int = len(await runner.llm("ee"))
        self._put((out, x, f"<{await runner.llm('f')}>"))
        self._put(await runner.http("g"))
`, `(['LLM:A', 'llm:c', 'llm:d'], 6, '<llm:f>')|'http:g'`},
	"types survive": {`
        a = (1, "x")
        b = {3, 1}
        c = bytearray(b"z")
        d = self.address
        e = runtime.get_block_height() * 10**30
        g = {1: [2.5, None, True]}
        h = [x * 2 for x in range(3)]
        await runner.llm("x")
        self._put((a, b, c, type(d).__name__, d == self.address, e % 10, g, h))
`, `((1, 'x'), {3, 1}, bytearray(b'z'), 'Address', True, 0, {1: [2.5, None, True]}, [0, 2, 4])`},
	"task group": {`
        base = "q"
        async with TaskGroup() as tg:
            tasks = [tg.create_task(runner.llm(base + str(i))) for i in range(3)]
            last = tg.create_task(runner.http("h"))
        self._put([t.result() for t in tasks] + [last.result(), base])
        r = await runner.llm("after")
        self._put((tasks[1].result(), r))
`, `['llm:q0', 'llm:q1', 'llm:q2', 'http:h', 'q']|('llm:q1', 'llm:after')`},
	"helper methods": {`
        p = self._text(3)
        r = await runner.llm(p)
        self._put((p, r, await self._soon(p)))
    def _text(self, n):
        out = ""
        while n:
            out += str(n)
            n -= 1
        return out
    async def _soon(self, p):
        return p + "!"
`, `('321', 'llm:321', '321!')`},
	"nothing awaited": {`
        if payload == b"no":
            await runner.llm("x")
        self._put("done")
`, `'done'`},
	"closures": {`
        n = 5
        def add(x):
            return x + n
        before: int = add(1)
        r = await runner.llm("x")
        def add(x):
            return x + n + before
        self._put(add(1))
`, `12`},
	"match before and after": {`
        match payload:
            case b"7":
                kind = "seven"
            case _:
                kind = "other"
        r = await runner.llm(kind)
        match r:
            case "llm:seven":
                self._put("right")
`, `'right'`},
}

// Every accepted shape gives what the same code gives when nothing suspends: the expected values are worked out by hand.
//
// Spec: sdk §10.2, §10.5.
func TestContinuationShapes(t *testing.T) {
	for name, c := range continuationShapes {
		t.Run(name, func(t *testing.T) {
			payload := "7"
			if name == "straight" {
				payload = "12"
			}
			source := simple(`
    @runner.continuation
    @public
    async def go(self, payload):
        """Goes."""` + c.body)
			if got := run(t, echo, source, "go", payload); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// What cannot be lowered soundly is refused when the module is loaded, with the reason, before anything is deployed.
//
// Spec: sdk §10.4, §10.5, §26.
func TestContinuationRefusals(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"while":          {"while True:\n            await runner.llm('x')", "loop without a bound"},
		"for":            {"for x in payload:\n            await runner.llm('x')", "loop without a bound"},
		"wrapped":        {"for i, x in enumerate(payload):\n            await runner.llm('x')", "loop without a bound"},
		"variable slice": {"for x in payload[:n]:\n            await runner.llm('x')", "loop without a bound"},
		"with":           {"with open('/tmp/x') as f:\n            await runner.llm('x')", "inside with"},
		"except finally": {"try:\n            x = 1\n        except ValueError:\n            await runner.llm('x')\n        finally:\n            x = 2",
			"inside except of a try statement with finally"},
		"except name": {"try:\n            x = 1\n        except ValueError as e:\n            await runner.llm(str(e))", "the exception is not kept"},
		"except behind": {"try:\n            x = 1\n        except ValueError as e:\n            await runner.llm('x')\n            if x:\n" +
			"                self._put(e)", "the exception is not kept"},
		"except raise":  {"try:\n            x = 1\n        except ValueError:\n            await runner.llm('x')\n            raise", "a bare raise"},
		"except type":   {"try:\n            x = 1\n        except (await runner.llm('x')):\n            pass", "an except clause catches"},
		"finally":       {"try:\n            x = 1\n        finally:\n            await runner.llm('x')", "inside finally"},
		"match":         {"match payload:\n            case 1:\n                await runner.llm('x')", "inside match"},
		"nested":        {"await runner.llm(await runner.llm('x'))", "await inside an await"},
		"recursive":     {"await self.go(payload)", "nested and recursive"},
		"comprehension": {"x = [await runner.llm('x') for y in payload]", "comprehension"},
		"yield":         {"await runner.llm('x')\n        yield 1", "yield"},
		"order":         {"self._put(payload.upper() + await runner.llm('x'))", "evaluated before the await"},
		"conditional":   {"x = payload and await runner.llm('x')", "cannot stand here"},
		"object":        {"x = Thing()\n        await runner.llm('x')\n        self._put(x)", "'x' is read after this await"},
		"unassigned": {"if payload:\n            x = 1\n        await runner.llm('x')\n        self._put(x)",
			"'x' is read after this await and may not be assigned"},
		"function": {"def f():\n            return 1\n        await runner.llm('x')\n        self._put(f())", "'f' is read after this await"},
		"iterator": {"it = iter([1])\n        await runner.llm('x')\n        self._put(next(it))", "'it' is read after this await"},
		"deleted": {"x = 1\n        if payload:\n            del x\n        await runner.llm('x')\n        self._put(x)",
			"'x' is read after this await and may be deleted"},
		"nonlocal": {"x = 1\n        def f():\n            nonlocal x\n            x = open\n        f()\n        await runner.llm('x')\n" +
			"        self._put(x)", "'x' is read after this await and assigned by a function"},
		"through another":  {"x = Thing()\n        y = [x]\n        await runner.llm('x')\n        self._put(y)", "'y' is read after this await"},
		"nine awaits":      {strings.Repeat("await runner.llm('x')\n        ", 9), "more than 8 awaits"},
		"await in a group": {"async with TaskGroup() as tg:\n            await runner.llm('x')", "one suspension point"},
		"async for":        {"async for x in payload:\n            pass", "async for"},
		"bound unknown": {"@bounded_loop(max_iterations=n)\n        async def l():\n            await runner.llm('x')\n        await l()",
			"positive constant"},
		"shared name": {"x = 1\n        @bounded_loop(max_iterations=2)\n        async def l():\n            x = 2\n            await runner.llm('x')\n" +
			"        await l()\n        self._put(x)", "both use a variable 'x'"},
	} {
		t.Run(name, func(t *testing.T) {
			ch := testkit.NewChain(t)
			x := ch.Account("alice").TryDeploy(simple(`
    @runner.continuation
    async def go(self, payload):
        `+c.body+"\nclass Thing:\n    pass\n"), nil)
			if x.Fault.Code != 1202 || !strings.Contains(x.Fault.Text, c.want) || !strings.Contains(x.Fault.Text, "ContinuationLimitError") {
				t.Errorf("%d %s, want %q", x.Fault.Code, x.Fault.Text, c.want)
			}
		})
	}
	ch := testkit.NewChain(t)
	eight := simple("\n    @runner.continuation\n    async def go(self, payload):\n        " + strings.Repeat("await runner.llm('x')\n        ", 8))
	ch.Account("alice").Deploy(eight, nil)
}
