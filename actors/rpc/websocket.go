package rpc

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// farewellWithin is how long a client may take for what is being written, the last frame and its answer once its stream is over. It is a deadline of the
// connection because the library waits without one for the rest of a frame that was announced.
const farewellWithin = time.Second

// socket sends a WebSocket client what stream sends, each message as a text frame: {"id":"height.index","kind":"block","data":{…}}. What the client sends
// but control frames ends the connection. Pages of other origins are refused, which browsers leave to the server.
//
// Spec: node-rpc-cli §1; RFC 6455 §4.2, §7.4.1, §10.2.
func (s *server) socket(w http.ResponseWriter, r *http.Request) {
	if origin := r.Header.Get("Origin"); origin != "" && !localOrigin(origin) && !sameOrigin(origin, r.Host) {
		s.fail(w, refuse(http.StatusForbidden, 4000, "the streams of a node are not for pages of other origins"))
		return
	}
	q, leave, ok := s.follow(w, r)
	if !ok {
		return
	}
	defer leave()
	h := &handshake{ResponseWriter: w}
	conn, err := websocket.Accept(h, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // the origin is checked above
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		w.Header().Set("Sec-WebSocket-Version", "13")
		w.Header().Set("Upgrade", "websocket")
		s.fail(w, refuse(http.StatusUpgradeRequired, 4000, "this call is for WebSocket clients: "+err.Error()))
		return
	}
	defer conn.CloseNow()
	ctx, end := context.WithCancelCause(r.Context())
	defer end(nil)
	out := &frames{conn: conn, below: h.conn, within: s.Limits.StreamWrite, request: r.Context()}
	context.AfterFunc(ctx, out.hurry)
	go func() { end(attend(conn)) }()
	err = s.send(ctx, q, out)
	var wrong websocket.CloseError
	reason, cut := s.lastWord(err)
	switch {
	case cut:
		end(err)
		_ = conn.Close(websocket.StatusTryAgainLater, reason+"; go on with cursor="+out.cursor)
	case r.Context().Err() != nil:
		_ = conn.Close(websocket.StatusGoingAway, "the node stops")
	case errors.As(context.Cause(ctx), &wrong):
		_ = conn.Close(wrong.Code, wrong.Reason)
	}
}

// sameOrigin tells whether a page was served under the name the request is for.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, host)
}

// attend answers a client's control frames until it sends anything else, of which nothing is read, or is gone, and says how that ends the connection.
//
// Spec: RFC 6455 §5.5.
func attend(conn *websocket.Conn) error {
	if _, _, err := conn.Reader(context.Background()); err != nil {
		return websocket.CloseError{Code: websocket.StatusProtocolError, Reason: "a frame that cannot be read"}
	}
	return websocket.CloseError{Code: websocket.StatusUnsupportedData, Reason: "a follower sends nothing"}
}

// handshake is the writer of a request whose connection is to be taken over: it keeps the connection, whose deadlines bound the farewell, and leaves what
// to say of a refusal to the caller.
type handshake struct {
	http.ResponseWriter
	conn net.Conn // once it is taken over
}

func (h *handshake) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, both, err := http.NewResponseController(h.ResponseWriter).Hijack()
	h.conn = conn
	return conn, both, err
}

func (h *handshake) WriteHeader(status int) {
	if status == http.StatusSwitchingProtocols {
		h.ResponseWriter.WriteHeader(status)
	}
}

func (h *handshake) Write(refusal []byte) (int, error) { return len(refusal), nil }

// frames is the outlet of a WebSocket client.
type frames struct {
	conn    *websocket.Conn
	below   net.Conn
	within  time.Duration // a client may take for a message; 0: for ever
	request context.Context
	cursor  string // of the last message

	mu   sync.Mutex // guards the deadlines of below
	over bool       // the stream is; only the farewell is left
}

// hurry bounds what is being written, and the farewell.
func (o *frames) hurry() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	_ = o.below.SetDeadline(time.Now().Add(farewellWithin))
}

// patience bounds what is written next.
func (o *frames) patience() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over || o.within == 0 {
		return nil
	}
	return o.below.SetWriteDeadline(time.Now().Add(o.within))
}

func (o *frames) lagged(missed, resumes uint64) error {
	return o.write(fmt.Appendf(nil, `{"kind":"lagged","data":{"missed":%d,"resumes_at":%d}}`, missed, resumes))
}

func (o *frames) message(at place, m *message) error {
	text := make([]byte, 0, len(m.text)+64) // 64: what stands around it
	o.cursor = at.cursor()
	text = fmt.Appendf(text, `{"id":%q,"kind":%q,"data":`, o.cursor, m.kind)
	return o.write(append(append(text, m.text...), '}'))
}

// write sends a text frame. The time it may take is a deadline of the connection: the library would close that over one of its own, and a stream that ends
// leaves time for the farewell.
func (o *frames) write(text []byte) error {
	if err := o.patience(); err != nil {
		return err
	}
	return cmp.Or(o.conn.Write(context.Background(), websocket.MessageText, text), inTime(o.request))
}

func (o *frames) flush() error { return nil } // each message is sent at once
