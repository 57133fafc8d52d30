package route

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// pageNames is how many names lookup answers at once.
const pageNames = 100

// recordBytes is at least what a name writes: its record and the entry by its actor, with their keys.
const recordBytes = 320

const anyWay = chapter.ByMessage | chapter.ByExecute | chapter.ByCall

func text(name string) chapter.Parameter { return chapter.Parameter{Name: name, Kind: chapter.Text} }

func number(name string) chapter.Parameter {
	return chapter.Parameter{Name: name, Kind: chapter.Number}
}

func address(name string) chapter.Parameter {
	return chapter.Parameter{Name: name, Kind: chapter.Address}
}

func handlers() []chapter.Handler {
	list := []chapter.Handler{
		{Name: "resolve", Ways: anyWay, Reads: true, Run: resolve},
		{Name: "lookup", Ways: anyWay, Reads: true, Run: lookup},
		{Name: "quote", Ways: anyWay, Reads: true, Run: quote},
		{Name: "routes", Ways: anyWay, Reads: true, Run: routes},
		{Name: "update_route_manifest", Ways: anyWay, Run: update},
	}
	coins := func(name string, run func(e *chapter.Env, r chapter.Request) ([]byte, error)) {
		list = append(list, chapter.Handler{Name: name, Ways: anyWay, Coins: true, Run: run})
	}
	change := func(name string, run func(e *chapter.Env, r chapter.Request) ([]byte, error)) {
		list = append(list, chapter.Handler{Name: name, Ways: anyWay, Run: run})
	}
	coins("register", func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		return named(e, r, register, text("name"), address("actor_address"), number("duration_blocks"))
	})
	coins("renew", func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		return named(e, r, renew, text("name"), number("duration_blocks"))
	})
	coins("register_tld_label", func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		return labelled(e, r, register, text("label"), number("tld_kind"), address("actor_address"), number("duration_blocks"))
	})
	coins("renew_tld", func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		return labelled(e, r, renew, text("label"), number("tld_kind"), number("duration_blocks"))
	})
	change("transfer", func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		return named(e, r, transfer, text("name"), address("new_owner"))
	})
	change("transfer_tld", func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		return labelled(e, r, transfer, text("label"), number("tld_kind"), address("new_owner"))
	})
	change("set_actor", func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		return named(e, r, setActor, text("name"), address("actor_address"))
	})
	change("set_subdomain_policy", func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		return named(e, r, setPolicy, text("name"), number("policy"))
	})
	return list
}

// method is what a method does to a name; the arguments are those behind the name.
type method func(e *chapter.Env, g *route.Registry, d route.Domain, a chapter.Args) ([]byte, error)

// named runs a method for the name that is its first argument.
func named(e *chapter.Env, r chapter.Request, run method, list ...chapter.Parameter) ([]byte, error) {
	a, g, err := open(e, r, list)
	if err != nil {
		return nil, err
	}
	d, err := route.ParseDomain(a.Text(0))
	if err != nil {
		return nil, err
	}
	return run(e, g, d, a[1:])
}

// labelled runs a method for the label and the top-level domain that are its first two arguments.
func labelled(e *chapter.Env, r chapter.Request, run method, list ...chapter.Parameter) ([]byte, error) {
	a, g, err := open(e, r, list)
	if err != nil {
		return nil, err
	}
	d := route.Domain{Space: route.Space(min(a.Number(1), 255)), Label: a.Text(0)}
	if d.Space != route.Cow && d.Space != route.Cowboy {
		return nil, route.ErrName
	}
	if err := route.CheckLabel(d.Label); err != nil {
		return nil, err
	}
	return run(e, g, d, a[2:])
}

// open reads the arguments of a method that writes, and takes its price.
//
// Spec: gateway-payments-streams §A.3 (10,000 and the record's bytes).
func open(e *chapter.Env, r chapter.Request, list []chapter.Parameter) (chapter.Args, *route.Registry, error) {
	a, err := e.Named(r, list...)
	if err != nil {
		return nil, nil, err
	}
	if err := e.Charge(writeCycles, recordBytes*unit.Cells(e.Costs().CellsPerByteWritten)); err != nil {
		return nil, nil, err
	}
	g, err := registry(e, r.Handler)
	return a, g, err
}

func told(d route.Domain) []byte { return codec.AppendBytes(nil, []byte(d.String())) }

// answered is what register and renew answer.
func answered(e *chapter.Env, d route.Domain, price unit.Amount) ([]byte, uint64, error) {
	b, _, err := route.Load(e.State, d)
	if err != nil {
		return nil, 0, err
	}
	data, err := chapter.Plain(cbor.Map{
		{Key: "name", Value: d.String()}, {Key: "price", Value: uint64(price)}, {Key: "expires_at", Value: uint64(b.Expires)},
	})
	return data, uint64(b.Expires), err
}

func register(e *chapter.Env, g *route.Registry, d route.Domain, a chapter.Args) ([]byte, error) {
	actor := a.Address(0)
	price, err := g.Register(d, actor, a.Number(1), e.Value)
	if err != nil {
		return nil, err
	}
	if err := settle(e, d.Space, price); err != nil {
		return nil, err
	}
	data, expires, err := answered(e, d, price)
	if err != nil {
		return nil, err
	}
	event := append(append(told(d), actor[:]...), e.Sender[:]...)
	return data, e.Emit(TopicRegistered, codec.AppendUint(codec.AppendUint(event, uint64(price)), expires))
}

func renew(e *chapter.Env, g *route.Registry, d route.Domain, a chapter.Args) ([]byte, error) {
	price, err := g.Renew(d, a.Number(0), e.Value)
	if err != nil {
		return nil, err
	}
	if err := settle(e, d.Space, price); err != nil {
		return nil, err
	}
	data, expires, err := answered(e, d, price)
	if err != nil {
		return nil, err
	}
	return data, e.Emit(TopicRenewed, codec.AppendUint(codec.AppendUint(told(d), uint64(price)), expires))
}

func transfer(e *chapter.Env, g *route.Registry, d route.Domain, a chapter.Args) ([]byte, error) {
	to := a.Address(0)
	if err := g.Transfer(d, to); err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicOwner, append(told(d), to[:]...))
}

func setActor(e *chapter.Env, g *route.Registry, d route.Domain, a chapter.Args) ([]byte, error) {
	to := a.Address(0)
	if err := g.SetActor(d, to); err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicActor, append(told(d), to[:]...))
}

func setPolicy(e *chapter.Env, g *route.Registry, d route.Domain, a chapter.Args) ([]byte, error) {
	p := route.Policy(min(a.Number(0), 255))
	if err := g.SetPolicy(d, p); err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicPolicy, append(told(d), byte(p)))
}

// record is a name as resolve answers it.
func record(d route.Domain, b *route.Binding) cbor.Map {
	kind := min(uint64(d.Space), 1)
	return cbor.Map{
		{Key: "fqdn", Value: d.String()}, {Key: "actor_address", Value: b.Actor[:]}, {Key: "owner", Value: b.Owner[:]},
		{Key: "namespace_kind", Value: kind}, {Key: "tld_kind", Value: uint64(d.Space)}, {Key: "subdomain_policy", Value: uint64(b.Policy)},
		{Key: "registered_at", Value: uint64(b.Registered)}, {Key: "expires_at", Value: uint64(b.Expires)},
	}
}

func resolve(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, text("name"))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(resolveCycles, 0); err != nil {
		return nil, err
	}
	c, err := configOf(e)
	if err != nil {
		return nil, err
	}
	d, err := route.ParseDomain(a.Text(0))
	if err != nil {
		return nil, err
	}
	b, err := route.Resolve(e.State, c, d, e.Block.Height)
	if err != nil {
		return nil, err
	}
	return chapter.Plain(record(d, &b))
}

func lookup(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, address("actor"), chapter.Parameter{Name: "after", Kind: chapter.Text | chapter.Optional})
	if err != nil {
		return nil, err
	}
	after := a.Text(1)
	if len(after) > route.MaxExternal {
		return nil, route.ErrName
	}
	paid := e.Paid(0)
	names, err := route.NamesOf(paid, a.Address(0), after, pageNames)
	if err != nil {
		return nil, err
	}
	list := make([]any, len(names))
	for i, n := range names {
		list[i] = n
	}
	return chapter.Plain(list)
}

func quote(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, text("name"), number("duration_blocks"))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(resolveCycles, 0); err != nil {
		return nil, err
	}
	c, err := configOf(e)
	if err != nil {
		return nil, err
	}
	d, err := route.ParseDomain(a.Text(0))
	if err != nil {
		return nil, err
	}
	price, status, err := route.Quote(e.State, c, d, a.Number(1), e.Block.Height)
	if err != nil {
		return nil, err
	}
	return chapter.Plain(cbor.Map{{Key: "price", Value: uint64(price)}, {Key: "status", Value: status.String()}})
}

// update replaces the routes of the actor that asks.
func update(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, chapter.Parameter{Name: "static_routes", Kind: chapter.Value}, chapter.Parameter{Name: "dynamic_routes", Kind: chapter.Value})
	if err != nil {
		return nil, err
	}
	m := &route.Manifest{}
	for _, one := range rows(a.Value(0)) {
		priority, ok := whole(one, "priority")
		if !ok {
			return nil, route.ErrManifest
		}
		m.Static = append(m.Static, route.Static{Path: textOf(one, "path"), Volume: textOf(one, "volume"), Priority: priority})
	}
	for _, one := range rows(a.Value(1)) {
		priority, ok := whole(one, "priority")
		if !ok {
			return nil, route.ErrManifest
		}
		m.Dynamic = append(m.Dynamic, route.Dynamic{Method: textOf(one, "method"), Path: textOf(one, "path"), Handler: textOf(one, "handler"),
			Priority: priority})
	}
	if err := e.Charge(0, unit.Cells(len(r.Data))*unit.Cells(e.Costs().CellsPerByteWritten)); err != nil {
		return nil, err
	}
	return nil, publish(e, e.Sender, m)
}

// rows are the maps of a list; what is none is an empty map, which no route is.
func rows(v any) []cbor.Map {
	list, _ := v.([]any)
	maps := make([]cbor.Map, len(list))
	for i := range list {
		maps[i], _ = list[i].(cbor.Map)
	}
	return maps
}

func textOf(m cbor.Map, key string) string {
	v, _ := m.Lookup(key)
	s, _ := v.(string)
	return s
}

func whole(m cbor.Map, key string) (uint32, bool) {
	v, _ := m.Lookup(key)
	n, ok := v.(int64)
	return uint32(max(n, 0)), ok && n >= 0 && n <= 1<<32-1
}

func routes(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, address("actor"))
	if err != nil {
		return nil, err
	}
	m, err := manifestOf(e, a.Address(0))
	if err != nil {
		return nil, err
	}
	var static, dynamic []any
	for _, s := range m.Static {
		static = append(static, cbor.Map{{Key: "path", Value: s.Path}, {Key: "volume", Value: s.Volume}, {Key: "priority", Value: uint64(s.Priority)}})
	}
	for _, d := range m.Dynamic {
		dynamic = append(dynamic, cbor.Map{
			{Key: "method", Value: d.Method}, {Key: "path", Value: d.Path}, {Key: "handler", Value: d.Handler}, {Key: "priority", Value: uint64(d.Priority)},
		})
	}
	return chapter.Plain(cbor.Map{{Key: "static_routes", Value: static}, {Key: "dynamic_routes", Value: dynamic}})
}

// manifestOf reads an actor's routes and takes what a read of that size costs.
func manifestOf(e *chapter.Env, actor account.Address) (route.Manifest, error) {
	m, err := route.LoadManifest(e.Paid(0), actor)
	if err != nil {
		return route.Manifest{}, err
	}
	size := uint64(len(m.Append(nil)))
	return m, e.Charge(unit.Cycles(size)*e.Costs().SerializePerByte, unit.Cells(size/e.Costs().StateReadBytesPerCell))
}
