package sdk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// A result counts up to and including the timeout block.
//
// Spec: sdk §10.4, §26 (resume at timeout_block and one after).
func TestTimeoutBlock(t *testing.T) {
	// The job is submitted in block n; the dispatcher has it in n+1, the actor the answer in n+2+delay.
	for delay, want := range map[unit.Height]string{2: "'ok'", 3: "'E1201 no result by block %d'"} {
		t.Run(fmt.Sprint(delay), func(t *testing.T) {
			s := newStage(t, func(*testkit.Job) testkit.Answer { return testkit.Answer{Result: "x", Delay: delay} }, `
    @public
    @runner.continuation(timeout_blocks=4)
    async def go(self, payload):
        try:
            await runner.llm("x")
            self._put("ok")
        except RunnerTimeoutError as e:
            self._put(e.slug + " " + str(e))
    @public
    @runner.continuation(timeout_blocks=1)
    async def own(self, payload):
        try:
            await runner.llm("x", timeout_blocks=4)
            self._put("ok")
        except RunnerTimeoutError as e:
            self._put(e.slug + " " + str(e))
`)
			var by []string
			for _, handler := range []string{"go", "own"} {
				s.alice.Call(s.actor, handler, "")
				text := want
				if strings.Contains(want, "%") {
					text = fmt.Sprintf(want, s.Height()+4)
				}
				by = append(by, text)
				if faults := s.settle(10); len(faults) > 0 {
					t.Error(faults)
				}
			}
			s.expect(fmt.Sprint("delay ", delay), s.out(), strings.Join(by, "|"))
			if s.held() != 0 {
				t.Errorf("%d records are left", s.held())
			}
		})
	}
}

// Whatever becomes of a job, its await ends by the timeout block: with the answer if there is one, with an error otherwise, in that very block. So
// it is where a function of the kit answers, and where scripts of the network do, or nobody. An answer that comes later finds nobody.
//
// Spec: sdk §10.4, §10.5; runner-marketplace §2 (timeout_blocks).
func TestAwaitsEnd(t *testing.T) {
	const methods = `
    @public
    @runner.continuation(timeout_blocks=6)
    async def go(self, payload):
        start = runtime.get_block_height()
        try:
            text = str(await runner.llm("x"))
        except (RunnerTimeoutError, RunnerValidationError) as e:
            text = type(e).__name__ + " " + str(e)
        self._put(text + " after " + str(runtime.get_block_height() - start))
    @public
    @runner.continuation(timeout_blocks=6)
    async def group(self, payload):
        start = runtime.get_block_height()
        async with TaskGroup() as tg:
            one = tg.create_task(runner.llm("x"))
            two = tg.create_task(runner.http("y"))
        self._put(str(two.result()) + ", " + str(one.exception())[:9] + " after " + str(runtime.get_block_height() - start))
`
	ok := func(late unit.Height) testkit.Answer { return testkit.Answer{Result: "fine", Delay: late} }
	failed := testkit.Answer{Error: true, Result: cbor.Map{{Key: "error", Value: "failed"}, {Key: "message", Value: "no model"}}}
	for name, c := range map[string]struct {
		answer testkit.Answer
		want   string
	}{
		"answered":     {ok(0), "'fine after 2'"},
		"failed":       {failed, "'RunnerValidationError no model after 2'"},
		"at the last":  {ok(4), "'fine after 6'"},
		"a block late": {ok(5), "'RunnerTimeoutError no result by block %d after 6'"},
		"far too late": {ok(5_000), "'RunnerTimeoutError no result by block %d after 6'"},
		"lost":         {testkit.Answer{Lost: true}, "'RunnerTimeoutError no result by block %d after 6'"},
		"too large":    {testkit.Answer{Result: strings.Repeat("x", 1<<20)}, "'RunnerValidationError the answer is larger than a message may be after 2'"},
		"late, too large": {
			testkit.Answer{Result: strings.Repeat("x", 1<<20), Delay: 2},
			"'RunnerValidationError the answer is larger than a message may be after 2'"},
	} {
		s := newStage(t, func(*testkit.Job) testkit.Answer { return c.answer }, methods)
		s.awaits(name, c.want, 0)
	}
	scripted := func(set func(c *testkit.Chain)) *stage {
		c := testkit.NewChain(t)
		s := &stage{Chain: c, t: t, alice: c.Account("alice")}
		s.actor = s.alice.Deploy(simple(methods), nil)
		set(c)
		return s
	}
	late := testkit.ReplyWith(dispatcher.OK, "late")
	late.Late = 5
	scripted(func(*testkit.Chain) {}).awaits("nobody answers", "'RunnerTimeoutError no result by block %d after 6'", 0)
	scripted(func(c *testkit.Chain) { c.SetRunner(dispatcher.Script{Reply: testkit.ReplyWith(dispatcher.Lost)}) }).
		awaits("scripted to be lost", "'RunnerTimeoutError no result by block %d after 6'", 0)
	scripted(func(c *testkit.Chain) { c.SetRunner(dispatcher.Script{Reply: late}) }).
		awaits("scripted to be late", "'RunnerTimeoutError no result by block %d after 6'", 0)

	// By hand: in time it is the answer; let go of, the notice comes all the same; afterwards there is no job.
	hand := scripted(func(*testkit.Chain) {})
	for answer, want := range map[string]string{"in time": "'by hand after 4'", "let go": "'RunnerTimeoutError no result by block %d after 6'"} {
		before := hand.out()
		hand.alice.Call(hand.actor, "go", "")
		by := hand.Height() + 6
		hand.Mine()
		reply := testkit.ReplyWith(dispatcher.OK, "by hand")
		if answer == "let go" {
			reply = testkit.ReplyWith(dispatcher.Lost)
		}
		hand.Mine()
		hand.AnswerJob(hand.WaitingJobs()[0].CID, reply)
		hand.settle(6)
		if strings.Contains(want, "%") {
			want = fmt.Sprintf(want, by)
		}
		hand.expect(answer, strings.TrimPrefix(strings.TrimPrefix(hand.out(), before), "|"), want)
		hand.nothing(answer)
	}

	// Of a group, the tasks that were answered keep their answers.
	s := newStage(t, func(j *testkit.Job) testkit.Answer { return testkit.Answer{Result: "fine", Lost: j.Type == "llm"} }, methods)
	s.alice.Call(s.actor, "group", "")
	if faults := s.settle(8); len(faults) > 0 {
		t.Error(faults)
	}
	s.expect("group", s.out(), "'fine, no result after 6'")
	s.nothing("group")
}

// awaits makes the call and holds what came of it against what is wanted, where %d is the timeout block.
func (s *stage) awaits(name, want string, faults int) {
	s.t.Helper()
	s.alice.Call(s.actor, "go", "")
	if strings.Contains(want, "%") {
		want = fmt.Sprintf(want, s.Height()+6)
	}
	if got := s.settle(9); len(got) != faults {
		s.t.Errorf("%s: %v", name, got)
	}
	s.expect(name, s.out(), want)
	s.nothing(name)
}

// nothing checks that no record, job or pool is left.
func (s *stage) nothing(name string) {
	s.t.Helper()
	pools := 0
	if err := mailbox.EachPool(s.State(), func(mailbox.Pool) bool { pools++; return true }); err != nil {
		s.t.Fatal(err)
	}
	lates, err := dispatcher.Lates(s.State())
	if err != nil {
		s.t.Fatal(err)
	}
	if s.held() != 0 || len(s.WaitingJobs()) != 0 || len(lates) != 0 || pools != 0 {
		s.t.Errorf("%s: %d records, %d jobs, %d answers, %d pools are left", name, s.held(), len(s.WaitingJobs()), len(lates), pools)
	}
}
