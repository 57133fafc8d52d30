package node

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// diskNode is the configuration of a node with a disk that fetches a state when it is that far behind.
func (c *cluster) diskNode(i int, d disk.Disk, behind unit.Height) Config {
	c.t.Helper()
	config := c.config(i)
	kept, err := ledger.OpenDisk(d, "", c.spec, store.Options{Window: store.WindowMin})
	if err != nil {
		c.t.Fatal(err)
	}
	config.Store, config.Snapshot = kept, behind
	return config
}

// settled waits until a node holds a chain that begins with a snapshot and goes on.
func settled(t *testing.T, n *Node, above unit.Height) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	for n.Ledger.First() == 0 || n.Ledger.Finalized() < above {
		if err := n.Ledger.Await(ctx, n.Ledger.Finalized()+1); err != nil {
			t.Fatalf("first %d, final %d, %+v\n%s", n.Ledger.First(), n.Ledger.Finalized(), n.Catchup.Status(), n.Status().Text())
		}
	}
}

// An empty node far behind fetches the state over the ends of several epochs instead of executing blocks, agrees with the others from then on, says what
// it lacks, serves its snapshot to a second one, and opens again where it was.
//
// Spec: commonware §5.7; WP "Storage and State Persistence", "Validator Set".
func TestClusterSnapshot(t *testing.T) {
	c := newCluster(t, 4, 2)
	c.spec.EpochBlocks = 16
	for i := range 4 {
		c.boot(i, c.config(i))
	}
	await(t, c.nodes[0], 60)
	d := disk.NewMemory()
	c.boot(4, c.diskNode(4, d, 30))
	settled(t, c.nodes[4], 80)
	n := c.nodes[4]
	first := n.Ledger.First()
	if first < 30 {
		t.Errorf("the state of block %d was fetched", first)
	}
	var pruned *store.PrunedError
	if _, err := n.Ledger.Block(first - 1); !errors.As(err, &pruned) || !errors.Is(err, ledger.ErrAbsent) || pruned.First != first {
		t.Errorf("block %d: %v", first-1, err)
	}
	for epoch := range uint64(3) {
		if _, err := n.Ledger.EpochProof(epoch); err != nil {
			t.Errorf("the way out of epoch %d: %v", epoch, err)
		}
	}
	agree(t, c.nodes[0], n, first)

	c.boot(5, c.diskNode(5, disk.NewMemory(), 30))
	settled(t, c.nodes[5], first+5)
	agree(t, c.nodes[0], c.nodes[5], c.nodes[5].Ledger.First())

	c.hub.Port(4).Disconnect()
	if err := n.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.boot(4, c.diskNode(4, d, 30))
	if c.nodes[4].Ledger.First() != first {
		t.Errorf("opened again the chain begins at %d, not %d", c.nodes[4].Ledger.First(), first)
	}
	await(t, c.nodes[4], c.nodes[0].Ledger.Finalized()+3)
	agree(t, c.nodes[0], c.nodes[4], first)
}

// agree compares two nodes' chains from a height on.
func agree(t *testing.T, a, b *Node, from unit.Height) {
	t.Helper()
	for h := from; h <= min(a.Ledger.Finalized(), b.Ledger.Finalized()); h++ {
		x, err := a.Ledger.Block(h)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Ledger.Block(h)
		if err != nil || x.Hash() != y.Hash() {
			t.Fatalf("block %d: %v", h, err)
		}
	}
}
