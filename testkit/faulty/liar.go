package faulty

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/block"
)

// liar answers questions for blocks with other blocks, or the right header and another body, and spoils the ranges and the parts of states it serves.
type liar struct{ straight }

func (l liar) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	if c == link.Sync && len(frame) > 300 {
		data := bytes.Clone(frame)
		data[h.Rand().IntN(len(data))] ^= 1 << h.Rand().IntN(8)
		h.Send(to, c, data)
		return
	}
	d, err := replica.DecodePeerMessage(bytes.Clone(frame))
	have, ok := d.(*replica.BlockResponse)
	if c != link.Blocks || err != nil || !ok {
		l.straight.Send(h, to, c, frame)
		return
	}
	b, err := block.Decode(have.Block)
	if err != nil {
		return
	}
	switch {
	case len(b.Txs) > 0 && h.Rand().IntN(2) == 0:
		b.Txs[0].Signature[7]++ // the header names it all the same
	case len(b.Txs) > 1:
		b.Txs = b.Txs[1:]
	default:
		b.Header.StateRoot[0]++
	}
	h.Send(to, c, replica.EncodePeerMessage(&replica.BlockResponse{Block: b.Encode()}))
}
