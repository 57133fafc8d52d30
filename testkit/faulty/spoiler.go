package faulty

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// spoiler passes on what others propose, at once, now and then as its own, and blocks that are asked for: with one signature of a transaction spoilt, which no
// hash commits to.
type spoiler struct{ straight }

func (spoiler) Hear(h Hand, from link.Peer, _ link.Channel, frame []byte) {
	a, p, b := proposal(frame)
	if b == nil || p.Vote.Signer == h.Rank() || !spoil(h, b) {
		return
	}
	v := p.Vote
	if h.Signer() != nil && h.Rand().IntN(2) == 0 {
		v = *vote(h, p.Vote.Subject, nil)
	}
	for _, peer := range h.Peers() {
		if peer != from {
			say(h, peer, a.Epoch, &simplex.Propose{Vote: v, Block: b.Encode()})
		}
	}
}

func (s spoiler) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	if f, err := replica.DecodePeerMessage(bytes.Clone(frame)); err == nil {
		if have, ok := f.(*replica.BlockResponse); ok {
			if b, err := block.Decode(have.Block); err == nil && spoil(h, b) {
				frame = replica.EncodePeerMessage(&replica.BlockResponse{Block: b.Encode()})
			}
		}
	}
	s.straight.Send(h, to, c, frame)
}

// spoil changes a signature of a block's transactions, and reports whether there is one.
func spoil(h Hand, b *block.Block) bool {
	if len(b.Txs) == 0 {
		return false
	}
	i := h.Rand().IntN(len(b.Txs))
	t := *b.Txs[i]
	t.Signature[10] ^= 1
	b.Txs[i] = &t
	return true
}
