package accounts

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Requests that a client in Python signed, which was written from the documents alone (testdata/vectors.py), are signed here byte for byte alike, and a relay
// of that node_id would take them.
//
// Spec: storage-cbfs §2.5, §3.4.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Wallet, Seed, Certificate, Method, Target, Body, Nonce, Challenge, Message string

		Node    string            `json:"node_id"`
		Name    string            `json:"challenge_id"`
		Time    uint64            `json:"timestamp_ms"`
		Expires uint64            `json:"expires_at_ms"`
		Headers map[string]string `json:"headers"`
	}
	if err := json.Unmarshal(text, &list); err != nil || len(list) < 5 {
		t.Fatal(len(list), err)
	}
	for _, v := range list {
		t.Run(v.Method+" "+v.Target, func(t *testing.T) {
			raw := func(text string) []byte {
				b, err := hex.DecodeString(text)
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			d := newDesk(t)
			h := d.holderOf(1, nil)
			h.key, h.cert = keyOf(raw(v.Seed)), raw(v.Certificate)
			m := &Message{
				Node: digest.Hash(raw(v.Node)), Method: v.Method, Target: v.Target, Body: raw(v.Body), Certificate: h.cert, TimestampMs: v.Time, Nonce: v.Nonce,
				ChallengeID: [IDSize]byte(raw(v.Name)), Challenge: [ChallengeSize]byte(raw(v.Challenge)),
			}
			if got := hex.EncodeToString(m.Bytes()); got != v.Message {
				t.Errorf("message %s, want %s", got, v.Message)
			}
			r := h.signed(m)
			for name, want := range v.Headers {
				if got := r.Header.Get(name); got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
			c, err := cbfs.DecodeCertificate(h.cert)
			if err != nil || c.Wallet.Hex() != "0x"+v.Wallet && c.Wallet.Hex() != v.Wallet || c.ExpiresMs != v.Expires {
				t.Fatalf("%+v %v", c, err)
			}
			d.server.Node = m.Node
			of := asker{digest.Blake3(h.cert), sourceOf(r)}
			given, _ := d.server.book.give(of)
			given.bytes = m.Challenge
			d.server.book.open[m.ChallengeID] = given
			if _, err := d.server.authenticate(httptest.NewRecorder(), r); err != nil {
				t.Error(err)
			}
		})
	}
}

// Clients that say nothing more in the middle of a header or a body are done with after their time; that time is short here, and as this package says in the
// server.
func TestSlowClients(t *testing.T) {
	d := newDesk(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(d.handler, log.New(io.Discard, "", 0))
	for name, got := range map[string]time.Duration{"head": s.ReadHeaderTimeout, "request": s.ReadTimeout, "answer": s.WriteTimeout, "pause": s.IdleTimeout} {
		t.Run(name, func(t *testing.T) {
			if got <= 0 || got > idleFor {
				t.Error(got)
			}
		})
	}
	s.ReadHeaderTimeout, s.ReadTimeout = 50*time.Millisecond, 100*time.Millisecond
	go func() { _ = s.Serve(l) }()
	defer s.Close()
	h := d.holderOf(1, nil)
	h.from = "127.0.0.1:1"
	r, _ := d.request(h, http.MethodPost, "/ras/volumes", make([]byte, 100))
	var head strings.Builder
	fmt.Fprintf(&head, "POST /ras/volumes HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n")
	_ = r.Header.Write(&head)
	for name, said := range map[string]string{"half a header": "GET /ras/auth/me HTTP/1.1\r\nHost:", "half a body": head.String() + "\r\nhalf"} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, said); err != nil {
				t.Fatal(err)
			}
			reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err == nil && reply.StatusCode < 400 {
				t.Errorf("it is answered %s", reply.Status)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil && !errors.Is(err, net.ErrClosed) {
				t.Logf("the connection ends with %v", err)
			}
		})
	}
}

// The client asks, signs and reads; it does not sign for a node that is not the one it means, and says so where something else answers.
//
// Spec: storage-cbfs §3.4.
func TestClient(t *testing.T) {
	d := newDesk(t)
	server := httptest.NewServer(d.handler)
	defer server.Close()
	h := d.holderOf(1, nil)
	c := &Client{URL: server.URL + "/", Key: h.key, Certificate: h.cert, HTTP: server.Client(), Now: func() time.Time { return d.now }}
	var page Volumes
	if err := c.Do(t.Context(), http.MethodGet, "/ras/volumes?limit=1", nil, &page); err != nil || len(page.Volumes) != 1 || page.NextCursor != "art" {
		t.Errorf("%+v %v", page, err)
	}
	var said Sent
	remove := made(t, 1, "delete_volume", named("name", "docs"), nil)
	if err := c.Do(t.Context(), http.MethodDelete, "/ras/volumes/docs", remove.Encode(), &said); err != nil || said.Hash != wire.Hash(remove.SigningHash()) {
		t.Errorf("%+v %v", said, err)
	}
	var refusal *Refusal
	if err := c.Do(t.Context(), http.MethodGet, "/ras/volumes/none", nil, nil); !errors.As(err, &refusal) || refusal.Reply.Code != codeNotFound {
		t.Error(err)
	}
	c.Trusts = func(_ context.Context, node digest.Hash) error {
		if node != ownNode {
			t.Error(node)
		}
		return ErrNodeID
	}
	if err := c.Do(t.Context(), http.MethodGet, me, nil, nil); !errors.Is(err, ErrNodeID) {
		t.Error(err)
	}
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	c.URL = other.URL
	if err := c.Do(t.Context(), http.MethodGet, me, nil, nil); !errors.Is(err, ErrAnswer) {
		t.Error(err)
	}
}
