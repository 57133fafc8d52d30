package node

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// processor is the time all goroutines of this process have used.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCatchup lets an observer with a disk fetch, prove and execute a chain of empty blocks, and beside it executes the same blocks plainly: what
// catching up costs over execution is the difference.
func BenchmarkCatchup(b *testing.B) {
	const blocks = 2_000
	c := newCluster(b, 1, 1)
	made := c.config(0)
	made.Interval = 0
	maker := start(b, made)
	for h := unit.Height(100); h <= blocks; h += 100 {
		await(b, maker, h)
	}
	if err := maker.Stop(b.Context()); err != nil {
		b.Fatal(err)
	}
	made.Interval, made.Link = time.Hour, c.hub.Port(0)
	c.boot(0, made)
	b.Run(fmt.Sprintf("blocks=%d/execution", blocks), func(b *testing.B) {
		for b.Loop() {
			executePlainly(b, c.spec, c.nodes[0], blocks)
		}
		b.ReportMetric(float64(blocks*b.N)/b.Elapsed().Seconds(), "blocks/s")
	})
	b.Run(fmt.Sprintf("blocks=%d/catchup", blocks), func(b *testing.B) {
		used := time.Duration(0)
		for b.Loop() {
			config := c.config(1)
			path := b.TempDir()
			d, err := disk.NewDirectory(path)
			if err != nil {
				b.Fatal(err)
			}
			kept, err := ledger.OpenDisk(d, filepath.Join(path, "image"), c.spec, store.Options{Window: store.WindowMin})
			if err != nil {
				b.Fatal(err)
			}
			config.Store = kept
			before := processor()
			n, err := New(config)
			if err == nil {
				err = n.Start(b.Context())
			}
			if err != nil {
				b.Fatal(err)
			}
			c.hub.Port(1).Connect()
			n.Catchup.Seek(blocks)
			for h := unit.Height(100); h <= blocks; h += 100 {
				await(b, n, h)
			}
			used += processor() - before
			c.hub.Port(1).Disconnect()
			if err := n.Stop(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(blocks*b.N)/b.Elapsed().Seconds(), "blocks/s")
		b.ReportMetric(float64(used.Microseconds())/1000/float64(blocks*b.N), "cpu-ms/block")
	})
}

// executePlainly runs the blocks of a node one after the other on their own goroutine.
func executePlainly(b *testing.B, spec *genesis.Spec, n *Node, blocks unit.Height) {
	b.Helper()
	memory := state.NewMemory(state.Config{})
	first, err := ledger.Genesis(spec, state.Config{}, memory)
	if err != nil {
		b.Fatal(err)
	}
	runner := host.New(host.NewPrograms())
	parent := transition.Parent{Header: &first.Block.Header, State: first.State}
	for h := unit.Height(1); h <= blocks; h++ {
		x, err := n.Ledger.Block(h)
		if err != nil {
			b.Fatal(err)
		}
		txs := make([]tx.Verified, len(x.Txs))
		for i, t := range x.Txs {
			if txs[i], err = tx.Verify(t, x.Header.ChainID, sig.Default()); err != nil {
				b.Fatal(err)
			}
		}
		r, err := transition.Apply(parent, transition.Job{Mode: transition.Verify, Header: x.Header, Txs: txs}, runner)
		if err != nil {
			b.Fatal(err)
		}
		parent = transition.Parent{Header: &x.Header, State: r.State}
	}
}
