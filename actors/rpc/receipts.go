package rpc

import (
	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// content is a final block with what became of it. Nobody writes to it.
type content struct {
	block    *block.Block
	hash     digest.Hash
	size     int // of the encoding, in bytes
	receipts []*block.Receipt
}

// position is where a receipt stands among a block's messages and transactions.
type position struct {
	place int // events and receipts before it, as a stream counts
	txs   int // transactions before it
}

// pass moves on to the next receipt.
func (s *position) pass(x *block.Receipt) {
	s.place += len(x.Events) + 1
	if x.Kind == block.Transaction {
		s.txs++
	}
}

// view gives the i-th receipt with its events' cursors.
func (c *content) view(i int, s position) wire.Receipt {
	x := c.receipts[i]
	w := wire.FromReceipt(x, c.hash, c.block.Header.Height, i, c.of(x, s.txs))
	for k := range w.Events {
		w.Events[k].Cursor = cursor(uint64(c.block.Header.Height), s.place+k)
	}
	return w
}

// of is the transaction a receipt is of: each has one receipt, in their order.
func (c *content) of(x *block.Receipt, txs int) *tx.Tx {
	if x.Kind != block.Transaction || txs >= len(c.block.Txs) {
		return nil
	}
	return c.block.Txs[txs]
}

// txOf is the place of the transaction that the receipt at a place is of.
func (c *content) txOf(at uint32) (int, bool) {
	if int(at) >= len(c.receipts) || c.receipts[at].Kind != block.Transaction {
		return 0, false
	}
	var s position
	for _, x := range c.receipts[:at] {
		s.pass(x)
	}
	return s.txs, s.txs < len(c.block.Txs)
}

// all gives every receipt.
func (c *content) all() []wire.Receipt {
	list := make([]wire.Receipt, len(c.receipts))
	var s position
	for i, x := range c.receipts {
		list[i] = c.view(i, s)
		s.pass(x)
	}
	return list
}

// one gives a receipt by its place in the block.
func (c *content) one(at uint32) (wire.Receipt, error) {
	if int(at) >= len(c.receipts) {
		return wire.Receipt{}, errNotFound
	}
	var s position
	for _, x := range c.receipts[:at] {
		s.pass(x)
	}
	return c.view(int(at), s), nil
}

// read gives a final block.
func (n *Node) read(height unit.Height) (*content, error) {
	if c, ok := n.blocks.Find(height); ok {
		return c, nil
	}
	b, err := n.Ledger.Block(height)
	if err != nil {
		return nil, refusal(err)
	}
	receipts, err := n.Ledger.Receipts(height)
	if err != nil {
		return nil, refusal(err)
	}
	c := &content{b, b.Hash(), len(b.Encode()), receipts}
	if c.size <= keptBlockBytes {
		n.blocks.Put(height, c, n.keep(keptBlocks))
	}
	return c, nil
}

// What pages show again and again is remembered: so many of the receipts and blocks that were asked for last, blocks of at most keptBlockBytes. Together they
// take up to keptBytes of the heap, or less where a node's memory is small.
const (
	keptReceipts   = 2_048
	keptBlocks     = 32
	keptBlockBytes = 64 << 10
	keptBytes      = keptReceipts*smallBytes + keptBlocks*keptBlockBytes*budget.Decoded // 18 MiB
	smallBytes     = 4 << 10
)

// keep is how many of what is remembered there is memory for.
func (n *Node) keep(most int) int {
	if n.Pages <= 0 || n.Pages >= keptBytes {
		return most
	}
	return max(int(int64(most)*n.Pages/keptBytes), 1)
}

// receiptReader reads receipts in block order and decodes each block once, and only what it is asked for of it.
type receiptReader struct {
	node *Node
	open *content
	page filling
}

func (r *receiptReader) at(p index.Place) (wire.Receipt, error) {
	if w, ok := r.node.receipts.Find(p); ok {
		r.page.take(shown(&w))
		return w, nil
	}
	if r.open == nil || r.open.block.Header.Height != p.Height {
		var err error
		if r.open, err = r.node.read(p.Height); err != nil {
			return wire.Receipt{}, err
		}
		r.page.take(r.open.weight())
	}
	w, err := r.open.one(p.Index)
	r.page.take(shown(&w))
	if err == nil && small(r.open.receipts[p.Index]) {
		r.node.receipts.Put(p, w, r.node.keep(keptReceipts))
	}
	return w, err
}

// small tells whether a receipt is worth remembering: those are kept, not large ones.
func small(x *block.Receipt) bool { return bytesOf(x) <= smallBytes }

// receiptAt gives one receipt.
func (n *Node) receiptAt(height unit.Height, at uint32) (wire.Receipt, error) {
	reader := receiptReader{node: n}
	return reader.at(index.Place{Height: height, Index: at})
}
