package job_test

import (
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// enrol registers runners of 20,000 CBY that take jobs of models up to 100 CBY; new ones take a tenth of that.
func (w *town) enrol(names ...string) (list []*testkit.Account) {
	w.t.Helper()
	for _, name := range names {
		one := w.Account(name)
		w.SetBalance(one.Address(), 30_000*unit.CBY)
		w.must(one, &tx.RunnerRegister{
			PublicKey: one.PublicKey(), Stake: 20_000 * unit.CBY, RateCard: runner.RateCard{LLMOutputToken: 3, MaxJobValue: 100 * unit.CBY},
			Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 2},
		})
		list = append(list, one)
	}
	return list
}

// asked is a job of 5 CBY and a tip of 1.
func asked(edit ...func(s *chainjob.Spec)) *tx.JobSubmit {
	s := &chainjob.Spec{
		Kind: chainjob.LLM, LLM: &chainjob.LLMJob{Prompt: "Why?", MaxTokens: 100},
		Bounds: chainjob.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30}, Schema: chainjob.ResultSchema{MaxReturnBytes: 1_000},
		MaxPrice: 5 * unit.CBY, Tip: unit.CBY, TimeoutBlocks: 20, Verification: chainjob.Verification{DisputeBlocks: 75},
	}
	for _, e := range edit {
		e(s)
	}
	return &tx.JobSubmit{Spec: s.Append(nil)}
}

func (w *town) held() unit.Amount {
	w.t.Helper()
	held, err := market.Escrow(w.State())
	if err != nil {
		w.t.Fatal(err)
	}
	return held
}

func (w *town) find(id digest.Hash) *market.Job {
	w.t.Helper()
	j, err := market.Load(w.State(), id)
	if err != nil || j == nil {
		w.t.Fatalf("no job: %v", err)
	}
	return j
}

// An account has a job done, whose runner is silent: all of the 6 CBY come back. What the submission costs is no more than its fee.
//
// Spec: WP §5.3, §9; runner-marketplace §3 (6), §5, §5.1, §13.
func TestJobOfAnAccount(t *testing.T) {
	w := newTown(t)
	w.enrol("rita", "rolf", "rosa")
	bob := w.Account("bob")
	r := w.do(bob, asked())
	if r.Status != block.Success || len(r.ReturnData) != digest.Size {
		t.Fatalf("%+v", r.Fault)
	}
	// 10,000 cycles, and 500 for the list of those who do such jobs and each of the three on it.
	if r.CyclesUsed != 10_000+4*500 {
		t.Errorf("it used %d cycles", r.CyclesUsed)
	}
	id := digest.Hash(r.ReturnData)
	had, j := w.Balance(bob.Address()), w.find(id)
	if j.Status != market.Assigned || j.Escrow != 6*unit.CBY || w.held() != 6*unit.CBY {
		t.Errorf("%+v, held %d", j, w.held())
	}
	s, err := market.LoadSelection(w.State(), id)
	if err != nil || len(s.Selected) != 1 {
		t.Fatalf("%+v %v", s, err)
	}
	if list, err := market.ByRunner(w.State(), s.Selected[0], digest.Hash{}, 0); err != nil || len(list) != 1 || list[0] != id {
		t.Errorf("%v %v", list, err)
	}
	if named, ok, err := market.Resolve(w.State(), market.Alias(digest.Hash(r.ID), w.Height())); err != nil || !ok || named != id {
		t.Errorf("by its alias: %v %v %v", named, ok, err)
	}
	w.AdvanceTo(j.Deadline - 1)
	if w.find(id).Status != market.Assigned {
		t.Error("it ended too soon")
	}
	w.Mine()
	if j = w.find(id); j.Status != market.Failed || j.Reason != market.ReasonTimeout || w.held() != 0 || w.Balance(bob.Address()) != had+6*unit.CBY {
		t.Errorf("%+v, held %d, came back %d", j, w.held(), w.Balance(bob.Address())-had)
	}
	if err := transition.CheckSupply(w.State()); err != nil {
		t.Error(err)
	}
	home := account.System(account.JobDispatcher)
	for _, topic := range []string{market.TopicSubmitted, market.TopicAssigned, market.TopicFailed} {
		if len(w.Events(home, topic)) != 1 {
			t.Errorf("%s was announced %d times", topic, len(w.Events(home, topic)))
		}
	}
}

// What is refused leaves no coin and no entry behind.
//
// Spec: runner-marketplace §3 (6, 8), §12.
func TestRefusedJobs(t *testing.T) {
	w := newTown(t)
	bob := w.Account("bob")
	w.refused(bob, asked(), job.FaultNoRunners)
	w.enrol("rita", "rolf", "rosa")
	for _, c := range []struct {
		name string
		edit func(s *chainjob.Spec)
		code uint16
	}{
		{"another model", func(s *chainjob.Spec) { s.LLM.Model[0] = 1 }, job.FaultNoRunners},
		{"more than a tenth of what beginners take", func(s *chainjob.Spec) { s.MaxPrice = 10*unit.CBY + 1 }, job.FaultNoRunners},
		{"a pool nobody is in", func(s *chainjob.Spec) { s.Pool = []byte("p") }, job.FaultNoRunners},
		{"a pool without a name", func(s *chainjob.Spec) { s.Pool = []byte{} }, job.FaultPool},
		{"of a mode that is not there yet", func(s *chainjob.Spec) { s.Verification.Mode = chainjob.ModeSemanticSimilarity }, job.FaultConfig},
		{"a callback to a continuation", func(s *chainjob.Spec) { s.Callback.Handler = "ask__resume" }, job.FaultMarket},
		{"more than it has", func(s *chainjob.Spec) { s.Tip = 5_000 * unit.CBY }, drain.FaultValue},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := w.Balance(bob.Address())
			r := w.do(bob, asked(c.edit))
			if r.Status != block.Faulted || r.Fault.Code != c.code {
				t.Fatalf("%+v, want fault %d", r.Fault, c.code)
			}
			if spent := before - w.Balance(bob.Address()); spent != r.FeeBurned+r.FeeTipped || w.held() != 0 {
				t.Errorf("it cost %d, the fee was %d", spent, r.FeeBurned+r.FeeTipped)
			}
		})
	}
	w.refused(bob, &tx.JobCancel{JobID: digest.Hash{1}}, job.FaultNoJob)
}

// A committee is drawn in the block that has the seed of the round two after the submission's; until then the job may be cancelled.
//
// Spec: WP §5.3; runner-marketplace §3 (8), §4.2, §4.4.
func TestCommitteeOnAChain(t *testing.T) {
	w := newTown(t)
	w.enrol("r1", "r2", "r3", "r4", "r5")
	bob := w.Account("bob")
	vote := func(s *chainjob.Spec) { s.Verification.Mode = chainjob.ModeMajorityVote }
	first := digest.Hash(w.do(bob, asked(vote)).ReturnData)
	had := w.Balance(bob.Address())
	r := w.do(bob, &tx.JobCancel{JobID: first})
	if r.Status != block.Success || w.find(first).Status != market.Cancelled || w.Balance(bob.Address()) != had+6*unit.CBY-r.FeeBurned-r.FeeTipped {
		t.Errorf("%+v", r.Fault)
	}
	second := digest.Hash(w.do(bob, asked(vote)).ReturnData)
	for _, want := range []market.Status{market.AwaitingSeed, market.AwaitingSeed, market.AwaitingSeed} {
		if j := w.find(second); j.Status != want {
			t.Fatalf("block %d: %v", w.Height(), j.Status)
		}
		w.Mine()
	}
	j := w.find(second)
	s, err := market.LoadSelection(w.State(), second)
	if err != nil || j.Status != market.Assigned || len(s.Selected) != 5 || s.Threshold != 3 || s.Round != j.Round {
		t.Errorf("%v %+v %v", j.Status, s, err)
	}
	w.refused(bob, &tx.JobCancel{JobID: second}, job.FaultStatus)
}

// Governance names executors and sets the committee of the first epoch.
//
// Spec: runner-marketplace §2.2, §3 (87, 88, 99), §4.2.
func TestGovernedMarket(t *testing.T) {
	w := newTown(t)
	key := params.StateKey(params.KeyExecutorPrefix + "resize")
	w.must(w.admin, &tx.ExecutorRegistryPin{Name: []byte("resize"), Executor: digest.Hash{7}})
	if value, ok, err := w.State().Lookup(key); err != nil || !ok || digest.Hash(value) != (digest.Hash{7}) {
		t.Errorf("%x %v %v", value, ok, err)
	}
	w.must(w.admin, &tx.ExecutorRegistryUnpin{Name: []byte("resize")})
	if _, ok, err := w.State().Lookup(key); err != nil || ok {
		t.Errorf("it is still there: %v", err)
	}
	w.must(w.admin, &tx.UpdateCommitteeConfig{Config: params.CommitteeConfig{Members: 7, Threshold: 5}})
	if p, err := params.Load(w.State()); err != nil || p.Committee.Members != 7 {
		t.Errorf("%+v %v", p, err)
	}
	w.AdvanceTo(params.CommitteeEpochBlocks)
	if s, err := market.LoadSize(w.State()); err != nil || s.Active != 0 || s.Committee != (params.CommitteeConfig{Members: 3, Threshold: 2}) {
		t.Errorf("%+v %v", s, err)
	}
}

func source(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A job of a Python actor goes to registered runners when no script matches; its end is told in the form of scripts, from what the actor's balance held.
//
// Spec: sdk §9.1, §9.6; runner-marketplace §2.1, §5 (callback).
func TestJobOfAnActor(t *testing.T) {
	w := newTown(t)
	w.enrol("rita")
	alice := w.Account("alice")
	chat := alice.Deploy(source(t, "../../../testkit/examples/chat.py"), []byte("{}"))
	alice.Fund(chat, 20*unit.CBY)
	before := w.Balance(chat)
	alice.Call(chat, "say", `{"text":"hello"}`)
	w.Mine()
	if w.held() != unit.CBY || w.Balance(chat) != before-unit.CBY {
		t.Fatalf("held %d, the actor has %d of %d", w.held(), w.Balance(chat), before)
	}
	list, err := market.BySubmitter(w.State(), chat, digest.Hash{}, 0)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	j := w.find(list[0])
	spec, err := market.LoadSpec(w.State(), list[0])
	if err != nil || spec.Kind != chainjob.LLM || !strings.Contains(spec.LLM.Prompt, "hello") || j.Until == 0 {
		t.Fatalf("%+v %v", spec, err)
	}
	for range 1_500 {
		if w.find(list[0]).Status.Ended() {
			break
		}
		w.Mine()
	}
	w.Mine()
	if j = w.find(list[0]); j.Status != market.Failed || w.held() != 0 || w.Balance(chat) != before {
		t.Errorf("%+v, held %d, the actor has %d of %d", j, w.held(), w.Balance(chat), before)
	}
	if err := transition.CheckSupply(w.State()); err != nil {
		t.Error(err)
	}
}

// The blocks of a walk with silent runners, committees and cancellations, replayed on a chain that did not make them, give its roots.
//
// Spec: WP §2.5, §3.4; runner-marketplace §4.4 (replay needs no live state of consensus).
func TestMarketReplays(t *testing.T) {
	made, again := newTown(t), testkit.NewChain(t)
	made.enrol("r1", "r2", "r3", "r4")
	bob := made.Account("bob")
	vote := func(s *chainjob.Spec) { s.Verification.Mode, s.Bounds.MaxRetries = chainjob.ModeMajorityVote, 1 }
	for n := range 6 {
		edit := vote
		if n%2 == 0 {
			edit = func(s *chainjob.Spec) { s.TimeoutBlocks, s.Bounds.MaxRetries = uint64(3+n), 3 }
		}
		r := made.do(bob, asked(edit))
		if n == 1 {
			made.do(bob, &tx.JobCancel{JobID: digest.Hash(r.ReturnData)})
		}
		made.Mine()
	}
	made.AdvanceTo(made.Height() + 60)
	for _, b := range made.Blocks() {
		body := make([]*tx.Tx, len(b.Txs))
		for i, v := range b.Txs {
			body[i] = v.Tx()
		}
		again.Replay(&block.Block{Header: b.Header, Txs: body}, b.Receipts)
	}
	if made.Root() != again.Root() || made.Height() != again.Height() {
		t.Errorf("%x in block %d, replayed %x in block %d", made.Root(), made.Height(), again.Root(), again.Height())
	}
	if err := transition.CheckSupply(again.State()); err != nil {
		t.Error(err)
	}
}
