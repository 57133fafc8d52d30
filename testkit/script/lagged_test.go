package script

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// TestLagged: followers of a node who stop reading, of either kind of stream, cost block production nothing, and learn when they read again how many
// blocks they do not get; from there on they miss none.
//
// Spec: node-rpc-cli §1.
func TestLagged(t *testing.T) { // alone, since it makes blocks faster than followers may be slow
	const blocks = 1_900 // more than what lies in buffers on the way and what a follower may be behind
	p := begin(t, filepath.Join(t.TempDir(), "data"))
	p.height(t, 2)
	client := &http.Client{Transport: &http.Transport{DialContext: narrow.DialContext}}
	answer, err := client.Get(p.url + "/stream?kinds=blocks")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	events := bufio.NewReader(answer.Body)
	conn, _, err := websocket.Dial(t.Context(), p.url+"/ws?kinds=blocks", &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	followers := map[string]func() (string, uint64, error){
		"server-sent events": func() (string, uint64, error) { return nextEvent(events) },
		"WebSocket":          func() (string, uint64, error) { return nextFrame(t.Context(), conn) },
	}
	first := map[string]uint64{}
	for name, next := range followers {
		t.Run(name, func(t *testing.T) {
			var err error
			if _, first[name], err = next(); err != nil {
				t.Fatal(name, err)
			}
		})
	}
	answer, err = http.Post(p.url+"/dev/advance", "application/json", strings.NewReader(fmt.Sprintf(`{"blocks":%d}`, blocks)))
	if err != nil {
		t.Fatal(err)
	}
	var at wire.Dev
	err = json.NewDecoder(answer.Body).Decode(&at)
	_ = answer.Body.Close()
	if err != nil || at.Height < blocks {
		t.Fatalf("the node is at %d: %v", at.Height, err)
	}
	for name, next := range followers {
		t.Run(name, func(t *testing.T) {
			lagged := false
			for height := first[name]; height < at.Height; {
				kind, n, err := next()
				switch {
				case kind == "lagged" && n > height+1:
					lagged, height = true, n-1 // where it goes on
				case kind == "block" && n == height+1:
					height = n
				default:
					t.Fatalf("%s: %s %d after block %d, %v", name, kind, n, height, err)
				}
			}
			if !lagged {
				t.Errorf("%s: it was never told", name)
			}
		})
	}
}

// narrow dials with a small receive buffer, so that little is on the way to whoever does not read.
var narrow = &net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
}}

// told is what both kinds of messages say of where they stand.
type told struct {
	Height  uint64 `json:"height"`
	Resumes uint64 `json:"resumes_at"`
}

// nextEvent gives the kind of the next server-sent event and the block it is of, or goes on at.
func nextEvent(r *bufio.Reader) (kind string, height uint64, err error) {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return kind, 0, err
		}
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			kind = strings.TrimSpace(name)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var at told
			err := json.Unmarshal([]byte(data), &at)
			return kind, at.Height + at.Resumes, err
		}
	}
}

// nextFrame is nextEvent for a WebSocket.
func nextFrame(ctx context.Context, conn *websocket.Conn) (kind string, height uint64, err error) {
	_, text, err := conn.Read(ctx)
	if err != nil {
		return "", 0, err
	}
	var m struct {
		Kind string `json:"kind"`
		Data told   `json:"data"`
	}
	err = json.Unmarshal(text, &m)
	return m.Kind, m.Data.Height + m.Data.Resumes, err
}
