package rpc

import (
	"errors"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// names adds the calls about names, gateways and requests.
//
// Spec: gateway-payments-streams §A, §B, §C.
func (s *server) names(mux *http.ServeMux) {
	page := func(path string, read func(cursor string, limit int) (any, error)) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			limit, err := number(r, "limit", maxPage)
			if err != nil {
				s.fail(w, err)
				return
			}
			v, err := read(r.URL.Query().Get("cursor"), int(min(max(limit, 1), maxPage)))
			s.answer(w, v, err)
		})
	}
	page("/names", func(cursor string, limit int) (any, error) { return s.Backend.Names(cursor, limit) })
	page("/gateways", func(cursor string, limit int) (any, error) { return s.Backend.Gateways(cursor, limit) })
	page("/requests", func(cursor string, limit int) (any, error) { return s.Backend.Requests(cursor, limit) })
	mux.HandleFunc("GET /name/{name}", func(w http.ResponseWriter, r *http.Request) {
		v, err := s.Backend.Name(r.PathValue("name"))
		s.answer(w, v, err)
	})
	mux.HandleFunc("GET /name/{name}/quote", func(w http.ResponseWriter, r *http.Request) {
		blocks, err := number(r, "blocks", 0)
		if err != nil {
			s.fail(w, err)
			return
		}
		v, err := s.Backend.NameQuote(r.PathValue("name"), blocks)
		s.answer(w, v, err)
	})
	mux.HandleFunc("GET /request/{id}", func(w http.ResponseWriter, r *http.Request) {
		v, err := s.Backend.Request(r.PathValue("id"))
		s.answer(w, v, err)
	})
	mux.HandleFunc("GET /gateway/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return s.Backend.Gateway(a) }))
	mux.HandleFunc("GET /actor/{addr}/routes", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return s.Backend.ActorRoutes(a) }))
	mux.HandleFunc("GET /actor/{addr}/names", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		return s.Backend.ActorNames(a, r.URL.Query().Get("cursor"), maxPage)
	}))
}

// nameCalls describes them.
func nameCalls() []Call {
	page := []string{"cursor:string:what comes after this one", "limit:integer:how many, at most 1000"}
	return []Call{
		{"get", "/names", "registered names", page, "", wire.Names{}},
		{"get", "/name/{name}", "a name, or the name that a host lies below", nil, "", wire.Name{}},
		{"get", "/name/{name}/quote", "what a name costs now", []string{"blocks:integer:for how long; a period unless told"}, "", wire.NameQuote{}},
		{"get", "/actor/{addr}/names", "names that lead to an actor", page[:1], "", wire.NamesOf{}},
		{"get", "/actor/{addr}/routes", "the routes an actor published with opcode 102", nil, "", wire.Routes{}},
		{"get", "/gateways", "gateways and their pool", page, "", wire.Gateways{}},
		{"get", "/gateway/{addr}", "a gateway", nil, "", wire.Gateway{}},
		{"get", "/requests", "receipts of requests over HTTP, without what was answered", page, "", wire.Requests{}},
		{"get", "/request/{id}", "the receipt of a request over HTTP", nil, "", wire.Request{}},
	}
}

// unnamed gives a reject of the registries of names, gateways and requests as nothing known by that name.
func unnamed(err error) error {
	for _, known := range [...]error{route.ErrExpired, route.ErrNoRoutes, gateway.ErrUnknown, receipt.ErrUnknown} {
		if errors.Is(err, known) {
			return refuse(http.StatusNotFound, 4004, err.Error())
		}
	}
	for _, known := range [...]error{route.ErrName, route.ErrReserved, route.ErrTaken, route.ErrDuration} {
		if errors.Is(err, known) {
			return badRequest(err.Error())
		}
	}
	return err
}

// governed reads a governed group of a chapter: what the state has, or the default.
func governed[T any](r state.Reader, key string, fallback T, decode func([]byte) (T, error)) (T, error) {
	data, ok, err := r.Lookup(params.StateKey(key))
	if err != nil || !ok {
		return fallback, err
	}
	return decode(data)
}

func namesConfig(r state.Reader) (route.Config, error) {
	return governed(r, route.KeyConfig, route.Genesis(), route.DecodeConfig)
}

// maxDomain bounds a cursor: no registered domain is longer.
const maxDomain = 253

// Names implements Backend. Spec: gateway-payments-streams §A.
func (n *Node) Names(after string, limit int) (wire.Names, error) {
	v := wire.Names{Names: []wire.Name{}}
	if len(after) > maxDomain {
		return v, badRequest("cursor is not one this node gave")
	}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view := t.State.Overlay()
	c, err := namesConfig(view)
	if err != nil {
		return v, err
	}
	list, err := route.Names(view, after, limit)
	if err != nil {
		return v, err
	}
	for i := range list {
		v.Names = append(v.Names, wire.ViewName(c, &list[i], t.Header.Height))
	}
	if len(list) == limit {
		v.NextCursor = list[limit-1].Domain
	}
	return v, nil
}

// Name implements Backend. Spec: gateway-payments-streams §A.2 (resolve).
func (n *Node) Name(text string) (wire.Name, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Name{}, err
	}
	view := t.State.Overlay()
	c, err := namesConfig(view)
	if err != nil {
		return wire.Name{}, err
	}
	d, err := route.ParseDomain(text)
	var b route.Binding
	if err == nil {
		var ok bool
		if b, ok, err = route.Load(view, d); err == nil && !ok {
			err = route.ErrExpired
		}
	} else {
		d, b, err = route.ResolveHost(view, c, text, t.Header.Height)
	}
	if outside, not := route.ParseExternal(text); err != nil && not == nil {
		return external(view, outside, t.Header.Height)
	}
	if err != nil {
		return wire.Name{}, unnamed(err)
	}
	v := wire.ViewName(c, &route.Named{Domain: d.String(), Binding: b}, t.Header.Height)
	h, declared, err := entitle.HTTPOf(view, b.Actor)
	if declared {
		v.HTTP = wire.ViewHTTP(&h)
	}
	return v, err
}

// external shows a domain outside of the network. Spec: gateway-payments-streams §A.1, §A.3.
func external(view state.Reader, d route.Domain, at unit.Height) (wire.Name, error) {
	a, err := route.Find(view, d, at)
	if err != nil {
		return wire.Name{}, unnamed(err)
	}
	v := wire.ViewExternal(d, &a, at)
	h, declared, err := entitle.HTTPOf(view, a.Actor)
	if declared {
		v.HTTP = wire.ViewHTTP(&h)
	}
	return v, err
}

// NameQuote implements Backend. Spec: gateway-payments-streams §A.3.
func (n *Node) NameQuote(text string, blocks uint64) (wire.NameQuote, error) {
	t, err := n.tip()
	if err != nil {
		return wire.NameQuote{}, err
	}
	view := t.State.Overlay()
	c, err := namesConfig(view)
	if err != nil {
		return wire.NameQuote{}, err
	}
	if blocks == 0 {
		blocks = c.Period
	}
	d, err := route.ParseDomain(text)
	if err != nil {
		return wire.NameQuote{}, unnamed(err)
	}
	price, status, err := route.Quote(view, c, d, blocks, t.Header.Height+1)
	return wire.NameQuote{FQDN: d.String(), Blocks: blocks, Price: uint64(price), Status: status.String()}, unnamed(err)
}

// ActorNames implements Backend. Spec: gateway-payments-streams §A.2 (lookup).
func (n *Node) ActorNames(addr account.Address, after string, limit int) (wire.NamesOf, error) {
	v := wire.NamesOf{Names: []string{}}
	if len(after) > maxDomain {
		return v, badRequest("cursor is not one this node gave")
	}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	list, err := route.NamesOf(t.State.Overlay(), addr, after, limit)
	v.Names = append(v.Names, list...)
	if len(list) == limit {
		v.NextCursor = list[limit-1]
	}
	return v, err
}

// ActorRoutes implements Backend. Spec: storage-cbfs §3.2.
func (n *Node) ActorRoutes(addr account.Address) (wire.Routes, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Routes{}, err
	}
	m, err := route.LoadManifest(t.State.Overlay(), addr)
	return wire.ViewRoutes(&m), unnamed(err)
}

// Gateways implements Backend. Spec: gateway-payments-streams §B.
func (n *Node) Gateways(cursor string, limit int) (wire.Gateways, error) {
	v := wire.Gateways{Gateways: []wire.Gateway{}}
	var after *account.Address
	if cursor != "" {
		addr, err := account.ReadAddress(cursor)
		if err != nil {
			return v, badRequest("cursor is not one this node gave")
		}
		after = &addr
	}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view := t.State.Overlay()
	c, err := governed(view, gateway.KeyConfig, gateway.Genesis(), gateway.DecodeConfig)
	if err != nil {
		return v, err
	}
	list, err := gateway.List(view, after, limit)
	if err != nil {
		return v, err
	}
	for i := range list {
		v.Gateways = append(v.Gateways, wire.ViewGateway(c, &list[i], t.Header.Height))
	}
	if len(list) == limit {
		v.NextCursor = list[limit-1].Address.String()
	}
	pool, err := gateway.InPool(view)
	if err != nil {
		return v, err
	}
	e, err := gateway.LoadEpoch(view)
	v.Pool = wire.GatewayPool{Amount: uint64(pool), Epoch: e.Number, Began: uint64(e.Began)}
	return v, err
}

// Gateway implements Backend. Spec: gateway-payments-streams §B.
func (n *Node) Gateway(addr account.Address) (wire.Gateway, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Gateway{}, err
	}
	view := t.State.Overlay()
	c, err := governed(view, gateway.KeyConfig, gateway.Genesis(), gateway.DecodeConfig)
	if err != nil {
		return wire.Gateway{}, err
	}
	p, err := gateway.Load(view, addr)
	return wire.ViewGateway(c, &gateway.Located{Address: addr, Profile: p}, t.Header.Height), unnamed(err)
}

// Requests implements Backend. Spec: gateway-payments-streams §C.
func (n *Node) Requests(cursor string, limit int) (wire.Requests, error) {
	v := wire.Requests{Requests: []wire.Request{}}
	var after *receipt.ID
	if cursor != "" {
		id, ok := receipt.ParseID(cursor)
		if !ok {
			return v, badRequest("cursor is not one this node gave")
		}
		after = &id
	}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	list, err := receipt.List(t.State.Overlay(), after, min(limit, requestsPage))
	if err != nil {
		return v, err
	}
	for i := range list {
		v.Requests = append(v.Requests, wire.ViewRequest(&list[i], t.Header.Height, false))
	}
	if len(list) == min(limit, requestsPage) {
		v.NextCursor = list[len(list)-1].ID.String()
	}
	return v, nil
}

// requestsPage bounds a page of receipts, each of which may have 64 KiB that are read and not shown.
const requestsPage = 100

// Request implements Backend. Spec: gateway-payments-streams §C.
func (n *Node) Request(text string) (wire.Request, error) {
	id, ok := receipt.ParseID(text)
	if !ok {
		return wire.Request{}, badRequest("a request's identity is a UUID in lower case")
	}
	t, err := n.tip()
	if err != nil {
		return wire.Request{}, err
	}
	c, err := receipt.Load(t.State.Overlay(), id)
	return wire.ViewRequest(&receipt.Identified{ID: id, Receipt: c}, t.Header.Height, true), unnamed(err)
}
