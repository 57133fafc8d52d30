package verifier

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// The time data have to be of is that of the block of the submission, or of the commitment five blocks, and seconds, later.
// Spec: WP "External Data and Oracle Semantics"; WP-January "Freshness Requirements"; runner-marketplace §6.2.
func TestDataAreHeldToTheTimesOfBlocks(t *testing.T) {
	const block, submission = 0, 1 // references
	for name, c := range map[string]struct {
		reference uint8
		age       uint64 // at the submission
		fresh     bool
	}{
		"submission, n": {submission, 60, true}, "submission, n+1": {submission, 61, false}, "block, n": {block, 55, true}, "block, n+1": {block, 56, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 3)
			submitted := w.Time
			id, who := w.assigned(ask(job.ModeEconomicBond, once, func(s *job.Spec) {
				fresh := &job.Freshness{Reference: c.reference, MaxAgeSeconds: 60}
				s.Kind, s.LLM, s.HTTP = job.HTTP, nil, &job.HTTPJob{URL: "https://example.org/price", Method: "GET", Freshness: fresh}
			}))
			w.until(began + 5)
			o := gave("1", 1)
			o.Source = &verify.Source{FetchedAt: submitted - c.age}
			w.answers(id, who, o)
			if j := w.settled(id); (j.Status == market.Completed) != c.fresh {
				t.Errorf("%+v", j)
			}
		})
	}
}
