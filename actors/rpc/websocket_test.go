package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/coder/websocket"
)

// listener is a WebSocket client.
type listener struct {
	*websocket.Conn
	t    *testing.T
	ctx  context.Context
	raw  net.Conn // beneath
	pong func(payload string)
}

// listen opens a WebSocket over connections of dial, as soon as there is a place for it.
func listen(t *testing.T, url string, dial func(address string) (net.Conn, error)) *listener {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	c := &listener{t: t, ctx: ctx}
	options := &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: &http.Transport{DialContext: func(_ context.Context, _, address string) (conn net.Conn, err error) {
			c.raw, err = dial(address)
			return c.raw, err
		}}},
		OnPongReceived: func(_ context.Context, payload []byte) { c.pong(string(payload)) },
	}
	for {
		conn, answer, err := websocket.Dial(ctx, url, options)
		if err == nil {
			c.Conn = conn
			t.Cleanup(func() { _ = conn.CloseNow() })
			return c
		}
		if answer == nil || answer.StatusCode != http.StatusTooManyRequests {
			t.Fatal(url, err)
		}
	}
}

func wide(address string) (net.Conn, error) { return net.Dial("tcp", address) }

// hear gives the next message in short: its kind and id, or what the connection was closed with.
func (c *listener) hear() string {
	c.t.Helper()
	kind, text, err := c.Read(c.ctx)
	if code := websocket.CloseStatus(err); code >= 0 {
		return fmt.Sprint("closed ", int(code))
	}
	if err != nil {
		return err.Error()
	}
	var m struct {
		ID, Kind string
		Data     map[string]any
	}
	if err := json.Unmarshal(text, &m); err != nil || len(m.Data) == 0 || kind != websocket.MessageText {
		c.t.Errorf("%s: %v", text, err)
	}
	return m.Kind + " " + m.ID
}

func (c *listener) expect(want ...string) {
	c.t.Helper()
	for _, one := range want {
		if got := c.hear(); got != one {
			c.t.Errorf("heard %s, want %s", got, one)
		}
	}
}

// put sends bytes as they are.
func (c *listener) put(raw string) {
	c.t.Helper()
	if _, err := io.WriteString(c.raw, raw); err != nil {
		c.t.Fatal(err)
	}
}

// zeros is the mask of a client's frame that changes nothing.
const zeros = "\x00\x00\x00\x00"

// TestWebSocket: a client has the messages of the event stream, under the same cursors and filters, and pings are answered.
//
// Spec: RFC 6455 §5.5.
func TestWebSocket(t *testing.T) {
	f := newFake(3)
	s := serve(t, f, func(cfg *Config) { cfg.Limits.Streams, cfg.Limits.RequestsPerSecond = 1, 0 })
	sse := ids(t, s.URL+"/stream", "0.0", 11, nil)
	all := listen(t, s.URL+"/ws?cursor=0.0", wide)
	all.expect(sse...)
	all.pong = func(payload string) {
		if payload != "are you there" {
			t.Errorf("a pong of %q", payload)
		}
		f.grow()
	}
	all.put("\x89\x8d" + zeros + "are you there")
	all.expect("event 4.0", "receipt 4.1", "block 4.2") // what follows the answer
	all.put("\x8a\x80" + zeros)                         // a pong nobody asked for
	if err := all.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Error(err)
	}

	blocks := listen(t, s.URL+"/ws?kinds=blocks&cursor=2.1", wide)
	blocks.expect("block 2.2", "block 3.2", "block 4.2")
	f.grow()
	blocks.expect("block 5.2")
}

// TestWebSocketLagged: one that fell behind is told, and goes on.
func TestWebSocketLagged(t *testing.T) {
	c := &counted{fake: newFake(3)}
	s := serve(t, c.fake, func(cfg *Config) { cfg.Backend, cfg.Limits.StreamLag = c, 5 })
	c.during = func(height uint64) {
		for range 20 {
			if height == 4 {
				c.grow()
			}
		}
	}
	client := listen(t, s.URL+"/ws?kinds=blocks", wide)
	c.grow()
	client.expect("block 4.2", "lagged ", "block 19.2")
}

// TestHandshakes: what does not open a WebSocket is answered with a typed error, and takes no place.
//
// Spec: RFC 6455 §4.2.1, §4.2.2, §10.2.
func TestHandshakes(t *testing.T) {
	s := serve(t, newFake(3), func(cfg *Config) { cfg.Limits.Streams, cfg.Limits.RequestsPerSecond = 1, 0 })
	for i, x := range []struct {
		query, header, value string
		status               int
	}{
		{"", "Upgrade", "", 426},
		{"", "Upgrade", "h2c", 426},
		{"", "Upgrade", "h2c, WebSocket", 101},
		{"", "Connection", "close", 426},
		{"", "Connection", "keep-alive, UPGRADE", 101},
		{"", "Sec-WebSocket-Version", "8", 426},
		{"", "Sec-WebSocket-Key", "", 426},
		{"", "Sec-WebSocket-Key", "AAAA", 426},
		{"", "Origin", "https://elsewhere.example", 403},
		{"", "Origin", "null", 403},
		{"", "Origin", "http://localhost:3000", 101},
		{"", "Origin", "https://node.example", 101},
		{"?kinds=everything", "Origin", "", 400},
		{"?cursor=x", "Origin", "", 400},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			answer := open(t, s.URL+"/ws"+x.query, x.header, x.value)
			for answer.StatusCode == http.StatusTooManyRequests { // until the place of the one before is free
				_ = answer.Body.Close()
				answer = open(t, s.URL+"/ws"+x.query, x.header, x.value)
			}
			var body struct{ Code int }
			switch {
			case answer.StatusCode != x.status:
				t.Errorf("%s: %q: %d, want %d", x.header, x.value, answer.StatusCode, x.status)
			case x.status == 101:
				if key := answer.Header.Get("Sec-WebSocket-Accept"); key != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" { // the RFC's own example
					t.Errorf("accepted with %q", key)
				}
			default:
				if err := json.NewDecoder(answer.Body).Decode(&body); err != nil || body.Code != 4000 {
					t.Errorf("%s: %q: code %d, %v", x.header, x.value, body.Code, err)
				}
			}
			if x.status == 426 && answer.Header.Get("Sec-WebSocket-Version") != "13" {
				t.Errorf("%s: %q: the version is not said", x.header, x.value)
			}
			_ = answer.Body.Close()
		})
	}
}

// open sends an opening handshake with one header changed.
func open(t *testing.T, url, header, value string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "node.example"
	for name, value := range map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
	} {
		r.Header.Set(name, value)
	}
	if r.Header.Set(header, value); value == "" {
		r.Header.Del(header)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestHostileWebSockets: what a client gets wrong ends its connection with the RFC's code, and its place is free again, whatever it does then.
//
// Spec: RFC 6455 §5.1, §5.2, §5.4, §5.5, §7.4.1.
func TestHostileWebSockets(t *testing.T) {
	s := serve(t, newFake(3), func(cfg *Config) { cfg.Limits.Streams, cfg.Limits.RequestsPerSecond = 1, 0 })
	for i, x := range []struct{ raw, want string }{
		{"\x89\x00", "closed 1002"},                                      // not masked
		{"\xc1\x82" + zeros + "hi", "closed 1002"},                       // a reserved bit
		{"\x83\x80" + zeros, "closed 1002"},                              // a reserved opcode
		{"\x80\x80" + zeros, "closed 1002"},                              // a continuation of nothing
		{"\x09\x80" + zeros, "closed 1002"},                              // a ping in parts
		{"\x89\xfe\x00\x7e" + zeros, "closed 1002"},                      // a ping of 126 bytes
		{"\x88\x81" + zeros + "x", "closed 1002"},                        // half a code
		{"\x82\xff" + strings.Repeat("\xff", 8), "closed 1002"},          // a size below zero
		{"\x81\x82" + zeros + "hi", "closed 1003"},                       // data
		{"\x01\x80" + zeros, "closed 1003"},                              // its beginning
		{"\x82\xff\x00\xff" + zeros + "\xff\xff" + zeros, "closed 1003"}, // no end of it
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c := listen(t, s.URL+"/ws", wide)
			answer := open(t, s.URL+"/ws", "Origin", "")
			if _ = answer.Body.Close(); answer.StatusCode != 429 {
				t.Errorf("a follower too many: %d", answer.StatusCode)
			}
			c.put(x.raw)
			if got := c.hear(); got != x.want {
				t.Errorf("%q: %s, want %s", x.raw, got, x.want)
			}
		})
	}
	silent := listen(t, s.URL+"/ws", wide)
	silent.put("\x82\xff\x00\xff" + zeros + "\xff\xff" + zeros) // and nothing more: neither what it announced nor its part of the farewell
	listen(t, s.URL+"/ws", wide)
	silent.expect("closed 1003")
}

// TestWebSocketCutOff: a client that takes nothing is cut off, and its place is another's. When it reads again, it reads whole messages and then why it
// was cut off and where to go on.
//
// Spec: RFC 6455 §7.1.5, §7.1.6.
func TestWebSocketCutOff(t *testing.T) {
	f := newFake(3)
	s, url := run(t, f, func(l *Limits) {
		l.StreamWrite, l.StreamLag, l.Streams, l.RequestsPerSecond = 20*time.Millisecond, 0, 1, 0
	})
	defer s.Receive(received{message: &actor.Stopping{}})
	client := listen(t, url+"/ws?kinds=blocks", narrow)
	client.SetReadLimit(-1)
	const blocks = 10_000 // more than the buffers between them hold
	for range blocks {
		f.grow()
	}
	listen(t, url+"/ws", wide)
	want := 4
	var err error
	for ; err == nil; want++ {
		if _, _, err = client.Read(client.ctx); err != nil {
			break
		}
	}
	if want == 4 || want > blocks {
		t.Errorf("it was cut off before block %d", want)
	}
	var end websocket.CloseError
	reason := fmt.Sprintf("nothing was taken for 20ms; go on with cursor=%d.2", want-1)
	if !errors.As(err, &end) || end.Code != websocket.StatusTryAgainLater || end.Reason != reason {
		t.Errorf("cut off with %v, want %q", err, reason)
	}
}

// TestWebSocketEnds: a node that stops says so, and waits until its clients have answered, but not for one that does not.
//
// Spec: RFC 6455 §5.5.1, §7.1.1.
func TestWebSocketEnds(t *testing.T) {
	s, url := run(t, newFake(3), func(*Limits) {})
	client, silent := listen(t, url+"/ws?kinds=blocks&cursor=2.2", wide), listen(t, url+"/ws?kinds=blocks&cursor=2.2", wide)
	client.expect("block 3.2")
	silent.expect("block 3.2")
	heard := make(chan string)
	go func() { heard <- client.hear() }()
	requests := s.requests
	s.Receive(received{message: &actor.Stopping{}})
	if requests.open != 0 {
		t.Errorf("%d requests are under way in a service that has stopped", requests.open)
	}
	if got := <-heard; got != "closed 1001" {
		t.Error(got)
	}
	silent.expect("closed 1001")
}

// run starts a service.
func run(t *testing.T, f *fake, change func(*Limits)) (s *Service, url string) {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	limits := DefaultLimits()
	change(&limits)
	s = &Service{Address: l.Addr().String(), Handler: NewHandler(Config{Backend: f, Limits: limits}), Inbox: NewInbox(), First: l}
	s.Receive(received{message: &actor.Started{}})
	return s, "http://" + s.Address
}
