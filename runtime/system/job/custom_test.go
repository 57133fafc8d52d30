package job_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verifier"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// judging is an actor whose handlers check results, well and in every other way there is.
const judging = `
from cowboy_sdk import Storage, actor, call, public

@actor
class Judging:
    storage: Storage

    @public
    def init(self, payload):
        self.storage["asked"] = 0
        return b"ok"

    @public
    def fair(self, job, outputs, runners):
        if job["job_type"]["Llm"]["prompt"] != "Why?" or len(outputs) != len(runners):
            raise ValueError("asked badly")
        for one in runners:
            if len(one["address"]) != 20 or one["usage"]["output_tokens"] != 100 or one["tee_attestation"] is not None:
                raise ValueError("asked badly")
        return {"valid": all(o.startswith("because") for o in outputs)}

    @public
    def first(self, job, outputs, runners):
        return {"valid": True, "canonical_output": sorted(outputs)[0]}

    @public
    def long(self, job, outputs, runners):
        return {"valid": True, "canonical_output": "x" * 1001}

    @public
    def full(self, job, outputs, runners):
        return {"valid": True, "canonical_output": "x" * 1000}

    @public
    def no(self, job, outputs, runners):
        return {"valid": False, "reason": "not today"}

    @public
    def raises(self, job, outputs, runners):
        raise ValueError("no")

    @public
    def forever(self, job, outputs, runners):
        n = 0
        while True:
            n += 1

    @public
    def wrong(self, job, outputs, runners):
        return True

    @public
    def unsure(self, job, outputs, runners):
        return {"valid": 1}

    @public
    def listed(self, job, outputs, runners):
        return {"valid": True, "canonical_output": [1]}

    @public
    def writes(self, job, outputs, runners):
        self.storage["asked"] = 1
        return {"valid": True}

    @public
    def again(self, job, outputs, runners):
        call(bytes(19) + bytes([3]), "rule", b"x")
        return {"valid": True}

    @public
    def told(self, payload):
        return str(self.storage.get("asked")).encode()
`

// checked is a job of three runners, two of whom have to agree, whose results an actor checks.
func checked(actor account.Address, method string, edit ...func(s *chainjob.Spec)) *tx.JobSubmit {
	return asked(append([]func(s *chainjob.Spec){func(s *chainjob.Spec) {
		s.Bounds.MaxRetries = 0
		s.Verification.Mode, s.Verification.Runners, s.Verification.Threshold = chainjob.ModeStructuredMatch, 3, 2
		s.Verification.Checks = []chainjob.Check{{Kind: chainjob.CheckCustom, Actor: actor, Method: method}}
	}}, edit...)...)
}

// answered has a submission's committee do the job to the end of its judgement: three runners give data and use 100 tokens each.
func (w *town) answered(by *testkit.Account, in *tx.JobSubmit, cycles unit.Cycles) (digest.Hash, []*testkit.Account) {
	w.t.Helper()
	r := by.Do(in, cycles, 50_000)
	if r.Status != block.Success {
		w.t.Fatalf("%+v", r.Fault)
	}
	id := digest.Hash(r.ReturnData)
	w.mined(id, market.Assigned)
	var people []*testkit.Account
	var reveals []*tx.JobResultSubmit
	for n, name := range []string{"r1", "r2", "r3"} {
		one := w.Account(name)
		commit, reveal := work(w.t, name, id, fmt.Sprintf("because %d", n), 100)
		w.must(one, commit)
		reveals, people = append(reveals, reveal), append(people, one)
	}
	for _, r := range reveals {
		w.must(people[0], r)
	}
	return id, people
}

// Every answer of an actor that checks results, and what becomes of the job. Where it accepts, the runners have what 100 tokens of three base units cost, 300:
// 30 burned, 3 the treasury's, 267 theirs, and the tip. Where it rejects, all 6 CBY go back. Where it has not ruled, the job is at fault: each runner has the
// 52,000 cycles of a commitment and a reveal at the basefee of the block that says so, nothing is burned, and the rest goes back.
//
// Spec: WP-January "SDK Verifier Functions" (custom); runner-marketplace §2.3 (Custom), §5.2 (actor fault).
func TestActorsCheckResults(t *testing.T) {
	const none = "\x00"
	for method, c := range map[string]struct {
		word verify.Word
		data string
	}{
		"fair": {verify.Accepted, "because "}, "first": {verify.Accepted, "because 0"}, "full": {verify.Accepted, "x"}, "no": {verify.Rejected, none},
		"raises": {verify.Faulted, none}, "forever": {verify.Faulted, none}, "wrong": {verify.Faulted, none}, "unsure": {verify.Faulted, none},
		"listed": {verify.Faulted, none}, "long": {verify.Faulted, none}, "writes": {verify.Faulted, none}, "again": {verify.Faulted, none},
		"missing": {verify.Faulted, none},
	} {
		t.Run(method, func(t *testing.T) {
			w := newTown(t)
			w.enrol("r1", "r2", "r3")
			bob := w.Account("bob")
			judge := w.Account("alice").Deploy(judging, []byte("{}"))
			id, people := w.answered(bob, checked(judge, method), 900_000)
			before := map[account.Address]unit.Amount{}
			for _, p := range people {
				before[p.Address()] = w.Balance(p.Address())
			}
			for n := 0; w.find(id).Status < market.Challengeable && n < 5; n++ {
				w.Mine()
			}
			rulings := w.Events(verifier.Home(), verifier.TopicRuled)
			if len(rulings) != 1 || !strings.HasSuffix(rulings[0], string(rune(c.word))) {
				t.Fatalf("ruled %v", rulings)
			}
			if c.word == verify.Rejected {
				if j := w.find(id); j.Status != market.Failed || j.Reason != "NoConsensus" || w.held() != 0 {
					t.Errorf("%+v, held %d", j, w.held())
				}
				return
			}
			v, err := market.LoadResult(w.State(), id)
			if err != nil || v == nil || len(v.Agreed) != 3 {
				t.Fatalf("%+v %v", v, err)
			}
			w.mined(id, market.Completed)
			paid := unit.Amount(0)
			for _, p := range people {
				paid += w.Balance(p.Address()) - before[p.Address()]
			}
			switch {
			case c.word == verify.Accepted && (v.Outcome != verify.Success || paid != 267+unit.CBY || string(v.Data[:len(c.data)]) != c.data):
				t.Errorf("%s %q, the runners have %d", v.Outcome, v.Data, paid)
			case c.word == verify.Faulted && (v.Outcome != verify.ActorFault || v.Price != 3*52_000*10_000 || paid != v.Price):
				t.Errorf("%s for %d, the runners have %d", v.Outcome, v.Price, paid)
			}
			if got := w.Account("alice").Call(judge, "told", "{}"); got != "0" {
				t.Errorf("a check has changed state: %q", got)
			}
		})
	}
}

// An actor that is none has not ruled; an origin that has too little left is asked three times, 20 blocks apart, and then has not ruled
// either. Nobody but 0x03 has it ask.
//
// Spec: WP-January "SDK Verifier Functions" (custom: the cycles are the job's actor's to pay); runner-marketplace §2.3 (Custom).
func TestActorsThatCannotBeAsked(t *testing.T) {
	for name, c := range map[string]struct {
		cycles unit.Cycles
		actor  func(w *town) account.Address
		asked  uint32 // blocks until it is known
	}{
		"gone":            {900_000, func(*town) account.Address { return account.Address{0: 7, 19: 9} }, 2},
		"too little left": {22_000, func(w *town) account.Address { return w.Account("alice").Deploy(judging, []byte("{}")) }, 3 * params.CheckAnswerBlocks},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			w.enrol("r1", "r2", "r3")
			bob := w.Account("bob")
			id, _ := w.answered(bob, checked(c.actor(w), "fair"), c.cycles)
			from := w.Height()
			w.refused(bob, &tx.Execute{To: verifier.Home(), Handler: []byte("rule"), Payload: id[:]}, drain.FaultUnavailable)
			w.mined(id, market.Challengeable)
			if got := uint32(w.Height() - from); got > c.asked+1 || got+2 < c.asked {
				t.Errorf("after %d blocks, want about %d", got, c.asked)
			}
			v, err := market.LoadResult(w.State(), id)
			if err != nil || v.Outcome != verify.ActorFault || v.Price != 3*52_000*10_000 {
				t.Errorf("%+v %v", v, err)
			}
			w.mined(id, market.Completed)
			if w.held() != 0 {
				t.Errorf("%d are held", w.held())
			}
		})
	}
}

// asker is an actor that has another check what a committee says.
const asker = `
import json
from cowboy_sdk import Storage, Verify, actor, public, runner

@actor
class Asker:
    storage: Storage

    @public
    def init(self, payload):
        return b"ok"

    @public
    @runner.continuation(timeout_blocks=400)
    async def ask(self, payload):
        judge = bytes.fromhex(json.loads(payload)["judge"])
        trust = Verify.builder().mode("structured_match").runners(3).threshold(2).check(Verify.custom(judge, "first")).build()
        answer = await runner.llm("Why?", max_tokens=100, verification=trust)
        self.storage["answer"] = answer

    @public
    def told(self, payload):
        return str(self.storage.get("answer")).encode()
`

// An actor of the SDK names another as the check, on its own account, and goes on with the output that one makes of the results.
//
// Spec: sdk §9.3, §9.4; WP-January "SDK Verifier Functions" (custom).
func TestAnActorAsksAnotherToCheck(t *testing.T) {
	w := newTown(t)
	names := []string{"r1", "r2", "r3"}
	people := w.enrol(names...)
	alice := w.Account("alice")
	judge, actor := alice.Deploy(judging, []byte("{}")), alice.Deploy(asker, []byte("{}"))
	alice.Fund(actor, 20*unit.CBY)
	alice.Call(actor, "ask", fmt.Sprintf(`{"judge":"%x"}`, judge[:]))
	w.Mine()
	list, err := market.BySubmitter(w.State(), actor, digest.Hash{}, 0)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	w.mined(list[0], market.Assigned)
	var reveals []*tx.JobResultSubmit
	for i, said := range []string{"c", "a", "b"} {
		commit, reveal := work(t, names[i], list[0], said, 100)
		w.must(people[i], commit)
		reveals = append(reveals, reveal)
	}
	for _, r := range reveals {
		w.must(people[0], r)
	}
	w.mined(list[0], market.Challengeable)
	w.Mine()
	w.Mine()
	if got := alice.Call(actor, "told", "{}"); got != "a" {
		t.Errorf("the actor was told %q", got)
	}
}

// refusing is a caller whose calls end with one error.
type refusing struct{ err error }

func (r refusing) Call(*chapter.Env, chapter.Call) ([]byte, error) { return nil, r.err }

func (r refusing) Check([]byte) ([]byte, error) { return nil, r.err }

// A dormant actor has not ruled. Where the origin has too little left nothing is kept, and the turn fails; nor is anything kept of a question that is none.
//
// Spec: WP-January "SDK Verifier Functions" (custom); runner-marketplace §2.3 (Custom).
func TestWhatTheTurnOfACheckKeeps(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		other  bool // it asks about another job
		sender account.Address
		want   error
		ruled  int
	}{
		"dormant":        {&chapter.CallError{Code: drain.FaultDormant}, false, verifier.Home(), nil, 1},
		"nothing left":   {chapter.ErrCycles, false, verifier.Home(), chapter.ErrCycles, 0},
		"no cells":       {chapter.ErrCells, false, verifier.Home(), chapter.ErrCells, 0},
		"another job":    {nil, true, verifier.Home(), market.ErrUnknown, 0},
		"somebody's own": {nil, false, account.Address{7}, chapter.ErrNoHandler, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			w.enrol("r1", "r2", "r3")
			id, _ := w.answered(w.Account("bob"), checked(account.Address{0: 7, 19: 9}, "fair"), 900_000)
			p, err := params.Load(w.State())
			if err != nil || w.find(id).Status != market.Verifying {
				t.Fatalf("%+v %v", w.find(id), err)
			}
			tip, _ := w.Tip()
			turn := &drain.Turn{
				Target: verifier.Home(), Sender: c.sender, Overlay: tip.State.Overlay(), Limit: fee.Use{Cycles: 500_000, Cells: 10_000},
				Block: &drain.Block{Height: w.Height() + 1, Params: p},
			}
			asked := id
			if c.other {
				asked = digest.Hash{1}
			}
			chapters := job.New()
			at := slices.IndexFunc(chapters.Handlers, func(h chapter.Handler) bool { return h.Name == "rule" })
			_, err = chapters.Handlers[at].Run(chapter.NewEnv(chapters, turn, refusing{c.err}), chapter.Request{Handler: "rule", Data: asked[:]})
			if !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			q, err := market.LoadInquiry(turn.Overlay, id)
			if err != nil || len(q.Rulings) != c.ruled || c.ruled > 0 && q.Rulings[0].Word != verify.Faulted {
				t.Errorf("%+v %v", q, err)
			}
		})
	}
}
