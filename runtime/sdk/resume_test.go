package sdk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// stage is a chain with one actor of a class's methods.
type stage struct {
	*testkit.Chain
	t     *testing.T
	alice *testkit.Account
	actor account.Address
}

func newStage(t *testing.T, answer func(*testkit.Job) testkit.Answer, methods string) *stage {
	t.Helper()
	c := testkit.NewChain(t)
	c.Jobs(answer)
	s := &stage{Chain: c, t: t, alice: c.Account("alice")}
	s.actor = s.alice.Deploy(simple(methods), nil)
	return s
}

// settle lets n blocks pass and gives the texts of the faults among their receipts.
func (s *stage) settle(n int) []string {
	var faults []string
	for range n {
		for _, x := range s.Mine().Receipts {
			if x.Status != block.Success {
				faults = append(faults, fmt.Sprint(x.Fault.Code, " ", x.Fault.Text))
			}
		}
	}
	return faults
}

func (s *stage) out() string { return s.alice.Call(s.actor, "out", "") }

func (s *stage) expect(what, got, want string) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

// held is how many continuation records an actor has, by its own counter.
func (s *stage) held() int64 {
	raw, ok, err := s.State().Lookup(host.StorageKey(s.actor, []byte("__continuation:#")))
	if err != nil {
		s.t.Fatal(err)
	}
	if !ok {
		return 0
	}
	v, err := cbor.Parse(raw)
	if err != nil {
		s.t.Fatal(err)
	}
	return v.(int64)
}

// A failed job raises at the await and can be caught there; what is not caught fails the delivery and changes nothing.
//
// Spec: sdk §10.5, §18.
func TestRunnerErrors(t *testing.T) {
	failing := func(j *testkit.Job) testkit.Answer {
		text, _ := j.Args()[0].(string)
		name, message, _ := strings.Cut(text, ":")
		return testkit.Answer{Error: true, Result: cbor.Map{{Key: "error", Value: name}, {Key: "message", Value: message}}}
	}
	s := newStage(t, failing, `
    @public
    @runner.continuation
    async def go(self, payload):
        for kind in ["timeout:late", "deterministic:differs", "other:bad"]:
            try:
                await runner.llm(kind)
            except RunnerTimeoutError as e:
                self._put((e.slug, str(e)))
            except DeterministicValidationError as e:
                self._put((e.ERROR_SLUG, str(e)))
            except RunnerValidationError as e:
                self._put((e.slug, str(e)))
        await runner.llm("other:uncaught")
`)
	s.alice.Call(s.actor, "go", "")
	faults := s.settle(12)
	s.expect("faults", strings.Join(faults, ";"), "1604 RunnerValidationError: uncaught")
	s.expect("out", s.out(), `('E1201', 'late')|('E1610', 'differs')|('E1604', 'bad')`)
	if s.held() != 1 {
		t.Errorf("%d records; the failed resumption keeps its own", s.held())
	}
}

// A guarded value that changed stops the resumption before any side effect.
//
// Spec: sdk §10.6, §26 (guard changed).
func TestGuards(t *testing.T) {
	s := newStage(t, func(*testkit.Job) testkit.Answer { return testkit.Answer{Result: "x", Delay: 3} }, `
    @public
    def set(self, payload):
        self.storage["price"] = int(payload)
    @public
    @runner.continuation(guard_unchanged=["price"])
    async def strict(self, payload):
        await runner.llm("x")
        self._put("strict " + str(self.storage["price"]))
    @public
    @runner.continuation(guard_keys=["price"])
    async def also(self, payload):
        await runner.llm("x")
        self._put("also")
    @public
    @runner.continuation
    async def loose(self, payload):
        g = self.storage.guard("price")
        both = GuardSet("price", "out")
        single = storage_guard("missing")
        old = g.value
        await runner.llm("x")
        try:
            self._put(g.value)
        except StateConflictError as e:
            self._put((e.slug, old, both.keys, single.value))
`)
	s.alice.Call(s.actor, "set", "5")
	s.alice.Call(s.actor, "strict", "")
	if faults := s.settle(6); len(faults) > 0 {
		t.Fatal(faults)
	}
	s.expect("unchanged", s.out(), "'strict 5'")
	s.alice.Call(s.actor, "strict", "")
	s.alice.Call(s.actor, "also", "")
	s.alice.Call(s.actor, "loose", "")
	s.alice.Call(s.actor, "set", "6")
	faults := s.settle(8)
	if len(faults) != 2 || !strings.HasPrefix(faults[0], "1206 StateConflictError") || !strings.HasPrefix(faults[1], "1206 StateConflictError") {
		t.Errorf("faults %q", faults)
	}
	s.expect("changed", s.out(), `'strict 5'|('E1206', 5, ('price', 'out'), None)`)
}

// A result that is delivered twice finds no record the second time.
//
// Spec: sdk §10.4 (ContinuationNotFoundError), §26 (duplicated result delivery).
func TestDuplicateResult(t *testing.T) {
	s := newStage(t, func(*testkit.Job) testkit.Answer { return testkit.Answer{Result: "x", Copies: 2} }, `
    @public
    @runner.continuation
    async def go(self, payload):
        a = await runner.llm("a")
        b = await runner.llm("b")
        self._put((a, b))
    @public
    @runner.continuation
    async def group(self, payload):
        async with TaskGroup() as tg:
            t = tg.create_task(runner.llm("a"))
            u = tg.create_task(runner.llm("b"))
        self._put((t.result(), u.result()))
`)
	for handler, want := range map[string]int{"go": 2, "group": 2} {
		t.Run(handler, func(t *testing.T) {
			before := s.out()
			s.alice.Call(s.actor, handler, "")
			faults := s.settle(10)
			if len(faults) != want {
				t.Errorf("%s: faults %q", handler, faults)
			}
			for _, f := range faults {
				if !strings.HasPrefix(f, "1203 ContinuationNotFoundError") {
					t.Errorf("%s: %s", handler, f)
				}
			}
			s.expect(handler, strings.TrimPrefix(strings.TrimPrefix(s.out(), before), "|"), "('x', 'x')")
		})
	}
}

// 100 continuations may wait; the 101st is refused. A record may have 64 KiB and no more.
//
// Spec: sdk §10.4, §26 (100/101 active; 64 KiB record boundary).
func TestRecordLimits(t *testing.T) {
	s := newStage(t, func(j *testkit.Job) testkit.Answer {
		return testkit.Answer{Lost: j.Args()[0] != "answered", Result: "x"}
	}, `
    @public
    @runner.continuation
    async def go(self, payload):
        await runner.llm("a")
    @public
    @runner.continuation
    async def big(self, payload):
        ctx = capture()
        ctx.data = bytes(int(payload))
        await runner.llm("a")
        self._put(ctx.data)
    @public
    @runner.continuation(timeout_blocks=5)
    async def brief(self, payload):
        async with TaskGroup() as tg:
            tg.create_task(runner.llm("answered"))
            tg.create_task(runner.llm("a"))
    @deferred
    @public
    def many(self, payload):
        for i in range(int(payload)):
            self.go(b"")
    @deferred
    @public
    def stale(self, payload):
        from cowboy_sdk import new_cid, save_cont
        for i in range(int(payload)):
            save_cont(new_cid(self, "go"), 1, {}, "go", timeout_blocks=1)
    @deferred
    @public
    def briefs(self, payload):
        for i in range(int(payload)):
            self.brief(b"")
`)
	boundary := 0
	for low, high := 65_000, 65_536; low <= high; {
		middle := (low + high) / 2
		x := s.alice.Try(s.actor, "big", fmt.Sprint(middle))
		if x.Status == block.Success {
			boundary, low = middle, middle+1
		} else {
			if x.Fault.Code != 1208 || !strings.Contains(x.Fault.Text, "ContinuationSizeLimitError") {
				t.Fatal(testkit.Describe(x))
			}
			high = middle - 1
		}
	}
	if x := s.alice.Try(s.actor, "big", fmt.Sprint(boundary+1)); !strings.Contains(x.Fault.Text, "a record of 65537 bytes") {
		t.Errorf("one byte more than the largest: %s", testkit.Describe(x))
	}
	held := int(s.held())
	before := s.Record(s.actor).StorageBytes
	s.alice.Call(s.actor, "briefs", "10")
	if faults := s.settle(6); len(faults) > 0 {
		t.Fatal(faults)
	}
	if after := s.Record(s.actor).StorageBytes; after != before || int(s.held()) != held {
		t.Errorf("storage was %d bytes, now %d: what the groups had kept that nobody answered in time is still there", before, after)
	}
	s.alice.Call(s.actor, "stale", "10")
	for held += 10; held < 100; {
		n := min(15, 100-held)
		s.alice.Call(s.actor, "many", fmt.Sprint(n))
		held += n
	}
	s.settle(2)
	s.alice.Call(s.actor, "many", "10") // in the room of the ten that are out of date
	if x := s.alice.Try(s.actor, "go", ""); x.Fault.Code != 1208 || !strings.Contains(x.Fault.Text, "ContinuationCountLimitError") {
		t.Errorf("the 101st: %s", testkit.Describe(x))
	}
	if s.held() != 100 {
		t.Errorf("%d are counted", s.held())
	}
}

// What cannot be captured is refused at the await, naming the attribute.
//
// Spec: sdk §10.3.
func TestCaptureTypes(t *testing.T) {
	s := newStage(t, echo, `
    @public
    @runner.continuation
    async def go(self, payload):
        ctx = capture()
        for i in range(5):
            try:
                ctx.bad = [print, object(), {2.5: 1}, Item(n=1), [[{"a": lambda: 1}]]][i]
                await runner.llm("x")
            except CaptureTypeError as e:
                self._put((e.slug, str(e)))
            ctx.bad = None
        await runner.llm("y")
        self._put((isinstance(ctx, Capture), ctx.bad, repr(ctx)))
    @public
    @runner.continuation
    async def deep(self, payload):
        ctx = capture()
        ctx.x = []
        inner = ctx.x
        for i in range(70):
            inner.append([])
            inner = inner[0]
        await runner.llm("x")

class Item(CowboyModel):
    n: int
`)
	s.alice.Call(s.actor, "go", "")
	if faults := s.settle(6); len(faults) > 0 {
		t.Fatal(faults)
	}
	const refused = "('E1202', 'ctx.bad: a value of type %s cannot be saved')"
	s.expect("out", s.out(), strings.Join([]string{
		fmt.Sprintf(refused, "builtin_function_or_method"), fmt.Sprintf(refused, "object"),
		"('E1202', 'ctx.bad: a dict key of type float cannot be saved')", fmt.Sprintf(refused, "Item"), fmt.Sprintf(refused, "function"),
		"(True, None, 'Capture(bad=None)')",
	}, "|"))
	if x := s.alice.Try(s.actor, "deep", ""); x.Fault.Code != 1202 {
		t.Error(testkit.Describe(x))
	}
}

// Loops of @bounded_loop end with LoopBoundExceeded behind their bound; BoundedRange and check_iteration do what their names say.
//
// Spec: sdk §10.4, §2.2.
func TestLoopBound(t *testing.T) {
	s := newStage(t, echo, `
    @public
    @runner.continuation
    async def items(self, payload):
        @bounded_loop(max_iterations=2)
        async def loop(items):
            for x in items:
                self._put(x)
                await runner.llm(x)
        await loop(payload.decode().split())
    @public
    @runner.continuation
    async def turns(self, payload):
        n = 0
        @bounded_loop(max_iterations=2)
        async def loop():
            nonlocal n
            while n < len(payload):
                await runner.llm("x")
                n += 1
        await loop()
        self._put(n)
    @public
    def helpers(self, payload):
        from cowboy_sdk import BoundedRange, check_iteration
        self._put((list(BoundedRange(1, 7, 3, max_iterations=2)), check_iteration(1, 2)))
        for bad in (lambda: BoundedRange(3, max_iterations=2), lambda: check_iteration(2, 2)):
            try:
                bad()
            except LoopBoundExceeded as e:
                self._put((e.slug, e.code))
`)
	s.alice.Call(s.actor, "items", "a b")
	s.alice.Call(s.actor, "turns", "12")
	if faults := s.settle(8); len(faults) > 0 {
		t.Fatal(faults)
	}
	s.expect("within", s.out(), "'a'|'b'|2")
	if x := s.alice.Try(s.actor, "items", "a b c"); x.Fault.Code != 1201 {
		t.Error(testkit.Describe(x))
	}
	s.alice.Call(s.actor, "turns", "123")
	if faults := s.settle(8); len(faults) != 1 || !strings.HasPrefix(faults[0], "1201 LoopBoundExceeded") {
		t.Errorf("%q", faults)
	}
	s.alice.Call(s.actor, "helpers", "")
	s.expect("helpers", s.out(), "'a'|'b'|2|([1, 4], 2)|('E1201', 8)|('E1201', 8)")
}

// The plumbing API by hand, and a record that was tampered with.
//
// Spec: sdk §10.7, §2.2.
func TestPlumbing(t *testing.T) {
	s := newStage(t, echo, `
    @deferred
    @public
    def go(self, payload):
        from cowboy_sdk import delete_cont, load_cont, new_cid, save_cont
        cid, other = new_cid(self, "go"), new_cid(self, "go")
        ctx = capture()
        ctx.x = (1, b"2")
        save_cont(cid, 3, ctx, "go", timeout_blocks=9, guard_keys=["out"])
        c = load_cont(cid)
        self._put((cid != other, len(cid), c.state, c.ctx.x, c.handler, c.timeout_block - c.created_block, list(c.guards)))
        save_cont(other, 1, {"y": 2}, "go")
        self._put((load_cont(other).ctx.y, load_cont(other).timeout_block))
        delete_cont(cid)
        delete_cont(cid)
        try:
            load_cont(cid)
        except ContinuationNotFoundError as e:
            self._put(e.slug)
        import pvm_host
        key = "__continuation:" + other
        raw = bytearray(pvm_host.record_get(key))
        raw[-1] ^= 1
        pvm_host.record_set(key, raw)
        try:
            load_cont(other)
        except ContinuationCorruptedError as e:
            self._put(e.slug)
`)
	s.alice.Call(s.actor, "go", "")
	s.expect("out", s.out(), `(True, 16, 3, [1, b'2'], 'go', 9, ['out'])|(2, 0)|'E1203'|'E1206'`)
}

// Who may start and who may resume: starters follow their tags, resume steps are for the chain, and a forged result is refused even where an
// older actor forwards results itself.
//
// Spec: sdk §5.4, §9.6.
func TestResumePermissions(t *testing.T) {
	s := newStage(t, func(*testkit.Job) testkit.Answer { return testkit.Answer{Result: "x", Delay: 2} }, `
    @runner.continuation
    @public
    async def go(self, payload):
        self._put(await runner.llm("a"))
    @public
    @runner.continuation
    async def below(self, payload):
        self._put(await runner.llm("a"))
    @runner.continuation
    async def closed(self, payload):
        self._put(await runner.llm("a"))
    @public
    def on_runner_result(self, payload):
        runner.handle_runner_result(self, payload)
`)
	bob := s.Account("bob")
	for _, handler := range []string{"go", "below"} {
		bob.Call(s.actor, handler, "")
	}
	record := s.mailed(account.System(account.JobDispatcher))
	if x := bob.Try(s.actor, "closed", ""); x.Fault.Code != 1230 {
		t.Error(testkit.Describe(x))
	}
	forged, err := cbor.Append(nil, cbor.Map{
		{Key: "cid", Value: record}, {Key: "status", Value: "ok"}, {Key: "result", Value: "forged"}, {Key: "reply_handler", Value: "below__resume"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, handler := range []string{"below__resume", "on_runner_result"} {
		if x := bob.Try(s.actor, handler, string(forged)); x.Fault.Code != 1230 {
			t.Errorf("%s: %s", handler, testkit.Describe(x))
		}
	}
	if faults := s.settle(6); len(faults) > 0 {
		t.Error(faults)
	}
	s.expect("out", s.out(), "'x'|'x'")
}

// Continuation decorators imply deferred; a pure caller cannot start one.
//
// Spec: sdk §6.
func TestContinuationModes(t *testing.T) {
	s := newStage(t, echo, `
    @runner.continuation
    @public
    async def go(self, payload):
        self._put(await runner.llm("a"))
    @public
    def start(self, payload):
        self.go(payload)
`)
	if x := s.alice.Try(s.actor, "start", ""); x.Fault.Code != 1205 {
		t.Error(testkit.Describe(x))
	}
	s.alice.Call(s.actor, "go", "")
	if faults := s.settle(4); len(faults) > 0 {
		t.Error(faults)
	}
	s.expect("out", s.out(), "'llm:a'")
}
