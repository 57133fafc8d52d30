package simplex

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// MaxHeader bounds the bytes of a header inside a BlockRef or an Evidence: a kilobyte and the late votes.
const MaxHeader = 1<<10 + params.MaxLateVotesBytes

// BlockRef is a block as agreement sees it: its identity, the round it was proposed in, and its parent. Every field follows from Header, whose
// hash is Hash, so a signature on the hash binds them all. The zero BlockRef means that a proposal came without a block.
type BlockRef struct {
	Hash       digest.Hash
	Height     uint64
	Round      sig.Round
	Proposer   uint32 // rank
	ParentHash digest.Hash
	ParentView uint64 // in the parent's own epoch
	Idle       bool   // nothing ran in it; false once it was in a journal
	Header     []byte // canonical
}

// Inspect gives the BlockRef of a block from its bytes, or of a header from its own. It is a pure function: InspectBlock, or that of a test.
type Inspect func(block []byte) (BlockRef, error)

// InspectBlock reads the header at the front of a block; the error is a *codec.Error.
// Spec: commonware §3.7 (the header binds its round and its parent's).
func InspectBlock(data []byte) (BlockRef, error) {
	r := codec.NewReader(data)
	h := block.ReadHeader(r)
	if err := r.Err(); err != nil {
		return BlockRef{}, err
	}
	header := bytes.Clone(data[:r.Offset()])
	return BlockRef{
		Hash: digest.Keccak256(header), Height: uint64(h.Height), Round: h.Round(), Proposer: h.ProposerIndex,
		ParentHash: h.ParentHash, ParentView: h.ParentView, Header: header, Idle: h.TxCount == 0 && h.CyclesUsed == 0 && h.CellsUsed == 0,
	}, nil
}

// absent reports whether the proposal came without a block.
func (l *BlockRef) absent() bool { return l.Hash.IsZero() }

// binds reports whether the block was made for exactly this subject.
func (l *BlockRef) binds(s sig.Subject) bool {
	return l.Hash == s.BlockHash && l.Height == s.Height && l.Round == s.Round
}

// parentView is the view, in this epoch, in which the block's parent was certified: 0 for the anchor.
func (c *Config) parentView(l *BlockRef) uint64 {
	if l.ParentHash == c.Anchor && l.Height == c.AnchorHeight+1 {
		return 0
	}
	return l.ParentView
}

// parentOf is the subject of the block's parent.
func (c *Config) parentOf(l *BlockRef) sig.Subject {
	return sig.Subject{BlockHash: l.ParentHash, Height: l.Height - 1, Round: c.round(c.parentView(l))}
}
