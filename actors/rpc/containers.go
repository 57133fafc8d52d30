package rpc

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/container"
)

// containers adds the call about images and resource classes.
//
// Spec: gateway-payments-streams §I.
func (s *server) containers(mux *http.ServeMux) {
	mux.HandleFunc("GET /containers", func(w http.ResponseWriter, r *http.Request) {
		limit, err := number(r, "limit", maxPage)
		if err != nil {
			s.fail(w, err)
			return
		}
		list, err := s.Backend.Containers(r.URL.Query().Get("cursor"), int(min(max(limit, 1), maxPage)))
		s.answer(w, list, err)
	})
}

// containerCalls describes it.
func containerCalls() []Call {
	return []Call{{"get", "/containers", "images that container jobs may run, and resource classes", []string{
		"cursor:string:images after this name", "limit:integer:how many images, at most 1000",
	}, "", wire.Containers{}}}
}

// Containers implements Backend. Spec: gateway-payments-streams §I.
func (n *Node) Containers(after string, limit int) (wire.Containers, error) {
	var v wire.Containers
	if len(after) > container.MaxNameBytes {
		return v, badRequest("cursor is not one this node gave")
	}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view := t.State.Overlay()
	images, err := container.Images(view, after, limit)
	if err != nil {
		return v, err
	}
	classes, err := container.Classes(view)
	if err != nil {
		return v, err
	}
	return wire.ViewContainers(images, classes, limit), nil
}
