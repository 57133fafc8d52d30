package hashed

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Vote is a request as a validator signs it, with its partial of the seed.
func (s Scheme) Vote(rank uint32, request *simplex.Vote) *simplex.Vote {
	v := *request
	v.Signature = s.Sign(rank, v.Preimage(s.Namespace))
	v.Partial = s.Sign(rank, s.Namespace.Seed(v.Subject.Round))
	if h := request.Half; h != nil {
		v.Half = &simplex.Half{Parent: h.Parent, Signature: s.Sign(rank, s.Namespace.Finalize(h.Parent))}
	}
	return &v
}

// Accusation is a request as a validator signs it.
func (s Scheme) Accusation(rank uint32, request *simplex.Accusation) *simplex.Accusation {
	a := *request
	a.Signature = s.Sign(rank, a.Preimage(s.Namespace))
	return &a
}

// NewView is a request as a validator signs it in an epoch that builds on anchor, with its partial of the seed.
func (s Scheme) NewView(rank uint32, request *simplex.NewView, anchor digest.Hash) *simplex.NewView {
	m := *request
	m.Signature = s.Sign(rank, s.Namespace.Nullify(m.Round))
	m.Partial = s.Sign(rank, s.Namespace.Seed(m.Round))
	m.HighestQC = s.Sign(rank, m.HighestQCPreimage(s.Namespace, anchor))
	return &m
}
