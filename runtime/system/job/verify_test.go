package job_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verifier"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// The asking actor of the tests: it takes what three of five runners say.
const asking = `
from cowboy_sdk import Storage, Verify, actor, public, runner

@actor
class Asking:
    storage: Storage

    @public
    def init(self, payload):
        return b"ok"

    @public
    @runner.continuation(timeout_blocks=400)
    async def ask(self, payload):
        trust = Verify.builder().mode("majority_vote").runners(5).threshold(3).build()
        answer = await runner.llm("Which color?", max_tokens=100, verification=trust)
        self.storage["answer"] = answer

    @public
    def told(self, payload):
        return str(self.storage.get("answer")).encode()
`

// keyOf is the key of an account of the testkit, which its name gives.
func keyOf(t *testing.T, name string) *sig.PrivateKey {
	t.Helper()
	secret := digest.Keccak256([]byte("testkit account " + name))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// work is what a runner found, ready to be committed to and revealed.
func work(t *testing.T, name string, id digest.Hash, data string, tokens uint32) (*tx.JobResultCommit, *tx.JobResultSubmit) {
	t.Helper()
	o := &verify.Output{Data: []byte(data), Usage: verify.Usage{OutputTokens: tokens}}
	r := verify.Sign(keyOf(t, name), id, o.Append(nil))
	return &tx.JobResultCommit{JobID: id, Commitment: verify.Commitment(r.Output, r.Salt)},
		&tx.JobResultSubmit{JobID: id, Runner: r.Runner, Output: r.Output, Salt: r.Salt, Proof: r.Proof}
}

// mined mines blocks until a job has a status; in each all coins are accounted for.
func (w *town) mined(id digest.Hash, status market.Status) *market.Job {
	w.t.Helper()
	for n := 0; w.find(id).Status != status && n < 300; n++ {
		w.Mine()
		if err := transition.CheckSupply(w.State()); err != nil {
			w.t.Fatal(err)
		}
	}
	j := w.find(id)
	if j.Status != status {
		w.t.Fatalf("block %d: %+v, want %v", w.Height(), j, status)
	}
	return j
}

func (w *town) runner(of account.Address) *runner.Runner {
	w.t.Helper()
	r, ok, err := runner.Load(w.State(), of)
	if err != nil || !ok {
		w.t.Fatalf("%v %v", ok, err)
	}
	return r
}

// A Python actor asks five runners; four say blue, one says red, and it goes on with blue. One member of the committee posts the reveals of all. Each token
// costs three base units: 100 tokens 300, of which 30 are burned, 3 are the treasury's and 267 the four runners'.
//
// Spec: WP §5.3, §8.4, §9; CIP-2 §8; runner-marketplace §3 (7, 9), §5, §5.2; sdk §9.6, §10.
func TestACommitteeAnswersAnActor(t *testing.T) {
	w := newTown(t)
	names := []string{"r1", "r2", "r3", "r4", "r5"}
	people := w.enrol(names...)
	alice := w.Account("alice")
	actor := alice.Deploy(asking, []byte("{}"))
	alice.Fund(actor, 20*unit.CBY)
	had := w.Balance(actor)
	alice.Call(actor, "ask", `{}`)
	w.Mine()
	list, err := market.BySubmitter(w.State(), actor, digest.Hash{}, 0)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	id := list[0]
	w.mined(id, market.Assigned)
	var reveals []*tx.JobResultSubmit
	for i, name := range names {
		data := "blue"
		if i == 2 {
			data = "red"
		}
		commit, reveal := work(t, name, id, data, 100)
		w.must(people[i], commit)
		reveals = append(reveals, reveal)
	}
	w.refused(people[0], &tx.JobResultCommit{JobID: id}, job.FaultLate)
	before := map[account.Address]unit.Amount{}
	for _, p := range people[1:] {
		before[p.Address()] = w.Balance(p.Address())
	}
	for _, r := range reveals {
		w.must(people[0], r)
	}
	w.mined(id, market.Challengeable)
	w.Mine()
	w.Mine()
	if got := alice.Call(actor, "told", "{}"); got != "blue" {
		t.Errorf("the actor was told %q", got)
	}
	treasury := w.Balance(account.System(account.Treasury))
	w.mined(id, market.Completed)
	if got := w.Balance(account.System(account.Treasury)) - treasury; got != 3 {
		t.Errorf("the treasury has %d more", got)
	}
	if got := had - w.Balance(actor); got != 300 {
		t.Errorf("it cost %d", got)
	}
	for i, p := range people {
		rises := w.runner(p.Address()).Reputation > runner.ReputationOf(50)
		if rises != (i != 2) {
			t.Errorf("%s: reputation %d", names[i], w.runner(p.Address()).Reputation.Milli())
		}
		got := w.Balance(p.Address()) - before[p.Address()] // 267/4, or less the bonus, 4, and with it
		if i == 2 && got != 0 || i > 0 && i != 2 && (got < 65 || got > 75) {
			t.Errorf("%s has %d more", names[i], got)
		}
	}
}

// A runner does a job of one. What is refused on the way has its code; the chain keeps the reveal for everybody to see.
//
// Spec: runner-marketplace §3 (7, 9, 97), §5, §12, §13.
func TestResultsOnAChain(t *testing.T) {
	w := newTown(t)
	rita := w.enrol("rita")[0]
	bob, eve := w.Account("bob"), w.Account("eve")
	id := digest.Hash(w.do(bob, asked()).ReturnData)
	commit, reveal := work(t, "rita", id, "because", 50)
	w.refused(rita, reveal, job.FaultStatus)
	w.refused(eve, commit, job.FaultSelected)
	w.refused(rita, &tx.JobResultCommit{JobID: digest.Hash{1}}, job.FaultNoJob)
	w.refused(rita, &tx.SubmitCrashAttestation{JobID: id}, job.FaultStatus)
	w.must(rita, commit)
	_, other := work(t, "rita", id, "why not", 50)
	w.refused(rita, other, job.FaultMismatch)
	w.must(rita, &tx.SubmitCrashAttestation{JobID: id, Signal: 4})
	w.refused(rita, &tx.SubmitCrashAttestation{JobID: id, Signal: 4}, job.FaultCrashed)
	w.must(eve, reveal)
	w.mined(id, market.Challengeable)
	v, err := market.LoadResult(w.State(), id)
	if err != nil || string(v.Data) != "because" || v.Price != 150 || v.Count != 1 {
		t.Errorf("%+v %v", v, err)
	}
	had := w.Balance(rita.Address())
	w.mined(id, market.Completed)
	// Of 150 there are 15 burned and 1 the treasury's; and the tip.
	if got := w.Balance(rita.Address()) - had; got != 134+unit.CBY {
		t.Errorf("rita has %d more", got)
	}
}

// Whoever committed and is silent loses a quarter: 5,000 of 20,000 CBY.
//
// Spec: WP §5.3, §13; runner-marketplace §8.1.
func TestSilenceOnAChain(t *testing.T) {
	w := newTown(t)
	rita := w.enrol("rita")[0]
	bob := w.Account("bob")
	id := digest.Hash(w.do(bob, asked()).ReturnData)
	commit, _ := work(t, "rita", id, "because", 50)
	w.must(rita, commit)
	w.mined(id, market.Failed)
	if r := w.runner(rita.Address()); r.Stake != 15_000*unit.CBY || r.Reputation != 0 {
		t.Errorf("%+v", r)
	}
	if got := len(w.Events(verifier.Home(), verifier.TopicUnrevealed)); got != 1 {
		t.Errorf("announced %d times", got)
	}
}

// challenge is one as an Execute transaction.
func challenge(t *testing.T, id digest.Hash, who account.Address, claim any, bond unit.Amount) *tx.Execute {
	t.Helper()
	return padded(t, id, who, claim, bond, nil)
}

// padded is a challenge with a field that nobody reads.
func padded(t *testing.T, id digest.Hash, who account.Address, claim any, bond unit.Amount, pad []byte) *tx.Execute {
	t.Helper()
	fields := cbor.Map{{Key: "job_id", Value: id[:]}, {Key: "runner", Value: who.String()}, {Key: "claim", Value: claim}}
	if pad != nil {
		fields = append(fields, cbor.Pair{Key: "pad", Value: pad})
	}
	payload, err := cbor.Append(nil, fields)
	if err != nil {
		t.Fatal(err)
	}
	return &tx.Execute{To: verifier.Home(), Handler: []byte("challenge"), Payload: payload, Amount: bond}
}

// A challenge that is right has its bond back, the runner loses 30 %, 6,000 of 20,000 CBY, and the job is not paid for; one that is wrong loses the bond.
//
// Spec: WP §5.3, §13; runner-marketplace §5, §6.3, §7.
func TestChallengesOnAChain(t *testing.T) {
	for name, c := range map[string]struct {
		tokens uint32
		right  bool
		paid   bool // when it comes
	}{
		"usage beyond the bounds":          {101, true, false},
		"usage at the bounds":              {100, false, false},
		"beyond, and the job was paid for": {101, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			rita := w.enrol("rita")[0]
			bob, eve := w.Account("bob"), w.Account("eve")
			w.SetBalance(eve.Address(), 1_000*unit.CBY)
			id := digest.Hash(w.do(bob, asked()).ReturnData)
			commit, reveal := work(t, "rita", id, "because", c.tokens)
			w.must(rita, commit)
			w.refused(eve, challenge(t, id, rita.Address(), "usage", params.ChallengeBond), job.FaultWindow)
			w.must(rita, reveal)
			w.mined(id, market.Challengeable)
			w.refused(eve, challenge(t, id, rita.Address(), "usage", params.ChallengeBond-1), job.FaultBond)
			w.refused(eve, challenge(t, id, eve.Address(), "usage", params.ChallengeBond), job.FaultClaim)
			w.refused(eve, challenge(t, id, rita.Address(), "collusion", params.ChallengeBond), job.FaultClaim)
			w.refused(eve, challenge(t, id, rita.Address(), int64(4), params.ChallengeBond), job.FaultClaim)
			w.refused(eve, padded(t, id, rita.Address(), "usage", params.ChallengeBond, make([]byte, 512)), job.FaultClaim)
			if c.paid {
				w.mined(id, market.Completed)
			}
			had, bobs := w.Balance(eve.Address()), w.Balance(bob.Address())
			r := w.do(eve, challenge(t, id, rita.Address(), "usage", params.ChallengeBond))
			if r.Status != block.Success {
				t.Fatalf("%+v", r.Fault)
			}
			lost := had - w.Balance(eve.Address()) - r.FeeBurned - r.FeeTipped
			stake := w.runner(rita.Address()).Stake
			switch {
			case c.right && (lost != 0 || stake != 14_000*unit.CBY):
				t.Errorf("lost %d, a stake of %d", lost, stake)
			case !c.right && (lost != params.ChallengeBond || stake != 20_000*unit.CBY):
				t.Errorf("lost %d, a stake of %d", lost, stake)
			}
			if c.right && !c.paid {
				if j := w.find(id); j.Status != market.Failed || j.Reason != market.ReasonChallenged || w.Balance(bob.Address()) != bobs+6*unit.CBY {
					t.Errorf("%+v", j)
				}
			}
			if c.right {
				w.refused(eve, challenge(t, id, rita.Address(), "usage", params.ChallengeBond), job.FaultUpheld)
			}
		})
	}
}

// The window for challenges closes 900 blocks after the verified result.
//
// Spec: WP §5.3, §13 (challenge window); runner-marketplace §7.
func TestTheWindowForChallengesCloses(t *testing.T) {
	for name, c := range map[string]struct {
		after unit.Height
		open  bool
	}{"n": {params.ChallengeWindowBlocks, true}, "n+1": {params.ChallengeWindowBlocks + 1, false}} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			rita := w.enrol("rita")[0]
			bob, eve := w.Account("bob"), w.Account("eve")
			w.SetBalance(eve.Address(), 1_000*unit.CBY)
			id := digest.Hash(w.do(bob, asked()).ReturnData)
			commit, reveal := work(t, "rita", id, "because", 101)
			w.must(rita, commit)
			w.must(rita, reveal)
			w.mined(id, market.Challengeable)
			v, err := market.LoadResult(w.State(), id)
			if err != nil {
				t.Fatal(err)
			}
			w.AdvanceTo(v.Height + c.after - 1)
			r := w.do(eve, challenge(t, id, rita.Address(), "usage", params.ChallengeBond))
			if (r.Status == block.Success) != c.open {
				t.Errorf("%v %+v", r.Status, r.Fault)
			}
		})
	}
}

// Jobs nobody could verify are refused, and with a model that governance sets similarity is taken.
//
// Spec: runner-marketplace §2.3, §2.4, §3 (95, 98, 100), §6.1, §14; WP §13.1.
func TestWhatCanBeVerified(t *testing.T) {
	w := newTown(t)
	w.enrol("r1", "r2", "r3", "r4", "r5")
	bob := w.Account("bob")
	similar := func(s *chainjob.Spec) { s.Verification.Mode = chainjob.ModeSemanticSimilarity }
	w.refused(bob, asked(similar), job.FaultConfig)
	snp := "sev-snp"
	w.refused(bob, asked(func(s *chainjob.Spec) { s.Verification.TEERequired, s.Verification.TEEType = true, &snp }), job.FaultConfig)
	w.refused(bob, asked(func(s *chainjob.Spec) { s.Schema.DataFormat = `{"pattern":"(?i)a"}` }), job.FaultConfig)
	w.must(w.admin, &tx.UpdateSimilarityModel{Model: []byte("cowboy/words-1")})
	w.must(w.admin, &tx.UpdateAggregatorConfig{Config: params.AggregatorConfig{BonusBPS: 200}})
	w.must(w.admin, &tx.UpdateNonRevealConfig{Config: params.NonRevealConfig{SlashBPS: 1_000}})
	if p, err := params.Load(w.State()); err != nil || p.SimilarityModel != "cowboy/words-1" || p.Aggregator.BonusBPS != 200 || p.NonReveal.SlashBPS != 1_000 {
		t.Errorf("%+v %v", p, err)
	}
	if r := w.do(bob, asked(similar)); r.Status != block.Success {
		t.Errorf("%+v", r.Fault)
	}
	for _, op := range []tx.Opcode{tx.OpUpdateSimilarityModel, tx.OpUpdateAggregatorConfig, tx.OpUpdateNonRevealConfig} {
		if row, ok := tx.RowOf(op); !ok || !row.Privileged {
			t.Errorf("%s of anybody is taken", row.Name)
		}
	}
}
