package faulty

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// flooder fills every channel: questions for blocks and certificates, introductions to nobody, frames of noise.
type flooder struct {
	straight
	sent int
}

// floodMax bounds what a flooder sends in all, for the sake of the run's time.
const floodMax = 4_000

func (f *flooder) Hear(h Hand, from link.Peer, _ link.Channel, _ []byte) {
	for range 12 {
		if f.sent++; f.sent > floodMax {
			return
		}
		r := h.Rand()
		switch r.IntN(5) {
		case 0:
			h.Send(from, link.Blocks, replica.EncodePeerMessage(&replica.BlockRequest{Hash: digest.Hash{byte(r.IntN(256))}}))
		case 1:
			say(h, from, 0, &simplex.Request{ID: r.Uint64N(9), Views: []uint64{1 + r.Uint64N(30)}})
		case 2:
			h.Send(from, link.Consensus, replica.EncodePeerMessage(&replica.IntroductionRequest{}))
		case 3:
			h.Send(from, link.Sync, []byte{0, byte(r.IntN(100)), byte(1 + r.IntN(20))})
		default:
			noise := make([]byte, 1+r.IntN(200))
			for i := range noise {
				noise[i] = byte(r.IntN(256))
			}
			h.Send(from, link.Channel(r.IntN(int(link.Channels))), noise)
		}
	}
}
