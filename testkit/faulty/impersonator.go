package faulty

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// impersonator votes in the name of others, and introduces itself as them: with its own signature, or with theirs that it heard.
type impersonator struct {
	straight
	repeated map[string]bool // introductions; two of its kind would repeat each other's for ever
}

// repeatedMax bounds what an impersonator repeats.
const repeatedMax = 64

func (f *impersonator) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	f.straight.Send(h, to, c, frame)
	other := uint32(h.Rand().IntN(h.Validators() + 1))
	if d, err := replica.DecodePeerMessage(bytes.Clone(frame)); err == nil {
		if i, ok := d.(*replica.Introduction); ok {
			i.Rank = other
			h.Send(to, c, replica.EncodePeerMessage(i))
			return
		}
	}
	a := message(frame)
	if a == nil {
		return
	}
	switch m := a.Message.(type) {
	case *simplex.Vote:
		m.Signer = other
		say(h, to, a.Epoch, m)
	case *simplex.NewView:
		m.Signer = other
		say(h, to, a.Epoch, m)
	}
}

// Hear repeats the introductions of others as its own.
func (f *impersonator) Hear(h Hand, _ link.Peer, c link.Channel, frame []byte) {
	d, err := replica.DecodePeerMessage(bytes.Clone(frame))
	if err != nil {
		return
	}
	if _, ok := d.(*replica.Introduction); ok && !f.repeated[string(frame)] && len(f.repeated) < repeatedMax {
		f.repeated[string(frame)] = true
		for _, p := range h.Peers() {
			h.Send(p, c, frame)
		}
	}
}
