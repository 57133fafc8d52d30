package replica

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// A block that was handed to the ledger can be given to peers until it is durable, and leaves with those below it.
func TestHandedUntilDurable(t *testing.T) {
	tr, f := newTree(), &finals{}
	parent := tr.root.header
	var hashes []digest.Hash
	for range 4 {
		b := childOf(parent, 1)
		n := tr.ingest(b.Encode())
		tr.advance(n)
		f.hand(n)
		hashes, parent = append(hashes, n.hash), &b.Header
	}
	f.settle(2)
	for i, h := range hashes {
		if n := f.find(h); (n != nil) != (i >= 2) {
			t.Errorf("block %d: %v", i+1, n)
		}
	}
	if f.weight != 2*len(f.handed[0].raw) {
		t.Errorf("2 blocks of %d bytes weigh %d", len(f.handed[0].raw), f.weight)
	}
	if f.settle(9); len(f.handed) > 0 || f.weight != 0 {
		t.Errorf("%d blocks of %d bytes are held", len(f.handed), f.weight)
	}
}

// The tree forgets a block under its hash and its height alike, whether it is passed by, dropped or removed.
func TestTreeForgets(t *testing.T) {
	tr := newTree()
	var first *block.Block
	for name := range uint64(3) {
		b := childOf(tr.root.header, name+1)
		tr.ingest(b.Encode())
		first = b
	}
	above := childOf(&first.Header, 9)
	n := tr.adopt(Final{Block: above, Hash: above.Hash(), Raw: above.Encode()})
	if n == nil || tr.adopt(Final{Block: above, Hash: above.Hash()}) != n {
		t.Fatal("a block that was checked is not taken once")
	}
	count := func() (nodes, levels int) {
		for _, level := range tr.levels { // order-free: a sum
			levels += len(level)
		}
		return len(tr.nodes), levels
	}
	if nodes, levels := count(); nodes != 4 || levels != 4 {
		t.Fatalf("%d by hash, %d by height", nodes, levels)
	}
	tr.advance(tr.nodes[first.Hash()])
	if nodes, levels := count(); nodes != 1 || levels != 1 {
		t.Errorf("above the new root: %d by hash, %d by height", nodes, levels)
	}
	tr.drop(sig.Round{View: 100}, func(*node) bool { return false })
	if nodes, levels := count(); nodes != 0 || levels != 0 || len(tr.levels) != 0 {
		t.Errorf("after all were dropped: %d by hash, %d by height", nodes, levels)
	}
	if tr.adopt(Final{Block: first, Hash: first.Hash()}) != nil {
		t.Error("the root enters its own tree")
	}
}
