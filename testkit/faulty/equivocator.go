package faulty

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// equivocator proposes two blocks in a view, both valid, one to each half, and votes for both.
type equivocator struct{ straight }

func (e equivocator) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	a, p, b := proposal(frame)
	if b == nil || (to[0]^to[3]^to[31])&1 == 0 {
		e.straight.Send(h, to, c, frame)
		return
	}
	b.Header.TimestampMs++
	v := vote(h, subjectOf(b), p.Vote.Half)
	say(h, to, a.Epoch, &simplex.Propose{Vote: *v, Block: b.Encode()})
	if h.Rand().IntN(3) == 0 { // shows its hand
		say(h, to, a.Epoch, &p.Vote)
	}
}
