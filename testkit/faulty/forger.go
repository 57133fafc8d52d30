package faulty

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// forger spoils signatures, certificates, and single bits of frames.
type forger struct{ straight }

func (f forger) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	switch h.Rand().IntN(4) {
	case 0:
		data := bytes.Clone(frame)
		data[h.Rand().IntN(len(data))] ^= 1 << h.Rand().IntN(8)
		h.Send(to, c, data)
	case 1:
		f.spoil(h, to, c, frame)
	default:
		h.Send(to, c, frame)
	}
}

func (f forger) spoil(h Hand, to link.Peer, c link.Channel, frame []byte) {
	a := message(frame)
	if a == nil {
		h.Send(to, c, frame)
		return
	}
	switch m := a.Message.(type) {
	case *simplex.Vote:
		if h.Rand().IntN(2) == 0 {
			m.Signature[5]++
		} else {
			m.Partial[5]++
		}
	case *simplex.NewView:
		m.HighestQC[5]++
	case *simplex.Certificate:
		if m.Under != nil && h.Rand().IntN(2) == 0 {
			m.Under.Aggregate[5]++
		} else {
			m.Aggregate[5]++
		}
	case *simplex.Response:
		for _, c := range m.Certificates {
			c.Seed[5]++
		}
	}
	say(h, to, a.Epoch, a.Message)
}
