package rpc

import (
	"errors"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session"
)

// sessions adds the call about sessions of payment.
//
// Spec: gateway-payments-streams §D.
func (s *server) sessions(mux *http.ServeMux) {
	mux.HandleFunc("GET /session/{hash}", s.byHash(func(h digest.Hash) (any, error) { return s.Backend.Session(h) }))
}

// sessionCalls describes it.
func sessionCalls() []Call {
	return []Call{{"get", "/session/{hash}", "a session of payment: what a payer put aside for a runner, and what was paid", nil, "", wire.Session{}}}
}

// Session implements Backend. Spec: gateway-payments-streams §D.
func (n *Node) Session(id digest.Hash) (v wire.Session, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	s, err := session.Load(t.State.Overlay(), id)
	if errors.Is(err, session.ErrUnknown) {
		return v, refuse(http.StatusNotFound, 4004, err.Error())
	}
	if err != nil {
		return v, err
	}
	return wire.ViewSession(id, s), nil
}
