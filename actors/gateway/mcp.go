package gateway

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
)

// Bounds of the protocol for tools, and its error for what is to be paid for.
//
// Spec: gateway-payments-streams §B (tools' input 1 MiB and output 4 MiB, error −32402).
const (
	mcpPath       = "/_cowboy/mcp"
	maxToolBody   = 1<<20 + 64<<10 // of a request, which holds a tool's input
	maxToolOutput = 4 << 20
	maxTools      = 256
	codePayment   = -32402
)

// What a tool's result says beside its content.
const (
	metaRequest = "cowboy/request_id"
	metaStatus  = "cowboy/status"
	metaPayment = "cowboy/payment" // the headers that say what was paid
	metaBlock   = "cowboy/block"
	metaReceipt = "cowboy/receipt"
)

// tools serves an actor's routes and public handlers as tools of the Model Context Protocol, if the actor declares ingress.mcp. A tool that reads runs on
// committed state; one that changes something goes to the chain as a request does, and its result is the receipt's. Nothing is kept between two requests.
//
// Spec: gateway-payments-streams §B (MCP); entitlement-extras §3 (ingress.mcp).
func (d *Door) tools(w http.ResponseWriter, r *http.Request, actor account.Address, name wire.Name) {
	if name.HTTP.MCP == nil {
		refuse(w, http.StatusNotFound, errNoSuchPath, "the actor does not declare ingress.mcp")
		return
	}
	body, leave, ok := d.receive(w, r, maxToolBody)
	defer leave()
	if !ok {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	doc, list, err := d.toolsOf(r.Context(), actor, name)
	if err != nil {
		unreachable(w, err)
		return
	}
	terms := name.HTTP.MCP
	who := &mcp.Implementation{Name: name.FQDN, Title: terms.Name, Version: "1"}
	options := &mcp.ServerOptions{Instructions: terms.Instructions}
	if options.Instructions == "" {
		options.Instructions = doc.Doc
	}
	server := mcp.NewServer(who, options)
	for _, one := range list {
		server.AddTool(one.described(), d.run(r, actor, name, one))
	}
	mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: -1, // it is read
	}).ServeHTTP(w, r)
}

// toolsOf gives an actor's tools with its interface document, which is empty where the source says nothing of its handlers.
func (d *Door) toolsOf(ctx context.Context, actor account.Address, name wire.Name) (*outline.Document, []*tool, error) {
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	doc, err := d.document(ctx, actor)
	if err != nil {
		return nil, nil, err
	}
	routes, err := d.published(ctx, actor)
	return doc, list(doc, routes, name.HTTP), err
}

// document reads what an actor's source says of its handlers.
func (d *Door) document(ctx context.Context, actor account.Address) (*outline.Document, error) {
	doc, err := d.Node.Interface(ctx, actor)
	var refused *Refused
	if errors.As(err, &refused) {
		return new(outline.Document), nil
	}
	return doc, err
}

// run gives what calls a tool. from is the request that the client made.
func (d *Door) run(from *http.Request, actor account.Address, name wire.Name, t *tool) mcp.ToolHandler {
	return func(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if most := name.HTTP.MCP.InputBytes; uint64(len(call.Params.Arguments)) > most {
			return failed("the actor takes arguments of at most " + strconv.FormatUint(most, 10) + " bytes"), nil
		}
		r, body, err := t.request(ctx, name.FQDN, call.Params.Arguments)
		if err != nil {
			return failed(err.Error()), nil
		}
		if uint64(len(body)) > name.HTTP.RequestBytes {
			return failed(errTooLarge), nil
		}
		serve := func(r *http.Request) (*mcp.CallToolResult, error) { return d.bring(r.Context(), r, actor, name, body) }
		if t.handler != nil {
			serve = func(r *http.Request) (*mcp.CallToolResult, error) {
				return d.read(r.Context(), actor, name, t.handler, call.Params.Arguments)
			}
		}
		for _, key := range []string{"Authorization", headerSignature} {
			if text := from.Header.Get(key); text != "" {
				r.Header.Set(key, text)
			}
		}
		return d.pay(r, actor, name, body, serve)
	}
}

// pay has a tool's request served, and paid for where the actor has a price for it.
//
// Spec: gateway-payments-streams §B (error −32402 for payment), §F.
func (d *Door) pay(
	r *http.Request, actor account.Address, name wire.Name, body []byte, serve func(*http.Request) (*mcp.CallToolResult, error),
) (*mcp.CallToolResult, error) {
	out := &keptAnswer{header: http.Header{}, status: http.StatusOK}
	to, r, finish, ok := d.charge(out, r, name.FQDN, actor, body)
	if !ok {
		return unpaid(out)
	}
	x, err := serve(r)
	if err != nil {
		return nil, err
	}
	status, answered := x.Meta[metaStatus].(uint16)
	id, sent := x.Meta[metaRequest].(string)
	switch { // what a client over HTTP would be told
	case answered:
		to.WriteHeader(int(status))
	case x.IsError:
		refuse(to, http.StatusBadGateway, errHandlerFailed, "the actor did not answer")
	case sent:
		to.Header().Set(requestHeader, id)
		to.Header().Set("Location", requestsPath+id)
		to.WriteHeader(http.StatusAccepted)
	default:
		to.WriteHeader(http.StatusOK)
	}
	finish()
	if out.status == http.StatusPaymentRequired && status != http.StatusPaymentRequired {
		return unpaid(out)
	}
	for _, key := range []string{headerReceipt, headerResponse} {
		if text := out.header.Get(key); text != "" {
			if x.Meta == nil {
				x.Meta = mcp.Meta{}
			}
			x.Meta[metaPayment] = map[string]string{key: text}
		}
	}
	return x, nil
}

// unpaid says that a tool is to be paid for, with what the answer 402 would say, or that the gateway cannot take payments now.
func unpaid(out *keptAnswer) (*mcp.CallToolResult, error) {
	if out.status != http.StatusPaymentRequired {
		return failed(out.header.Get(errorHeader)), nil
	}
	data, err := json.Marshal(map[string]any{"headers": out.header, "body": out.body.String()})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{Code: codePayment, Message: errPayment, Data: data}
}

// bring has a tool's request answered, by a query or by way of the chain.
func (d *Door) bring(ctx context.Context, r *http.Request, actor account.Address, name wire.Name, body []byte) (*mcp.CallToolResult, error) {
	to, err := d.addressed(ctx, actor, r.Method, r.URL.Path)
	if err != nil {
		return failed(errNodeDown), nil
	}
	id := newID()
	envelope, ok := newEnvelope(r, name.FQDN, body, paramsOf(to.Params)).encode(id)
	if !ok || to.Handler == "" {
		return failed("the arguments cannot be told to the actor"), nil
	}
	if r.Method == http.MethodGet {
		q := &Question{Handler: to.Handler, Payload: envelope, MaxCycles: name.HTTP.QueryCycles}
		data, at, no := d.ask(ctx, actor, q)
		if no != nil {
			return no, nil
		}
		response, err := receipt.ParseResponse(data, name.HTTP.ResponseBytes)
		if err != nil {
			return failed(errInvalidResponse), nil
		}
		return resultOf(response, mcp.Meta{metaBlock: at}), nil
	}
	sending, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	err = d.Handle.Dispatch(sending, actor, envelope, id)
	var refused *Refused
	switch {
	case errors.Is(err, ErrBusy):
		return failed(errBusy), nil
	case errors.As(err, &refused):
		return failed("DISPATCH_REFUSED: " + refused.Text), nil
	case err != nil:
		return failed(errNodeDown), nil
	}
	d.memory.sent.Add(id, actor)
	meta := mcp.Meta{metaRequest: id.String(), metaReceipt: requestsPath + id.String()}
	c, _ := d.outcome(ctx, id, maxWait)
	if c == nil {
		return &mcp.CallToolResult{Meta: meta, Content: []mcp.Content{&mcp.TextContent{Text: "pending: " + requestsPath + id.String()}}}, nil
	}
	return d.concluded(ctx, c, meta), nil
}

// concluded is what a request's receipt says, as a tool's result.
func (d *Door) concluded(ctx context.Context, c *wire.Request, meta mcp.Meta) *mcp.CallToolResult {
	no := func(text string) *mcp.CallToolResult {
		x := failed(text)
		x.Meta = meta
		return x
	}
	if c.Status == receipt.Failed.String() {
		return no(errHandlerFailed)
	}
	response, err := d.response(ctx, c)
	switch {
	case err != nil:
		return no(errNodeDown)
	case response == nil:
		return no(errInvalidResponse)
	}
	return resultOf(response, meta)
}

// resultOf is an actor's response as a tool's result: its body as text, and as data where it is a JSON object.
//
// Spec: gateway-payments-streams §B (tools' output 4 MiB).
func resultOf(r *receipt.Response, meta mcp.Meta) *mcp.CallToolResult {
	if len(r.Body) > maxToolOutput {
		return failed(errTooLarge)
	}
	meta[metaStatus] = r.Status
	x := &mcp.CallToolResult{Meta: meta, IsError: r.Status >= http.StatusBadRequest, Content: []mcp.Content{textOfBody(r.Body)}}
	var object map[string]any
	if json.Unmarshal(r.Body, &object) == nil && object != nil {
		x.StructuredContent = json.RawMessage(r.Body)
	}
	return x
}

// textOfBody shows bytes as text, or in hex digits where they are none.
func textOfBody(data []byte) *mcp.TextContent {
	if utf8.Valid(data) {
		return &mcp.TextContent{Text: string(data)}
	}
	return &mcp.TextContent{Text: "0x" + hex.EncodeToString(data)}
}

// read calls a handler that takes one payload, read-only.
func (d *Door) read(ctx context.Context, actor account.Address, name wire.Name, h *outline.Handler, raw json.RawMessage) (*mcp.CallToolResult, error) {
	payload, ok := payloadOf(h, raw)
	if !ok {
		return failed("the arguments are not those of the handler"), nil
	}
	q := &Question{Handler: h.Name, Payload: payload, MaxCycles: name.HTTP.QueryCycles}
	data, at, no := d.ask(ctx, actor, q)
	switch {
	case no != nil:
		return no, nil
	case len(data) > maxToolOutput:
		return failed(errTooLarge), nil
	}
	return &mcp.CallToolResult{Meta: mcp.Meta{metaBlock: at}, Content: []mcp.Content{textOfBody(data)}}, nil
}

// ask runs a query, and gives what it returned and after which block; no is the tool's result where there is nothing.
func (d *Door) ask(ctx context.Context, actor account.Address, q *Question) (data []byte, at uint64, no *mcp.CallToolResult) {
	var reply *Answer
	err := d.inTurn(ctx, actor, func(ctx context.Context) (err error) {
		reply, err = d.execute(ctx, actor, q)
		return err
	})
	var refused *Refused
	if errors.As(err, &refused) {
		return nil, 0, failed(refused.Name + ": " + refused.Text)
	}
	if errors.Is(err, ErrBusy) {
		return nil, 0, failed(errBusy)
	}
	if err != nil {
		return nil, 0, failed(errNodeDown)
	}
	return reply.Result, reply.Block, nil
}

func failed(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
