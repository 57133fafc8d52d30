package job_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
)

// Two of five runners say x of a deterministic job, and are challenged by bob, with 100 CBY and the 6 of the job; two of the other three say y. Each of the
// first two loses 6,000 of 20,000 CBY, the job's 6 CBY go back to its submitter, and the bond to bob.
//
// Spec: WP §5.4; runner-marketplace §2.4, §7.
func TestASecondRunOnAChain(t *testing.T) {
	w := newTown(t)
	names := map[string]string{}
	for _, name := range []string{"r1", "r2", "r3", "r4", "r5"} {
		names[w.enrol(name)[0].Address().String()] = name
	}
	alice, bob := w.Account("alice"), w.Account("bob")
	w.SetBalance(bob.Address(), 1_000*unit.CBY)
	id := digest.Hash(w.do(alice, asked(func(s *chainjob.Spec) {
		s.Verification.Mode, s.Verification.Runners, s.Verification.Threshold, s.Bounds.MaxRetries = chainjob.ModeDeterministic, 2, 2, 0
		s.Verification.Checks = []chainjob.Check{{Kind: chainjob.CheckInference, Inference: chainjob.Inference{Seed: 7, Toolchain: digest.Hash{1}}}}
	})).ReturnData)
	run := func(id digest.Hash, said string) []string {
		w.mined(id, market.Assigned)
		s, err := market.LoadSelection(w.State(), id)
		if err != nil {
			t.Fatal(err)
		}
		var who []string
		var reveals []*tx.JobResultSubmit
		for _, a := range s.Selected {
			name := names[a.String()]
			commit, reveal := work(t, name, id, said, 100)
			w.must(w.Account(name), commit)
			who, reveals = append(who, name), append(reveals, reveal)
		}
		for _, r := range reveals {
			w.must(bob, r)
		}
		w.mined(id, market.Challengeable)
		return who
	}
	liars := run(id, "x")
	who := w.Account(liars[0]).Address()
	w.refused(bob, challenge(t, id, who, "not_reproduced", params.ChallengeBond), job.FaultBond)
	r := w.do(bob, challenge(t, id, who, "not_reproduced", params.ChallengeBond+6*unit.CBY))
	if len(r.ReturnData) != digest.Size {
		t.Fatalf("%+v", r)
	}
	w.refused(bob, challenge(t, id, who, "not_reproduced", params.ChallengeBond+6*unit.CBY), job.FaultRerun)
	had := w.Balance(alice.Address())
	run(digest.Hash(r.ReturnData), "y")
	for _, name := range liars {
		if got := w.runner(w.Account(name).Address()).Stake; got != 14_000*unit.CBY {
			t.Errorf("%s has a stake of %d", name, got)
		}
	}
	if j := w.find(id); j.Status != market.Failed || j.Reason != market.ReasonChallenged || w.Balance(alice.Address()) != had+6*unit.CBY {
		t.Errorf("%+v", j)
	}
	w.mined(digest.Hash(r.ReturnData), market.Completed)
}
