package job_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/model"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
)

// A job may name a model that is flagged, or that nobody has published; a banned one is refused, and nothing is held for it.
//
// Spec: WP §5.1; runner-marketplace §2.2.
func TestJobsOfModels(t *testing.T) {
	w := newTown(t)
	w.SetBalance(w.ann.Address(), 100_000*cby)
	in := w.registration(20_000*cby, 100*cby)
	in.Capabilities = runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 9}
	names := []string{"unpublished", "flagged", "banned"}
	for i := range names {
		in.RateCard.SupportedModels = append(in.RateCard.SupportedModels, runner.Model{ID: digest.Hash{byte(i + 1)}})
	}
	w.must(w.ann, in)
	w.must(w.admin, &tx.ModelMark{Model: digest.Hash{2}, Mark: uint64(model.Flagged)})
	w.must(w.admin, &tx.ModelMark{Model: digest.Hash{3}, Mark: uint64(model.Banned)})
	bob := w.Account("bob")
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			before := w.held()
			ask := asked(func(s *chainjob.Spec) { s.LLM.Model = digest.Hash{byte(i + 1)} })
			if name == "banned" {
				w.refused(bob, ask, job.FaultModel)
				if w.held() != before {
					t.Error("coins are held for it")
				}
				return
			}
			if r := w.do(bob, ask); r.Status != block.Success || w.held() != before+6*cby {
				t.Errorf("%+v, held %d", r.Fault, w.held())
			}
			w.AdvanceTo(w.Height() + 30) // a beginner has one job at a time
			w.must(w.ann, &tx.Heartbeat{Accepting: true})
		})
	}
}
