package explorer

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// How many rows the lists beside the names have.
const ingressRows = 25

// namesPage is what leads from the web to actors: names, gateways, and what became of requests.
type namesPage struct {
	Names    []wire.Name
	Next     string // cursor of the page after
	Gateways []wire.Gateway
	MoreG    bool
	Pool     wire.GatewayPool
	Requests []wire.Request
	MoreR    bool
}

// names lists them.
//
// Spec: gateway-payments-streams §A, §B, §C; node-rpc-cli §2.6.
func (s *site) names(r *http.Request) (view, error) {
	cursor := r.URL.Query().Get("cursor")
	list, err := s.source.Names(cursor, pageRows)
	if err != nil {
		return view{}, err
	}
	gateways, err := s.source.Gateways("", ingressRows)
	if err != nil {
		return view{}, err
	}
	requests, err := s.source.Requests("", ingressRows)
	if err != nil {
		return view{}, err
	}
	return view{Page: "names", Title: "Names and gateways", Active: "names", Live: cursor == "", Data: &namesPage{
		list.Names, list.NextCursor, gateways.Gateways, gateways.NextCursor != "", gateways.Pool, requests.Requests, requests.NextCursor != "",
	}}, nil
}
