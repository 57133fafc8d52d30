package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/cowboyinc/cowboy-go/chain/account"
)

// eventsPath is where the events of a host's actor are followed.
const eventsPath = "/_cowboy/events"

// Bounds of a stream of events.
//
// Spec: gateway-payments-streams §B (idle 600 s).
const (
	maxFollowers      = 512     // at a gateway
	maxActorFollowers = 64      // of an actor
	maxMessage        = 1 << 20 // a line of it
	maxTopic          = 64      // Spec: gateway-payments-streams §H.1
	maxCursor         = 32
	takenWithin       = 30 * time.Second // a message, by the client
	aliveEvery        = 15 * time.Second // something is sent, so that nothing between takes the stream for dead
	followedFor       = IdleFor          // a stream, which a client then goes on with from its last cursor
)

// message is an event on its way to a client.
type message struct {
	ID   string          `json:"id"`
	Kind string          `json:"event"`
	Data json.RawMessage `json:"data"`
}

// outlet is how messages reach one client: message nil is a sign of life.
type outlet func(ctx context.Context, m *message) error

// events sends a client the final events of the host's actor as they come, as server-sent events or over a WebSocket; one that comes back with its last
// cursor misses nothing. topic has it send those of one topic.
//
// Spec: gateway-payments-streams §B, §E.2 (push); RFC 6455.
func (d *Door) events(w http.ResponseWriter, r *http.Request, actor account.Address) {
	topic, after := r.URL.Query().Get("topic"), r.Header.Get("Last-Event-ID")
	if after == "" {
		after = r.URL.Query().Get("cursor")
	}
	if len(topic) > maxTopic || len(after) > maxCursor || strings.Trim(after, "0123456789.") != "" {
		refuse(w, http.StatusBadRequest, errBadRequest, "a topic has 64 bytes at most, and a cursor is one of an event's")
		return
	}
	leave, ok := d.memory.follow(actor)
	if !ok {
		w.Header().Set("Retry-After", "10")
		refuse(w, http.StatusTooManyRequests, errTooMany, "an actor has 64 streams of events at a time, and a gateway 512")
		return
	}
	defer leave()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	in, err := d.Node.Events(ctx, actor, topic, after)
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		refuse(w, http.StatusBadGateway, errNodeDown, refused.Text)
		return
	case err != nil:
		unreachable(w, err)
		return
	}
	defer in.Close()
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		d.socket(ctx, w, r, in)
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // nothing more is read
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	_ = d.pass(ctx, in, func(_ context.Context, m *message) error {
		_ = control.SetWriteDeadline(time.Now().Add(takenWithin))
		text := ": alive\n\n"
		if m != nil {
			text = fmt.Sprintf("id: %s\nevent: %s\ndata: %s\n\n", m.ID, m.Kind, m.Data)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
		return control.Flush()
	})
}

// socket sends messages over a WebSocket, each as a JSON text {"id", "event", "data"}. Pages of other origins are refused; what the client sends but control
// frames ends the connection.
//
// Spec: RFC 6455 §4.2, §10.2.
func (d *Door) socket(ctx context.Context, w http.ResponseWriter, r *http.Request, in io.Reader) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // which Accept has said
	}
	defer conn.CloseNow()
	err = d.pass(conn.CloseRead(ctx), in, func(ctx context.Context, m *message) error {
		ctx, cancel := context.WithTimeout(ctx, takenWithin)
		defer cancel()
		if m == nil {
			return conn.Ping(ctx)
		}
		text, err := json.Marshal(m)
		if err != nil {
			return err
		}
		return conn.Write(ctx, websocket.MessageText, text)
	})
	if err == nil {
		_ = conn.Close(websocket.StatusGoingAway, "go on from the last cursor")
	}
}

// pass gives a client what the node sends until one of them ends it, or the stream's time is over, which is no error.
func (d *Door) pass(ctx context.Context, in io.Reader, out outlet) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages := make(chan *message)
	go func() {
		defer close(messages)
		read(in, maxMessage, func(m *message) bool {
			d.saw(m.block())
			select {
			case messages <- m:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	over := make(chan struct{})
	end := d.Clock.AfterFunc(followedFor, func() { close(over) })
	defer end.Stop()
	if err := out(ctx, nil); err != nil { // headers go out before the first event comes
		return err
	}
	for {
		quiet := make(chan struct{})
		alive := d.Clock.AfterFunc(aliveEvery, func() { close(quiet) })
		var m *message
		var open bool
		select {
		case m, open = <-messages:
		case <-quiet:
			open = true
		case <-over:
		case <-ctx.Done():
		}
		alive.Stop()
		if !open {
			return ctx.Err()
		}
		if err := out(ctx, m); err != nil {
			return err
		}
	}
}

// block is the one that the message is of, by its cursor; 0 where it has none.
func (m *message) block() uint64 {
	height, _, _ := strings.Cut(m.ID, ".")
	n, _ := strconv.ParseUint(height, 10, 64)
	return n
}

// read takes server-sent events apart until the stream ends or each says false. A message with a line above so many bytes ends it.
func read(in io.Reader, most int, each func(*message) bool) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, most+1) // with the end of the line
	m := new(message)
	for lines.Scan() {
		name, value, _ := bytes.Cut(lines.Bytes(), []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "id":
			m.ID = string(value)
		case "event":
			m.Kind = string(value)
		case "data":
			m.Data = append(m.Data, value...)
		}
		if len(lines.Bytes()) > 0 {
			continue
		}
		if len(m.Data) > 0 && json.Valid(m.Data) && !each(m) {
			return
		}
		m = new(message)
	}
}
