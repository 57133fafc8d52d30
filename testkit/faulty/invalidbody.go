package faulty

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// bodyBends are the ways in which a body is wrong.
var bodyBends = map[string]bend{
	// A transaction of an earlier block once more: its nonce is taken.
	"stale-transaction": func(f *invalid, _ Hand, b *block.Block) bool {
		for _, old := range f.heard {
			if !slices.ContainsFunc(b.Txs, func(t *tx.Tx) bool { return t.From == old.From }) {
				b.Txs = append(b.Txs, old)
				b.Txs = ordered(b)
				reseal(b)
				return true
			}
		}
		return false
	},
	// The same transaction two times.
	"repeated-transaction": func(_ *invalid, _ Hand, b *block.Block) bool {
		if len(b.Txs) == 0 {
			return false
		}
		b.Txs = append(b.Txs, b.Txs[len(b.Txs)-1])
		reseal(b)
		return true
	},
	// Another order than the proof's.
	"wrong-order": func(_ *invalid, _ Hand, b *block.Block) bool {
		if len(b.Txs) < 2 {
			return false
		}
		slices.Reverse(b.Txs)
		reseal(b)
		return true
	},
	// A body that is not the header's.
	"wrong-body": func(_ *invalid, _ Hand, b *block.Block) bool {
		b.Header.TxRoot[0]++
		return true
	},
	"wrong-count": func(_ *invalid, _ Hand, b *block.Block) bool {
		b.Header.TxCount++
		return true
	},
	// A transaction that its sender did not sign.
	"unsigned-transaction": func(_ *invalid, h Hand, b *block.Block) bool { return spoil(h, b) },
}

// ordered is the block's transactions in the order its proof gives them.
func ordered(b *block.Block) []*tx.Tx {
	verified := make([]tx.Verified, len(b.Txs))
	for i, t := range b.Txs {
		v, err := tx.Verify(t, b.Header.ChainID, sig.Default())
		if err != nil {
			return b.Txs // it cannot be put in order, which makes it no better
		}
		verified[i] = v
	}
	out := make([]*tx.Tx, len(verified))
	for i, v := range block.Order(verified, b.Header.VRFOutput) {
		out[i] = v.Tx()
	}
	return out
}

// reseal makes the header commit to the body.
func reseal(b *block.Block) {
	hashes := make([]digest.Hash, len(b.Txs))
	for i, t := range b.Txs {
		hashes[i] = t.SigningHash()
	}
	b.Header.TxRoot, b.Header.TxCount = block.TxRoot(hashes), uint32(len(b.Txs))
}
