package script

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

var hostileClients = flag.Int("hostile-clients", 40, "clients that attack the gateway of TestHostileGateway at a time")

// attacks are what hostile clients send again and again; a text that is no whole request is held open.
var attacks = []func(n int) string{
	func(n int) string { return fmt.Sprintf("GET / HTTP/1.1\r\nHost: nobody-%d.cowboy.network\r\n\r\n", n) },
	func(int) string { return "GET / HTTP/1.1\r\nHost: my-page.cowboy.network\r\n\r\n" },
	func(int) string {
		return "POST /visitors HTTP/1.1\r\nHost: my-page.cowboy.network\r\nContent-Length: 0\r\nPrefer: wait=30\r\n\r\n"
	},
	func(int) string {
		return "POST /x HTTP/1.1\r\nHost: my-page.cowboy.network\r\nContent-Length: 1000000\r\n\r\nslow"
	},
	func(int) string {
		return "POST /x HTTP/1.1\r\nHost: my-page.cowboy.network\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nnever\r\n"
	},
	func(int) string {
		return "GET / HTTP/1.1\r\nHost: my-page.cowboy.network\r\nX: " + strings.Repeat("a", 40<<10) + "\r\n\r\n"
	},
	func(int) string { return "\x16\x03\x01\x02\x00\x01\x00\x01\xfc" },
	func(n int) string {
		return fmt.Sprintf("GET /_cowboy/requests/00000000-0000-4000-8000-%012d HTTP/1.1\r\nHost: my-page.cowboy.network\r\n\r\n", n)
	},
	func(int) string { return "GET /greedy HTTP/1.1\r\nHost: my-page.cowboy.network\r\n\r\n" },
	func(int) string {
		return "GET /_cowboy/chain/proof/record/0x0000000000000000000000000000000000000010/00 HTTP/1.1\r\nHost: x.example\r\n\r\n"
	},
}

// hostile is one client: it attacks until the context ends, over connections that it opens anew where they are closed, and counts what it is answered.
func hostile(ctx context.Context, address string, i int, count func(status int)) {
	var dialer net.Dialer
	for n := 0; ctx.Err() == nil; n++ {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err != nil {
			continue
		}
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		in := bufio.NewReader(conn)
		for err == nil {
			if _, err = io.WriteString(conn, attacks[i%len(attacks)](i*1_000_000+n)); err != nil {
				break
			}
			var x *http.Response
			if x, err = http.ReadResponse(in, nil); err != nil {
				break
			}
			count(x.StatusCode)
			_, err = io.Copy(io.Discard, x.Body)
			n++
		}
		stop()
		_ = conn.Close()
	}
}

// intervals gives how far blocks are apart, in milliseconds of their own timestamps, in order.
func (m *market) intervals(from, to uint64) (list []uint64) {
	m.t.Helper()
	var before uint64
	for h := from; h <= to; h++ {
		var b wire.Block
		if !m.read(fmt.Sprintf("/block/height/%d", h), &b) {
			m.t.Fatalf("no block %d", h)
		}
		if h > from {
			list = append(list, b.TimestampMs-before)
		}
		before = b.TimestampMs
	}
	slices.Sort(list)
	return list
}

// head is the height of the chain.
func (m *market) head() uint64 {
	m.t.Helper()
	var b wire.Block
	if !m.read("/block/latest", &b) {
		m.t.Fatal("no block")
	}
	return b.Height
}

// Clients attack a gateway, each in one of ten ways, while its node makes blocks: forty more are made, whatever the clients are answered is of the gateway's
// table, and afterwards everybody is served. With -v it tells how far the blocks were apart before and during it; by hand with -hostile-clients 1000.
//
// Spec: gateway-payments-streams §B (100 requests/s, 1,000 connections; errors).
func TestHostileGateway(t *testing.T) {
	t.Parallel()
	port := freePorts(t, 2)
	m := &market{t: t, dir: t.TempDir(), url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	s := &shelves{market: m}
	at := fmt.Sprintf("127.0.0.1:%d", port+1)
	s.begin(fmt.Sprintf("cowboyd --block-time 200ms --rpc-port %d --memory --rpc-rate 0", port))
	m.until("the node is up", func() bool { return m.read("/health/ready", new(any)) })
	m.run("cowboy init local")
	m.run("cowboy dev balance " + regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(m.run("cowboy wallet address")) + " 100000")
	source, err := os.ReadFile(filepath.Join("..", "examples", "page.py"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("page.py", string(source))
	m.write("manifest.json", `{"entitlements":[{"id":"econ.hold_balance"},{"id":"ingress.http"},{"id":"storage.kv","params":{"max_bytes":1048576}},`+
		`{"id":"timer.schedule","params":{"max_timers":64}}]}`)
	page := regexp.MustCompile(`Actor address: (0x[0-9a-fA-F]{40})`).FindStringSubmatch(
		m.run("cowboy actor deploy --code page.py --salt 0x01 --manifest-json @manifest.json --wait"))[1]
	m.run("cowboy fund-actor --actor " + page + " --amount 100 --wait")
	m.run("cowboy route register my-page --actor " + page + " --blocks 86400 --wait")
	m.run(fmt.Sprintf("cowboy gateway register --endpoint 127.0.0.1 --port %d --wait", port+1))
	s.begin("cowboy-gateway serve --rpc-url " + m.url + " --private-key .cowboy/keys/local --https= --http " + at + " --heartbeat 0")
	serves := func() bool {
		r, err := http.NewRequest(http.MethodGet, "http://"+at+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "my-page.cowboy.network"
		x, err := http.DefaultClient.Do(r)
		if err != nil {
			return false
		}
		_ = x.Body.Close()
		return x.StatusCode == http.StatusOK
	}
	m.until("the gateway serves the page", serves)

	const blocks = 40
	began := m.head()
	m.until("blocks come", func() bool { return m.head() >= began+blocks })
	quiet := m.intervals(began, began+blocks)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all sync.WaitGroup
	var mu sync.Mutex
	told := map[int]int{}
	for i := range *hostileClients {
		all.Go(func() {
			hostile(ctx, at, i, func(status int) {
				mu.Lock()
				defer mu.Unlock()
				told[status]++
			})
		})
	}
	began = m.head()
	m.until("blocks come while clients attack", func() bool { return m.head() >= began+blocks })
	during := m.intervals(began, began+blocks)
	cancel()
	all.Wait()
	t.Logf("%d clients; milliseconds between blocks: median %d and %d at most before, %d and %d during; answers %v", *hostileClients,
		quiet[blocks/2], quiet[blocks-1], during[blocks/2], during[blocks-1], told)
	for _, status := range []int{404, 429, 431} {
		if told[status] == 0 {
			t.Errorf("nobody was answered with %d: %v", status, told)
		}
	}
	maps.DeleteFunc(told, func(status, _ int) bool {
		return slices.Contains([]int{200, 201, 202, 400, 404, 408, 429, 431, 500, 502, 503}, status)
	})
	if len(told) > 0 {
		t.Errorf("clients are answered with %v", told)
	}
	m.until("the page is served again", serves)
}
