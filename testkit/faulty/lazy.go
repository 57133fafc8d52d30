package faulty

import (
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// lazy does all a validator does but propose.
type lazy struct{ straight }

func (f lazy) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	if !proposes(h, frame) {
		f.straight.Send(h, to, c, frame)
	}
}

// dawdler proposes when others are about to give up waiting.
type dawdler struct{ straight }

// dawdle is how late it is: a little less than the leader deadline of the simulated networks, with what the frame needs.
const dawdle = 800 * time.Millisecond

func (f dawdler) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	if proposes(h, frame) {
		h.After(dawdle, func() { h.Send(to, c, frame) })
		return
	}
	f.straight.Send(h, to, c, frame)
}

// proposes reports whether a frame is a proposal of one's own.
func proposes(h Hand, frame []byte) bool {
	a := message(frame)
	if a == nil {
		return false
	}
	p, ok := a.Message.(*simplex.Propose)
	return ok && p.Vote.Signer == h.Rank()
}
