package gateway

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Bounds of a request at the door.
const (
	MaxHeaderBytes = 32 << 10 // to which net/http adds 4,096 over HTTP/1.1, and 320 over HTTP/2
	MaxBody        = 10 << 20 // Spec: gateway-payments-streams §B (ceilings)
	maxTarget      = 8 << 10  // of the path with its query
	maxWait        = 30 * time.Second
	askEvery       = 500 * time.Millisecond
	nodeWithin     = 20 * time.Second
)

// The headers of the network.
//
// Spec: gateway-payments-streams §B.
const (
	errorHeader   = "X-Cowboy-Error"
	blockHeader   = "X-Cowboy-Block"
	rootHeader    = "X-Cowboy-State-Root" // of that block
	requestHeader = "X-Cowboy-Request-Id"
	minHeader     = "X-Cowboy-Min-Block"
)

// Names of errors. The first five are the table's; the others say what no table does.
//
// Spec: gateway-payments-streams §B, §C (HANDLER_FAILED).
const (
	errInvalidResponse = "INVALID_RESPONSE"
	errHandlerFailed   = "HANDLER_FAILED"
	errUnknownHost     = "UNKNOWN_HOST"
	errNodeDown        = "NODE_UNREACHABLE"
	errBusy            = "BUSY"
	errTooMany         = "RATE_LIMITED"
	errTooLarge        = "BODY_TOO_LARGE"
	errMethod          = "METHOD_NOT_ALLOWED"
	errBadRequest      = "BAD_REQUEST"
	errNoSuchPath      = "NOT_FOUND"
	errExpired         = "REQUEST_EXPIRED"
	errMisdirected     = "MISDIRECTED_REQUEST"
	errPayment         = "PAYMENT_REQUIRED"
)

// Door answers requests over HTTP. It is an http.Handler.
type Door struct {
	Node    Node
	Handle  *Handle
	Address account.Address // the gateway's
	Paywall *Paywall        // asks for payments; nil: everything is free
	Files   Files           // nil: no volumes are read here
	Clock   supervision.Clock
	// Memory is for bodies of requests and answers while they are here; nil: as much as they take.
	Memory *budget.Account
	// Newest is the newest final block's number, where it is known at no cost: of several requests that ask the same after one block a handler is then run
	// for the first. While it is not known a handler is run for each. nil: it never is.
	Newest func() (number uint64, known bool)
	// Saw is told the block of whatever clients are about to be shown, so that they never see an older one afterwards. nil: Newest knows.
	Saw func(number uint64)
	// MostStatic bounds a file that is served, in bytes; 0 for MaxStatic.
	MostStatic int64

	memory *memory
}

// NewDoor makes a door that nobody has come to yet.
func NewDoor(d Door) *Door {
	d.memory = newMemory()
	return &d
}

// saw tells of the block of something that a client is about to be shown.
func (d *Door) saw(number uint64) {
	if d.Saw != nil {
		d.Saw(number)
	}
}

// ServeHTTP implements http.Handler.
//
// Spec: gateway-payments-streams §B, §C; RFC 9112 §6.1 (transfer codings).
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 && (r.ProtoMinor == 0 || len(r.TransferEncoding) > 0) {
		w.Header().Set("Connection", "close") // what follows such a body on the connection is nobody's request: another reader may see it end elsewhere
	}
	host, ok := hostOf(r)
	switch {
	case !ok || len(r.RequestURI) > maxTarget || !strings.HasPrefix(r.URL.Path, "/"):
		refuse(w, http.StatusBadRequest, errBadRequest, "neither host nor path may be read")
		return
	case r.TLS != nil && r.TLS.ServerName != "" && !strings.EqualFold(r.TLS.ServerName, host):
		refuse(w, http.StatusMisdirectedRequest, errMisdirected, "the connection is for another host")
		return
	case r.URL.Path == "/_cowboy/health" || strings.HasPrefix(r.URL.Path, chainPath): // of any host, and of no actor
		if leave, ok := d.memory.enter(account.Address{}, d.Clock.Now()); ok {
			defer leave()
			if r.URL.Path == "/_cowboy/health" {
				d.health(w, r)
			} else {
				d.proof(w, r)
			}
			return
		}
		refuse(w, http.StatusTooManyRequests, errTooMany, "the gateway is asked too often")
		return
	}
	name, err := d.name(r.Context(), host)
	if err != nil {
		unreachable(w, err)
		return
	}
	switch {
	case name.Status == "pending" || name.Status == "suspended": // of a domain outside of the network
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusServiceUnavailable, "DOMAIN_"+strings.ToUpper(name.Status), "the domain is not proved to be its owner's")
		return
	case name.Status != "active" || name.HTTP == nil:
		refuse(w, http.StatusNotFound, errUnknownHost, "no actor answers for this host")
		return
	}
	actor, err := account.ParseAddress(name.Actor)
	if err != nil {
		refuse(w, http.StatusBadGateway, errNodeDown, "the node names no actor")
		return
	}
	leave, ok := d.memory.enter(actor, d.Clock.Now())
	if !ok {
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests, errTooMany, "an actor has 100 requests a second and 1,000 at a time")
		return
	}
	defer leave()
	if r.URL.Path == "/_cowboy" || strings.HasPrefix(r.URL.Path, "/_cowboy/") {
		d.own(w, r, actor, name)
		return
	}
	d.serve(w, r, host, actor, name)
}

// serve brings a request to its actor.
func (d *Door) serve(w http.ResponseWriter, r *http.Request, host string, actor account.Address, name wire.Name) {
	if r.Method == http.MethodOptions && d.preflight(w, r, actor, name) {
		return
	}
	if !allows(name.HTTP.Methods, r.Method) {
		w.Header().Set("Allow", strings.Join(name.HTTP.Methods, ", "))
		refuse(w, http.StatusMethodNotAllowed, errMethod, "the actor does not take this method")
		return
	}
	body, leave, ok := d.receive(w, r, int64(min(name.HTTP.RequestBytes, MaxBody)))
	defer leave()
	if !ok {
		return
	}
	w, r, finish, ok := d.charge(w, r, host, actor, body)
	if !ok {
		return
	}
	defer finish()
	to, file, err := d.target(r.Context(), actor, name, r.Method, r.URL.Path)
	if err != nil {
		unreachable(w, err)
		return
	}
	if file != nil {
		d.static(w, r, actor, *file)
		return
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		d.query(w, r, host, actor, name, to, body)
		return
	}
	id := newID()
	data, ok := newEnvelope(r, host, body, paramsOf(to.Params)).encode(id)
	if !ok {
		refuse(w, http.StatusBadRequest, errBadRequest, "an actor cannot be told of this request")
		return
	}
	w.Header().Set(requestHeader, id.String())
	d.command(w, r, actor, data, id) // whose handler the chain finds in the same manifest
}

// receive reads a body of at most so many bytes; ok is false for a request that is answered already. What it takes of the memory is given back by leave.
func (d *Door) receive(w http.ResponseWriter, r *http.Request, most int64) (body []byte, leave func(), ok bool) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(readWithin)) // where the server has none for a single stream
	body, leave, err := d.body(w, r, most)
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, errCrowded):
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, errBusy, "the gateway holds as many requests as it may")
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, errTooLarge, "the actor takes bodies of at most "+strconv.FormatInt(large.Limit, 10)+" bytes")
	case errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, io.ErrUnexpectedEOF):
		refuse(w, http.StatusRequestTimeout, errBadRequest, "the body did not come in time")
	case err != nil:
		refuse(w, http.StatusBadRequest, errBadRequest, "the body cannot be read")
	default:
		_ = control.SetReadDeadline(time.Time{}) // a client that waits for its answer has said everything
		return body, leave, true
	}
	return nil, leave, false
}

// newID makes the identity of a request, a UUID of version 4.
//
// Spec: gateway-payments-streams §C.
func newID() (id receipt.ID) {
	_, _ = rand.Read(id[:]) // never fails
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id
}

// command sends a request in a transaction, and waits for what became of it if it is asked to.
//
// Spec: gateway-payments-streams §B (commands), §C; RFC 7240 §4.3 (wait).
func (d *Door) command(w http.ResponseWriter, r *http.Request, actor account.Address, envelope []byte, id receipt.ID) {
	ctx, cancel := context.WithTimeout(r.Context(), nodeWithin)
	defer cancel()
	err := d.Handle.Dispatch(ctx, actor, envelope, id)
	var refused *Refused
	switch {
	case errors.Is(err, ErrBusy):
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, errBusy, "too many requests wait to be sent")
		return
	case errors.As(err, &refused):
		refuse(w, http.StatusBadGateway, "DISPATCH_REFUSED", refused.Text)
		return
	case err != nil:
		unreachable(w, err)
		return
	}
	d.memory.sent.Add(id, actor)
	wait := waitOf(r.Header)
	if wait > 0 {
		if leave, ok := d.memory.waiting.enter(); ok {
			defer leave()
		} else {
			wait = 0
		}
	}
	if wait > 0 {
		w.Header().Set("Preference-Applied", "wait="+strconv.Itoa(int(wait/time.Second)))
	}
	c, gone := d.watch(r.Context(), id, wait)
	switch {
	case c != nil:
		d.answer(w, r, c, false)
	case !gone:
		accepted(w, id)
	}
}

// outcome waits for what becomes of a request, if there is a place to wait: nil where it is not known then.
func (d *Door) outcome(ctx context.Context, id receipt.ID, wait time.Duration) (c *wire.Request, gone bool) {
	leave, ok := d.memory.waiting.enter()
	if !ok {
		return nil, false
	}
	defer leave()
	return d.watch(ctx, id, wait)
}

// watch asks for what became of a request until it is known, for so long at most; gone says that the client is.
func (d *Door) watch(ctx context.Context, id receipt.ID, wait time.Duration) (c *wire.Request, gone bool) {
	for deadline := d.Clock.Now().Add(wait); wait > 0 && d.Clock.Now().Before(deadline); {
		c, err := d.receipt(ctx, id)
		if err == nil && c.Status != receipt.Pending.String() {
			return &c, false
		}
		if !d.pause(ctx, min(d.memory.waiting.pace(), deadline.Sub(d.Clock.Now()))) {
			return nil, true
		}
	}
	return nil, false
}

// pause waits, and reports whether the client is still there.
func (d *Door) pause(ctx context.Context, long time.Duration) bool {
	over := make(chan struct{})
	deadline := d.Clock.AfterFunc(long, func() { close(over) })
	defer deadline.Stop()
	select {
	case <-over:
		return true
	case <-ctx.Done():
		return false
	}
}

// waitOf reads "Prefer: wait=N" in seconds, at most 30.
func waitOf(h http.Header) time.Duration {
	for _, line := range h.Values("Prefer") {
		for part := range strings.SplitSeq(line, ",") {
			text, ok := strings.CutPrefix(strings.TrimSpace(part), "wait=")
			if n, err := strconv.ParseUint(text, 10, 16); ok && (err == nil || errors.Is(err, strconv.ErrRange)) { // then the greatest there is
				return min(time.Duration(n)*time.Second, maxWait)
			}
		}
	}
	return 0
}

// accepted says where the answer will be.
func accepted(w http.ResponseWriter, id receipt.ID) {
	w.Header().Set("Location", requestsPath+id.String())
	w.Header().Set("Retry-After", "1")
	w.Header().Set(requestHeader, id.String())
	writeJSON(w, http.StatusAccepted, map[string]string{"request_id": id.String(), "status": receipt.Pending.String()})
}

// name finds the name of a host, asking the node at most once a second for each.
func (d *Door) name(ctx context.Context, host string) (wire.Name, error) {
	if n, ok := d.memory.hosts.Get(host); ok {
		return n, nil
	}
	if !nameable(host) {
		return wire.Name{}, nil // nobody can have it
	}
	if !d.memory.lookups.AllowN(d.Clock.Now(), 1) {
		if n, ok := d.memory.known.Get(host); ok {
			return n, nil
		}
		return wire.Name{}, ErrBusy
	}
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	n, err := d.Node.Name(ctx, host)
	var refused *Refused
	if errors.As(err, &refused) && (refused.Status == http.StatusNotFound || refused.Status == http.StatusBadRequest) {
		n, err = wire.Name{}, nil // nobody has it
	}
	if err == nil {
		d.memory.hosts.Add(host, n)
	}
	if err == nil && n.FQDN != "" {
		d.memory.known.Add(host, n)
	}
	return n, err
}

// nameable reports whether a host may be a name of the network, lie below one, or be a domain outside of it.
func nameable(host string) bool {
	_, _, err := route.ParseHost(host)
	if err != nil {
		_, err = route.ParseExternal(host)
	}
	return err == nil
}

// hostOf is the host a request is for, in lower case and without a port.
func hostOf(r *http.Request) (string, bool) {
	host := strings.ToLower(r.Host)
	if h, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", false
		}
		host = h
	}
	if host == "" || len(host) > 253 {
		return "", false
	}
	for i := range len(host) {
		c := host[i]
		if c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return "", false
		}
	}
	return host, true
}

func allows(methods []string, method string) bool {
	for _, m := range methods {
		if m == method || m == "*" {
			return true
		}
	}
	return false
}

// refuse answers with an error of the gateway's own.
func refuse(w http.ResponseWriter, status int, name, text string) {
	w.Header().Set(errorHeader, name)
	writeJSON(w, status, map[string]string{"error": name, "message": text})
}

// unreachable says that the node did not answer.
func unreachable(w http.ResponseWriter, err error) {
	w.Header().Set("Retry-After", "1")
	if errors.Is(err, ErrBusy) {
		refuse(w, http.StatusServiceUnavailable, errBusy, "the gateway or its node has too much to do; ask again")
		return
	}
	refuse(w, http.StatusServiceUnavailable, errNodeDown, "the node does not answer")
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
