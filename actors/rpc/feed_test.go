package rpc

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// counted is a backend that counts how often blocks are read, and may do something meanwhile.
type counted struct {
	*fake
	reads  atomic.Int64
	during func(height uint64)
}

func (c *counted) BlockReceipts(height uint64) ([]wire.Receipt, error) {
	c.reads.Add(1)
	if c.during != nil {
		c.during(height)
	}
	return c.fake.BlockReceipts(height)
}

// TestManyFollowers: a block is read and written out once, however many clients follow.
func TestManyFollowers(t *testing.T) {
	const clients, blocks = 300, 5
	c := &counted{fake: newFake(3)}
	s := serve(t, c.fake, func(cfg *Config) { cfg.Backend, cfg.Limits.RequestsPerSecond = c, 0 })
	var connected, done sync.WaitGroup
	connected.Add(clients)
	got := make([][]string, clients)
	for i := range clients {
		done.Go(func() {
			got[i] = ids(t, s.URL+"/stream", "", 3*blocks, func() { connected.Done() })
		})
	}
	connected.Wait()
	for range blocks {
		c.grow()
	}
	done.Wait()
	for i := range got {
		if strings.Join(got[i], ",") != strings.Join(got[0], ",") || len(got[i]) != 3*blocks {
			t.Fatalf("client %d: %v, another %v", i, got[i], got[0])
		}
	}
	if n := c.reads.Load(); n != blocks {
		t.Errorf("%d blocks were read %d times for %d clients", blocks, n, clients)
	}
}

// TestFollowerLagged: a client that followed and fell behind is told how much it misses, and goes on where it may.
func TestFollowerLagged(t *testing.T) {
	c := &counted{fake: newFake(3)}
	s := serve(t, c.fake, func(cfg *Config) { cfg.Backend, cfg.Limits.StreamLag = c, 5 })
	c.during = func(height uint64) {
		for range 20 { // while the client is served block 4, twenty more come
			if height == 4 {
				c.grow()
			}
		}
	}
	got := ids(t, s.URL+"/stream?kinds=blocks", "", 3, c.grow)
	if want := "block 4.2,lagged 4.2,block 19.2"; strings.Join(got, ",") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestFeedTriesAgain: a block that could not be read is not kept.
func TestFeedTriesAgain(t *testing.T) {
	f := newFake(3)
	f.broken = true
	var feed feed
	if _, _, err := feed.block(f, 2, false); err == nil {
		t.Error("a broken disk gave a block")
	}
	f.broken = false
	r, done, err := feed.block(f, 2, false)
	if err != nil || len(r.list) != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	done()
	for height := range uint64(3 * feedBlocks) {
		f.grow()
		_, done, err := feed.block(f, height, false)
		if err != nil {
			t.Fatal(err)
		}
		done()
	}
	if len(feed.kept) != feedBlocks || len(feed.order) != feedBlocks {
		t.Errorf("%d blocks are kept", len(feed.kept))
	}
}

// TestMisbehavingClients: what a client gets wrong is answered with a typed error before anything is read for it.
func TestMisbehavingClients(t *testing.T) {
	c := &counted{fake: newFake(3)}
	s := serve(t, c.fake, func(cfg *Config) { cfg.Backend, cfg.Limits.Streams = c, 1 })
	for i, x := range []struct {
		method, path, body string
		status             int
		code               float64
	}{
		{"GET", "/stream?cursor=x", "", 400, 4000},
		{"GET", "/stream?cursor=1.-1", "", 400, 4000},
		{"GET", "/stream?cursor=1.99999999999999999999", "", 400, 4000},
		{"GET", "/stream?cursor=99999999999999999999", "", 400, 4000},
		{"GET", "/stream?kinds=everything", "", 400, 4000},
		{"GET", "/stream?actor=bob", "", 400, 4000},
		{"GET", "/blocks?offset=-1", "", 400, 4000},
		{"GET", "/blocks?limit=many", "", 400, 4000},
		{"POST", "/submit_wait?timeout_ms=1", "", 400, 4000},
		{"POST", "/submit", strings.Repeat("x", 600<<10), 413, 4013},
		{"POST", "/faucet", strings.Repeat("{", 2<<20), 400, 4000},
		{"DELETE", "/blocks", "", 404, 4004},
		{"POST", "/dev/advance", `{"blocks":1}`, 404, 4004},
		{"GET", "/dev", "", 404, 4004},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			status, body := ask(t, x.method, s.URL+x.path, "application/json", x.body)
			if status != x.status || body["code"] != x.code {
				t.Errorf("%s %s: %d %v", x.method, x.path, status, body)
			}
		})
	}
	if n := c.reads.Load(); n != 0 {
		t.Errorf("%d blocks were read", n)
	}
	open, err := http.Get(s.URL + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer open.Body.Close()
	if status, body := ask(t, "GET", s.URL+"/stream", "", ""); status != 429 || body["code"] != 4029.0 {
		t.Errorf("a stream too many: %d %v", status, body)
	}
}

// BenchmarkFollowers is what one block costs the node when so many clients follow, without their connections.
func BenchmarkFollowers(b *testing.B) {
	for _, clients := range []int{1, 1_000} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			f := newFake(1)
			s := &server{Config: Config{Backend: f}}
			w, all := httptest.NewRecorder(), filter{blocks: true, receipts: true, events: true}
			out := &sentEvents{w: w, control: http.NewResponseController(w), request: b.Context()}
			height := uint64(1)
			for b.Loop() {
				f.grow()
				height++
				for range clients {
					w.Body.Reset()
					if err := s.sendBlock(out, &all, place{height: height}, false); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
