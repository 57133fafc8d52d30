package rpc

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/rpc/socket"
)

// listener is a WebSocket client.
type listener struct {
	net.Conn
	t *testing.T
	r *bufio.Reader
}

// upgrade sends an opening handshake and gives the answer's status.
func upgrade(t *testing.T, url, path, header string) (*listener, int) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: node.example\r\n%s\r\n", path, header)
	c := &listener{conn, t, bufio.NewReader(conn)}
	answer, err := http.ReadResponse(c.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode == http.StatusSwitchingProtocols && answer.Header.Get("Sec-WebSocket-Accept") != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		t.Errorf("accepted with %v", answer.Header)
	}
	return c, answer.StatusCode
}

const opening = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

// listen opens a WebSocket, as soon as there is a place for it.
func listen(t *testing.T, url, path string) *listener {
	t.Helper()
	c, status := upgrade(t, url, path, opening)
	for status == http.StatusTooManyRequests {
		c, status = upgrade(t, url, path, opening)
	}
	if status != http.StatusSwitchingProtocols {
		t.Fatalf("%s: %d", path, status)
	}
	return c
}

// say sends a masked frame.
func (c *listener) say(op socket.Op, payload string) {
	raw := socket.AppendHead(nil, op, len(payload))
	raw[1] |= 0x80
	raw = append(raw, 0, 0, 0, 0) // the mask that changes nothing
	if _, err := c.Write(append(raw, payload...)); err != nil {
		c.t.Error(err)
	}
}

// hear gives the next frame in short: kind and id of a message, or the opcode and what it carries.
func (c *listener) hear() string {
	c.t.Helper()
	f, err := socket.Read(c.r, false, 1<<20)
	if err != nil {
		return err.Error()
	}
	switch f.Op {
	case socket.Text:
		var m struct {
			ID, Kind string
			Data     map[string]any
		}
		if err := json.Unmarshal(f.Payload, &m); err != nil || len(m.Data) == 0 {
			c.t.Errorf("%s: %v", f.Payload, err)
		}
		return m.Kind + " " + m.ID
	case socket.Close:
		if len(f.Payload) >= 2 {
			return fmt.Sprint("closed ", binary.BigEndian.Uint16(f.Payload))
		}
	}
	return fmt.Sprintf("%d %s", f.Op, f.Payload)
}

func (c *listener) expect(want ...string) {
	c.t.Helper()
	for _, one := range want {
		if got := c.hear(); got != one {
			c.t.Errorf("heard %s, want %s", got, one)
		}
	}
}

// TestWebSocket: a client has the messages of the event stream, under the same cursors and filters, and pings are answered.
//
// Spec: RFC 6455 §4.2, §5.5.
func TestWebSocket(t *testing.T) {
	f := newFake(3)
	s := serve(t, f, nil)
	sse := ids(t, s.URL+"/stream", "0.0", 11, nil)
	all := listen(t, s.URL, "/ws?cursor=0.0")
	all.expect(sse...)
	all.say(socket.Ping, "are you there")
	all.expect(fmt.Sprintf("%d are you there", socket.Pong))
	f.grow()
	all.expect("event 4.0", "receipt 4.1", "block 4.2")
	all.say(socket.Close, "")
	all.expect("closed 1000", io.EOF.Error())

	blocks := listen(t, s.URL, "/ws?kinds=blocks&cursor=2.1")
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
	client := listen(t, s.URL, "/ws?kinds=blocks")
	c.grow()
	client.expect("block 4.2", "lagged ", "block 19.2")
}

// TestHostileWebSockets: what a client gets wrong is answered with a typed error before the connection is taken over, or ends it with the RFC's code.
//
// Spec: RFC 6455 §4.2.2, §5.1, §7.4.1, §10.2.
func TestHostileWebSockets(t *testing.T) {
	s := serve(t, newFake(3), func(cfg *Config) { cfg.Limits.Streams, cfg.Limits.RequestsPerSecond = 1, 0 })
	for header, want := range map[string]int{
		"":                                      426,
		strings.Replace(opening, "13", "8", 1):  426,
		strings.Replace(opening, "dGhl", "", 1): 426,
		opening + "Origin: https://elsewhere.example\r\n":              403,
		opening + "Origin: null\r\n":                                   403,
		opening + "Origin: http://localhost:3000\r\nConnection: x\r\n": 101,
		opening + "Origin: https://node.example\r\n":                   101,
	} {
		c, status := upgrade(t, s.URL, "/ws", header)
		for status == http.StatusTooManyRequests { // until the place of the one before is free
			c, status = upgrade(t, s.URL, "/ws", header)
		}
		if status != want {
			t.Errorf("%q: %d, want %d", header, status, want)
		}
		if status == 101 {
			c.say(socket.Close, "")
			c.expect("closed 1000", io.EOF.Error())
		}
	}
	if _, status := upgrade(t, s.URL, "/ws?kinds=everything", opening); status != 400 {
		t.Errorf("a wrong filter: %d", status)
	}
	for _, x := range []struct {
		raw  []byte
		code string
	}{
		{socket.AppendHead(nil, socket.Ping, 0), "closed 1002"},                     // not masked
		{[]byte{0x81, 0x82, 0, 0, 0, 0, 'h', 'i'}, "closed 1003"},                   // data
		{[]byte{0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0}, "closed 1009"},                 // much of it
		{[]byte{0x82, 0xff, 255, 255, 255, 255, 255, 255, 255, 255}, "closed 1009"}, // no end of it
		{[]byte{0x01, 0x80, 0, 0, 0, 0}, "closed 1002"},                             // a fragment
	} {
		c := listen(t, s.URL, "/ws")
		if _, status := upgrade(t, s.URL, "/ws", opening); status != 429 {
			t.Errorf("a follower too many: %d", status)
		}
		if _, err := c.Write(x.raw); err != nil {
			t.Fatal(err)
		}
		c.expect(x.code)
		if _, err := io.Copy(io.Discard, c); err != nil && !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "reset") {
			t.Error(err)
		}
	}
}

// TestWebSocketEnds: a node that stops says so.
func TestWebSocketEnds(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Service{Address: l.Addr().String(), Handler: NewHandler(Config{Backend: newFake(3), Limits: DefaultLimits()}), Inbox: NewInbox(), First: l}
	s.Receive(received{message: &actor.Started{}})
	c := listen(t, "http://"+s.Address, "/ws?kinds=blocks&cursor=2.2")
	c.expect("block 3.2")
	s.Receive(received{message: &actor.Stopping{}})
	c.expect("closed 1001", io.EOF.Error())
}
