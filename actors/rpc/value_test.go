package rpc

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A receipt shows the coins that came with what ran.
//
// Spec: WP "Transactions and Message Passing"; node-rpc-cli §2.2.
func TestReceiptShowsValue(t *testing.T) {
	if w := wire.FromReceipt(&block.Receipt{Kind: block.Message, Value: 1_500_000_000}, digest.Hash{}, 3, 0, nil); w.Value != 1_500_000_000 {
		t.Errorf("%d", w.Value)
	}
}
