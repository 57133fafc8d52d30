package faulty

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// doublevoter votes for everything and against everything, whatever its node does.
type doublevoter struct {
	straight
	done map[sig.Subject]bool
}

func (d *doublevoter) Hear(h Hand, _ link.Peer, _ link.Channel, frame []byte) {
	a := message(frame)
	if a == nil {
		return
	}
	var s sig.Subject
	switch m := a.Message.(type) {
	case *simplex.Propose:
		s = m.Vote.Subject
	case *simplex.Vote:
		s = m.Subject
	default:
		return
	}
	if d.done[s] || h.Signer() == nil {
		return
	}
	d.done[s] = true
	for _, kind := range []sig.CertificateKind{sig.Notarization, sig.Finalization} {
		v, err := h.Signer().SignVote(&simplex.Vote{Kind: kind, Subject: s, Signer: h.Rank()})
		if err != nil {
			panic(err)
		}
		tell(h, a.Epoch, v)
	}
	if h.Rand().IntN(4) == 0 {
		m, err := h.Signer().SignNewView(&simplex.NewView{Round: s.Round, Signer: h.Rank()})
		if err != nil {
			panic(err)
		}
		tell(h, a.Epoch, m)
	}
}
