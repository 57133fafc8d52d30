package explorer

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/chain/token"
)

// tokens lists all tokens, by identifier.
//
// Spec: tokens §2; node-rpc-cli §2.6.
func (s *site) tokens(r *http.Request) (view, error) {
	var after *token.ID
	if text := r.URL.Query().Get("cursor"); text != "" {
		id, err := parseHash(text)
		if err != nil {
			return view{}, err
		}
		after = &id
	}
	list, err := s.source.Tokens(after, pageRows)
	if err != nil {
		return view{}, err
	}
	return view{Page: "tokens", Title: "Tokens", Active: "tokens", Live: after == nil, Data: list}, nil
}

// token shows what the registry keeps of a token.
func (s *site) token(r *http.Request) (view, error) {
	id, err := parseHash(r.PathValue("id"))
	if err != nil {
		return view{}, err
	}
	t, err := s.source.Token(id)
	if err != nil {
		return view{}, err
	}
	return view{Page: "token", Title: "Token " + phrase(t.Symbol), Active: "tokens", Live: true, Data: t}, nil
}
