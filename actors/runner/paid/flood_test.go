package paid

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/stranger"
)

// upgrade begins a conversation of a session.
func upgrade(id digest.Hash) string {
	return "GET " + Path + id.Hex() + " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
}

// said is a message of a client as RFC 6455 §5.2 frames it, masked with zeros.
func said(m message) string {
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	head := binary.BigEndian.AppendUint16([]byte{0x81, 0x80 | 126}, uint16(len(data)))
	return string(append(append(head, 0, 0, 0, 0), data...))
}

// A seller's port while strangers attack it: half a head, no HTTP, bodies that never end, sessions that nobody has, and the session of a payer, which is
// public, over conversations in which they say nothing, sign with keys of their own, show a voucher again, and begin a message that claims to be huge. The
// payer buys all the same, of the very session; what is held stays below its bounds, and the book has what the payer signed and nothing else.
func TestSellerAmongStrangers(t *testing.T) {
	t.Parallel()
	const raiders = 8
	l := newLedger(t, 1_000_000)
	s := open(t, l, words{count: 10}, Prices{Request: 500, Piece: 30, Ahead: 3})
	raw, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := NewServer(s.Config.Handler)
	go func() { _ = server.Serve(Connections.Bounded(raw)) }()
	t.Cleanup(func() { _ = server.Close() })
	s.URL = "http://" + raw.Addr().String()
	paid := unit.Amount(0)
	buy := func(when string) {
		t.Helper()
		var got strings.Builder
		b, err := s.buyer(t, &got).Buy(t.Context())
		if err != nil || b != (Bought{Pieces: 10, Paid: 800}) {
			t.Fatalf("%s: %+v %v", when, b, err)
		}
		paid += 800
		if owed, settled := s.owedNow(); owed != paid || settled != paid {
			t.Fatalf("%s: owed %d, paid %d, want %d", when, owed, settled, paid)
		}
	}
	buy("before")
	s.book.mu.Lock()
	newest := *s.book.list[one].newest
	s.book.mu.Unlock()
	stolen := keyOf(t, "a thief")
	v := voucher.Voucher{Session: one, Cumulative: unit.Wide(uint64(paid) + 500), Nonce: 1_000, Expires: 10_000, Usage: digest.Hash(begun([]byte("?")))}
	ask := message{Ask: &Ask{Prompt: "for nothing"}}
	attacks := []func(i int) string{
		func(int) string { return "GET /terms HT" },
		func(int) string { return "\x16\x03\x01\x02\x00\x01\r\n\r\n" },
		func(int) string { return "GET /terms HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nslow" },
		func(i int) string {
			return "GET " + Path + digest.Hash{9, byte(i)}.Hex() + " HTTP/1.1\r\nHost: x\r\n\r\n"
		},
		func(int) string { return upgrade(one) },
		func(int) string {
			return upgrade(one) + said(ask) + said(message{Voucher: &payment{Signed: Sign(v, stolen.Sign(v.Digest(chainID)))}})
		},
		func(int) string { return upgrade(one) + said(ask) + said(message{Voucher: &payment{Signed: &newest}}) },
		func(int) string { return upgrade(one) + "\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00" },
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all, arrived sync.WaitGroup
	var mu sync.Mutex
	told := map[string]int{}
	for i := range raiders {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 7, 0, byte(32+i))}}
		for c := range Connections.Each + 8 {
			arrived.Add(1)
			all.Go(func() {
				conn, err := dialer.DialContext(ctx, "tcp", raw.Addr().String())
				if err == nil {
					_, err = io.WriteString(conn, attacks[c%len(attacks)](i<<8|c))
				}
				arrived.Done()
				if err != nil {
					return
				}
				defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
				var answer bytes.Buffer
				_, _ = io.Copy(&answer, io.LimitReader(conn, 64<<10))
				mu.Lock()
				defer mu.Unlock()
				for _, text := range []string{"400 Bad Request", "404 Not Found", "409 Conflict", "101 Switching", "not signed", "503 "} {
					if strings.Contains(answer.String(), text) {
						told[text]++
					}
				}
			})
		}
	}
	arrived.Wait()
	for range 3 {
		buy("during")
	}
	talking, err := stranger.Goroutines("paid.(*Seller).ServeHTTP")
	if err != nil || talking > maxTalks+maxTalks/8 {
		t.Errorf("%d conversations, want at most %d: %v", talking, maxTalks, err)
	}
	if files, err := os.ReadDir("/proc/self/fd"); err != nil || len(files) > 2*raiders*(Connections.Each+8)+64 { // both ends of each
		t.Errorf("%d descriptors: %v", len(files), err)
	}
	cancel()
	all.Wait()
	for _, text := range []string{"400 Bad Request", "404 Not Found", "101 Switching"} {
		if told[text] == 0 {
			t.Errorf("nobody was told %q: %v", text, told)
		}
	}
	buy("afterwards")
}

// A session is nobody's until its payer signs: any number of connections begin with it, and the first that pays has it.
func TestASessionIsHeldByWhoPays(t *testing.T) {
	gate := make(chan struct{})
	s := open(t, newLedger(t, 1_000_000), words{count: 1, gate: gate}, Prices{Request: 500, Piece: 30, Ahead: 2})
	for i := range 3 {
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, upgrade(one)); err != nil {
			t.Fatal(err)
		}
		terms := make([]byte, 12)
		if _, err := io.ReadFull(conn, terms); err != nil || string(terms) != "HTTP/1.1 101" {
			t.Fatalf("%d: %q %v", i, terms, err)
		}
	}
	s.refusesASecond(t, gate) // after the first has paid
}

// Headers, whole requests, answers and pauses have an end; the port's server has the bounds that the documents say.
func TestBoundsOfTheServer(t *testing.T) {
	s := NewServer(nil)
	for name, got := range map[string]time.Duration{
		"head": s.ReadHeaderTimeout, "request": s.ReadTimeout, "answer": s.WriteTimeout, "pause": s.IdleTimeout,
	} {
		t.Run(name, func(t *testing.T) {
			if got <= 0 || got > time.Minute {
				t.Error(got)
			}
		})
	}
	if s.MaxHeaderBytes != 16<<10 {
		t.Error(fmt.Sprint(s.MaxHeaderBytes))
	}
}
