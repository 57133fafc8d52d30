package lanes

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// What was decoded on the way in is not read again; what was not is.
func TestDecodedOnce(t *testing.T) {
	known := &tx.Tx{ChainID: 1, Instruction: &tx.Transfer{To: account.Address{9}, Amount: 1}}
	unread := &tx.Tx{ChainID: 2, Instruction: &tx.Transfer{To: account.Address{9}, Amount: 1}}
	junk := []byte("not read")
	sub := decode(Submit{Raw: [][]byte{junk, junk, unread.Encode()}, Decoded: []*tx.Tx{known, nil}}, func(digest.Hash) error { return nil })
	if sub.results[0].Err != nil || sub.results[0].Hash != known.SigningHash() || sub.txs[0] != known {
		t.Errorf("one that was read: %+v", sub.results[0])
	}
	if !errors.Is(sub.results[1].Err, tx.ErrMalformed) {
		t.Errorf("one that nobody could read: %v", sub.results[1].Err)
	}
	if len(sub.txs) != 2 || sub.at[1] != 2 || sub.results[2].Hash != unread.SigningHash() {
		t.Errorf("one that nobody had read: %+v", sub.results[2])
	}
}
