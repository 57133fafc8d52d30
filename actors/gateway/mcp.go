package gateway

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
)

// Bounds of the protocol for tools.
//
// Spec: gateway-payments-streams §B (tools' input 1 MiB).
const (
	mcpPath     = "/_cowboy/mcp"
	maxToolBody = 1 << 20
	maxTools    = 256
)

// tools serves an actor's handlers as tools of the Model Context Protocol: those that anybody may call and that take one payload or none. A call runs the
// handler read-only on committed state; one that changes something is a READ_ONLY_VIOLATION. Nothing is kept between two requests.
//
// Spec: gateway-payments-streams §B (MCP).
func (d *Door) tools(w http.ResponseWriter, r *http.Request, actor account.Address, name wire.Name) {
	ctx, cancel := context.WithTimeout(r.Context(), nodeWithin)
	defer cancel()
	doc, err := d.Node.Interface(ctx, actor)
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		refuse(w, http.StatusNotFound, errNoSuchPath, "the actor's source says nothing of its handlers")
		return
	case err != nil:
		unreachable(w, err)
		return
	}
	server := mcp.NewServer(&mcp.Implementation{Name: name.FQDN, Version: "1"}, &mcp.ServerOptions{Instructions: doc.Doc})
	for i, h := range doc.Handlers {
		if i >= maxTools {
			break
		}
		if h.Access == outline.Anyone && h.Payload && h.Name != handlerRequest && h.Name != "init" {
			server.AddTool(toolOf(h), d.run(actor, name, h))
		}
	}
	mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: maxToolBody,
	}).ServeHTTP(w, r)
}

// toolOf describes a handler. Its payload is text, or anything else as JSON.
func toolOf(h *outline.Handler) *mcp.Tool {
	schema := map[string]any{"type": "object", "additionalProperties": false}
	if len(h.Parameters) > 0 {
		p := h.Parameters[0]
		one := map[string]any{"description": "a text as it is, or what is sent as JSON"}
		if p.Type != "" {
			one["description"] = p.Type + ": a text as it is, or what is sent as JSON"
		}
		schema["properties"] = map[string]any{p.Name: one}
		if p.Default == "" {
			schema["required"] = []string{p.Name}
		}
	}
	return &mcp.Tool{Name: h.Name, Description: h.Doc, InputSchema: schema, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
}

// run calls a handler.
func (d *Door) run(actor account.Address, name wire.Name, h *outline.Handler) mcp.ToolHandler {
	return func(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		payload, ok := payloadOf(h, call.Params.Arguments)
		if !ok {
			return failed("the arguments are not those of the handler"), nil
		}
		ctx, cancel := context.WithTimeout(ctx, nodeWithin)
		defer cancel()
		q := wire.ReadRequest{Selector: h.Name, Payload: hex.EncodeToString(payload), MaxCycles: name.HTTP.QueryCycles}
		reply, err := d.Node.Query(ctx, actor, q)
		var refused *Refused
		if errors.As(err, &refused) {
			return failed(refused.Name + ": " + refused.Text), nil
		}
		if err != nil {
			return failed(errNodeDown), nil
		}
		data, err := hex.DecodeString(reply.Result)
		if err != nil {
			return nil, err
		}
		text := string(data)
		if !utf8.Valid(data) {
			text = "0x" + reply.Result
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	}
}

func failed(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
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
