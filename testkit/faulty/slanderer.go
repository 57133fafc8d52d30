package faulty

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// slanderer accuses every leader of its proposal, which is in order, and every voter of having made it.
type slanderer struct {
	straight
	done map[sig.Subject]bool
}

func (s *slanderer) Hear(h Hand, _ link.Peer, _ link.Channel, frame []byte) {
	a := message(frame)
	if a == nil || h.Signer() == nil {
		return
	}
	var v *simplex.Vote
	switch m := a.Message.(type) {
	case *simplex.Propose:
		v = &m.Vote
	case *simplex.Vote:
		v = m
	default:
		return
	}
	if v.Kind != sig.Notarization || v.Signer == h.Rank() || s.done[v.Subject] {
		return
	}
	s.done[v.Subject] = true
	flaw := simplex.FlawedBlock
	if h.Rand().IntN(2) == 0 {
		flaw = simplex.FlawedBody
	}
	x, err := h.Signer().SignAccusation(&simplex.Accusation{Subject: v.Subject, Accused: v.Signer, Vote: v.Signature, Flaw: flaw, Signer: h.Rank()})
	if err != nil {
		panic(err)
	}
	tell(h, a.Epoch, x)
}
