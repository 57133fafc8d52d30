package gateway

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
)

// routesKey is where an actor keeps the table of its routes.
//
// Spec: sdk §19.3.
const routesKey = "__cowboy/routes"

// describe answers with an OpenAPI document of the routes that an actor has published: to handlers, with what its source says of them, and to files.
//
// Spec: sdk §19.3; storage-cbfs §3.2 (102); gateway-payments-streams §B (paths under /_cowboy/).
func (d *Door) describe(w http.ResponseWriter, r *http.Request, actor account.Address, name wire.Name) {
	ctx, cancel := context.WithTimeout(r.Context(), nodeWithin)
	defer cancel()
	routes, err := d.published(ctx, actor)
	var doc *outline.Document
	if err == nil {
		doc, err = d.document(ctx, actor)
	}
	if err != nil {
		unreachable(w, err)
		return
	}
	paths := map[string]map[string]any{}
	for _, one := range routes {
		path, parameters := templateOf(one.path)
		for _, verb := range verbsOf(one.verb, name.HTTP.Methods) {
			if paths[path] == nil {
				paths[path] = map[string]any{}
			}
			if key := strings.ToLower(verb); paths[path][key] == nil {
				paths[path][key] = operation(verb, path, one.handler, handlerOf(doc, one.handler), parameters)
			}
		}
	}
	files, err := d.folders(ctx, actor, name)
	if err != nil {
		unreachable(w, err)
		return
	}
	for path, volume := range files {
		template, parameters := templateOf(path)
		for _, verb := range verbsOf("ANY", []string{http.MethodGet, http.MethodHead}) {
			key := strings.ToLower(verb)
			if !allows(name.HTTP.Methods, verb) || paths[template][key] != nil {
				continue
			}
			if paths[template] == nil {
				paths[template] = map[string]any{}
			}
			paths[template][key] = fileOperation(key+" "+template, volume, parameters)
		}
	}
	if err := d.priced(ctx, actor, paths); err != nil {
		unreachable(w, err)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"openapi": "3.0.3", "info": map[string]any{"title": name.FQDN, "version": "1", "description": firstOf(doc.Doc, "Actor "+name.Actor)},
		"servers": []any{map[string]any{"url": "/"}}, "paths": paths,
	})
}

// operation describes a route. What changes something takes a body, and is answered with the address of a receipt, or with its answer where the client waits.
func operation(verb, path, name string, h *outline.Handler, parameters []any) map[string]any {
	o := map[string]any{"operationId": strings.ToLower(verb) + " " + path, "summary": name, "parameters": parameters}
	if h != nil && h.Doc != "" {
		o["description"] = h.Doc
	}
	responses := map[string]any{"default": map[string]any{"description": "the actor's answer"}}
	if verb != http.MethodGet && verb != http.MethodHead {
		responses["202"] = map[string]any{"description": "the request is under way; Location has the address of its receipt"}
		o["requestBody"] = map[string]any{"content": map[string]any{"*/*": map[string]any{}}}
	}
	o["responses"] = responses
	return o
}

// priced says of each operation what it costs by the actor's policy, in the words of MPP's discovery.
//
// Spec: gateway-payments-streams §F (openapi.json).
func (d *Door) priced(ctx context.Context, actor account.Address, paths map[string]map[string]any) error {
	if d.Paywall == nil {
		return nil
	}
	x, err := d.Paywall.of(ctx, actor)
	if err != nil || x.policy == nil || !x.policy.Enabled {
		return err
	}
	for path, operations := range paths { // order-free: each is of itself alone
		for verb, one := range operations {
			price := x.policy.PriceOf(strings.ToUpper(verb), path)
			if price == nil || price.Mode != payment.ClientPaid || price.Amount.IsZero() {
				continue
			}
			o := one.(map[string]any)
			o["responses"].(map[string]any)["402"] = map[string]any{"description": "what has to be paid first"}
			o["x-payment-info"] = map[string]any{
				"intent": intentCharge, "method": methodCowboy, "amount": price.Amount.String(), "currency": payment.AssetText(price.Asset),
			}
		}
	}
	return nil
}

// fileOperation describes a route to files.
func fileOperation(id, volume string, parameters []any) map[string]any {
	content := map[string]any{"*/*": map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}}
	return map[string]any{
		"operationId": id, "summary": "a file of the volume " + volume, "parameters": parameters, "responses": map[string]any{
			"200": map[string]any{"description": "the file", "content": content}, "404": map[string]any{"description": "the volume has no such file"},
		},
	}
}

// folders are the routes to files of an actor, with the volume of each: those of its manifest, and what its program mounts.
//
// Spec: storage-cbfs §3.2 (102); sdk §19.3 (target volume).
func (d *Door) folders(ctx context.Context, actor account.Address, name wire.Name) (map[string]string, error) {
	m, err := d.routes(ctx, actor)
	if err != nil {
		return nil, err
	}
	mounted, err := d.table(ctx, actor)
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	add := func(path, volume string) {
		if path = strings.TrimSuffix(strings.TrimSuffix(path, "*"), "/") + "/*file"; list[path] == "" {
			list[path] = volume
		}
	}
	for _, one := range m.Static {
		add(one.Path, one.Volume)
	}
	for i, one := range mounted.table.Static {
		if p := mounted.under[i]; slices.Contains(name.HTTP.Volumes, p.volume) {
			add(one.Path, p.volume)
		}
	}
	return list, nil
}

func firstOf(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

// published are the routes to handlers of an actor: those of its manifest, by which requests go, and then those of the SDK's table that have another method
// or path.
//
// Spec: storage-cbfs §3.2 (102); sdk §19.3.
func (d *Door) published(ctx context.Context, actor account.Address) (routes []published, err error) {
	m, err := d.routes(ctx, actor)
	if err != nil {
		return nil, err
	}
	for _, one := range m.Dynamic {
		routes = append(routes, published{one.Method, one.Path, one.Handler})
	}
	data, _, err := d.Node.Stored(ctx, actor, routesKey)
	for _, one := range tableOf(data) {
		if !slices.ContainsFunc(routes, func(p published) bool { return p.verb == one.verb && p.path == one.path }) {
			routes = append(routes, one)
		}
	}
	return routes, err
}

// templateOf gives a path with its parameters in braces, and what OpenAPI says of them.
func templateOf(path string) (template string, parameters []any) {
	parameters = []any{}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		name, rest := strings.CutPrefix(part, "*")
		if rest && name == "" {
			name = "rest"
		}
		if !rest {
			var begins, ends bool
			name, begins = strings.CutPrefix(part, "{")
			if name, ends = strings.CutSuffix(name, "}"); !begins || !ends {
				continue
			}
		}
		parts[i] = "{" + name + "}"
		parameters = append(parameters, map[string]any{"name": name, "in": "path", "required": true, "schema": map[string]any{"type": "string"}})
	}
	return strings.Join(parts, "/"), parameters
}

// verbsOf are the methods of a route that the actor takes.
func verbsOf(verb string, methods []string) (list []string) {
	if verb != "ANY" {
		if allows(methods, verb) {
			list = append(list, verb)
		}
		return list
	}
	for _, v := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
		if allows(methods, v) {
			list = append(list, v)
		}
	}
	return list
}

func textOf(m cbor.Map, key string) string {
	v, _ := m.Lookup(key)
	s, _ := v.(string)
	return s
}
