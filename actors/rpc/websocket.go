package rpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
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
	context.AfterFunc(ctx, func() { _ = h.conn.SetDeadline(time.Now().Add(farewellWithin)) })
	go func() { end(attend(conn)) }()
	s.send(ctx, q, &frames{conn, s.Limits.StreamWrite})
	var wrong websocket.CloseError
	switch {
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
	conn   *websocket.Conn
	within time.Duration // a client may take for a message; 0: for ever
}

func (o *frames) lagged(missed, resumes uint64) error {
	return o.write(fmt.Appendf(nil, `{"kind":"lagged","data":{"missed":%d,"resumes_at":%d}}`, missed, resumes))
}

func (o *frames) message(at place, m *message) error {
	text := make([]byte, 0, len(m.text)+64) // 64: what stands around it
	text = fmt.Appendf(text, `{"id":"%d.%d","kind":%q,"data":`, at.height, at.index, m.kind)
	return o.write(append(append(text, m.text...), '}'))
}

// write sends a text frame; the connection is closed when it takes too long. The time is not that of the stream: a stream that ends leaves time for the
// farewell.
func (o *frames) write(text []byte) error {
	ctx := context.Background()
	if o.within > 0 {
		var done context.CancelFunc
		ctx, done = context.WithTimeout(ctx, o.within)
		defer done()
	}
	return o.conn.Write(ctx, websocket.MessageText, text)
}

func (o *frames) flush() error { return nil } // each message is sent at once
