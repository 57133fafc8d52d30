package node

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
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
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

// BenchmarkCatchup lets an observer with a disk fetch, prove, execute and keep a chain, and beside it executes the same blocks plainly, signatures
// included: what catching up costs over execution is the difference. The node that serves it is in the same process.
func BenchmarkCatchup(b *testing.B) {
	for _, x := range []struct {
		blocks    unit.Height
		transfers int // a block
	}{{10_000, 0}, {2_000, 50}} {
		b.Run(fmt.Sprintf("blocks=%d/transfers=%d", x.blocks, x.transfers), func(b *testing.B) {
			c := newCluster(b, 1, 1)
			c.produce(x.blocks, x.transfers)
			size := 0
			for h := unit.Height(1); h <= x.blocks; h++ {
				k, err := c.nodes[0].Ledger.Block(h)
				if err != nil {
					b.Fatal(err)
				}
				size += len(k.Encode())
			}
			report := func(b *testing.B, used time.Duration) {
				n := float64(b.N)
				b.ReportMetric(float64(x.blocks)*n/b.Elapsed().Seconds(), "blocks/s")
				b.ReportMetric(float64(size)*n/b.Elapsed().Seconds()/(1<<20), "MiB/s")
				b.ReportMetric(float64(used.Microseconds())/1000/float64(x.blocks)/n, "cpu-ms/block")
			}
			b.Run("execution", func(b *testing.B) {
				before := bench.Processor()
				for b.Loop() {
					executePlainly(b, c.spec, c.nodes[0], x.blocks)
				}
				report(b, bench.Processor()-before)
			})
			b.Run("catchup", func(b *testing.B) {
				used := time.Duration(0)
				for b.Loop() {
					used += c.catchUp(b, x.blocks)
				}
				report(b, used)
			})
		})
	}
}

// produce makes a chain on node 0, which then only serves it.
func (c *cluster) produce(blocks unit.Height, transfers int) {
	made := c.config(0)
	made.Interval, made.Pool = 0, lanes.DefaultLimits()
	made.Pool.Account = 1_000
	maker := start(c.t, made)
	w := &wallet{key: genesis.DevFaucet()}
	for h := unit.Height(1); h <= blocks; h++ {
		var raws [][]byte
		for i := range transfers {
			raws = append(raws, w.transfer(byte(i)))
		}
		if transfers > 0 {
			errs, err := maker.Lanes.Submit(c.t.Context(), raws)
			if err = errors.Join(append(errs, err)...); err != nil {
				c.t.Fatal(err)
			}
		}
		await(c.t, maker, h)
		awaitNonce(c.t, maker, max(w.nonce, 500)-500)
	}
	if err := maker.Stop(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	made.Interval, made.Link = time.Hour, c.hub.Port(0)
	c.boot(0, made)
}

// catchUp lets node 1 start with nothing and gives the processor's time until it has the chain.
func (c *cluster) catchUp(b *testing.B, blocks unit.Height) time.Duration {
	config := c.config(1)
	config.Cores = 2
	path := b.TempDir()
	d, err := disk.NewDirectory(path)
	if err != nil {
		b.Fatal(err)
	}
	if config.Store, err = ledger.OpenDisk(d, filepath.Join(path, "image"), c.spec, store.Options{Window: store.WindowMin}); err != nil {
		b.Fatal(err)
	}
	before := bench.Processor()
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
	used := bench.Processor() - before
	c.hub.Port(1).Disconnect()
	if err := n.Stop(b.Context()); err != nil {
		b.Fatal(err)
	}
	return used
}

// executePlainly runs the blocks of a node one after the other on their own goroutine.
func executePlainly(b *testing.B, spec *genesis.Spec, n *Node, blocks unit.Height) {
	b.Helper()
	memory := state.NewMemory(state.Config{})
	first, err := ledger.Genesis(spec, state.Config{}, memory)
	if err == nil {
		err = errors.Join(memory.Add(state.New(state.Config{}, memory).Delta()), memory.Add(first.State.Delta()))
	}
	if err != nil {
		b.Fatal(err)
	}
	runner := host.New(host.NewPrograms())
	parent := transition.Parent{Header: &first.Block.Header, State: first.State.Settled(memory)}
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
		if err := memory.Add(r.State.Delta()); err != nil {
			b.Fatal(err)
		}
		parent = transition.Parent{Header: &x.Header, State: r.State.Settled(memory)}
	}
}
