package signer

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// inEpoch is the replica.Signer of one epoch: votes come from the signer, parts of the round seed from the share that is here.
type inEpoch struct {
	client    *Client
	namespace sig.Namespace
	share     bls.Share
	anchor    digest.Hash
}

// Signer implements replica.Elsewhere.
func (c *Client) Signer(namespace sig.Namespace, share bls.Share, anchor digest.Hash) replica.Signer {
	return &inEpoch{c, namespace, share, anchor}
}

// Remote implements replica.Signer.
func (*inEpoch) Remote() bool { return true }

func (e *inEpoch) partial(r sig.Round) sig.BLSSignature { return e.share.Key.Sign(e.namespace.Seed(r)) }

// SignVote implements replica.Signer. A vote that has its signatures and only lacks its part of the seed is not asked for.
func (e *inEpoch) SignVote(request *simplex.Vote) (*simplex.Vote, error) {
	v := *request
	if h := request.Half; h != nil {
		half := *h
		v.Half = &half
	}
	lacks := v.Signature == sig.BLSSignature{} || v.Half != nil && v.Half.Signature == sig.BLSSignature{}
	if lacks {
		q := &vote{kind: v.Kind, subject: v.Subject}
		if v.Half != nil {
			q.parent = &v.Half.Parent
		}
		list, err := e.client.ask(e.namespace, q)
		if err != nil {
			return nil, err
		}
		if v.Signature = list[0]; v.Half != nil {
			v.Half.Signature = list[1]
		}
	}
	if v.Partial == (sig.BLSSignature{}) {
		v.Partial = e.partial(v.Subject.Round)
	}
	return &v, nil
}

// SignNewView implements replica.Signer.
func (e *inEpoch) SignNewView(request *simplex.NewView) (*simplex.NewView, error) {
	m := *request
	q := &newView{round: m.Round, highest: sig.Round{Epoch: m.Round.Epoch}, block: e.anchor}
	if m.Highest != nil {
		q.highest, q.block = m.Highest.Subject.Round, m.Highest.Subject.BlockHash
	}
	list, err := e.client.ask(e.namespace, q)
	if err != nil {
		return nil, err
	}
	m.Signature, m.HighestQC = list[0], list[1]
	if m.Partial == (sig.BLSSignature{}) {
		m.Partial = e.partial(m.Round)
	}
	return &m, nil
}

// SignAccusation implements replica.Signer.
func (e *inEpoch) SignAccusation(request *simplex.Accusation) (*simplex.Accusation, error) {
	a := *request
	list, err := e.client.ask(e.namespace, &accusation{a.Subject, a.Accused, uint8(a.Flaw)})
	if err != nil {
		return nil, err
	}
	a.Signature = list[0]
	return &a, nil
}

// ProveVRF implements replica.Signer. Spec: WP §6.1; commonware §3.6.
func (e *inEpoch) ProveVRF(epochSeed []byte, height uint64) (sig.BLSSignature, error) {
	list, err := e.client.ask(e.namespace, &headerProof{epochSeed, height})
	if err != nil {
		return sig.BLSSignature{}, err
	}
	return list[0], nil
}

// Introduce implements replica.Signer.
func (e *inEpoch) Introduce(self link.Peer) (sig.BLSSignature, error) {
	return e.client.Attest(roster.IntroductionPreimage(e.namespace, self))
}
