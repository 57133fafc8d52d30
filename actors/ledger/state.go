package ledger

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// verdict says what to do with a block that is to be committed.
type verdict uint8

const (
	appendIt verdict = iota
	held             // it is durable already
	misplaced
)

// judge compares a block with the newest one. A gap, or another block at a height that is held, is a bug of whoever finalized it.
func judge(newest *block.Header, newestHash digest.Hash, heldHash func(unit.Height) (digest.Hash, error), f *Final) (verdict, error) {
	height, top := f.Height(), newest.Height
	switch {
	case height == top+1:
		if f.Block.Header.ParentHash != newestHash {
			return misplaced, fmt.Errorf("ledger: block %d does not continue the finalized chain", height)
		}
		return appendIt, nil
	case height > top:
		return misplaced, fmt.Errorf("ledger: block %d after %d", height, top)
	}
	hash, err := heldHash(height)
	if err != nil {
		return misplaced, err
	}
	if hash != f.Hash {
		return misplaced, fmt.Errorf("ledger: two finalized blocks at height %d: %v and %v", height, hash, f.Hash)
	}
	return held, nil
}
