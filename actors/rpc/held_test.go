package rpc

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// What slow clients hold of old blocks is bounded in bytes: beyond the bound no other old block is made ready, while new ones are up to a bound of their own.
// It counts once however many hold it, and not at all when nobody does.
func TestBlocksOfSlowClientsAreBounded(t *testing.T) {
	const limit = 200 << 10
	f := feed{limit: limit}
	from := large{newFake(400)}
	var held []func()
	fill := func(height uint64, old bool) (blocks int) {
		for ; ; height++ {
			r, done, err := f.block(from, height, old)
			if errors.Is(err, errFull) {
				return blocks
			}
			if err != nil {
				t.Fatal(err)
			}
			_, again, err := f.block(from, height, old) // the same for another client
			if err != nil && (!errors.Is(err, errFull) || !r.let) {
				t.Fatal(err)
			}
			held = append(held, done)
			if err == nil {
				held = append(held, again)
			}
			if blocks++; f.bytes > limit || f.loose > (looseNew+1)*limit {
				t.Fatalf("%d bytes are kept and %d beside them", f.bytes, f.loose)
			}
		}
	}
	before := fill(1, true)
	if f.loose <= looseOld*limit || f.loose > (looseOld+1)*limit {
		t.Errorf("no more old blocks where %d bytes are held", f.loose)
	}
	if more := fill(200, false); before == 0 || more == 0 || f.loose <= looseNew*limit {
		t.Errorf("%d old blocks, %d new ones, %d bytes are held", before, more, f.loose)
	}
	for _, done := range held {
		done()
	}
	if f.loose != 0 {
		t.Errorf("%d bytes count that nobody holds", f.loose)
	}
	if again := fill(1, true); again != before {
		t.Errorf("%d old blocks after all were let go, %d before", again, before)
	}
}

// huge is a backend whose blocks no kernel takes whole.
type huge struct{ *fake }

func (h huge) BlockReceipts(height uint64) ([]wire.Receipt, error) {
	list, err := h.fake.BlockReceipts(height)
	list[0].ReturnData = strings.Repeat("ab", 16<<20)
	return list, err
}

// While one client takes nothing of a large old block, another that wants an old block is cut off with a reason and the place to go on from; it is served when
// the slow one is gone.
//
// Spec: RFC 6455 §7.4.1 (1013, registered by IANA).
func TestFollowersBesideASlowOne(t *testing.T) {
	s := serve(t, newFake(100), func(cfg *Config) {
		cfg.Backend, cfg.Limits.FeedBytes, cfg.Limits.RequestsPerSecond = huge{newFake(100)}, 1, 0
	})
	slow, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if _, err := slow.Write([]byte("GET /stream?cursor=1.0 HTTP/1.1\r\nHost: node\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(slow); lines.Text() != "event: receipt"; { // the writer has begun with 32 MiB
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
	}
	first := func() string {
		answer, err := http.Get(s.URL + "/stream?cursor=2.1&kinds=blocks")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if kind, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				lines.Scan()
				return kind + " " + lines.Text()
			}
		}
		return "an end"
	}
	if got := first(); got != `cut data: {"cursor":"","reason":"slow readers hold as many blocks as may be held"}` {
		t.Errorf("beside a slow client: %s", got)
	}
	conn, _, err := websocket.Dial(t.Context(), s.URL+"/ws?cursor=2.1&kinds=blocks", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
		t.Errorf("a WebSocket beside a slow client: %v", err)
	}
	_ = slow.Close()
	for strings.HasPrefix(first(), "cut") { // until its writer has noticed
	}
	if got := first(); !strings.HasPrefix(got, "block ") {
		t.Errorf("when the slow client is gone: %s", got)
	}
}
