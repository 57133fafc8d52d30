package faulty

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// badproposer proposes blocks that are not valid: other roots, another height, parent, proposer, reward address, proof or seed, a time far ahead,
// a body that is not the header's, bytes that are no block.
type badproposer struct{ straight }

func (f badproposer) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	a, p, b := proposal(frame)
	if b == nil {
		f.straight.Send(h, to, c, frame)
		return
	}
	x := &b.Header
	body := func() []byte { return b.Encode() }
	switch h.Rand().IntN(12) {
	case 0:
		x.StateRoot[0]++
	case 1:
		x.ReceiptRoot[0]++
	case 2:
		x.Height++
	case 3:
		x.ParentHash[0]++
	case 4:
		x.ProposerIndex++
	case 5:
		x.Proposer[0]++
	case 6:
		x.VRFProof[9]++
	case 7:
		if x.ParentSeed != nil {
			x.ParentSeed.Signature[9]++
		}
	case 8:
		x.TimestampMs += 100_000
	case 9:
		x.TxCount++
	case 10:
		body = func() []byte { return bytes.Repeat([]byte{7}, 300) }
	default:
		f.straight.Send(h, to, c, frame)
		return
	}
	v := vote(h, subjectOf(b), p.Vote.Half)
	say(h, to, a.Epoch, &simplex.Propose{Vote: *v, Block: body()})
}
