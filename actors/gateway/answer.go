package gateway

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/route"
)

// handlerRequest is the handler that answers requests.
const handlerRequest = "http.request"

// resultsKey begins the keys under which actors of the SDK keep answers that follow.
//
// Spec: sdk §19.2.
const resultsKey = "_http/results/"

// envelope is a request as its actor is told of it.
//
// Spec: gateway-payments-streams §B (HttpRequestEnvelope).
type envelope struct{ fields cbor.Map }

func newEnvelope(r *http.Request, host string, body []byte, params cbor.Map) *envelope {
	query, headers := cbor.Map{}, cbor.Map{}
	if r.URL.RawQuery != "" {
		for key, values := range r.URL.Query() {
			query = append(query, cbor.Pair{Key: key, Value: texts(values)})
		}
	}
	for key, values := range r.Header {
		if passes(key) {
			headers = append(headers, cbor.Pair{Key: strings.ToLower(key), Value: texts(values)})
		}
	}
	m := make(cbor.Map, 1, 8) // the first is the identity
	m = append(m, cbor.Pair{Key: "method", Value: r.Method}, cbor.Pair{Key: "path", Value: r.URL.Path}, cbor.Pair{Key: "query", Value: query},
		cbor.Pair{Key: "headers", Value: headers}, cbor.Pair{Key: "host", Value: host})
	if len(params) > 0 {
		m = append(m, cbor.Pair{Key: "path_params", Value: params})
	}
	if len(body) > 0 {
		m = append(m, cbor.Pair{Key: "body", Value: body})
	}
	return &envelope{m}
}

// encode gives the canonical CBOR of the request under an identity; ok is false for text that CBOR cannot hold.
func (e *envelope) encode(id receipt.ID) ([]byte, bool) {
	e.fields[0] = cbor.Pair{Key: "request_id", Value: id.String()}
	data, err := cbor.Append(nil, e.fields)
	return data, err == nil
}

func texts(values []string) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}

// passes reports whether a header is told to the actor: none that is the connection's own, and none that only gateways and payments read.
//
// Spec: RFC 9110 §7.6.1.
func passes(key string) bool {
	switch http.CanonicalHeaderKey(key) {
	case "Connection", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Proxy-Authorization", "Proxy-Authenticate",
		"Prefer", "X-Cowboy-Min-Block":
		return false
	}
	return true
}

// query runs the handler of a GET or HEAD on committed state, or gives what it has said to the same request after the same block.
//
// Spec: gateway-payments-streams §B (queries).
func (d *Door) query(w http.ResponseWriter, r *http.Request, host string, actor account.Address, name wire.Name, to route.Match, body []byte) {
	q := &Question{Handler: to.Handler, MaxCycles: name.HTTP.QueryCycles}
	if text := r.Header.Get(minHeader); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			refuse(w, http.StatusBadRequest, errBadRequest, minHeader+" is the number of a block")
			return
		}
		q.MinBlock = n
	}
	e := newEnvelope(r, host, body, paramsOf(to.Params))
	key := sharedKey{actor: actor, handler: q.Handler, maxCycles: q.MaxCycles, maxLen: name.HTTP.ResponseBytes}
	if d.Newest != nil {
		plain, ok := e.encode(receipt.ID{})
		if !ok {
			refuse(w, http.StatusBadRequest, errBadRequest, "an actor cannot be told of this request")
			return
		}
		key.envelope = string(plain)
	}
	a := d.kept(key, q.MinBlock)
	if a != nil {
		a.show(w, r)
		return
	}
	id := newID()
	w.Header().Set(requestHeader, id.String())
	var ok bool
	if q.Payload, ok = e.encode(id); !ok {
		refuse(w, http.StatusBadRequest, errBadRequest, "an actor cannot be told of this request")
		return
	}
	leave := func() {}
	defer func() { leave() }()
	err := d.inTurn(r.Context(), actor, func(ctx context.Context) error {
		if a = d.kept(key, q.MinBlock); a != nil { // another request was answered while this one waited
			return nil
		}
		reply, err := d.execute(ctx, actor, q)
		if err != nil {
			return err
		}
		give, ok := d.hold(len(reply.Result))
		if !ok {
			return ErrBusy
		}
		leave = give
		a = &said{id: id, at: reply.Block, root: reply.Root}
		if a.response, err = receipt.ParseResponse(reply.Result, name.HTTP.ResponseBytes); err == nil && d.Newest != nil {
			d.memory.shared.put(key, a)
		}
		return nil
	})
	var refused *Refused
	switch {
	case errors.As(err, &refused) && refused.Name != "":
		refuse(w, refused.Status, refused.Name, refused.Text)
	case err != nil:
		unreachable(w, err)
	case a.response == nil:
		a.shown(w.Header())
		refuse(w, http.StatusBadGateway, errInvalidResponse, "the actor answered with something else than a response")
	default:
		a.show(w, r)
	}
}

// kept is what an actor has said to the same request after the newest block, if that is known and none before the least; nil where there is nothing.
func (d *Door) kept(key sharedKey, least uint64) *said {
	if d.Newest == nil {
		return nil
	}
	at, known := d.Newest()
	if !known || at < least {
		return nil
	}
	return d.memory.shared.find(at, key)
}

// inTurn does something at the node when the turn of a query comes. Errors: ErrBusy when it does not in time, and those of what is done.
func (d *Door) inTurn(ctx context.Context, actor account.Address, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	leave, err := d.memory.turn(ctx, actor)
	if err != nil {
		return err
	}
	defer leave()
	return do(ctx)
}

// execute runs a query.
func (d *Door) execute(ctx context.Context, actor account.Address, q *Question) (*Answer, error) {
	a, err := d.Node.Query(ctx, actor, q)
	if err == nil {
		d.saw(a.Block)
	}
	return a, err
}

// write answers with an actor's response.
func write(w http.ResponseWriter, r *http.Request, status int, response *receipt.Response) {
	h := w.Header()
	for _, one := range response.Headers {
		if !answers(one.Name) {
			continue
		}
		for _, v := range one.Values {
			h.Add(one.Name, v)
		}
	}
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "application/octet-stream")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(response.Body)))
	if response.Private {
		h.Set("Cache-Control", "private, no-store")
	}
	if status == http.StatusNoContent || status == http.StatusNotModified {
		h.Del("Content-Length")
		w.WriteHeader(status)
		return
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(response.Body)
	}
}

// answers reports whether a header of an actor's answer reaches the client: none that says how the answer is carried, and none of the network's own.
func answers(key string) bool {
	key = http.CanonicalHeaderKey(key)
	return passes(key) && key != "Content-Length" && key != "Date" && key != "Alt-Svc" && key != "Strict-Transport-Security" &&
		!strings.HasPrefix(key, "X-Cowboy-")
}

// The paths that are the gateway's own.
//
// Spec: gateway-payments-streams §B.
const requestsPath = "/_cowboy/requests/"

// health says whether the node answers.
func (d *Door) health(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), nodeWithin)
	defer cancel()
	height, err := d.Node.Height(ctx)
	if err != nil {
		unreachable(w, err)
		return
	}
	d.saw(height)
	w.Header().Set(blockHeader, strconv.FormatUint(height, 10))
	writeJSON(w, http.StatusOK, map[string]any{"status": "ok", "height": height, "gateway": d.Address.String()})
}

// own answers what lies under /_cowboy/, none of which reaches the actor.
//
// Spec: gateway-payments-streams §B (paths under /_cowboy/), §C.
func (d *Door) own(w http.ResponseWriter, r *http.Request, actor account.Address, name wire.Name) {
	path := r.URL.Path
	text, isRequest := strings.CutPrefix(path, requestsPath)
	switch {
	case path == mcpPath:
		d.tools(w, r, actor, name)
	case strings.HasPrefix(path, paymentPath):
		d.prices(w, r, actor, name)
	case path != "/_cowboy/info" && path != "/_cowboy/openapi.json" && path != eventsPath && !isRequest:
		refuse(w, http.StatusNotFound, errNoSuchPath, "the gateway has nothing here")
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, errMethod, "this is read with GET")
	case path == eventsPath:
		d.events(w, r, actor)
	case isRequest:
		d.request(w, r, actor, text)
	case path == "/_cowboy/openapi.json":
		d.describe(w, r, actor, name)
	default:
		writeJSON(w, http.StatusOK, map[string]any{
			"fqdn": name.FQDN, "actor_address": name.Actor, "expires_at": name.ExpiresAt, "gateway": d.Address.String(), "http": name.HTTP,
		})
	}
}

// request answers what became of a request to this host's actor that came through this gateway.
//
// Spec: gateway-payments-streams §C (PENDING 202, COMPLETED 200, FAILED 500, absent 404, expired 410; private ones through their gateway alone).
func (d *Door) request(w http.ResponseWriter, r *http.Request, actor account.Address, text string) {
	id, ok := receipt.ParseID(text)
	if !ok {
		refuse(w, http.StatusNotFound, errNoSuchPath, "a request has a UUID")
		return
	}
	w.Header().Set(requestHeader, id.String())
	c, err := d.receipt(r.Context(), id)
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		if to, sent := d.memory.sent.Get(id); sent && to == actor { // its transaction is not in a block yet
			accepted(w, id)
			return
		}
		refuse(w, http.StatusNotFound, errNoSuchPath, "no request of this identity is known")
		return
	case err != nil:
		unreachable(w, err)
		return
	case d.Paywall.owes(id):
		accepted(w, id)
		return
	case c.Target != actor.String() || c.Private && c.Gateway != d.Address.String():
		refuse(w, http.StatusNotFound, errNoSuchPath, "no request of this identity is known")
		return
	}
	d.answer(w, r, &c, true)
}

// receipt reads what became of a request.
func (d *Door) receipt(ctx context.Context, id receipt.ID) (wire.Request, error) {
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	c, err := d.Node.Request(ctx, id)
	if err == nil {
		d.saw(c.BlockHeight)
	}
	return c, err
}

// answer answers with a receipt. Asked for by its address a completed one is 200 whatever the actor's status was, which X-Cowboy-Status has; the client that
// waits gets the actor's status.
func (d *Door) answer(w http.ResponseWriter, r *http.Request, c *wire.Request, asked bool) {
	w.Header().Set(requestHeader, c.ID)
	id, _ := receipt.ParseID(c.ID)
	switch {
	case c.Expired:
		refuse(w, http.StatusGone, errExpired, "the receipt has expired")
		return
	case c.Status == receipt.Failed.String():
		refuse(w, http.StatusInternalServerError, errHandlerFailed, "the actor's handler failed")
		return
	}
	response, err := d.response(r.Context(), c)
	switch {
	case err != nil:
		unreachable(w, err)
	case response == nil && c.Status == receipt.Pending.String():
		accepted(w, id)
	case response == nil:
		refuse(w, http.StatusBadGateway, errInvalidResponse, "the actor answered with something else than a response")
	case asked:
		w.Header().Set("X-Cowboy-Status", strconv.Itoa(int(response.Status)))
		write(w, r, http.StatusOK, response)
	default:
		write(w, r, int(response.Status), response)
	}
}

// response is what a request was answered with: the receipt's envelope, or what the actor has kept for it; nil: nothing that is a response.
//
// Spec: sdk §19.2 (_http/results/<request_id>).
func (d *Door) response(ctx context.Context, c *wire.Request) (*receipt.Response, error) {
	if c.Envelope != nil {
		return parsed(hex.DecodeString(*c.Envelope))
	}
	actor, err := account.ParseAddress(c.Target)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	data, ok, err := d.Node.Stored(ctx, actor, resultsKey+c.ID)
	if err != nil || !ok {
		return nil, err
	}
	return parsed(data, nil)
}

// parsed reads a response; nil for what is none.
func parsed(data []byte, err error) (*receipt.Response, error) {
	if err != nil {
		return nil, err
	}
	r, err := receipt.ParseStored(data, receipt.MaxEnvelope)
	if err != nil {
		return nil, nil //nolint:nilerr // it is no response, which the caller says
	}
	return r, nil
}
