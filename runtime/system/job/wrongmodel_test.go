package job_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verifier"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	systemtee "github.com/cowboyinc/cowboy-go/runtime/system/tee"
)

// A trusted environment signed that another model ran than the job names: its runner loses 30 % of 20,000 CBY, and the challenger nothing. That the job's own
// model ran costs the bond, and what no trusted key signed of this job and runner is refused, with nothing changed.
//
// Spec: WP §5.3; runner-marketplace §6.3, §7; tee §1, §8 (3).
func TestWrongModel(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	asks, runs := digest.Hash{5}, digest.Hash{6}
	for name, c := range map[string]struct {
		model  digest.Hash // that is attested
		change func(s *tee.Statement, e *tee.ModelEvidence)
		any    bool // the job names no model
		code   uint16
		right  bool
	}{
		"another model":     {model: runs, right: true},
		"the job's model":   {model: asks},
		"a job of any":      {model: runs, any: true, code: job.FaultClaim},
		"another job":       {model: runs, change: func(s *tee.Statement, _ *tee.ModelEvidence) { s.Job[0]++ }, code: systemtee.FaultSignature},
		"another runner":    {model: runs, change: func(s *tee.Statement, _ *tee.ModelEvidence) { s.Runner[0]++ }, code: systemtee.FaultSignature},
		"the model changed": {model: runs, change: func(_ *tee.Statement, e *tee.ModelEvidence) { e.Model[0]++ }, code: systemtee.FaultSignature},
		"no trusted key":    {model: runs, change: func(_ *tee.Statement, e *tee.ModelEvidence) { e.Measurement[0]++ }, code: systemtee.FaultKey},
		"another type":      {model: runs, change: func(_ *tee.Statement, e *tee.ModelEvidence) { e.Type = tee.SGX }, code: systemtee.FaultKey},
		"no evidence":       {change: func(_ *tee.Statement, e *tee.ModelEvidence) { e.Type = 9 }, code: job.FaultClaim},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			rita, bob, eve := w.Account("rita"), w.Account("bob"), w.Account("eve")
			w.SetBalance(rita.Address(), 30_000*unit.CBY)
			w.SetBalance(eve.Address(), 1_000*unit.CBY)
			w.must(rita, &tx.RunnerRegister{
				PublicKey: rita.PublicKey(), Stake: 20_000 * unit.CBY,
				RateCard:     runner.RateCard{LLMOutputToken: 3, MaxJobValue: 100 * unit.CBY, SupportedModels: []runner.Model{{ID: asks}}},
				Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 2},
			})
			w.must(w.admin, &tx.RegisterTeeTrustedKey{TeeType: []byte("tdx"), MeasurementHash: digest.Hash{7}, PublicKey: public})
			id := digest.Hash(w.do(bob, asked(func(s *chainjob.Spec) {
				if !c.any {
					s.LLM.Model = asks
				}
			})).ReturnData)
			commit, reveal := work(t, "rita", id, "because", 10)
			w.must(rita, commit)
			w.must(rita, reveal)
			w.mined(id, market.Challengeable)

			s := tee.Statement{Type: tee.TDX, Measurement: digest.Hash{7}, Job: id, Runner: rita.Address()}
			e := tee.ModelEvidence{Type: s.Type, Measurement: s.Measurement, Model: c.model}
			if c.change != nil {
				c.change(&s, &e)
			}
			hash := sha256.Sum256(s.ModelPayload(c.model))
			a, b, err := ecdsa.Sign(rand.Reader, key, hash[:])
			if err != nil {
				t.Fatal(err)
			}
			e.Signature = append(a.FillBytes(make([]byte, 32)), b.FillBytes(make([]byte, 32))...)
			who := rita.Address()
			payload, err := cbor.Append(nil, cbor.Map{
				{Key: "job_id", Value: id[:]}, {Key: "runner", Value: who[:]}, {Key: "claim", Value: "wrong_model"}, {Key: "evidence", Value: e.Encode()},
			})
			if err != nil {
				t.Fatal(err)
			}
			in := &tx.Execute{To: verifier.Home(), Handler: []byte("challenge"), Payload: payload, Amount: params.ChallengeBond}
			if c.code != 0 {
				w.refused(eve, in, c.code)
				return
			}
			had := w.Balance(eve.Address())
			r := w.do(eve, in)
			if r.Status != block.Success {
				t.Fatalf("%+v", r.Fault)
			}
			lost, stake := had-w.Balance(eve.Address())-r.FeeBurned-r.FeeTipped, w.runner(rita.Address()).Stake
			if c.right && (lost != 0 || stake != 14_000*unit.CBY || w.find(id).Reason != market.ReasonChallenged) {
				t.Errorf("lost %d, a stake of %d", lost, stake)
			}
			if !c.right && (lost != params.ChallengeBond || stake != 20_000*unit.CBY) {
				t.Errorf("lost %d, a stake of %d", lost, stake)
			}
			if r.CyclesUsed < params.CostVerifyP256 {
				t.Errorf("%d cycles, and a signature is %d", r.CyclesUsed, params.CostVerifyP256)
			}
		})
	}
}
