package queue

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// While strangers take more connections than the port of workers has, say nothing, send garbage and claim lines and messages that are huge, log in with keys
// that nobody let in and with signatures of another, a worker of another machine joins, does jobs and brings the results. Each machine has its part of the
// connections; when the strangers go, so do theirs.
func TestWorkersAmongStrangers(t *testing.T) {
	t.Parallel()
	const raiders = 8
	const each = maxConnections/raiders + 8
	f := open(t, nil)
	results := make(chan string, 64)
	if err := f.Results(func(_ string, data []byte) bool { results <- string(data); return true }); err != nil {
		t.Fatal(err)
	}
	strange, public := seed(t)
	attacks := []string{
		"", "\x16\x03\x01\x02\x00\x01", strings.Repeat("A", 8<<10), "PUB jobs.http 2000000000\r\n",
		"CONNECT {\"nkey\":\"" + public + "\",\"sig\":\"AAAA\"}\r\nPING\r\n", "CONNECT " + strings.Repeat("{", 4<<10) + "\r\n",
		"SUB results.> 1\r\nPING\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all, arrived sync.WaitGroup
	var mu sync.Mutex
	refused := 0
	address := f.front.listener.Addr().String()
	for i := range raiders {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 7, 0, byte(48+i))}}
		for c := range each {
			arrived.Add(1)
			all.Go(func() {
				conn, err := dialer.DialContext(ctx, "tcp", address)
				if err == nil {
					_, _ = io.WriteString(conn, attacks[c%len(attacks)])
				}
				arrived.Done()
				if err != nil {
					return
				}
				defer conn.Close()
				defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
				answer, _ := io.ReadAll(io.LimitReader(conn, 64<<10))
				mu.Lock()
				defer mu.Unlock()
				if strings.Contains(string(answer), "Authorization Violation") {
					refused++
				}
			})
		}
	}
	arrived.Wait()
	if _, err := Join(Joining{URL: f.Address(), Seed: strange}); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("a key that nobody let in: %v", err)
	}
	var w *Worker
	again, limit := time.NewTicker(50*time.Millisecond), time.NewTimer(time.Minute)
	defer again.Stop()
	defer limit.Stop()
	for w == nil { // a machine that has no connection gets one, sooner or later before it has said who it is
		var err error
		if w, err = Join(Joining{URL: f.Address(), Seed: f.http}); err != nil {
			select {
			case <-again.C:
			case <-limit.C:
				t.Fatalf("no worker joins: %v", err)
			}
		}
	}
	t.Cleanup(w.Close)
	const jobs = 20
	f.put(t, "http", jobs)
	var done sync.WaitGroup
	done.Go(func() { _ = w.Work(ctx, "http", func(_ context.Context, job []byte) []byte { return job }) })
	seen := map[string]bool{}
	for len(seen) < jobs {
		select {
		case r := <-results:
			seen[r] = true
		case <-limit.C:
			t.Fatalf("%d of %d jobs", len(seen), jobs)
		}
	}
	if n := f.front.places.Taken(); n > maxConnections {
		t.Errorf("%d connections", n)
	}
	if files, err := os.ReadDir("/proc/self/fd"); err != nil || len(files) > 4*raiders*each+256 { // of strangers, of the front both ways, of the server
		t.Errorf("%d descriptors: %v", len(files), err)
	}
	cancel()
	all.Wait()
	done.Wait()
	if refused == 0 {
		t.Error("nobody was told that it may not come in")
	}
	for f.front.places.Taken() > 2 { // the worker's, and one that was about to be let go
		select {
		case <-again.C:
		case <-limit.C:
			t.Fatalf("%d connections stay", f.front.places.Taken())
		}
	}
}
