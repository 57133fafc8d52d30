package exchange

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"net"
	"testing"
	"time"
)

func serving(t *testing.T, limits Limits, h Handler) (string, [32]byte, *Server) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate, print, err := Certificate(key)
	if err != nil {
		t.Fatal(err)
	}
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Serve(socket, certificate, limits, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return socket.LocalAddr().String(), print, s
}

func echo(_ context.Context, _ Origin, kind byte, body []byte) (byte, []byte) {
	return kind + 1, body
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestAsk(t *testing.T) {
	at, key, _ := serving(t, Limits{}, echo)
	c := &Client{}
	defer c.Close()
	for _, size := range []int{0, 1, 1_000, DefaultBody} {
		body := bytes.Repeat([]byte{7}, size)
		status, answer, err := c.Ask(within(t), at, key, 3, body)
		if err != nil || status != 4 || !bytes.Equal(answer, body) {
			t.Fatalf("%d bytes: status %d, %d bytes, %v", size, status, len(answer), err)
		}
	}
	if len(c.conns) != 1 {
		t.Errorf("%d connections, want 1", len(c.conns))
	}
}

// TestStrangers are questions and servers that are refused; each leaves the server able to answer.
func TestStrangers(t *testing.T) {
	at, key, _ := serving(t, Limits{Body: 100}, echo)
	c := &Client{}
	defer c.Close()
	if _, _, err := c.Ask(within(t), at, [32]byte{1}, 1, nil); !errors.Is(err, ErrIdentity) {
		t.Errorf("another key: %v", err)
	}
	if _, _, err := c.Ask(within(t), at, key, 1, make([]byte, 101)); err == nil {
		t.Error("a question beyond the bound is answered")
	}
	if status, _, err := c.Ask(within(t), at, key, 1, make([]byte, 100)); err != nil || status != 2 {
		t.Errorf("the server does not go on: %d, %v", status, err)
	}
}

// A handler is told the hash of the key that a client shows, which is the one that others know it by, and zero for a client that shows none.
func TestKeysOfClients(t *testing.T) {
	at, key, _ := serving(t, Limits{}, func(_ context.Context, from Origin, _ byte, _ []byte) (byte, []byte) { return 0, from.Key[:] })
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate, print, err := Certificate(private)
	if err != nil {
		t.Fatal(err)
	}
	for name, one := range map[string]struct {
		client *Client
		want   [32]byte
	}{"a key": {&Client{Certificate: &certificate}, print}, "no key": {&Client{}, [32]byte{}}} {
		t.Run(name, func(t *testing.T) {
			defer one.client.Close()
			if _, told, err := one.client.Ask(within(t), at, key, 1, nil); err != nil || !bytes.Equal(told, one.want[:]) {
				t.Errorf("%x, want %x: %v", told, one.want, err)
			}
		})
	}
}

func TestRate(t *testing.T) {
	at, key, _ := serving(t, Limits{Rate: 0.001}, echo)
	c := &Client{}
	defer c.Close()
	for i, want := range []byte{2, Busy} {
		if status, _, err := c.Ask(within(t), at, key, 1, nil); err != nil || status != want {
			t.Errorf("question %d: status %d, %v; want %d", i, status, err, want)
		}
	}
}

// TestAgain asks a server that comes back at the same place: the connection that was kept is made anew.
func TestAgain(t *testing.T) {
	at, key, s := serving(t, Limits{}, echo)
	c := &Client{}
	defer c.Close()
	if _, _, err := c.Ask(within(t), at, key, 1, nil); err != nil {
		t.Fatal(err)
	}
	for _, conn := range c.conns {
		_ = conn.CloseWithError(0, "")
	}
	if _, _, err := c.Ask(within(t), at, key, 1, nil); err != nil {
		t.Errorf("over a new connection: %v", err)
	}
	_ = s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, _, err := c.Ask(ctx, at, key, 1, nil); err == nil {
		t.Error("a server that is gone answers")
	}
}
