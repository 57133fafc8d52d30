package gateway

import (
	"context"
	"net/http"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// routesKey is where an actor keeps the table of its routes.
//
// Spec: sdk §19.3.
const routesKey = "__cowboy/routes"

// describe answers with an OpenAPI document of the routes an actor has published and that lead to a handler.
//
// Spec: sdk §19.3; gateway-payments-streams §B (paths under /_cowboy/).
func (d *Door) describe(w http.ResponseWriter, r *http.Request, actor account.Address, name wire.Name) {
	ctx, cancel := context.WithTimeout(r.Context(), nodeWithin)
	defer cancel()
	data, _, err := d.Node.Stored(ctx, actor, routesKey)
	if err != nil {
		unreachable(w, err)
		return
	}
	v, _ := cbor.Parse(data) // an actor without a table has no routes
	list, _ := v.([]any)
	paths := map[string]map[string]any{}
	for _, one := range list {
		m, _ := one.(cbor.Map)
		path, parameters := templateOf(textOf(m, "path"))
		target, _ := m.Lookup("target")
		fields, _ := target.(cbor.Map)
		if enabled, _ := m.Lookup("enabled"); path == "" || enabled != true || textOf(fields, "kind") != "method" {
			continue
		}
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		for _, verb := range verbsOf(textOf(m, "verb"), name.HTTP.Methods) {
			paths[path][strings.ToLower(verb)] = operation(verb, path, textOf(fields, "name"), parameters)
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"openapi": "3.0.3", "info": map[string]any{"title": name.FQDN, "version": "1", "description": "Actor " + name.Actor},
		"servers": []any{map[string]any{"url": "/"}}, "paths": paths,
	})
}

// operation describes a route. What changes something is answered with the address of a receipt, or with its answer where the client waits.
func operation(verb, path, handler string, parameters []any) map[string]any {
	responses := map[string]any{"default": map[string]any{"description": "the actor's answer"}}
	if verb != http.MethodGet && verb != http.MethodHead {
		responses["202"] = map[string]any{"description": "the request is under way; Location has the address of its receipt"}
	}
	return map[string]any{"operationId": strings.ToLower(verb) + " " + path, "summary": handler, "parameters": parameters, "responses": responses}
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
func verbsOf(verb string, methods []string) []string {
	if verb != "ANY" {
		return []string{verb}
	}
	var list []string
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
