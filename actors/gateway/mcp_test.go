package gateway

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

const shop = `"""A shop."""
from cowboy_sdk import actor, public, callable_by, OWNER

@actor
class Shop:
    @public
    def price(self, item: str) -> bytes:
        """What an item costs."""

    @public
    def open(self):
        """Whether anybody is there."""

    @callable_by(OWNER)
    def close(self, payload):
        pass
`

// named has every request go to one host.
type named struct{ host string }

func (n named) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Host = n.host
	return http.DefaultTransport.RoundTrip(r)
}

// A client of the protocol that others wrote lists an actor's public handlers and calls them; what a handler may not do is the tool's error.
//
// Spec: gateway-payments-streams §B (MCP).
func TestTools(t *testing.T) {
	w := newWorld()
	w.source = shop
	var asked wire.ReadRequest
	w.query = func(_ cbor.Map, q wire.ReadRequest) (cbor.Map, error) {
		asked = q
		if q.Selector == "open" {
			return nil, &Refused{Status: 500, Name: "READ_ONLY_VIOLATION", Text: "it writes"}
		}
		return cbor.Map{{Key: "status", Value: 7}}, nil
	}
	s := open(t, w, nil)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{
		Endpoint: s.URL + mcpPath, HTTPClient: &http.Client{Transport: named{host}}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name+": "+tool.Description)
	}
	if fmt.Sprint(names) != "[open: Whether anybody is there. price: What an item costs.]" {
		t.Errorf("tools %v", names)
	}
	for name, c := range map[string]struct {
		tool    string
		args    map[string]any
		fails   bool
		payload string // in hex digits
	}{
		"a text":                 {"price", map[string]any{"item": "{}"}, false, "7b7d"},
		"a number":               {"price", map[string]any{"item": 12}, false, "3132"},
		"no argument":            {"price", map[string]any{}, true, ""},
		"another argument":       {"price", map[string]any{"item": "", "x": 1}, true, ""},
		"what changes something": {"open", map[string]any{}, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
			if err != nil || x.IsError != c.fails || !c.fails && asked.Payload != c.payload {
				t.Errorf("%+v %v, asked %+v", x, err, asked)
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
	x, body := call(t, open(t, w, nil), "GET", host, "/_cowboy/openapi.json", "")
	document, err := openapi3.NewLoader().LoadFromData([]byte(body))
	if err == nil {
		err = document.Validate(context.Background())
	}
	if err != nil || x.StatusCode != 200 {
		t.Fatalf("%d %v", x.StatusCode, err)
	}
	if p := document.Paths.Find("/items/{id}"); p == nil || p.Get == nil || p.Post != nil || document.Paths.Len() != 2 {
		t.Errorf("paths %v", document.Paths.InMatchingOrder())
	}
	if p := document.Paths.Find("/all/{rest}"); p == nil || p.Post == nil || p.Put != nil || p.Post.Responses.Value("202") == nil {
		t.Errorf("all methods: %+v", p)
	}
}
