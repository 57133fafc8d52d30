package replica

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// keys are this node's keys of one epoch behind their guard: whatever is signed for agreement is allowed by it first.
//
// Spec: commonware §3.3 (invariants), §3.5.
type keys struct {
	guard  *guard
	signer Signer // nil: this node follows
	own    []byte // the introduction, once made
}

// newKeys are the keys of an epoch whose guard remembers a journal.
func newKeys(epoch uint64, signer Signer, journal []simplex.Record) (*keys, error) {
	g, err := newGuard(epoch, journal)
	return &keys{guard: g, signer: signer}, err
}

// sign answers signVote, signNewView and signAccusation. Errors: a *DoubleSignError; any other is the Signer's.
func (k *keys) sign(request effect) (simplex.Event, error) {
	switch r := request.(type) {
	case signVote:
		if err := k.guard.vote(r.vote); err != nil {
			return nil, err
		}
		v, err := k.signer.SignVote(r.vote)
		return simplex.VoteSigned{Vote: v}, err
	case signNewView:
		if err := k.guard.nullify(r.message.Round); err != nil {
			return nil, err
		}
		m, err := k.signer.SignNewView(r.message)
		return simplex.NewViewSigned{NewView: m}, err
	case signAccusation:
		a, err := k.signer.SignAccusation(r.accusation)
		return simplex.AccusationSigned{Accusation: a}, err
	}
	panic("replica: asked to sign something else")
}

// prepare makes ready for a round where the signer can.
func (k *keys) prepare(p prepare) {
	if signer, able := k.signer.(Preparer); able {
		signer.Prepare(p.round, p.seed, p.height)
	}
}

// introduction is the frame that tells a peer which validator this node is.
func (k *keys) introduction(self link.Peer, rank uint32) ([]byte, error) {
	if k.own == nil {
		signature, err := k.signer.Introduce(self)
		if err != nil {
			return nil, err
		}
		k.own = EncodePeerMessage(&Introduction{rank, signature})
	}
	return k.own, nil
}
