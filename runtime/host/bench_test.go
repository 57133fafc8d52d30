package host_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// BenchmarkTurn runs one actor transaction: module load, dispatch, handler, outcome; compiled program given, state uncommitted.
func BenchmarkTurn(b *testing.B) {
	for _, c := range []struct{ actor, handler string }{
		{"limits", "gas"}, {"form_a", "increment"}, {"form_b", "increment"},
	} {
		b.Run("actor="+c.actor, func(b *testing.B) {
			w := newWorld(b)
			init := ""
			if c.actor == "form_a" {
				init = "init"
			}
			a := w.deploy(c.actor, init)
			sender := person(2)
			overlay := w.tip.State.Overlay()
			b.ReportAllocs()
			b.ResetTimer()
			var cycles uint64
			for i := range b.N {
				mark := overlay.Mark()
				out, err := w.runner.Run(&drain.Turn{
					Kind: block.Transaction, Target: a, Sender: sender, Signer: &sender, Overlay: overlay, Limit: use(8_000_000, 1_000_000),
					ID: digest.Hash{byte(i)}, Payload: drain.Payload{Instruction: &tx.Execute{}, Handler: c.handler}, Block: testBlock(w),
				})
				if err != nil || out.Fault != nil {
					b.Fatal(err, out.Fault)
				}
				cycles = uint64(out.Used.Cycles)
				overlay.Revert(mark)
			}
			b.ReportMetric(float64(cycles), "cycles/turn")
		})
	}
}

// BenchmarkBlock executes a block of 100 transactions to one actor, from verified transactions to the state root, without the disk.
func BenchmarkBlock(b *testing.B) {
	for _, c := range []struct{ actor, handler, init string }{{"limits", "gas", ""}, {"form_a", "increment", "init"}} {
		b.Run("actor="+c.actor, func(b *testing.B) {
			w := newWorld(b)
			a := w.deploy(c.actor, c.init)
			txs := make([]tx.Verified, 100)
			for i := range txs {
				txs[i] = w.signFor(person(byte(1+i%9)), &tx.Execute{To: a, Handler: []byte(c.handler)}, use(50_000, 20_000))
			}
			b.ReportAllocs()
			for b.Loop() {
				built, err := transition.Apply(w.tip, transition.Job{Mode: transition.Build, Header: w.header(), Txs: txs}, w.runner)
				if err != nil {
					b.Fatal(err)
				}
				if len(built.Refused) > 0 || built.Receipts[len(txs)-1].Status != block.Success {
					b.Fatal(built.Refused)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(txs)), "ns/turn")
		})
	}
}
