package recorded

import (
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// BenchmarkEstimate estimates calls of an actor, and tries the same calls without an estimate: it reports how many one worker estimates a second, and the
// 99th percentiles of both, in microseconds. Spec: WP §17.10.
func BenchmarkEstimate(b *testing.B) {
	c := testkit.NewChain(b)
	alice := c.Account("alice")
	r := alice.Do(&tx.Deploy{Code: []byte(source), Salt: []byte("s"), InitHandler: []byte("init")}, testkit.DeployCycles, testkit.DeployCells)
	if r.Created == nil {
		b.Fatal(testkit.Describe(r))
	}
	call := &tx.Execute{To: *r.Created, Handler: []byte("work"), Payload: append([]byte{7}, r.Created[:]...)}
	parent, _ := c.Tip()
	runner := host.New(host.NewPrograms())
	one := &tx.Tx{ChainID: testkit.ChainID, Nonce: c.Record(alice.Address()).Nonce, Instruction: call, From: alice.Address()}
	own := *one
	own.CyclesLimit, own.CellsLimit, own.MaxFeePerCycle, own.MaxFeePerCell = 500_000, 20_000, 20_000, 20_000
	var estimated, executed []time.Duration
	for b.Loop() {
		start := time.Now()
		e, err := transition.Assess(parent, one, parent.Header.TimestampMs+1_000, runner, nil)
		middle := time.Now()
		t, fault := transition.Try(parent, &own, parent.Header.TimestampMs+1_000, runner, nil)
		if err != nil || fault != nil || e.Refused != nil || t.Refused != nil || e.Receipt.CyclesUsed != t.Receipt.CyclesUsed {
			b.Fatal(err, fault, e.Refused, t.Refused)
		}
		estimated, executed = append(estimated, middle.Sub(start)), append(executed, time.Since(middle))
	}
	slices.Sort(estimated)
	slices.Sort(executed)
	sum := time.Duration(0)
	for _, d := range estimated {
		sum += d
	}
	b.ReportMetric(float64(len(estimated))/sum.Seconds(), "estimates/s")
	b.ReportMetric(float64(estimated[len(estimated)*99/100].Microseconds()), "p99-estimate-us")
	b.ReportMetric(float64(executed[len(executed)*99/100].Microseconds()), "p99-execution-us")
}
