package node

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// brisk are deadlines for machines that share one processor and no network.
var brisk = simplex.Timeouts{Leader: 400, Certification: 600, Retry: 500, Skip: 2_000, Fetch: 200}

// cluster is a network of nodes in this process.
type cluster struct {
	t     testing.TB
	spec  *genesis.Spec
	hub   *link.Hub
	nodes []*Node
}

func newCluster(t testing.TB, validators, observers int) *cluster {
	t.Helper()
	spec, err := genesis.Devnet(1, validators)
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, spec: spec, hub: link.NewHub(validators + observers), nodes: make([]*Node, validators+observers)}
	return c
}

// config is that of a fresh node.
func (c *cluster) config(i int) Config {
	c.t.Helper()
	store, err := ledger.NewMemory(c.spec, state.Config{})
	if err != nil {
		c.t.Fatal(err)
	}
	config := Config{
		Genesis: c.spec, Store: store, Journal: disk.NewMemory(), Shares: disk.NewMemory(), NewRunner: func() drain.Runner { return tally{} },
		Link: c.hub.Port(i), Interval: time.Millisecond, Timeouts: brisk,
	}
	if n := len(c.spec.Validators); i < n {
		if config.Validator, err = DevValidator(i, n); err != nil {
			c.t.Fatal(err)
		}
	}
	return config
}

func (c *cluster) boot(i int, config Config) {
	c.t.Helper()
	c.nodes[i] = start(c.t, config)
	c.hub.Port(i).Connect()
}

// same holds the nodes' chains against each other.
func (c *cluster) same() {
	c.t.Helper()
	final := map[unit.Height]digest.Hash{}
	for i, n := range c.nodes {
		if n == nil {
			continue
		}
		for h := unit.Height(0); h <= n.Ledger.Finalized(); h++ {
			b, err := n.Ledger.Block(h)
			if err != nil {
				c.t.Fatal(err)
			}
			if other, known := final[h]; known && other != b.Hash() {
				c.t.Fatalf("node %d: block %d is %v, another node has %v", i, h, b.Hash(), other)
			}
			final[h] = b.Hash()
		}
	}
}

// Four validators and an observer make one chain.
//
// Spec: WP §6.1; commonware §3.3.
func TestClusterAgrees(t *testing.T) {
	c := newCluster(t, 4, 1)
	for i := range c.nodes {
		c.boot(i, c.config(i))
	}
	for _, n := range c.nodes {
		await(t, n, 20)
	}
	c.same()
	proposers := map[uint32]bool{}
	for h := unit.Height(1); h <= 20; h++ {
		b, err := c.nodes[4].Ledger.Block(h)
		if err != nil {
			t.Fatal(err)
		}
		proposers[b.Header.ProposerIndex] = true
	}
	if len(proposers) < 3 {
		t.Errorf("only %d validators proposed 20 blocks", len(proposers))
	}
	if s := c.nodes[0].Replica.Status(); s.Known != 3 || s.Peers != 4 || s.Rank != 0 || s.Validators != 4 {
		t.Errorf("status %+v", s)
	}
}

// What one node takes, all know: a transaction given to an observer is in a block some validator proposes.
//
// Spec: WP "Network Layer" (transactions are flooded).
func TestClusterFloodsTransactions(t *testing.T) {
	c := newCluster(t, 4, 1)
	for i := range c.nodes {
		c.boot(i, c.config(i))
	}
	w := &wallet{key: genesis.DevFaucet()}
	for i := range byte(20) {
		errs, err := c.nodes[4].Lanes.Submit(t.Context(), [][]byte{w.transfer(i)})
		if err != nil || errs[0] != nil {
			t.Fatal(err, errs)
		}
	}
	for i := range byte(20) {
		awaitBalance(t, c.nodes[1], account.Address{0xaa, i}, unit.Amount(i)+1)
	}
	c.same()
}

// A node that starts late, and one that was away, catch up by ranges and take part again; three of four go on meanwhile.
//
// Spec: WP §6.1; commonware §3.4, §3.5.
func TestClusterCatchesUp(t *testing.T) {
	c := newCluster(t, 4, 1)
	configs := make([]Config, 5)
	for i := range configs {
		configs[i] = c.config(i)
	}
	for i := range 4 {
		c.boot(i, configs[i])
	}
	await(t, c.nodes[0], 10)
	c.hub.Port(3).Disconnect()
	if err := c.nodes[3].Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	away := c.nodes[3].Ledger.Finalized()
	await(t, c.nodes[0], away+30)
	again := configs[3]
	again.Store = configs[3].Store
	c.boot(3, again)
	c.boot(4, configs[4])
	now := c.nodes[0].Ledger.Finalized()
	await(t, c.nodes[4], now+5)
	await(t, c.nodes[3], now+5)
	proposed := func(h unit.Height) uint32 {
		b, err := c.nodes[0].Ledger.Block(h)
		if err != nil {
			t.Fatal(err)
		}
		return b.Header.ProposerIndex
	}
	for h := now + 1; ; h++ {
		await(t, c.nodes[0], h)
		if proposed(h) == 3 {
			break
		}
		if h > now+400 {
			t.Fatal("the node that was away never proposes again")
		}
	}
	c.same()
}

// A validator that lost its disk votes in no epoch that began before it was started again, also in none it only catches up with, and does in the
// first one after.
//
// Spec: commonware §3.5 (a validator that lost its journal).
func TestClusterRejoins(t *testing.T) {
	c := newCluster(t, 4, 0)
	c.spec.EpochBlocks = 16
	for i := range 3 {
		c.boot(i, c.config(i))
	}
	await(t, c.nodes[0], 36)
	config := c.config(3)
	config.Validator.Rejoin = true
	began := uint64(time.Now().UnixMilli())
	c.boot(3, config)
	mayVote := false // the epoch at hand began after the start
	for h := unit.Height(1); ; h++ {
		await(t, c.nodes[0], h)
		b, err := c.nodes[0].Ledger.Block(h)
		if err != nil {
			t.Fatal(err)
		}
		if b.Header.ProposerIndex == 3 {
			if !mayVote {
				t.Errorf("it proposed block %d of epoch %d", h, b.Header.Epoch)
			}
			break
		}
		if h%16 == 15 { // the anchor of the next epoch
			mayVote = b.Header.TimestampMs >= began
		}
		if h > 400 {
			t.Fatal("it never votes again")
		}
	}
	c.same()
}

// Without a quorum nothing is final; with it again, the chain goes on where it was.
//
// Spec: commonware §2.1, §3.2.
func TestClusterWaitsForQuorum(t *testing.T) {
	c := newCluster(t, 4, 0)
	for i := range c.nodes {
		c.boot(i, c.config(i))
	}
	await(t, c.nodes[0], 5)
	c.hub.Port(2).Disconnect()
	c.hub.Port(3).Disconnect()
	h := c.nodes[0].Ledger.Finalized()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := c.nodes[0].Ledger.Await(ctx, h+4); err == nil {
		t.Error("two of four finalize blocks")
	}
	c.hub.Port(2).Connect()
	await(t, c.nodes[0], h+5)
	c.hub.Port(3).Connect()
	for _, n := range c.nodes {
		await(t, n, h+10)
	}
	c.same()
}

// BenchmarkCluster makes empty blocks without pacing; all nodes share this process. Beside the time of a block it reports the processor time of all
// nodes together.
func BenchmarkCluster(b *testing.B) {
	for _, validators := range []int{1, 4, 7} {
		b.Run(fmt.Sprintf("validators=%d", validators), func(b *testing.B) {
			c := newCluster(b, validators, 0)
			for i := range c.nodes {
				config := c.config(i)
				config.Interval = 0
				c.boot(i, config)
			}
			await(b, c.nodes[0], 5)
			from := c.nodes[0].Ledger.Finalized()
			var before, after syscall.Rusage
			_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
			b.ResetTimer()
			ctx, cancel := context.WithTimeout(b.Context(), 5*time.Minute)
			defer cancel()
			if err := c.nodes[0].Ledger.Await(ctx, from+unit.Height(b.N)); err != nil {
				b.Fatal(err)
			}
			_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
			used := time.Duration(after.Utime.Nano() - before.Utime.Nano() + after.Stime.Nano() - before.Stime.Nano())
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "blocks/s")
			b.ReportMetric(float64(used.Microseconds())/1000/float64(b.N), "cpu-ms/block")
			b.StopTimer()
			c.same()
		})
	}
}
