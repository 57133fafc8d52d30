package peers_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

// BenchmarkBlocks is the time of one final, empty block of four validators in this process over QUIC, all four counted, with what
// they send per block before TLS and UDP.
func BenchmarkBlocks(b *testing.B) {
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		b.Fatal(err)
	}
	var all []*validator
	var targets []transport.Target
	for rank := range 4 {
		v := newValidator(b, spec, rank, targets)
		targets = append(targets, v.network.target())
		all = append(all, v)
	}
	await := func(height unit.Height) {
		for _, v := range all {
			v.await(b, height)
		}
	}
	await(20)
	sent := func() (bytes, frames uint64) {
		for _, v := range all {
			tallies, _ := v.network.Tallies()
			for _, t := range tallies {
				bytes, frames = bytes+t.SentBytes, frames+t.SentFrames
			}
		}
		return bytes, frames
	}
	first := all[0].Ledger.Finalized()
	bytes, frames := sent()
	used := bench.Processor()
	b.ResetTimer()
	await(first + unit.Height(b.N))
	b.StopTimer()
	blocks := float64(all[0].Ledger.Finalized() - first)
	moreBytes, moreFrames := sent()
	b.ReportMetric(float64(bench.Processor()-used)/1e6/blocks, "cpu-ms/block")
	b.ReportMetric(float64(moreBytes-bytes)/1024/blocks, "KiB/block")
	b.ReportMetric(float64(moreFrames-frames)/blocks, "frames/block")
}
