package market

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/unit"
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
