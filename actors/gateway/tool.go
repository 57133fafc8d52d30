package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
)

// tool is a route of an actor as a tool, or a handler that anybody may call.
type tool struct {
	name, doc string
	verb      string // of a route; never HEAD or ANY
	route     published
	handler   *outline.Handler // nil for a route
}

// published is a route to a handler that an actor has published, in its manifest or in the table of the SDK.
type published struct {
	verb, path, handler string
}

// names of the arguments that are not parts of a path.
const (
	argumentQuery = "query"
	argumentBody  = "body"
)

// list gives the tools: the routes, and then the handlers that anybody may call with one payload or none and that no route leads to. Two of one name differ
// by the route's method; what is left out is what the actor excludes, by a route's path or a handler's name.
//
// Spec: gateway-payments-streams §B (MCP); entitlement-extras §3 (tool_name_prefix, exclude_routes).
func list(doc *outline.Document, routes []published, terms *wire.HTTPTerms) (tools []*tool) {
	taken, routed := map[string]bool{}, map[string]bool{}
	add := func(t *tool, names ...string) {
		for _, name := range names {
			if t.name = terms.MCP.Prefix + name; isToolName(t.name) && !taken[t.name] && len(tools) < maxTools {
				taken[t.name] = true
				tools = append(tools, t)
				return
			}
		}
	}
	for _, r := range routes {
		routed[r.handler] = true
		if slices.Contains(terms.MCP.Exclude, r.path) || slices.Contains(terms.MCP.Exclude, r.handler) {
			continue
		}
		if r.verb == "ANY" {
			r.verb = "GET"
			if allows(terms.Methods, "POST") {
				r.verb = "POST"
			}
		}
		if r.verb == "HEAD" || !allows(terms.Methods, r.verb) {
			continue
		}
		t := &tool{verb: r.verb, route: r, doc: r.verb + " " + r.path}
		if h := handlerOf(doc, r.handler); h != nil && h.Doc != "" {
			t.doc = h.Doc
		}
		add(t, r.handler, r.handler+"_"+strings.ToLower(r.verb))
	}
	for _, h := range doc.Handlers {
		if h.Access == outline.Anyone && h.Payload && h.Name != handlerRequest && h.Name != "init" && !routed[h.Name] &&
			!slices.Contains(terms.MCP.Exclude, h.Name) {
			add(&tool{doc: h.Doc, handler: h}, h.Name)
		}
	}
	return tools
}

// handlerOf finds what the source says of a handler: by its name, or by the one that it has in the source.
func handlerOf(doc *outline.Document, name string) *outline.Handler {
	if h := doc.Handler(name); h != nil {
		return h
	}
	for _, h := range doc.Handlers {
		if h.Method == name {
			return h
		}
	}
	return nil
}

// isToolName admits what the protocol has as names of tools.
func isToolName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c != '_' && c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return name != "" && len(name) <= 128
}

// described tells a client of a tool. Reading is said to be safe.
func (t *tool) described() *mcp.Tool {
	reads := t.handler != nil || t.verb == http.MethodGet
	x := &mcp.Tool{Name: t.name, Description: t.doc, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: reads}}
	if t.handler != nil {
		x.InputSchema = schemaOf(t.handler)
		return x
	}
	properties, required := map[string]any{
		argumentQuery: map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}, "description": "the query of the address"},
	}, []string{}
	if !reads {
		properties[argumentBody] = map[string]any{"description": "the body: a text as it is, or what is sent as JSON"}
	}
	for _, name := range partsOf(t.route.path) {
		properties[name] = map[string]any{"type": "string", "description": "stands in " + t.route.path}
		required = append(required, name)
	}
	x.InputSchema = map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
	return x
}

// partsOf are the names of a path's parameters, each once.
func partsOf(path string) (names []string) {
	_, parameters := templateOf(path)
	for _, p := range parameters {
		if name := p.(map[string]any)["name"].(string); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// request makes the request of a call of a tool.
func (t *tool) request(ctx context.Context, host string, raw json.RawMessage) (*http.Request, []byte, error) {
	if t.handler != nil { // it has no path of its own
		body, err := json.Marshal(map[string]any{"name": t.name, "arguments": raw})
		if err != nil {
			return nil, nil, err
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+host+mcpPath, nil)
		return r, body, err
	}
	given := map[string]json.RawMessage{}
	if len(raw) > 0 && json.Unmarshal(raw, &given) != nil {
		return nil, nil, errors.New("the arguments are not an object")
	}
	path, err := t.path(given)
	if err != nil {
		return nil, nil, err
	}
	u := &url.URL{Scheme: "https", Host: host, Path: path}
	if one, there := given[argumentQuery]; there {
		query := map[string]string{}
		if json.Unmarshal(one, &query) != nil {
			return nil, nil, errors.New("query is an object of texts")
		}
		values := url.Values{}
		for key, value := range query {
			values.Set(key, value)
		}
		u.RawQuery = values.Encode()
		delete(given, argumentQuery)
	}
	if len(u.RequestURI()) > maxTarget {
		return nil, nil, errors.New("a path with its query has at most " + strconv.Itoa(maxTarget) + " bytes")
	}
	var body []byte
	kind := ""
	if one, there := given[argumentBody]; there && t.verb != http.MethodGet {
		var text string
		if body, kind = one, "application/json"; json.Unmarshal(one, &text) == nil {
			body, kind = []byte(text), "text/plain; charset=utf-8"
		}
		delete(given, argumentBody)
	}
	if len(given) > 0 {
		return nil, nil, errors.New("there is an argument that the route does not have")
	}
	r, err := http.NewRequestWithContext(ctx, t.verb, u.String(), bytes.NewReader(body))
	if err == nil && kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r, body, err
}

// path puts the arguments into the route's path and takes them out of given. An argument reaches no path of the gateway's own and no other route's.
func (t *tool) path(given map[string]json.RawMessage) (string, error) {
	values := map[string]string{}
	for _, name := range partsOf(t.route.path) {
		var value string
		if json.Unmarshal(given[name], &value) != nil || value == "" {
			return "", errors.New(name + " is a text")
		}
		values[name] = value
		delete(given, name)
	}
	template, _ := templateOf(t.route.path)
	parts := strings.Split(template, "/")
	for i, part := range parts {
		name, is := strings.CutPrefix(part, "{")
		if !is || !strings.HasSuffix(name, "}") {
			continue
		}
		value := values[strings.TrimSuffix(name, "}")]
		if strings.Contains(value, "/") && (i < len(parts)-1 || !strings.Contains(t.route.path, "*")) {
			return "", errors.New("a part of a path has no slash")
		}
		parts[i] = value
	}
	path := strings.Join(parts, "/")
	if path == "/_cowboy" || strings.HasPrefix(path, "/_cowboy/") {
		return "", errors.New("the path is not the actor's")
	}
	return path, nil
}

// schemaOf is the schema of a handler's one payload, by its annotation.
func schemaOf(h *outline.Handler) map[string]any {
	schema := map[string]any{"type": "object", "additionalProperties": false}
	if len(h.Parameters) == 0 {
		return schema
	}
	p := h.Parameters[0]
	one := map[string]any{"description": "a text as it is, or what is sent as JSON"}
	if p.Type != "" {
		one["description"] = p.Type + ": a text as it is, or what is sent as JSON"
	}
	if kind := map[string]string{"str": "string", "int": "integer", "bool": "boolean", "dict": "object", "list": "array"}[p.Type]; kind != "" {
		one["type"] = kind
	}
	schema["properties"] = map[string]any{p.Name: one}
	if p.Default == "" {
		schema["required"] = []string{p.Name}
	}
	return schema
}

// payloadOf is what the handler is given: the text of its argument, or its JSON.
func payloadOf(h *outline.Handler, raw json.RawMessage) ([]byte, bool) {
	given := map[string]json.RawMessage{}
	if len(raw) > 0 && json.Unmarshal(raw, &given) != nil {
		return nil, false
	}
	if len(h.Parameters) == 0 {
		return nil, len(given) == 0
	}
	one, there := given[h.Parameters[0].Name]
	if !there {
		return nil, len(given) == 0 && h.Parameters[0].Default != ""
	}
	var text string
	if json.Unmarshal(one, &text) == nil {
		return []byte(text), len(given) == 1
	}
	return one, len(given) == 1
}

// tableRow is one of the routes that the SDK publishes.
type tableRow struct {
	fields, target cbor.Map
	path, kind     string
}

// rowsOf reads the table of routes that the SDK publishes, without those that are off. What is no row of one is passed over: the host lets no other be written.
//
// Spec: sdk §19.3 ({verb, path, target {kind, name}, priority, enabled}).
func rowsOf(data []byte) (rows []tableRow) {
	v, _ := cbor.Parse(data) // an actor without a table has no routes
	list, _ := v.([]any)
	for _, one := range list {
		fields, _ := one.(cbor.Map)
		given, _ := fields.Lookup("target")
		target, _ := given.(cbor.Map)
		if enabled, _ := fields.Lookup("enabled"); enabled == true && textOf(fields, "path") != "" {
			rows = append(rows, tableRow{fields, target, textOf(fields, "path"), textOf(target, "kind")})
		}
	}
	return rows
}

// tableOf reads the routes to handlers, without those that the caller pays for, which "http.request" answers with 402.
func tableOf(data []byte) (routes []published) {
	for _, r := range rowsOf(data) {
		if r.kind == "method" && textOf(r.fields, "pays") != "caller" {
			routes = append(routes, published{textOf(r.fields, "verb"), r.path, textOf(r.target, "name")})
		}
	}
	return routes
}
