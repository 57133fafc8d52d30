package sdk_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// Parameters of every kind survive an await, bound as call() binds them.
//
// Spec: sdk §10.5 (parameters), §3.3.
func TestContinuationParameters(t *testing.T) {
	got := run(t, echo, simple(`
    @public
    @runner.continuation
    async def rate(self, assets: list[str], limit=2, *rest, unit, scale=10, **more):
        total = 0
        for asset in assets[:5]:
            r = await runner.llm(asset)
            total += len(r) * scale
        self._put((assets, limit, rest, unit, scale, more, total))
    @deferred
    @public
    def go(self, payload):
        self.rate(["a", "bb"], 3, 4, 5, unit="x", z=1)
        call(self.address, "rate", {"assets": ["c"], "unit": "y"})
    @public
    @runner.continuation
    async def positional(self, a, /, b):
        await runner.llm("q")
        self._put((a, b))
`), "go", "")
	if want := "(['a', 'bb'], 3, (4, 5), 'x', 10, {'z': 1}, 110)|(['c'], 2, (), 'y', 10, {}, 50)"; got != want {
		// The two continue side by side; the shorter one is done first.
		if other := "(['c'], 2, (), 'y', 10, {}, 50)|(['a', 'bb'], 3, (4, 5), 'x', 10, {'z': 1}, 110)"; got != other {
			t.Errorf("got %s", got)
		}
	}
}

// Continuations as functions of a module, behind functions that forward, and in a class named Actor.
//
// Spec: sdk §3.1, §10.1.
func TestContinuationForms(t *testing.T) {
	for name, source := range map[string]string{
		"functions": `
import pvm_host
from cowboy_sdk import runner
@runner.continuation
async def go(payload):
    n = len(payload)
    r = await runner.llm(payload.decode())
    pvm_host.set_state("out", (r + str(n)).encode())
def out(payload):
    return pvm_host.get_state("out")
`,
		"forwarding": `
from cowboy_sdk import actor, public, runner
@actor
class A:
    @public
    @runner.continuation
    async def go(self, payload):
        n = len(payload)
        r = await runner.llm(payload.decode())
        self.storage.set_raw("out", (r + str(n)).encode())
    @public
    def out(self, payload):
        return self.storage.get_raw("out")
def go(payload):
    return A().go(payload)
def out(payload):
    return A().out(payload)
`,
		"results at one entry": `
from cowboy_sdk import actor, codec, runner
@actor
class A:
    @runner.continuation
    async def go(self, payload):
        n = len(payload)
        r = await runner.llm(payload.decode())
        self.storage.set_raw("out", (r + str(n)).encode())
    def on_runner_result(self, payload):
        if isinstance(payload, (bytes, bytearray)):
            payload = codec.decode(payload)
        if payload.get("reply_handler"):
            return runner.handle_runner_result(self, payload)
    def out(self, payload):
        return self.storage.get_raw("out")
`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := run(t, echo, source, "go", "hey"); got != "llm:hey3" {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
}

// Without a job dispatcher, on a network of more than one validator, awaiting a job is the typed fault, and nothing is left behind.
//
// Spec: sdk §9.1, §10.2.
func TestNoDispatcher(t *testing.T) {
	spec, err := genesis.Devnet(testkit.ChainID, 2)
	if err != nil {
		t.Fatal(err)
	}
	c := testkit.NewChainFrom(t, spec)
	alice := c.Account("alice")
	a := alice.Deploy(simple(`
    @public
    @runner.continuation
    async def go(self, payload):
        try:
            await runner.llm("x")
        except RuntimeError as e:
            self._put((e.slug, e.name))
    @public
    @runner.continuation
    async def bare(self, payload):
        await runner.llm("x")
`), nil)
	alice.Call(a, "go", "")
	if got := alice.Call(a, "out", ""); got != "('E1299', 'NotAvailableError')" {
		t.Error(got)
	}
	if x := alice.Try(a, "bare", ""); x.Fault.Code != 1299 {
		t.Error(testkit.Describe(x))
	}
	s := &stage{Chain: c, t: t, alice: alice, actor: a}
	if s.held() != 0 {
		t.Errorf("%d records", s.held())
	}
}

// What is no continuation cannot pretend to be one.
//
// Spec: sdk §10.1, §10.2.
func TestNotLowered(t *testing.T) {
	got := looking(t, `
from cowboy_sdk._continuation import Awaitable
deco = runner.continuation
`, `
        async def inner(self):
            pass
        refused(lambda: deco(inner))
        refused(lambda: deco(timeout_blocks=3)(inner))
        refused(lambda: bounded_loop(max_iterations=3)(inner)(None))
        async def waits():
            await runner.llm("x")
        async def groups():
            async with TaskGroup() as tg:
                pass
        for coroutine in (waits(), groups()):
            refused(lambda: coroutine.send(None))
`)
	expectAll(t, got, "('ContinuationLimitError', 'E1202')", "('ContinuationLimitError', 'E1202')", "('ContinuationLimitError', 'E1202')",
		"('ContinuationLimitError', 'E1202')", "('ContinuationLimitError', 'E1202')")
}
