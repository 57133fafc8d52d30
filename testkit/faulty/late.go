package faulty

import (
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
)

// late sends everything, much too late.
type late struct{ straight }

func (late) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	h.After(time.Duration(200+h.Rand().IntN(3_000))*time.Millisecond, func() { h.Send(to, c, frame) })
}
