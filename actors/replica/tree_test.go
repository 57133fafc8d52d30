package replica

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func newTree() *tree {
	h := &block.Header{Version: 1, ChainID: 1}
	return &tree{genesis: h.Hash(), root: head{header: h, hash: h.Hash()}, nodes: map[digest.Hash]*node{}}
}

// childOf is a block on a parent, told apart by its time.
func childOf(parent *block.Header, name uint64, txs ...*tx.Tx) *block.Block {
	hashes := make([]digest.Hash, len(txs))
	for i, t := range txs {
		hashes[i] = t.SigningHash()
	}
	return &block.Block{Txs: txs, Header: block.Header{
		Version: 1, ChainID: 1, Height: parent.Height + 1, View: parent.View + 1, ParentHash: parent.Hash(), TimestampMs: name,
		TxRoot: block.TxRoot(hashes), TxCount: uint32(len(txs)),
	}}
}

func transfer(amount unit.Amount) *tx.Tx {
	return &tx.Tx{ChainID: 1, Instruction: &tx.Transfer{To: account.Address{1}, Amount: amount}, CyclesLimit: 21_000}
}

// Bytes that are not the body their header names say nothing about the block: they never enter, and the right ones do afterwards.
//
// Spec: WP §2.5 (transactions root).
func TestTreeTakesOnlyTheHeadersBody(t *testing.T) {
	tr := newTree()
	good := childOf(tr.root.header, 1, transfer(5), transfer(6))
	for name, body := range map[string][]*tx.Tx{
		"one left out": good.Txs[:1], "another": {transfer(5), transfer(7)}, "other order": {good.Txs[1], good.Txs[0]}, "none": nil,
	} {
		t.Run(name, func(t *testing.T) {
			if n := tr.ingest((&block.Block{Header: good.Header, Txs: body}).Encode()); n != nil {
				t.Errorf("%s: taken", name)
			}
		})
	}
	if n := tr.ingest(good.Encode()[:100]); n != nil {
		t.Error("a cut block is taken")
	}
	signed := *good.Txs[0]
	signed.Signature = sig.Signature{1}
	if n := tr.ingest((&block.Block{Header: good.Header, Txs: []*tx.Tx{&signed, good.Txs[1]}}).Encode()); n == nil {
		t.Error("a transaction's identity leaves its signature out, so these bytes may be the block's")
	}
	delete(tr.nodes, good.Hash())
	if n := tr.ingest(good.Encode()); n == nil || n.hash != good.Hash() {
		t.Error("the block itself is not taken")
	}
}

// Ancestors are judged first; what is missing is named; nothing is built on a bad block or beside the root.
func TestTreeOrder(t *testing.T) {
	tr := newTree()
	a := childOf(tr.root.header, 1)
	b := childOf(&a.Header, 2)
	c := childOf(&b.Header, 3)
	for _, x := range []*block.Block{c, a} {
		tr.ingest(x.Encode())
	}
	if ready, missing := tr.next(c.Hash()); ready != nil || missing != b.Hash() {
		t.Errorf("ready %v, missing %v", ready, missing)
	}
	if _, missing, ok := tr.path(c.Hash()); ok || missing != b.Hash() {
		t.Errorf("a path over a block that is missing: %v", missing)
	}
	tr.ingest(b.Encode())
	for _, want := range []*block.Block{a, b, c} {
		ready, _ := tr.next(c.Hash())
		if ready == nil || ready.hash != want.Hash() {
			t.Fatalf("ready %v, want block %d", ready, want.Header.Height)
		}
		ready.status = good
	}
	if ready, missing := tr.next(c.Hash()); ready != nil || missing != (digest.Hash{}) {
		t.Error("a judged block is judged again")
	}
	if list, _, ok := tr.path(c.Hash()); !ok || len(list) != 3 || list[0].hash != a.Hash() || list[2].hash != c.Hash() {
		t.Errorf("path %v", list)
	}
	tr.nodes[b.Hash()].status = bad
	d := tr.ingest(childOf(&b.Header, 4).Encode())
	if ready, _ := tr.next(d.hash); ready != nil || d.status != bad {
		t.Error("a block on a bad one is not bad")
	}
	other := tr.ingest(childOf(tr.root.header, 9).Encode())
	beside := tr.ingest(childOf(&other.block.Header, 10).Encode())
	tr.advance(tr.nodes[a.Hash()])
	if _, known := tr.nodes[other.hash]; known {
		t.Error("a block at the root's height is kept")
	}
	if ready, _ := tr.next(beside.hash); ready != nil || beside.status != bad {
		t.Error("a block beside the root is not bad")
	}
	if tr.ingest(a.Encode()) != nil {
		t.Error("the root enters its own tree")
	}
}

// Header proofs are made over the genesis hash in epoch 0, and later over the seed the epoch's first block took over, on every branch its own.
//
// Spec: commonware §3.6.
func TestSeedFor(t *testing.T) {
	tr := newTree()
	seed := &sig.Seed{Signature: sig.BLSSignature{4}}
	last := head{header: &block.Header{Height: 3_599}}
	first := &block.Header{Height: 3_600, Epoch: 1, ParentSeed: seed}
	second := &block.Header{Height: 3_601, Epoch: 1, ParentSeed: &sig.Seed{Signature: sig.BLSSignature{5}}}
	if got := tr.seedFor(last.header, tr.root); string(got) != string(tr.genesis[:]) {
		t.Errorf("epoch 0: %x", got)
	}
	over := tr.seedFor(first, last)
	if string(over) != string(seed.Signature[:]) {
		t.Errorf("first block of epoch 1: %x", over)
	}
	if got := tr.seedFor(second, head{header: first, epochSeed: over}); string(got) != string(over) {
		t.Errorf("second block of epoch 1: %x", got)
	}
	if got := tr.seedFor(&block.Header{Height: 3_600, Epoch: 1}, last); got != nil {
		t.Errorf("a first block without a seed: %x", got)
	}
}

// Blocks that nobody asked for are held as long as what they take fits its share; wanted ones do not count.
func TestUnaskedBlocksAreBounded(t *testing.T) {
	s := &state{settings: settings{candidates: 100 * budget.Decoded}, tree: *newTree()}
	s.tree.nodes[digest.Hash{1}] = &node{raw: make([]byte, 60)}
	s.tree.nodes[digest.Hash{2}] = &node{raw: make([]byte, 500), wanted: true}
	s.tree.nodes[digest.Hash{3}] = &node{raw: make([]byte, 500), status: good}
	if !s.hasRoom(40) || s.hasRoom(41) {
		t.Error("60 bytes of 100 are held: 40 fit and 41 do not")
	}
	if s.effects[0] != (occupied{bytes: 60}) {
		t.Errorf("what is held is told as %v", s.effects[0])
	}
}
