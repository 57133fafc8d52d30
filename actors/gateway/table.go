package gateway

import (
	"context"
	"errors"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/route"
)

// routes reads an actor's manifest of routes, asking the node at most once a second; an actor that has published none has none.
//
// Spec: storage-cbfs §3.2 (102).
func (d *Door) routes(ctx context.Context, actor account.Address) (*route.Manifest, error) {
	if m, ok := d.memory.routes.Get(actor); ok {
		return m, nil
	}
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	v, err := d.Node.Routes(ctx, actor)
	var refused *Refused
	if err != nil && (!errors.As(err, &refused) || refused.Status != http.StatusNotFound) {
		return nil, err
	}
	m := manifestOf(&v)
	d.memory.routes.Add(actor, m)
	return m, nil
}

// manifestOf reads a manifest of routes as the node shows it.
func manifestOf(v *wire.Routes) *route.Manifest {
	m := new(route.Manifest)
	for _, s := range v.Static {
		m.Static = append(m.Static, route.Static(s))
	}
	for _, d := range v.Dynamic {
		m.Dynamic = append(m.Dynamic, route.Dynamic(d))
	}
	return m
}

// addressed is the route of a request: where the actor's manifest has none that fits, the one to "http.request".
//
// Spec: gateway-payments-streams §B; storage-cbfs §3.2 (102); sdk §19.3.
func (d *Door) addressed(ctx context.Context, actor account.Address, method, path string) (route.Match, error) {
	m, err := d.routes(ctx, actor)
	if err != nil {
		return route.Match{}, err
	}
	if found, ok := m.Find(method, path); ok {
		return found, nil
	}
	return route.Match{Handler: handlerRequest}, nil
}

// paramsOf are the parts of a path that its route names, as an envelope has them.
//
// Spec: sdk §19.2 (path_params).
func paramsOf(params []route.Param) cbor.Map {
	m := make(cbor.Map, len(params))
	for i, p := range params {
		m[i] = cbor.Pair{Key: p.Name, Value: p.Value}
	}
	return m
}
