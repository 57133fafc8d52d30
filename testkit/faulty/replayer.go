package faulty

import "github.com/cowboyinc/cowboy-go/actors/link"

// replayer sends again what it heard, as if it were news, under its own name.
type replayer struct {
	straight
	heard []heard
}

type heard struct {
	channel link.Channel
	frame   []byte
}

// heardMax bounds what a replayer remembers.
const heardMax = 300

func (r *replayer) Hear(h Hand, _ link.Peer, c link.Channel, frame []byte) {
	r.heard = append(r.heard, heard{c, frame})
	if len(r.heard) > heardMax {
		r.heard = r.heard[heardMax/2:]
	}
	peers := h.Peers()
	if len(peers) == 0 || h.Rand().IntN(2) == 0 {
		return
	}
	x := r.heard[h.Rand().IntN(len(r.heard))]
	h.Send(peers[h.Rand().IntN(len(peers))], x.channel, x.frame)
}
