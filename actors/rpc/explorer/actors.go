package explorer

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// actorRow is an actor of the list.
type actorRow struct {
	wire.ActorSummary
	Program *program // nil where its source was not read
}

type actorList struct {
	Rows       []actorRow
	Total      uint64
	Next       string
	FirstOfAll bool
}

// actors lists those that deployments created, the newest first.
func (s *site) actors(r *http.Request) (view, error) {
	cursor := r.URL.Query().Get("cursor")
	list, err := s.source.NewestActors(cursor, pageRows)
	if err != nil {
		return view{}, err
	}
	p := actorList{Total: list.TotalCount, Next: list.NextCursor, FirstOfAll: cursor == ""}
	budget := readAtOnce
	for _, a := range list.Actors {
		p.Rows = append(p.Rows, actorRow{a, s.named(a.Address, a.CodeHash, &budget)})
	}
	return view{Page: "actors", Title: "Actors", Active: "actors", Live: cursor == "", Data: p}, nil
}
