package gateway

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
)

const shop = `"""A shop."""
from cowboy_sdk import actor, http, public, callable_by, OWNER, routes

@actor
class Shop:
    @public
    def price(self, item: str) -> bytes:
        """What an item costs."""

    @public
    def open(self):
        """Whether anybody is there."""

    @public
    def stock(self, least: int = 0):
        """What is there."""

    @callable_by(OWNER)
    def close(self, payload):
        pass

    @http.handler
    def order(self, request):
        """Orders an item."""

    @http.handler
    def item(self, request):
        """Shows an item."""
`

// named has every request go to one host.
type named struct {
	host   string
	header http.Header // added to each request
}

func (n named) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Host = n.host
	maps.Copy(r.Header, n.header)
	return http.DefaultTransport.RoundTrip(r)
}

// client connects an official client to the tools of a world's actor.
func client(t *testing.T, w *world, change func(*Door)) *mcp.ClientSession {
	t.Helper()
	return connect(t, open(t, w, change), nil)
}

func connect(t *testing.T, s *httptest.Server, header http.Header) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &mcp.StreamableClientTransport{
		Endpoint: s.URL + mcpPath, HTTPClient: &http.Client{Transport: named{host, header}}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func newShop() *world {
	w := newWorld()
	w.source = shop
	w.names[host].HTTP.MCP = &wire.MCPTerms{InputBytes: 64}
	w.routes.Dynamic = []wire.DynamicRoute{
		{Method: "POST", Path: "/orders/{item}", Handler: "order", Priority: 5}, {Method: "GET", Path: "/items/{id}/*rest", Handler: "item", Priority: 5},
		{Method: "ANY", Path: "/orders", Handler: "order", Priority: 5}, {Method: "DELETE", Path: "/orders", Handler: "cancel", Priority: 5},
		{Method: "GET", Path: "/secret", Handler: "hidden", Priority: 5},
	}
	return w
}

func tools(t *testing.T, session *mcp.ClientSession) (names []string) {
	t.Helper()
	list, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var parsed struct {
			Properties map[string]any
			Required   []string
		}
		if err := json.Unmarshal(schema, &parsed); err != nil {
			t.Fatal(err)
		}
		arguments := slices.Sorted(maps.Keys(parsed.Properties))
		names = append(names, fmt.Sprint(tool.Name, ": ", tool.Description, " ", arguments, parsed.Required, tool.Annotations.ReadOnlyHint))
	}
	return names
}

// A client of the protocol that others wrote lists an actor's tools: its routes, and the handlers that anybody may call, with what their signatures and texts
// say. The actor's ingress.mcp names the server, and which of them are none; without it there is no server.
//
// Spec: gateway-payments-streams §B (MCP, protocol 2025-11-25); entitlement-extras §3 (ingress.mcp).
func TestListOfTools(t *testing.T) {
	all := []string{
		"item: Shows an item. [id query rest] [id rest] true", "open: Whether anybody is there. [] [] true",
		"order: Orders an item. [body item query] [item] false", "order_post: Orders an item. [body query] [] false",
		"price: What an item costs. [item] [item] true",
		"stock: What is there. [least] [] true",
	}
	for name, c := range map[string]struct {
		terms wire.MCPTerms
		want  []string
	}{
		"all":      {wire.MCPTerms{Exclude: []string{"/secret"}, InputBytes: 9}, all},
		"excluded": {wire.MCPTerms{Exclude: []string{"hidden", "/orders", "order", "stock", "open", "price"}, InputBytes: 9}, all[:1]},
		"prefixed": {
			wire.MCPTerms{Exclude: []string{"/secret", "/orders", "/orders/{item}", "stock", "open", "price"}, InputBytes: 9, Prefix: "shop_"},
			[]string{"shop_" + all[0]},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newShop()
			w.names[host].HTTP.MCP = &c.terms
			if got := tools(t, client(t, w, nil)); !slices.Equal(got, c.want) {
				t.Errorf("%q\nwant %q", got, c.want)
			}
		})
	}
	w := newShop()
	w.names[host].HTTP.MCP.Name, w.names[host].HTTP.MCP.Instructions = "The shop", "Ask for the price first."
	if x := client(t, w, nil).InitializeResult(); x.Instructions != "Ask for the price first." ||
		x.ServerInfo.Title != "The shop" || x.ServerInfo.Name != host {
		t.Errorf("%+v %+v", x, x.ServerInfo)
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize",` +
		`"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	_, body := call(t, open(t, w, nil), "POST", host, mcpPath, hello, "Content-Type", "application/json", "Accept", "application/json, text/event-stream")
	if !strings.Contains(body, `"protocolVersion":"2025-11-25"`) {
		t.Error(body)
	}
	w.names[host].HTTP.MCP = nil
	if x, _ := call(t, open(t, w, nil), "POST", host, mcpPath, "{}"); x.StatusCode != http.StatusNotFound {
		t.Errorf("without ingress.mcp: %d", x.StatusCode)
	}
}

// The same client calls tools that read: by the handler's payload, or as a request to a route. What a handler may not do is the tool's error.
//
// Spec: gateway-payments-streams §B (MCP, queries).
func TestToolsThatRead(t *testing.T) {
	w := newShop()
	var asked *Question
	var envelope cbor.Map
	w.query = func(e cbor.Map, q *Question) (cbor.Map, error) {
		asked, envelope = q, e
		if q.Handler == "open" {
			return nil, &Refused{Status: 500, Name: "READ_ONLY_VIOLATION", Text: "it writes"}
		}
		return cbor.Map{{Key: "status", Value: 200}, {Key: "body", Value: `{"left":7}`}}, nil
	}
	session := client(t, w, nil)
	for name, c := range map[string]struct {
		tool  string
		args  map[string]any
		fails bool
		asked string // the payload, or the path with its query
	}{
		"a text":                 {"price", map[string]any{"item": "{}"}, false, "{}"},
		"a number":               {"stock", map[string]any{"least": 12}, false, "12"},
		"no argument":            {"price", map[string]any{}, true, ""},
		"another argument":       {"price", map[string]any{"item": "", "x": 1}, true, ""},
		"what is not needed":     {"stock", map[string]any{}, false, ""},
		"what changes something": {"open", map[string]any{}, true, ""},
		"64 bytes":               {"price", map[string]any{"item": strings.Repeat("x", 64-len(`{"item":""}`))}, false, strings.Repeat("x", 53)},
		"65 bytes":               {"price", map[string]any{"item": strings.Repeat("x", 65-len(`{"item":""}`))}, true, ""},
		"a route":                {"item", map[string]any{"id": "7", "rest": "a/b"}, false, "/items/7/a/b [] [{id 7} {rest a/b}]"},
		"a route with a query": {"item", map[string]any{"id": "7", "rest": "a", "query": map[string]any{"q": "x y"}}, false,
			"/items/7/a [{q [x y]}] [{id 7} {rest a}]"},
		"a slash in a part":   {"item", map[string]any{"id": "7/8", "rest": "a"}, true, ""},
		"a part that lacks":   {"item", map[string]any{"rest": "a"}, true, ""},
		"a part that is none": {"item", map[string]any{"id": 7, "rest": "a"}, true, ""},
		"a body for reading":  {"item", map[string]any{"id": "7", "rest": "a", "body": "x"}, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			asked, envelope = &Question{}, nil
			x, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
			if err != nil || x.IsError != c.fails {
				t.Fatalf("%+v %v", x, err)
			}
			got := string(asked.Payload)
			if envelope != nil {
				path, _ := envelope.Lookup("path")
				query, _ := envelope.Lookup("query")
				params, _ := envelope.Lookup("path_params")
				got = fmt.Sprint(path, " ", query, " ", params)
			}
			if !c.fails && (got != c.asked || asked.Handler != c.tool || x.Meta[metaBlock] != float64(41)) {
				t.Errorf("%q of %s, %v; want %q", got, asked.Handler, x.Meta, c.asked)
			}
		})
	}
}

// The same client calls a tool that changes something: it goes to the chain as a request does, and the result is the receipt's, with its identity. What is to
// be paid for is the protocol's error, and nothing is sent.
//
// Spec: gateway-payments-streams §B (MCP, commands, error −32402), §C; §F (settled before the handler).
func TestToolsThatWrite(t *testing.T) {
	done := func(status receipt.Status, fields ...cbor.Pair) func(receipt.ID) wire.Request {
		return func(id receipt.ID) wire.Request {
			c := wire.Request{ID: id.String(), Target: page.String(), Gateway: self.String(), Status: status.String()}
			if fields != nil {
				data, err := cbor.Append(nil, cbor.Map(fields))
				if err != nil {
					panic(err)
				}
				text := hex.EncodeToString(data)
				c.Envelope = &text
			}
			return c
		}
	}
	body := func(text string) cbor.Pair { return cbor.Pair{Key: "body", Value: []byte(text)} }
	status := func(n int) cbor.Pair { return cbor.Pair{Key: "status", Value: n} }
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct {
		args    map[string]any
		becomes func(receipt.ID) wire.Request
		refused error
		fails   bool
		text    string
		sent    string // path and body
	}{
		"answered": {map[string]any{"item": "tea", "body": map[string]any{"n": 2}}, done(receipt.Completed, status(201), body(`{"order":1}`)), nil,
			false, `{"order":1}`, `/orders/tea {"n":2}`},
		"a text": {map[string]any{"item": "tea", "body": "two"}, done(receipt.Completed, status(200), body("ok")), nil, false, "ok",
			"/orders/tea two"},
		"it fails":     {map[string]any{"item": "tea"}, done(receipt.Failed), nil, true, errHandlerFailed, "/orders/tea "},
		"it refuses":   {map[string]any{"item": "tea"}, done(receipt.Completed, status(409), body("sold")), nil, true, "sold", "/orders/tea "},
		"no response":  {map[string]any{"item": "tea"}, done(receipt.Completed), nil, true, errInvalidResponse, "/orders/tea "},
		"not taken":    {map[string]any{"item": "tea"}, nil, &Refused{Status: 502, Text: "ERR_X"}, true, "DISPATCH_REFUSED: ERR_X", "/orders/tea "},
		"too large":    {map[string]any{"item": "tea", "body": strings.Repeat("x", 101)}, nil, nil, true, errTooLarge, ""},
		"a slash more": {map[string]any{"item": "tea/x"}, nil, nil, true, "a part of a path has no slash", ""},
		"a path of 8,192 bytes": {map[string]any{"item": long(8_192 - len("/orders/"))}, done(receipt.Completed, status(200), body("ok")), nil, false, "ok",
			"/orders/" + long(8_192-len("/orders/")) + " "},
		"a path of 8,193 bytes": {map[string]any{"item": long(8_193 - len("/orders/"))}, nil, nil, true, "a path with its query has at most 8192 bytes", ""},
		"with a query of 8,192": {map[string]any{"item": "tea", "query": map[string]any{"q": long(8_192 - len("/orders/tea?q="))}},
			done(receipt.Completed, status(200), body("ok")), nil, false, "ok", "/orders/tea "},
		"with a query of 8,193": {map[string]any{"item": "tea", "query": map[string]any{"q": long(8_193 - len("/orders/tea?q="))}}, nil, nil, true,
			"a path with its query has at most 8192 bytes", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newShop()
			w.names[host].HTTP.MCP.InputBytes = 9_000
			w.dispatch = func(id receipt.ID) error {
				if c.becomes != nil {
					w.requests[id] = c.becomes(id)
				}
				return c.refused
			}
			session := client(t, w, func(*Door) {})
			x, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "order", Arguments: c.args})
			if err != nil || x.IsError != c.fails || x.Content[0].(*mcp.TextContent).Text != c.text {
				t.Fatalf("%+v %v", x, err)
			}
			got := ""
			for _, e := range w.sent {
				path, _ := e.Lookup("path")
				body, _ := e.Lookup("body")
				got += fmt.Sprintf("%v %s", path, body)
			}
			if got = strings.TrimSuffix(got, "%!s(<nil>)"); got != c.sent {
				t.Errorf("sent %q, want %q", got, c.sent)
			}
			if name == "answered" {
				object, _ := x.StructuredContent.(map[string]any)
				id, _ := x.Meta[metaRequest].(string)
				if _, ok := receipt.ParseID(id); !ok || object["order"] != float64(1) || x.Meta[metaStatus] != float64(201) ||
					x.Meta[metaReceipt] != requestsPath+id {
					t.Errorf("%v %v", x.Meta, x.StructuredContent)
				}
			}
		})
	}
}

// Tools at their bounds: a request has 1 MiB and 64 KiB, a tool's answer 4 MiB, whether it is a route's or a handler's, an actor 256 tools, and a name of one
// 128 characters.
//
// Spec: gateway-payments-streams §B (tools' input 1 MiB and output 4 MiB).
func TestBoundsOfTools(t *testing.T) {
	const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize",` +
		`"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for size, status := range map[int]int{1<<20 + 64<<10: 200, 1<<20 + 64<<10 + 1: 413} {
		t.Run(fmt.Sprint("a request of ", size), func(t *testing.T) {
			body := greeting + strings.Repeat(" ", size-len(greeting))
			x, _ := call(t, open(t, newShop(), nil), "POST", host, mcpPath, body,
				"Content-Type", "application/json", "Accept", "application/json, text/event-stream")
			if x.StatusCode != status || (x.Header.Get("X-Cowboy-Error") == "BODY_TOO_LARGE") != (status == 413) {
				t.Errorf("%d %v, want %d", x.StatusCode, x.Header, status)
			}
		})
	}
	t.Run("a request without room", func(t *testing.T) {
		s := open(t, newShop(), func(d *Door) { d.Memory = budget.NewAccount(100) })
		if x, _ := call(t, s, "POST", host, mcpPath, greeting); x.StatusCode != 503 || x.Header.Get("X-Cowboy-Error") != "BUSY" {
			t.Errorf("%d %v", x.StatusCode, x.Header)
		}
	})
	for size, fails := range map[int]bool{4 << 20: false, 4<<20 + 1: true} {
		t.Run(fmt.Sprint("an answer of ", size), func(t *testing.T) {
			w := newShop()
			w.query = func(cbor.Map, *Question) (cbor.Map, error) { // {"body": bytes} has 11 beside them (RFC 8949 §3)
				return cbor.Map{{Key: "body", Value: make([]byte, size-11)}}, nil
			}
			x, err := client(t, w, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "stock"})
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, x *mcp.CallToolResult) {
				if x.IsError != fails || fails && x.Content[0].(*mcp.TextContent).Text != "BODY_TOO_LARGE" {
					t.Errorf("of a %s: %v", what, x.IsError)
				}
			}
			check("handler", x)
			check("route", resultOf(&receipt.Response{Status: 200, Body: make([]byte, size)}, mcp.Meta{}))
		})
	}
	for routes, tools := range map[int]int{255: 255, 256: 256, 257: 256} {
		t.Run(fmt.Sprint(routes, " routes"), func(t *testing.T) {
			w := newShop()
			w.source, w.routes.Dynamic = "", nil
			for i := range routes {
				w.routes.Dynamic = append(w.routes.Dynamic, wire.DynamicRoute{Method: "GET", Path: fmt.Sprint("/", i), Handler: fmt.Sprint("item", i)})
			}
			list, err := client(t, w, nil).ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != tools {
				t.Errorf("%v %v", list, err)
			}
		})
	}
	for length, tools := range map[int]int{127: 1, 128: 1, 129: 0} {
		t.Run(fmt.Sprint("a name of ", length), func(t *testing.T) {
			w := newShop()
			w.source, w.routes.Dynamic = "", []wire.DynamicRoute{{Method: "GET", Path: "/", Handler: strings.Repeat("x", length)}}
			list, err := client(t, w, nil).ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != tools {
				t.Errorf("%v %v", list, err)
			}
		})
	}
}

// The routes an actor has published are an OpenAPI document that another library takes.
//
// Spec: sdk §19.3.
func TestDescription(t *testing.T) {
	w := newWorld()
	route := func(verb, path, kind string, enabled bool) cbor.Map {
		return cbor.Map{
			{Key: "verb", Value: verb}, {Key: "path", Value: path}, {Key: "enabled", Value: enabled},
			{Key: "target", Value: cbor.Map{{Key: "kind", Value: kind}, {Key: "name", Value: "item"}}},
		}
	}
	data, err := cbor.Append(nil, []any{
		route("GET", "/items/{id}", "method", true), route("ANY", "/all/*rest", "method", true), route("GET", "/files/*", "volume", true),
		route("POST", "/closed", "method", false),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.stored[routesKey] = data
	w.source = "from cowboy_sdk import actor, routes\n\n@actor\nclass A:\n    @routes.get('/items/{id}')\n" +
		"    def item(self, request):\n        \"\"\"An item.\"\"\"\n"
	w.routes.Dynamic = []wire.DynamicRoute{{Method: "POST", Path: "/orders", Handler: "order", Priority: 5}}
	w.routes.Static = []wire.StaticRoute{{Path: "/site/*", Volume: "site"}}
	w.names[host].HTTP.Volumes = []string{"item", "site"}
	x, body := call(t, open(t, w, nil), "GET", host, "/_cowboy/openapi.json", "")
	document, err := openapi3.NewLoader().LoadFromData([]byte(body))
	if err == nil {
		err = document.Validate(context.Background())
	}
	if err != nil || x.StatusCode != 200 {
		t.Fatalf("%d %v", x.StatusCode, err)
	}
	if p := document.Paths.Find("/items/{id}"); p == nil || p.Get == nil || p.Post != nil || p.Get.Description != "An item." || document.Paths.Len() != 5 {
		t.Errorf("paths %v", document.Paths.InMatchingOrder())
	}
	if p := document.Paths.Find("/orders"); p == nil || p.Post == nil || p.Post.RequestBody == nil {
		t.Errorf("of the manifest: %+v", p)
	}
	for _, path := range []string{"/files/{file}", "/site/{file}"} { // the program's mount, and the manifest's
		if p := document.Paths.Find(path); p == nil || p.Get == nil || p.Head == nil || p.Post != nil || p.Get.Responses.Value("404") == nil {
			t.Errorf("files at %s: %+v", path, p)
		}
	}
	if p := document.Paths.Find("/all/{rest}"); p == nil || p.Post == nil || p.Put != nil || p.Post.Responses.Value("202") == nil {
		t.Errorf("all methods: %+v", p)
	}
}
