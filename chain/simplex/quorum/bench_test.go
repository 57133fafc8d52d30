package quorum

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

// loop runs f as a benchmark does and reports the processor time it took, which other processes do not lengthen.
func loop(b *testing.B, f func()) {
	start := bench.Processor()
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64(bench.Processor()-start)/float64(b.N), "cpu-ns/op")
}

// BenchmarkAssemble compares a batch at quorum with checking every vote when it comes: eager checks all n votes, or the quorum of them that a
// certificate is made of. Decoding signatures is part of all.
func BenchmarkAssemble(b *testing.B) {
	for _, n := range []int{4, 16, 64, 100, 200} {
		keys, signers := deal(b, n)
		s := subject(7)
		q := sig.Quorum(n)
		ranks, signatures, partials := votes(signers, s)
		preimage := namespace.Notarize(s)
		b.Run(fmt.Sprintf("mode=batch/n=%d", n), func(b *testing.B) {
			loop(b, func() { keys.Assemble(ranks[:q], preimage, signatures[:q]) })
		})
		for _, eager := range []int{q, n} {
			b.Run(fmt.Sprintf("mode=eager/n=%d/votes=%d", n, eager), func(b *testing.B) {
				loop(b, func() {
					for i, r := range ranks[:eager] {
						_ = keys.Verify(r, preimage, signatures[i])
					}
					_, _ = bls.Aggregate(signatures[:q])
				})
			})
		}
		for _, bad := range slices.Compact([]int{0, 1, sig.Faulty(n)}) {
			spoiled := slices.Clone(signatures)
			for i := range bad {
				spoiled[i*n/max(bad, 1)] = signers[i].Key.Sign([]byte{byte(i)})
			}
			b.Run(fmt.Sprintf("mode=all/n=%d/bad=%d", n, bad), func(b *testing.B) {
				loop(b, func() { keys.Assemble(ranks, preimage, spoiled) })
			})
		}
		b.Run(fmt.Sprintf("mode=seed/n=%d", n), func(b *testing.B) {
			loop(b, func() { keys.Recover(s.Round, ranks[:q], partials[:q]) })
		})
	}
}
