package gateway

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/supervision"
)

var hostileClients = flag.Int("hostile-clients", 100, "clients that attack a gateway at a time")

// asked counts what a gateway asks its node for.
type asked struct {
	*world
	names, queries atomic.Int64
}

func (a *asked) Name(ctx context.Context, host string) (wire.Name, error) {
	a.names.Add(1)
	return a.world.Name(ctx, host)
}

func (a *asked) Query(ctx context.Context, actor account.Address, q *Question) (*Answer, error) {
	a.queries.Add(1)
	return a.world.Query(ctx, actor, q)
}

// still is a clock that stands: no limit of a rate is ever lifted.
type still struct{ supervision.RealClock }

func (still) Now() time.Time { return time.Unix(1, 0) }

// However many clients attack at once, what a gateway asks of its node is what its limits say, in a moment that does not pass: 100 lookups of hosts, and of the
// actor that is attacked 100 requests. An actor that is not attacked is served meanwhile. `-hostile-clients 1000` has a thousand.
//
// Spec: gateway-payments-streams §B (100 requests/s, 1,000 connections).
func TestHostileClients(t *testing.T) {
	w := &asked{world: newWorld()}
	w.query = answered(cbor.Pair{Key: "status", Value: 200})
	terms := w.world.names[host].HTTP
	w.world.names["quiet.cow"] = wire.Name{FQDN: "quiet.cow", Actor: other.String(), Status: "active", HTTP: terms}
	s := open(t, w.world, func(d *Door) { d.Node, d.Clock = w, still{} })
	if x, _ := call(t, s, "GET", "quiet.cow", "/", ""); x.StatusCode != 200 {
		t.Fatalf("before: %d", x.StatusCode)
	}
	attacks := []func(i int) string{
		func(i int) string { return fmt.Sprintf("GET / HTTP/1.1\r\nHost: nobody-%d.cow\r\n\r\n", i) },
		func(int) string { return "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n" },
		func(int) string { return "POST /x HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 100\r\n\r\nslow" },
		func(int) string { return "POST /x HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 101\r\n\r\n" },
		func(int) string {
			return "POST /x HTTP/1.1\r\nHost: " + host + "\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n"
		},
		func(int) string { return "GET / HTTP/1.1\r\nHost: " + host + "\r\nX: " + strings.Repeat("a", 40<<10) },
		func(int) string { return "GET /_cowboy/health HTTP/1.1\r\nHost: x.cow\r\n\r\n" },
		func(int) string { return "GET / HT" },
		func(int) string { return "\x16\x03\x01\x02\x00\x01" },
		func(i int) string {
			return fmt.Sprintf("GET /_cowboy/requests/%036d HTTP/1.1\r\nHost: %s\r\n\r\n", i, host)
		},
	}
	var all sync.WaitGroup
	for i := range *hostileClients {
		all.Go(func() {
			conn, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				return // it is full, which is well
			}
			defer conn.Close()
			attack := attacks[i%len(attacks)]
			for n := range 50 {
				if _, err := io.WriteString(conn, attack(50*i+n)); err != nil {
					break
				}
			}
			_ = conn.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, conn)
		})
	}
	for range 20 {
		if x, _ := call(t, s, "GET", "quiet.cow", "/", ""); x.StatusCode != 200 {
			t.Errorf("an actor that is not attacked: %d", x.StatusCode)
		}
	}
	all.Wait()
	w.mu.Lock()
	sent := len(w.sent)
	w.mu.Unlock()
	if names := w.names.Load(); names > 100 {
		t.Errorf("%d lookups of hosts", names)
	}
	if n := w.queries.Load() + int64(sent); n > 21+100 {
		t.Errorf("%d requests reached the node", n)
	}
}

// Paths that could be read as two: what is the gateway's never reaches the actor, whatever it is written as, and what reaches the actor does so as one text.
//
// Spec: gateway-payments-streams §B (paths under /_cowboy/ must not reach the actor); RFC 3986 §6.2.2.
func TestPathGames(t *testing.T) {
	for path, want := range map[string]string{
		"/_cowboy/x": "404", "/%5fcowboy/x": "404", "/%5Fcowboy%2Fx": "404", "/_cowboy": "404", "/_cowboy%2f..%2fx": "404", "/_cowboy/../x": "404",
		"/x/../_cowboy/x": "/x/../_cowboy/x", "//_cowboy/x": "//_cowboy/x", "/_Cowboy/x": "/_Cowboy/x", "/a%2Fb": "/a/b", "/a%252Fb": "/a%2Fb",
		"/%": "400", "/%zz": "400", "/a%00b": "/a\x00b", "/a?b=%zz": "/a", "/a;b": "/a;b", "/%c3%28": "400", "*": "400", "x": "400",
		"http://" + host + "/_cowboy/x": "404", "/" + strings.Repeat("a", 8_191): "/" + strings.Repeat("a", 8_191),
		"/" + strings.Repeat("a", 8_192): "400",
	} {
		t.Run(path[:min(len(path), 40)], func(t *testing.T) {
			w, got := newWorld(), ""
			w.query = func(e cbor.Map, _ *Question) (cbor.Map, error) {
				one, _ := e.Lookup("path")
				got = one.(string)
				return cbor.Map{{Key: "status", Value: 200}}, nil
			}
			s := open(t, w, nil)
			conn, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			x, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer x.Body.Close()
			if x.StatusCode != http.StatusOK {
				got = fmt.Sprint(x.StatusCode)
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
