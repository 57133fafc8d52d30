package market

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	measure "github.com/cowboyinc/cowboy-go/testkit/bench"
)

// BenchmarkEnd is the end of a block with 128 committees of nine to draw from a thousand candidates each, and with other attempts for jobs until 16,384
// runners have been looked at.
func BenchmarkEnd(b *testing.B) {
	const runners = 1_000
	w := newWorld(b, runners)
	w.fund(submitter, 1_000_000*unit.CBY)
	for n := range runners {
		w.trust(person(n), 100)
	}
	submit := func(n int, edit func(*job.Spec)) {
		s := ask(edit)
		_, err := w.Submit(digest.SHA256(fmt.Append(nil, n)), s, submitter, nil, 0)
		w.must(err)
	}
	for n := range 40 { // silent runners: the deadline is 100 blocks from now
		submit(n, func(s *job.Spec) { s.Verification.Runners = 1 })
	}
	w.at(began + 98)
	for n := range runners {
		w.must(w.Registry.Heartbeat(person(n), true))
	}
	for n := range DrawsPerBlock {
		submit(1_000+n, func(s *job.Spec) { voted(s); s.Verification.Runners = 9 })
	}
	w.at(began + 101)
	for b.Loop() {
		mark := w.overlay.Mark()
		w.events = nil
		w.must(w.End())
		w.overlay.Revert(mark)
		if n := strings.Count(strings.Join(w.events, "\n"), TopicAssigned); n != DrawsPerBlock+17 { // 17 other attempts look at 1,000 runners each
			b.Fatalf("%d committees were drawn", n)
		}
	}
}

// BenchmarkSubmit is the submission of a job for a committee: ten runners can do it, beside others who can not, and other jobs are open; and a thousand can.
// What it costs is reported for a look, which is what is charged.
func BenchmarkSubmit(b *testing.B) {
	for _, c := range []struct{ able, others, open int }{
		{10, 0, 0}, {10, 990, 0}, {10, 0, 10_000}, {10, 990, 10_000}, {1_000, 0, 0}, {1_000, 0, 10_000},
	} {
		b.Run(fmt.Sprintf("able=%d/others=%d/open=%d", c.able, c.others, c.open), func(b *testing.B) {
			w := newWorld(b, 0)
			w.at(1)
			for n := range c.able + c.others {
				w.enrol(n, func(t *runner.Terms) {
					if n >= c.able {
						t.Capabilities.JobTypes = []runner.Name{{Name: "video"}}
					}
				})
			}
			w.at(began)
			for n := range c.able {
				w.must(w.Registry.Heartbeat(person(n), true))
				w.trust(person(n), 100)
			}
			w.fund(submitter, 1_000_000*unit.CBY)
			for n := range c.open {
				_, err := w.Submit(digest.SHA256(fmt.Append(nil, n)), ask(voted), submitter, nil, 0)
				w.must(err)
			}
			settled, err := w.overlay.Commit(began)
			w.must(err)
			w.overlay = settled.Overlay()
			w.State, w.Registry.State = w.overlay, w.overlay
			looks := 0
			w.Look = func(n int) error { looks += n; return nil }
			before := measure.Processor()
			for b.Loop() {
				mark := w.overlay.Mark()
				_, err := w.Submit(digest.SHA256([]byte("one more")), ask(voted), submitter, nil, 0)
				w.must(err)
				w.overlay.Revert(mark)
			}
			b.ReportMetric(float64((measure.Processor()-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(looks), "ns/look")
		})
	}
}
