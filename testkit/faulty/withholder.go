package faulty

import (
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// withholder keeps certificates and most votes to itself, for a while or for ever, and shows them to some.
type withholder struct{ straight }

func (w withholder) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	a := message(frame)
	if a == nil {
		w.straight.Send(h, to, c, frame)
		return
	}
	switch a.Message.(type) {
	case *simplex.Propose, *simplex.NewView:
		w.straight.Send(h, to, c, frame)
		return
	}
	if h.Rand().IntN(2) == 0 {
		h.After(time.Duration(h.Rand().IntN(4_000))*time.Millisecond, func() { h.Send(to, c, frame) })
	}
}
