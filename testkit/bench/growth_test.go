package bench

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// BenchmarkGrowth lets an archive grow by blocks in which nothing happens and gives the heap it takes for each, between two checkpoints: what an archive
// keeps in memory of its past, beside the nodes it remembers for proofs, whose memory is bounded.
func BenchmarkGrowth(b *testing.B) {
	const blocks = 100_000
	spec, err := genesis.Devnet(chainID, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		path := b.TempDir()
		d, err := disk.NewDirectory(path)
		if err != nil {
			b.Fatal(err)
		}
		n := &network{b: b}
		if n.chain, err = ledger.OpenDisk(d, filepath.Join(path, "image"), spec, store.Options{Window: store.Archive, ProofCache: -1}); err != nil {
			b.Fatal(err)
		}
		first, err := n.chain.Block(0)
		if err != nil {
			b.Fatal(err)
		}
		n.tip = transition.Parent{Header: &first.Header, State: n.chain.State()}
		n.idle(blocks / 10)
		before := heap(b, n)
		n.idle(blocks)
		b.ReportMetric(float64(heap(b, n)-before)/blocks, "B/block")
		if err := n.chain.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// idle makes blocks in which nothing happens.
func (n *network) idle(blocks int) {
	const together = 250
	for range blocks / together {
		list := make([]*ledger.Final, together)
		for i := range list {
			list[i] = n.execute(nil)
		}
		n.keep(list...)
	}
}

// heap is what is in use behind a checkpoint and a few blocks, which let go of what it has taken over, in bytes.
func heap(b *testing.B, n *network) int64 {
	if err := n.chain.Maintain(); err != nil {
		b.Fatal(err)
	}
	n.idle(250)
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	runtime.KeepAlive(n)
	return int64(m.HeapAlloc)
}
