package explorer

import (
	"net/http"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// proposals lists what was proposed, newest first, who is paused, and which code system actors run that were upgraded.
func (s *site) proposals(r *http.Request) (view, error) {
	before, _ := strconv.ParseUint(r.URL.Query().Get("before"), 10, 64) // what is no number is the first page
	list, err := s.source.Proposals(before, pageRows)
	if err != nil {
		return view{}, err
	}
	paused, err := s.source.Paused()
	if err != nil {
		return view{}, err
	}
	codes, err := s.source.Codes()
	return view{Page: "proposals", Title: "Proposals", Active: "proposals", Live: before == 0, Data: struct {
		wire.Proposals
		Paused []wire.Pause
		Codes  []wire.CodeOf
	}{list, paused.Paused, codes.Codes}}, err
}

// proposal shows one with its votes, deadlines and payload.
func (s *site) proposal(r *http.Request) (view, error) {
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err != nil {
		return view{}, errUnknown
	}
	p, err := s.source.Proposal(id)
	return view{Page: "proposal", Title: "Proposal " + strconv.FormatUint(id, 10), Active: "proposals", Live: p.Open, Data: p}, err
}
