package sim

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

// A run that is told is the same run, and what is told names machine, subsystem and command of every step.
func TestTell(t *testing.T) {
	p := calm(4)
	p.Chaos = 1_500 * time.Millisecond
	p.Faults = faultsOf(t, "panic node-1 core/proposer command 1\ndrop node-0 node-2 frame 3")
	var out bytes.Buffer
	told, err := Tell(p, &out)
	if err != nil {
		t.Fatal(err)
	}
	quiet, err := Run(p)
	if err != nil || quiet.Trace != told.Trace {
		t.Errorf("trace %016x, told %016x: %v", quiet.Trace, told.Trace, err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	form := regexp.MustCompile(`^ *\d+\.\d{4} (\*\* .|(node-[0-3] (boots|halts|\*\*|<- node-|[a-z0-9/-]+ <- )).)`)
	for _, line := range lines {
		if !form.MatchString(line) {
			t.Fatalf("a line reads %q", line)
		}
	}
	for _, want := range []string{
		` \*\* panic node-1 core/proposer command 1$`,
		` \*\* drop node-0 node-2 frame 3$`,
		` node-\d <- node-\d frame \d+, proposal from \d of block 1 in view \d+$`,
		` node-\d core/replica <- Delivered from node-\d frame \(finalization from \d of block \d+ in view \d+\)$`,
		` node-\d core/ledger <- Commit `,
		` \*\* the network heals$`,
	} {
		if !regexp.MustCompile(`(?m)` + want).Match(out.Bytes()) {
			t.Errorf("nothing reads %s", want)
		}
	}
}

// BenchmarkNetwork runs whole networks with mixed faults. It reports how many times faster than real time one processor does it, and the events a second
// of its time.
func BenchmarkNetwork(b *testing.B) {
	for _, validators := range []int{4, 7} {
		b.Run(fmt.Sprintf("validators=%d", validators), func(b *testing.B) {
			var virtual, used time.Duration
			events, seed := uint64(0), uint64(0)
			if _, err := Run(calm(validators)); err != nil { // makes the keys
				b.Fatal(err)
			}
			for range b.N {
				p := PlanOf(seed)
				for ; p.Validators != validators; p = PlanOf(seed) {
					seed++
				}
				seed++
				before := bench.Processor()
				r, err := Run(p)
				if err != nil || len(r.Wrong) > 0 {
					b.Fatal(r, err)
				}
				used += bench.Processor() - before
				virtual += r.Virtual
				events += r.Events
			}
			b.ReportMetric(virtual.Seconds()/used.Seconds(), "times-real")
			b.ReportMetric(float64(events)/used.Seconds(), "events/cpu-s")
		})
	}
}
