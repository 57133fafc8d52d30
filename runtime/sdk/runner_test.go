package sdk_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// The job map has the fields the chain expects, floats of the verification as integers, and nothing that was not given.
//
// Spec: sdk §9.1, §9.2, §9.4, §9.6.
func TestJobMap(t *testing.T) {
	var jobs []*testkit.Job
	s := newStage(t, func(j *testkit.Job) testkit.Answer { jobs = append(jobs, j); return testkit.Answer{Result: "x"} }, `
    @public
    @runner.continuation(timeout_blocks=7)
    async def go(self, payload):
        v = Verify.builder().mode("consensus").runners(5).threshold(3).check(Verify.numeric_tolerance("p", 0.015)).timeout_blocks(9)
        await runner.llm("hi", system_prompt="s", max_tokens=10, temperature=0.5, model="m", verification=v.build(), tee_required=True,
                         retry_policy=Retry(2), response_model=None)
        await runner.llm("hi", verify="optimistic", tools=["t"], secrets=["k", ("q", {"version": 3}), ("r", {"account": "11" * 20})])
        await runner.http("http://x", "POST", headers={"a": "b"}, body=b"z", timeout_blocks=3)
        await runner.mcp("srv", "tool", {"a": 1})
        await runner.mcp("srv", "tool", a=2, secrets=["k"])
`)
	height := s.Height() + 1
	s.alice.Call(s.actor, "go", "")
	if faults := s.settle(14); len(faults) > 0 || len(jobs) != 5 {
		t.Fatal(faults, len(jobs))
	}
	get := func(j *testkit.Job, name string) any { v, _ := j.Fields.Lookup(name); return v }
	for i, want := range []struct {
		kind string
		args []any
	}{
		{"llm", []any{"hi"}}, {"llm", []any{"hi"}}, {"http", []any{"http://x"}},
		{"mcp", []any{"srv", "tool", cbor.Map{{Key: "a", Value: int64(1)}}}}, {"mcp", []any{"srv", "tool", cbor.Map{{Key: "a", Value: int64(2)}}}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			j := jobs[i]
			if j.Type != want.kind || !reflect.DeepEqual(j.Args(), want.args) || get(j, "kind") != "runner_job" || len(j.CID) != 16 ||
				j.Handler != "go__resume" || !reflect.DeepEqual(get(j, "reply_to"), s.actor[:]) || j.Actor != s.actor {
				t.Errorf("job %d: %v", i, j.Fields)
			}
		})
	}
	if got := get(jobs[0], "timeout_block"); got != int64(height+7) {
		t.Errorf("timeout block %v", got)
	}
	if got := get(jobs[2], "timeout_block"); got != int64(height+4+3) { // the third await is issued four blocks later
		t.Errorf("timeout block of the third job %v", got)
	}
	want := cbor.Map{
		{Key: "mode", Value: "majority_vote"},
		{Key: "checks", Value: []any{cbor.Map{{Key: "kind", Value: "numeric_tolerance"}, {Key: "field", Value: "p"},
			{Key: "tolerance_ppm", Value: int64(15_000)}}}},
		{Key: "runners", Value: int64(5)}, {Key: "threshold", Value: int64(3)}, {Key: "timeout_blocks", Value: int64(9)},
	}
	if got := get(jobs[0], "verification"); !sameMap(got, want) {
		t.Errorf("verification %v", got)
	}
	if get(jobs[0], "tee_required") != true || get(jobs[1], "tee_required") != false || jobs[0].Option("system_prompt") != "s" ||
		jobs[0].Option("max_tokens") != int64(10) || jobs[0].Option("response_model") != nil || jobs[2].Option("method") != "POST" {
		t.Errorf("options %v", jobs[0].Fields)
	}
	if mode, _ := get(jobs[1], "verification").(cbor.Map).Lookup("mode"); mode != "economic_bond" {
		t.Errorf("mode %v", mode)
	}
	secrets := []any{
		cbor.Map{{Key: "name", Value: "k"}}, cbor.Map{{Key: "name", Value: "q"}, {Key: "version", Value: int64(3)}},
		cbor.Map{{Key: "name", Value: "r"}, {Key: "account", Value: []byte(strings.Repeat("\x11", 20))}},
	}
	if got := jobs[1].Option("secrets"); !reflect.DeepEqual(got, secrets) {
		t.Errorf("secrets %v", got)
	}
	retry, _ := get(jobs[0], "retry_policy").(cbor.Map)
	if n, _ := retry.Lookup("max_attempts"); n != int64(2) {
		t.Errorf("retry %v", retry)
	}
}

func sameMap(got any, want cbor.Map) bool {
	m, ok := got.(cbor.Map)
	if !ok || len(m) != len(want) {
		return false
	}
	for _, p := range want {
		if v, ok := m.Lookup(p.Key.(string)); !ok || !reflect.DeepEqual(v, p.Value) {
			if inner, isMap := p.Value.(cbor.Map); !isMap || !sameMap(v, inner) {
				return false
			}
		}
	}
	return true
}

// Results: text with output, context and proof; maps with attributes; instances of a model, which survive further awaits; a result that does not
// fit is a RunnerValidationError.
//
// Spec: sdk §9.1, §14.1.
func TestResults(t *testing.T) {
	answer := func(j *testkit.Job) testkit.Answer {
		switch args := j.Args(); args[0] {
		case "map":
			return testkit.Answer{Result: cbor.Map{{Key: "status", Value: int64(200)}, {Key: "body", Value: []byte("b")}}}
		case "model":
			return testkit.Answer{Result: cbor.Map{{Key: "score", Value: int64(3)}, {Key: "why", Value: "w"}}}
		case "json":
			return testkit.Answer{Result: `{"score": 4, "why": "j"}`}
		case "misfit":
			return testkit.Answer{Result: cbor.Map{{Key: "score", Value: "high"}}}
		}
		return testkit.Answer{Result: "text", Proof: []byte("p")}
	}
	s := newStage(t, answer, `
    @public
    @runner.continuation
    async def go(self, payload):
        r = await runner.llm("text", context={"a": (1, 2)})
        self._put((r, r.output, r.context, r.proof, r == "text", r.upper()))
        m = await runner.http("map")
        self._put((r.context, m.status, m["body"], m.get("x"), isinstance(m, dict)))
        o = await runner.llm("model", response_model=Opinion)
        p = await runner.llm("json", response_model=Opinion)
        self._put((o, p.score + o.score, type(o) is Opinion, m.status))
        try:
            await runner.llm("misfit", response_model=Opinion)
        except RunnerValidationError as e:
            self._put((e.slug, str(e)))

    @public
    @runner.continuation
    async def local_model(self, payload):
        class Inner(CowboyModel):
            x: int
        await runner.llm("text", response_model=Inner)

    @public
    def misuse(self, payload):
        for bad in (lambda: runner.llm("x", secrets=["k"]), lambda: runner.http("x", secrets=["k"] * 9), lambda: runner.mcp("a", "b", {}, c=1),
                    lambda: runner.http("x", secrets=[("k", {"ttl": 1})]), lambda: runner.process("x"), lambda: runner.llm("x", verify="guess")):
            try:
                bad()
            except Exception as e:
                self._put(type(e).__name__)

class Opinion(CowboyModel):
    score: int
    why: str = ""
`)
	s.alice.Call(s.actor, "go", "")
	if faults := s.settle(14); len(faults) > 0 {
		t.Fatal(faults)
	}
	s.expect("out", s.out(), strings.Join([]string{
		`('text', 'text', {'a': (1, 2)}, b'p', True, 'TEXT')`, `({'a': (1, 2)}, 200, b'b', None, True)`,
		`(Opinion(score=3, why='w'), 7, True, 200)`, `('E1604', "the result does not fit the response model: field 'score' holds str")`,
	}, "|"))
	if x := s.alice.Try(s.actor, "local_model", ""); x.Fault.Code != 1202 || !strings.Contains(x.Fault.Text, "top level") {
		t.Error(testkit.Describe(x))
	}
	s.alice.Call(s.actor, "misuse", "")
	if got := s.out(); !strings.HasSuffix(got, "'SecretsNotApplicableHere'|'ValueError'|'TypeError'|'ValueError'|'AttributeError'|'ValueError'") {
		t.Error(got)
	}
}

// A group has at most eight tasks, is one suspension point, and gives each task's own error.
//
// Spec: sdk §9.5.
func TestTaskGroup(t *testing.T) {
	answer := func(j *testkit.Job) testkit.Answer {
		text, _ := j.Args()[0].(string)
		switch text {
		case "slow":
			return testkit.Answer{Result: "slow", Delay: 4}
		case "bad":
			return testkit.Answer{Error: true, Result: "broken"}
		}
		return testkit.Answer{Result: text}
	}
	s := newStage(t, answer, `
    @public
    @runner.continuation(timeout_blocks=20)
    async def go(self, payload):
        async with TaskGroup() as tg:
            slow = tg.create_task(runner.llm("slow"))
            bad = tg.create_task(runner.llm("bad"))
            quick = tg.create_task(runner.http("quick"))
        try:
            bad.result()
        except RunnerValidationError as e:
            self._put((slow.result(), str(e), quick.result(), quick.done(), str(bad.exception())))
        async with TaskGroup() as tg:
            pass
        self._put("empty")
    @public
    @runner.continuation
    async def late(self, payload):
        async with TaskGroup() as tg:
            slow = tg.create_task(runner.llm("slow", timeout_blocks=2))
            quick = tg.create_task(runner.http("quick", timeout_blocks=2))
        try:
            slow.result()
        except RunnerTimeoutError as e:
            self._put(e.slug)
    @public
    @runner.continuation
    async def many(self, payload):
        async with TaskGroup() as tg:
            for i in range(9):
                tg.create_task(runner.llm("x"))
    @public
    @runner.continuation
    async def early(self, payload):
        async with TaskGroup() as tg:
            t = tg.create_task(runner.llm("x"))
            t.result()
    @public
    @runner.continuation
    async def wrong(self, payload):
        async with TaskGroup() as tg:
            tg.create_task(5)
`)
	s.alice.Call(s.actor, "go", "")
	s.alice.Call(s.actor, "late", "")
	if faults := s.settle(10); len(faults) > 0 {
		t.Fatal(faults)
	}
	s.expect("out", s.out(), `'E1201'|('slow', 'broken', 'quick', True, 'broken')|'empty'`) // the notice comes in its block, before the slow answer
	for handler, want := range map[string]string{"many": "at most 8 tasks", "early": "before its group ends", "wrong": "create_task takes"} {
		t.Run(handler, func(t *testing.T) {
			if x := s.alice.Try(s.actor, handler, ""); !strings.Contains(x.Fault.Text, want) {
				t.Errorf("%s: %s", handler, testkit.Describe(x))
			}
		})
	}
	if s.held() != 0 {
		t.Errorf("%d records are left", s.held())
	}
}

// asyncCallee has handlers that another actor may call and wait for, and some that it may not; asyncCaller waits for them; asyncForger answers in their stead.
const (
	asyncCallee = `
@actor
class B:
    @deferred
    @public
    def add(self, a, b):
        self.storage["n"] = a + b
        return {"sum": a + b, "by": runtime.get_sender()}
    @deferred
    @public
    def fail(self, a):
        self.storage["n"] = "fail"
        raise ValueError("no " + str(a))
    @public
    def quiet(self):
        return 1
    @deferred
    def closed(self):
        return 1
    @public
    def n(self, payload):
        return repr(self.storage["n"]).encode()
`
	asyncCaller = `
    @public
    @actor.continuation(timeout_blocks=30)
    async def go(self, payload):
        b = ActorRef("%s")
        r = await b.async_add(2, 3)
        self._put((r["sum"], r["by"] == self.address))
        for name in ["fail", "quiet", "closed", "missing"]:
            try:
                if name == "fail":
                    await ActorRef("%[1]s").async_fail(7)
                elif name == "quiet":
                    await ActorRef("%[1]s").async_quiet()
                elif name == "closed":
                    await ActorRef("%[1]s").async_closed()
                else:
                    await ActorRef("%[1]s").async_missing()
            except ActorCallError as e:
                self._put(str(e))
        async with TaskGroup() as tg:
            x = tg.create_task(ActorRef("%[1]s").async_add(1, 1))
            y = tg.create_task(ActorRef("%[1]s").async_fail(8))
        self._put((x.result()["sum"], str(y.exception())))
    @public
    @runner.continuation
    async def wrong(self, payload):
        await ActorRef("%[1]s").async_add(2, 3)
    @public
    @actor.continuation
    async def wait(self, payload):
        self._put(await ActorRef("%[1]s").async_add(2, 3))
`
	asyncForger = `
from cowboy_sdk import send
@actor
class C:
    @deferred
    @public
    def forge(self, payload):
        m = json.loads(payload)
        send(m["to"], {"kind": "actor_result", "cid": m["cid"], "status": "ok", "result": "forged", "reply_handler": "wait__resume"})
`
)

// A call of another actor across blocks: its value, its exception, its mode and its permissions come back to the await; nobody else can answer.
//
// Spec: sdk §7 (async_<m>, both sides deferred), §9.6.
func TestAsyncCalls(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	callee := alice.Deploy(head+asyncCallee, nil)
	caller := alice.Deploy(simple(fmt.Sprintf(asyncCaller, callee)), nil)
	alice.Call(caller, "go", "")
	for range 20 {
		for _, x := range c.Mine().Receipts {
			if x.Status != block.Success {
				t.Error(testkit.Describe(x))
			}
		}
	}
	want := strings.Join([]string{
		"(5, True)", "'ValueError: no 7'", "'PurityViolationError: an asynchronous call needs a @deferred handler'",
		"'PermissionDeniedError: the sender may not call closed'", `'ActorCallError: actor has no handler "missing"'`, "(2, 'ValueError: no 8')",
	}, "|")
	if got := alice.Call(caller, "out", ""); got != want {
		t.Errorf("out\n got %s\nwant %s", got, want)
	}
	if got := alice.Call(callee, "n", ""); got != "2" {
		t.Errorf("the callee kept %s: a failed call's writes are undone", got)
	}
	if x := alice.Try(caller, "wrong", ""); x.Fault.Code != 1202 || !strings.Contains(x.Fault.Text, "@actor.continuation") {
		t.Error(testkit.Describe(x))
	}

	// Another actor than the one called sends an answer first.
	other := alice.Deploy(head+asyncForger, nil)
	alice.Send(&tx.Execute{To: caller, Handler: []byte("wait")}, testkit.ExecuteCycles, testkit.ExecuteCells)
	c.Mine()
	s := &stage{Chain: c, t: t, alice: alice, actor: caller}
	cid := s.mailed(callee)
	if len(cid) != 16 {
		t.Fatalf("cid %q", cid)
	}
	alice.Call(other, "forge", fmt.Sprintf(`{"to":"%s","cid":"%s"}`, caller, cid))
	refused := 0
	for range 4 {
		for _, x := range c.Mine().Receipts {
			if x.Fault.Code == 1230 {
				refused++
			}
		}
	}
	if refused != 1 {
		t.Errorf("%d forged answers refused", refused)
	}
	if got := alice.Call(caller, "out", ""); strings.Contains(got, "forged") || !strings.Contains(got, "'sum': 5") {
		t.Error(got)
	}
}

// mailed is the cid in a message that waits for an actor.
func (s *stage) mailed(to account.Address) string {
	found := ""
	if err := s.State().Scan(account.Key(account.KindMailbox, to), nil, 0, func(_, value []byte) bool {
		if i := strings.Index(string(value), "ccid"); i >= 0 {
			found = string(value[i+5 : i+21])
		}
		return true
	}); err != nil {
		s.t.Fatal(err)
	}
	return found
}
