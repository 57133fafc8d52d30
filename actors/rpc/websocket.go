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
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/socket"
)

const (
	// maxBatch is how many bytes for a client are gathered before they are written.
	maxBatch = 32 << 10
	// farewellWithin is how long a client may take for the last frame.
	farewellWithin = time.Second
)

// socket sends a WebSocket client what stream sends, each message as a text frame: {"id":"height.index","kind":"block","data":{…}}. What the client sends
// but control frames ends the connection. Pages of other origins are refused, which browsers leave to the server.
//
// Spec: node-rpc-cli §1; RFC 6455 §4.2, §10.2.
func (s *server) socket(w http.ResponseWriter, r *http.Request) {
	if err := socket.Check(r); err != nil {
		w.Header().Set("Sec-WebSocket-Version", "13")
		w.Header().Set("Upgrade", "websocket")
		s.fail(w, refuse(http.StatusUpgradeRequired, 4000, err.Error()))
		return
	}
	if origin := r.Header.Get("Origin"); origin != "" && !localOrigin(origin) && !sameOrigin(origin, r.Host) {
		s.fail(w, refuse(http.StatusForbidden, 4000, "the streams of a node are not for pages of other origins"))
		return
	}
	q, leave, ok := s.follow(w, r)
	if !ok {
		return
	}
	defer leave()
	conn, reader, err := socket.Accept(w, r)
	if err != nil {
		if errors.Is(err, socket.ErrHijack) {
			s.fail(w, err)
		}
		return
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Time{}) // those of the request
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out := &frames{conn: conn, within: s.Limits.StreamWrite}
	go func() {
		out.attend(reader)
		cancel()
	}()
	s.send(ctx, q, out)
	if r.Context().Err() != nil {
		out.farewell(socket.CodeAway, "the node stops")
	}
}

// sameOrigin tells whether a page was served under the name the request is for.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, host)
}

// frames is the outlet of a WebSocket client.
type frames struct {
	conn   net.Conn
	within time.Duration
	batch  []byte

	mu   sync.Mutex // of writing
	over bool       // the last frame was written
}

func (o *frames) lagged(missed, resumes uint64) error {
	return o.text(fmt.Appendf(nil, `{"kind":"lagged","data":{"missed":%d,"resumes_at":%d}`, missed, resumes), nil)
}

func (o *frames) message(at place, m *message) error {
	return o.text(fmt.Appendf(nil, `{"id":"%d.%d","kind":%q,"data":`, at.height, at.index, m.kind), m.text)
}

// text gathers a frame of an object whose end is data.
func (o *frames) text(begin, data []byte) error {
	o.batch = socket.AppendHead(o.batch, socket.Text, len(begin)+len(data)+1)
	o.batch = append(append(append(o.batch, begin...), data...), '}')
	if len(o.batch) < maxBatch {
		return nil
	}
	return o.flush()
}

func (o *frames) flush() error {
	if len(o.batch) == 0 {
		return nil
	}
	err := o.write(o.batch, o.within)
	if o.batch = o.batch[:0]; cap(o.batch) > 4*maxBatch {
		o.batch = nil // a large message is not paid for by every client for ever
	}
	return err
}

func (o *frames) write(raw []byte, within time.Duration) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return net.ErrClosed
	}
	if within > 0 {
		_ = o.conn.SetWriteDeadline(time.Now().Add(within))
	}
	_, err := o.conn.Write(raw)
	return err
}

// farewell writes the last frame.
func (o *frames) farewell(code uint16, text string) {
	_ = o.write(socket.AppendClose(nil, code, text), farewellWithin)
	o.mu.Lock()
	o.over = true
	o.mu.Unlock()
}

// attend answers what the client sends, until it says farewell, breaks a rule or is gone.
//
// Spec: RFC 6455 §5.5.
func (o *frames) attend(r *bufio.Reader) {
	for {
		f, err := socket.Read(r, true, socket.MaxControl)
		var wrong *socket.ProtocolError
		switch {
		case errors.As(err, &wrong):
			o.farewell(wrong.Code, wrong.Text)
			return
		case err != nil:
			return
		case f.Op == socket.Ping:
			if o.write(append(socket.AppendHead(nil, socket.Pong, len(f.Payload)), f.Payload...), o.within) != nil {
				return
			}
		case f.Op == socket.Close:
			o.farewell(socket.CodeNormal, "")
			return
		case f.Op != socket.Pong:
			o.farewell(socket.CodeUnsupported, "a follower sends nothing")
			return
		}
	}
}
