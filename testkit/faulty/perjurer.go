package faulty

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// perjurer votes for two blocks in one view, once in its life, and behaves otherwise.
type perjurer struct {
	straight
	done bool
}

// perjuryView is the first view it may happen in: everybody knows everybody by then.
const perjuryView = 4

func (p *perjurer) Hear(h Hand, _ link.Peer, _ link.Channel, frame []byte) {
	a := message(frame)
	if a == nil || p.done {
		return
	}
	m, ok := a.Message.(*simplex.Propose)
	if !ok || m.Vote.Subject.Round.View < perjuryView || h.Signer() == nil {
		return
	}
	p.done = true
	for _, bit := range []byte{0, 1} {
		s := m.Vote.Subject
		s.BlockHash[0] ^= bit
		v, err := h.Signer().SignVote(&simplex.Vote{Kind: sig.Notarization, Subject: s, Signer: h.Rank()})
		if err != nil {
			panic(err)
		}
		tell(h, a.Epoch, v)
	}
}
