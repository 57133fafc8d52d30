package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
	"github.com/cowboyinc/cowboy-go/supervision"
)

var (
	page  = account.Address{7}
	self  = account.Address{8}
	other = account.Address{9}
)

const host = "shopping.cowboy.network"

// world is a node as a test scripts it.
type world struct {
	mu       sync.Mutex
	names    map[string]wire.Name
	query    func(envelope cbor.Map, q *Question) (cbor.Map, error)
	hold     func(ctx context.Context, envelope cbor.Map) // before a query
	routes   wire.Routes
	requests map[receipt.ID]wire.Request
	stored   map[string][]byte
	source   string // of the actor
	sent     []cbor.Map
	dispatch func(id receipt.ID) error
	down     error
	follow   func(ctx context.Context, topic, after string) (io.ReadCloser, error)
}

func newWorld() *world {
	terms := &wire.HTTPTerms{Methods: []string{"GET", "HEAD", "POST"}, RequestBytes: 100, ResponseBytes: 200, QueryCycles: 1_000_000, ReceiptBlocks: 50}
	return &world{
		names: map[string]wire.Name{
			host:                  {FQDN: host, Actor: page.String(), Status: "active", HTTP: terms},
			"late.cowboy.network": {FQDN: "late.cowboy.network", Actor: page.String(), Status: "grace", HTTP: terms},
			"new.example":         {FQDN: "new.example", Actor: page.String(), Status: "pending", HTTP: terms},
			"old.example":         {FQDN: "old.example", Actor: page.String(), Status: "suspended", HTTP: terms},
			"shop.example":        {FQDN: "shop.example", Actor: page.String(), Status: "active", HTTP: terms},
			"mute.cowboy.network": {FQDN: "mute.cowboy.network", Actor: page.String(), Status: "active"},
		},
		requests: map[receipt.ID]wire.Request{}, stored: map[string][]byte{},
	}
}

func (w *world) Name(_ context.Context, host string) (wire.Name, error) {
	if n, ok := w.names[host]; ok && w.down == nil {
		return n, nil
	}
	if w.down != nil {
		return wire.Name{}, w.down
	}
	return wire.Name{}, &Refused{Status: http.StatusNotFound}
}

func (w *world) Routes(context.Context, account.Address) (wire.Routes, error) {
	if w.down == nil && w.routes.Static == nil && w.routes.Dynamic == nil {
		return wire.Routes{}, &Refused{Status: http.StatusNotFound}
	}
	return w.routes, w.down
}

func (w *world) Query(ctx context.Context, _ account.Address, q *Question) (*Answer, error) {
	v, _ := cbor.Parse(q.Payload)
	envelope, _ := v.(cbor.Map) // of a request; what a tool sends is none
	if w.hold != nil {
		w.hold(ctx, envelope)
	}
	m, err := w.query(envelope, q)
	if err != nil {
		return nil, err
	}
	data, err := cbor.Append(nil, m)
	return &Answer{Block: 41, Root: "0x2a", Result: data}, err
}

func (w *world) Proof(_ context.Context, path string) ([]byte, error) {
	if strings.HasPrefix(path, "/proof/tx/") {
		return nil, &Refused{Status: http.StatusNotFound, Text: "no such transaction"}
	}
	return []byte(`{"asked":"` + path + `"}`), w.down
}

func (w *world) Request(_ context.Context, id receipt.ID) (wire.Request, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c, ok := w.requests[id]
	if !ok {
		return c, &Refused{Status: http.StatusNotFound}
	}
	return c, nil
}

func (w *world) Stored(_ context.Context, _ account.Address, key string) ([]byte, bool, error) {
	data, ok := w.stored[key]
	return data, ok, nil
}

func (w *world) Dispatch(_ context.Context, _ account.Address, envelope []byte, id receipt.ID) error {
	v, err := cbor.Parse(envelope)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, v.(cbor.Map))
	if w.dispatch != nil {
		return w.dispatch(id)
	}
	return nil
}

func (w *world) Interface(context.Context, account.Address) (*outline.Document, error) {
	return outline.Of([]byte(w.source))
}

func (w *world) Events(ctx context.Context, _ account.Address, topic, after string) (io.ReadCloser, error) {
	return w.follow(ctx, topic, after)
}

func (w *world) Heartbeat(context.Context) error { return w.down }

func (w *world) Height(context.Context) (uint64, error) { return 41, w.down }

// open serves a world, with its sender under supervision.
func open(t *testing.T, w *world, change func(*Door)) *httptest.Server {
	t.Helper()
	handle := NewHandle()
	d := NewDoor(Door{Node: w, Handle: handle, Address: self, Clock: supervision.RealClock{}})
	if change != nil {
		change(d)
	}
	tree, err := supervision.New(Tree(func() *Sender { return &Sender{Handle: handle, Node: d.Node, Clock: supervision.RealClock{}} }), supervision.Config{})
	if err != nil {
		t.Fatal(err)
	}
	tree.Spawn()
	server := httptest.NewUnstartedServer(d)
	server.Config = NewServer(d, nil, nil)
	server.Start()
	t.Cleanup(func() {
		server.Close()
		if err := tree.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return server
}

// call sends a request as a plain client does.
func call(t *testing.T, s *httptest.Server, method, host, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	x, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Body.Close()
	data, err := io.ReadAll(x.Body)
	if err != nil {
		t.Fatal(err)
	}
	return x, string(data)
}

// byCurl sends the same request with the curl of this machine, where there is one, and holds status and error to what is wanted.
func byCurl(t *testing.T, s *httptest.Server, status int, code, method, host, path, body string, headers ...string) {
	t.Helper()
	curl, err := exec.LookPath("curl")
	if err != nil {
		return
	}
	args := []string{"--silent", "--show-error", "--include", "--http1.1", "--noproxy", "*", "--path-as-is", "--header", "Host: " + host}
	switch {
	case method == http.MethodHead:
		args = append(args, "--head")
	case body != "":
		args = append(args, "--request", method, "--data-binary", body)
	default:
		args = append(args, "--request", method)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		args = append(args, "--header", headers[i]+": "+headers[i+1])
	}
	out, err := exec.CommandContext(t.Context(), curl, append(args, s.URL+path)...).Output()
	if err != nil {
		t.Fatalf("curl: %v", err)
	}
	x, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(out)), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("curl: %v\n%s", err, out)
	}
	_ = x.Body.Close()
	if x.StatusCode != status || x.Header.Get("X-Cowboy-Error") != code {
		t.Errorf("curl: %d %q, want %d %q", x.StatusCode, x.Header.Get("X-Cowboy-Error"), status, code)
	}
}

func answered(fields ...cbor.Pair) func(cbor.Map, *Question) (cbor.Map, error) {
	return func(cbor.Map, *Question) (cbor.Map, error) { return fields, nil }
}

func failing(status int, name string) func(cbor.Map, *Question) (cbor.Map, error) {
	return func(cbor.Map, *Question) (cbor.Map, error) { return nil, &Refused{Status: status, Name: name} }
}

// Every row of the table of queries, and what is refused before an actor is asked.
//
// Spec: gateway-payments-streams §B (queries, the table of conditions).
func TestQueries(t *testing.T) {
	status := func(n int) cbor.Pair { return cbor.Pair{Key: "status", Value: n} }
	body := func(v any) cbor.Pair { return cbor.Pair{Key: "body", Value: v} }
	for name, c := range map[string]struct {
		query                    func(cbor.Map, *Question) (cbor.Map, error)
		method, host, path, send string
		header                   string
		status                   int
		code, body               string
	}{
		"answered":                {answered(status(200), body("hello")), "GET", host, "/", "", "", 200, "", "hello"},
		"with its port":           {answered(status(200), body("hello")), "GET", host + ":8443", "/", "", "", 200, "", "hello"},
		"in capitals":             {answered(status(200), body("hello")), "GET", strings.ToUpper(host), "/", "", "", 200, "", "hello"},
		"its own status":          {answered(status(404), body("no")), "GET", host, "/x", "", "", 404, "", "no"},
		"HEAD":                    {answered(status(200), body("hello")), "HEAD", host, "/", "", "", 200, "", ""},
		"read-only violation":     {failing(500, "READ_ONLY_VIOLATION"), "GET", host, "/", "", "", 500, "READ_ONLY_VIOLATION", ""},
		"cycle limit":             {failing(422, "QUERY_CYCLE_LIMIT"), "GET", host, "/", "", "", 422, "QUERY_CYCLE_LIMIT", ""},
		"handler panic":           {failing(500, "HANDLER_PANIC"), "GET", host, "/", "", "", 500, "HANDLER_PANIC", ""},
		"below the minimum block": {failing(503, "MIN_BLOCK_NOT_REACHED"), "GET", host, "/", "", "99", 503, "MIN_BLOCK_NOT_REACHED", ""},
		"a minimum that is none":  {answered(status(200)), "GET", host, "/", "", "soon", 400, "BAD_REQUEST", ""},
		"no status":               {answered(body("hello")), "GET", host, "/", "", "", 502, "INVALID_RESPONSE", ""},
		"200 bytes":               {answered(status(200), body(strings.Repeat("a", 200))), "GET", host, "/", "", "", 200, "", strings.Repeat("a", 200)},
		"201 bytes":               {answered(status(200), body(strings.Repeat("a", 201))), "GET", host, "/", "", "", 502, "INVALID_RESPONSE", ""},
		"an unknown host":         {nil, "GET", "nobody.cowboy.network", "/", "", "", 404, "UNKNOWN_HOST", ""},
		"a pending domain":        {nil, "GET", "new.example", "/", "", "", 503, "DOMAIN_PENDING", ""},
		"a suspended domain":      {nil, "GET", "old.example", "/", "", "", 503, "DOMAIN_SUSPENDED", ""},
		"a domain of its own":     {answered(status(200), body("hello")), "GET", "shop.example", "/", "", "", 200, "", "hello"},
		"a detached domain":       {nil, "GET", "gone.example", "/", "", "", 404, "UNKNOWN_HOST", ""},
		"an expired name":         {nil, "GET", "late.cowboy.network", "/", "", "", 404, "UNKNOWN_HOST", ""},
		"no ingress":              {nil, "GET", "mute.cowboy.network", "/", "", "", 404, "UNKNOWN_HOST", ""},
		"another method":          {nil, "PUT", host, "/", "", "", 405, "METHOD_NOT_ALLOWED", ""},
		"a body of 101 bytes":     {nil, "POST", host, "/", strings.Repeat("a", 101), "", 413, "BODY_TOO_LARGE", ""},
		"the gateway's own":       {nil, "GET", host, "/_cowboy/secret", "", "", 404, "NOT_FOUND", ""},
		"no payments here":        {nil, "GET", host, "/_cowboy/payment/quote", "", "", 404, "NOT_FOUND", ""},
		"writing the info":        {nil, "POST", host, "/_cowboy/info", "", "", 405, "METHOD_NOT_ALLOWED", ""},
		"a path of 8,191 bytes":   {answered(status(200), body("hello")), "GET", host, "/" + strings.Repeat("a", 8_190), "", "", 200, "", "hello"},
		"a path of 8,192 bytes":   {answered(status(200), body("hello")), "GET", host, "/" + strings.Repeat("a", 8_191), "", "", 200, "", "hello"},
		"a path of 8,193 bytes":   {nil, "GET", host, "/" + strings.Repeat("a", 8_192), "", "", 400, "BAD_REQUEST", ""},
		"with a query of 8,192":   {answered(status(200), body("hello")), "GET", host, "/?" + strings.Repeat("a", 8_190), "", "", 200, "", "hello"},
		"with a query of 8,193":   {nil, "GET", host, "/?" + strings.Repeat("a", 8_191), "", "", 400, "BAD_REQUEST", ""},
		"a host of 253 bytes":     {nil, "GET", strings.Repeat("a", 253), "/", "", "", 404, "UNKNOWN_HOST", ""},
		"a host of 254 bytes":     {nil, "GET", strings.Repeat("a", 254), "/", "", "", 400, "BAD_REQUEST", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.query = c.query
			var headers []string
			if c.header != "" {
				headers = []string{"X-Cowboy-Min-Block", c.header}
			}
			s := open(t, w, nil)
			x, body := call(t, s, c.method, c.host, c.path, c.send, headers...)
			if x.StatusCode != c.status || x.Header.Get("X-Cowboy-Error") != c.code || c.code == "" && body != c.body {
				t.Errorf("%d %q %q, want %d %q %q", x.StatusCode, x.Header.Get("X-Cowboy-Error"), body, c.status, c.code, c.body)
			}
			byCurl(t, s, c.status, c.code, c.method, c.host, c.path, c.send, headers...)
			if c.code == "" && x.Header.Get("X-Cowboy-Block") != "41" || x.Header.Get("X-Cowboy-Request-Id") == "" && c.code == "" {
				t.Errorf("headers %v", x.Header)
			}
		})
	}
}

// What an actor is told of a request, and which of its headers reach the client.
//
// Spec: gateway-payments-streams §B (HttpRequestEnvelope, HttpResponseEnvelope).
func TestEnvelopes(t *testing.T) {
	w := newWorld()
	var told cbor.Map
	var asked *Question
	w.query = func(m cbor.Map, q *Question) (cbor.Map, error) {
		told, asked = m, q
		return cbor.Map{{Key: "status", Value: 200}, {Key: "private", Value: true}, {Key: "headers", Value: cbor.Map{
			{Key: "X-Shop", Value: []any{"a", "b"}}, {Key: "Connection", Value: "close"}, {Key: "content-length", Value: "99"},
			{Key: "X-Cowboy-Block", Value: "1"},
		}}}, nil
	}
	x, _ := call(t, open(t, w, nil), "GET", host, "/a%20b/c?q=1&q=2&r=%F0%9F%90%8E", "", "Accept", "x", "Accept", "y", "Prefer", "wait=1", "TE", "trailers")
	list := func(key, name string) string {
		m, _ := told.Lookup(key)
		v, _ := m.(cbor.Map).Lookup(name)
		return fmt.Sprint(v)
	}
	path, _ := told.Lookup("path")
	where, _ := told.Lookup("host")
	id, _ := told.Lookup("request_id")
	if path != "/a b/c" || where != host || list("query", "q") != "[1 2]" || list("query", "r") != "[🐎]" || list("headers", "accept") != "[x y]" ||
		list("headers", "prefer") != "<nil>" || list("headers", "te") != "<nil>" || id != x.Header.Get("X-Cowboy-Request-Id") {
		t.Errorf("told %v", told)
	}
	if asked.Handler != "http.request" || asked.MaxCycles != 1_000_000 {
		t.Errorf("asked %+v", asked)
	}
	if fmt.Sprint(x.Header.Values("X-Shop")) != "[a b]" || x.ContentLength != 0 || x.Close || x.Header.Get("X-Cowboy-Block") != "41" ||
		x.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("answered %v", x.Header)
	}
}

// Every status of a receipt, by its address and by waiting.
//
// Spec: gateway-payments-streams §C (202, 200, 500, 404, 410; private receipts).
func TestReceipts(t *testing.T) {
	data, err := cbor.Append(nil, cbor.Map{{Key: "status", Value: 201}, {Key: "body", Value: "made"}})
	if err != nil {
		t.Fatal(err)
	}
	envelope := hex.EncodeToString(data)
	id := receipt.ID{1, 2, 3}
	for name, c := range map[string]struct {
		receipt      *wire.Request
		stored       bool
		status       int
		code, waited string // the body; and status and body for who waits
	}{
		"absent":             {nil, false, 404, "NOT_FOUND", "202"},
		"pending":            {&wire.Request{Status: "PENDING"}, false, 202, "", "202"},
		"pending and kept":   {&wire.Request{Status: "PENDING"}, true, 200, "", "202"},
		"completed":          {&wire.Request{Status: "COMPLETED", Envelope: &envelope}, false, 200, "", "201 made"},
		"completed without":  {&wire.Request{Status: "COMPLETED"}, false, 502, "INVALID_RESPONSE", "502"},
		"completed and kept": {&wire.Request{Status: "COMPLETED"}, true, 200, "", "201 made"},
		"failed":             {&wire.Request{Status: "FAILED"}, false, 500, "HANDLER_FAILED", "500"},
		"expired":            {&wire.Request{Status: "COMPLETED", Envelope: &envelope, Expired: true}, false, 410, "REQUEST_EXPIRED", "410"},
		"private":            {&wire.Request{Status: "COMPLETED", Envelope: &envelope, Private: true}, false, 200, "", "201 made"},
		"private, of another": {&wire.Request{Status: "COMPLETED", Envelope: &envelope, Private: true, Gateway: other.String()}, false, 404,
			"NOT_FOUND", ""},
		"of another actor's client": {&wire.Request{Status: "COMPLETED", Envelope: &envelope, Target: other.String()}, false, 404, "NOT_FOUND", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			put := func(id receipt.ID) {
				if c.receipt == nil {
					return
				}
				r := *c.receipt
				r.ID = id.String()
				if r.Target == "" {
					r.Target = page.String()
				}
				if r.Gateway == "" {
					r.Gateway = self.String()
				}
				w.requests[id] = r
				if c.stored {
					w.stored[resultsKey+id.String()] = data
				}
			}
			put(id)
			w.dispatch = func(id receipt.ID) error { put(id); return nil }
			s := open(t, w, nil)
			x, body := call(t, s, "GET", host, "/_cowboy/requests/"+id.String(), "")
			if x.StatusCode != c.status || x.Header.Get("X-Cowboy-Error") != c.code || x.StatusCode == 200 && (body != "made" ||
				x.Header.Get("X-Cowboy-Status") != "201") {
				t.Errorf("%d %v %q, want %d", x.StatusCode, x.Header, body, c.status)
			}
			byCurl(t, s, c.status, c.code, "GET", host, "/_cowboy/requests/"+id.String(), "")
			if c.waited == "" {
				return
			}
			x, body = call(t, s, "POST", host, "/orders", "{}", "Prefer", "respond-async, wait=1")
			got := fmt.Sprint(x.StatusCode)
			if x.StatusCode == 201 {
				got += " " + body
			}
			if got != c.waited || x.Header.Get("Preference-Applied") != "wait=1" {
				t.Errorf("who waits gets %q %v, want %q", got, x.Header, c.waited)
			}
		})
	}
}

// A request that changes something is answered with the address of its receipt, which says 202 before any block has it.
//
// Spec: gateway-payments-streams §B (commands), §C.
func TestCommands(t *testing.T) {
	w := newWorld()
	s := open(t, w, nil)
	x, _ := call(t, s, "POST", host, "/orders", "two eggs")
	at := x.Header.Get("Location")
	if x.StatusCode != 202 || at != "/_cowboy/requests/"+x.Header.Get("X-Cowboy-Request-Id") || x.Header.Get("Retry-After") == "" {
		t.Fatalf("%d %v", x.StatusCode, x.Header)
	}
	if body, _ := w.sent[0].Lookup("body"); len(w.sent) != 1 || string(body.([]byte)) != "two eggs" {
		t.Errorf("sent %v", w.sent)
	}
	if x, _ := call(t, s, "GET", host, at, ""); x.StatusCode != 202 {
		t.Errorf("before its block: %d", x.StatusCode)
	}
	for name, c := range map[string]struct {
		err    error
		status int
		code   string
	}{
		"the node refuses": {&Refused{Status: 502, Text: "ERR_UNAUTHORIZED_GATEWAY"}, 502, "DISPATCH_REFUSED"},
		"the node is down": {errors.New("down"), 503, "NODE_UNREACHABLE"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.dispatch = func(receipt.ID) error { return c.err }
			if x, _ := call(t, open(t, w, nil), "POST", host, "/orders", ""); x.StatusCode != c.status || x.Header.Get("X-Cowboy-Error") != c.code {
				t.Errorf("%d %v, want %d %s", x.StatusCode, x.Header, c.status, c.code)
			}
		})
	}
	t.Run("nobody sends", func(t *testing.T) {
		d := NewDoor(Door{Node: newWorld(), Handle: NewHandle(), Address: self, Clock: supervision.RealClock{}})
		for n := range 1_025 { // one more than may wait
			if taken := d.Handle.inbox.Send(beat{}) == supervision.Accepted; taken != (n < 1_024) {
				t.Fatalf("command %d is taken: %v", n, taken)
			}
		}
		s := httptest.NewServer(d)
		defer s.Close()
		if x, _ := call(t, s, "POST", host, "/orders", ""); x.StatusCode != 503 || x.Header.Get("X-Cowboy-Error") != "BUSY" {
			t.Errorf("%d %v", x.StatusCode, x.Header)
		}
	})
}

// A body has 10 MiB at most, whatever the actor takes.
//
// Spec: gateway-payments-streams §B (ceilings).
func TestCeilingOfBodies(t *testing.T) {
	w := newWorld()
	w.names[host].HTTP.RequestBytes = 11 << 20
	s := open(t, w, nil)
	for size, c := range map[int]struct {
		status, sent int
		code         string
	}{10 << 20: {202, 1, ""}, 10<<20 + 1: {413, 0, "BODY_TOO_LARGE"}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			w.sent = nil
			x, _ := call(t, s, "POST", host, "/", strings.Repeat("x", size))
			if x.StatusCode != c.status || x.Header.Get("X-Cowboy-Error") != c.code || len(w.sent) != c.sent {
				t.Fatalf("%d %v, %d sent; want %+v", x.StatusCode, x.Header, len(w.sent), c)
			}
			if c.sent == 0 {
				return
			}
			if body, _ := w.sent[0].Lookup("body"); len(body.([]byte)) != size {
				t.Errorf("the actor is told %d bytes", len(body.([]byte)))
			}
		})
	}
}
