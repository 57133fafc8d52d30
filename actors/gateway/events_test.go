package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const twoEvents = ": connected\n\nid: 7.0\nevent: event\ndata: {\"topic\":\"sold\"}\n\nevent: lagged\ndata: {\"missed\":1}\n\ndata: no JSON\n\n"

// feed is a node's stream: what is in it, and then nothing until the client goes.
func feed(ctx context.Context, text string) io.ReadCloser {
	in, out := io.Pipe()
	go func() {
		_, _ = io.WriteString(out, text)
		<-ctx.Done()
		_ = out.Close()
	}()
	return in
}

// A client follows an actor's events as server-sent events, which have their cursors and end when the client goes; the node is told where the client was.
//
// Spec: gateway-payments-streams §B, §E.2 (push).
func TestFollowing(t *testing.T) {
	for name, c := range map[string]struct {
		path    string
		headers []string
		asked   string
	}{
		"from now on":       {eventsPath, nil, " "},
		"of one topic":      {eventsPath + "?topic=sold", nil, "sold "},
		"from a cursor":     {eventsPath + "?cursor=6.1", nil, " 6.1"},
		"a client again":    {eventsPath + "?cursor=6.1", []string{"Last-Event-ID", "7.0"}, " 7.0"},
		"a topic of 64":     {eventsPath + "?topic=" + strings.Repeat("x", 64), nil, strings.Repeat("x", 64) + " "},
		"a cursor's length": {eventsPath + "?cursor=" + strings.Repeat("1", 32), nil, " " + strings.Repeat("1", 32)},
	} {
		t.Run(name, func(t *testing.T) {
			w, asked, gone := newWorld(), make(chan string, 1), make(chan struct{})
			w.follow = func(ctx context.Context, topic, after string) (io.ReadCloser, error) {
				asked <- topic + " " + after
				context.AfterFunc(ctx, func() { close(gone) })
				return feed(ctx, twoEvents), nil
			}
			s := open(t, w, nil)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+c.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			for i := 0; i+1 < len(c.headers); i += 2 {
				r.Header.Set(c.headers[i], c.headers[i+1])
			}
			x, err := s.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer x.Body.Close()
			if x.StatusCode != http.StatusOK {
				t.Fatal(x.Status)
			}
			if got := <-asked; got != c.asked || x.Header.Get("Content-Type") != "text/event-stream" {
				t.Errorf("asked for %q, want %q; %v", got, c.asked, x.Header)
			}
			var lines []string
			in := bufio.NewScanner(x.Body)
			for len(lines) < 9 && in.Scan() {
				lines = append(lines, in.Text())
			}
			want := ": alive||id: 7.0|event: event|data: {\"topic\":\"sold\"}||id: |event: lagged|data: {\"missed\":1}"
			if got := strings.Join(lines, "|"); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			cancel()
			<-gone // or the test ends by its own time
		})
	}
}

// What is refused of a stream, at its bounds.
//
// Spec: gateway-payments-streams §B.
func TestRefusedFollowing(t *testing.T) {
	w := newWorld()
	w.follow = func(context.Context, string, string) (io.ReadCloser, error) {
		return nil, &Refused{Status: 503, Text: "full"}
	}
	s := open(t, w, nil)
	for name, c := range map[string]struct {
		method, path string
		status       int
	}{
		"a topic of 65":     {"GET", eventsPath + "?topic=" + strings.Repeat("x", 65), 400},
		"a cursor of words": {"GET", eventsPath + "?cursor=now", 400},
		"a long cursor":     {"GET", eventsPath + "?cursor=" + strings.Repeat("1", 33), 400},
		"written to":        {"POST", eventsPath, 405},
		"the node refuses":  {"GET", eventsPath, 502},
	} {
		t.Run(name, func(t *testing.T) {
			if x, _ := call(t, s, c.method, host, c.path, ""); x.StatusCode != c.status {
				t.Errorf("%d, want %d", x.StatusCode, c.status)
			}
		})
	}
	m := newMemory()
	var leave func()
	for i := range 513 { // of as many actors as it takes
		var ok bool
		if leave, ok = m.follow(account.Address{byte(i / 64)}); ok != (i < 512) {
			t.Fatalf("stream %d: %v", i, ok)
		}
	}
	if m = newMemory(); leave != nil {
		t.Error("a way out for who is not in")
	}
	for i := range 65 {
		one, ok := m.follow(page)
		if ok != (i < 64) {
			t.Fatalf("stream %d of an actor: %v", i, ok)
		}
		if ok {
			leave = one
		}
	}
	leave()
	if _, ok := m.follow(page); !ok {
		t.Error("no place where one was left")
	}
	full := open(t, w, func(d *Door) { d.memory = m })
	if x, _ := call(t, full, "GET", host, eventsPath, ""); x.StatusCode != 429 || x.Header.Get("X-Cowboy-Error") != "RATE_LIMITED" {
		t.Errorf("one stream too many: %d %v", x.StatusCode, x.Header)
	}
}

// An event with a line of a MiB reaches its client; one that is a byte longer ends the stream, and nothing behind it comes.
func TestLinesOfEvents(t *testing.T) {
	for size, want := range map[int]int{1<<20 - 1: 2, 1 << 20: 2, 1<<20 + 1: 0} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			line := "data: " + strings.Repeat("7", size-len("data: "))
			got := 0
			d := NewDoor(Door{Clock: supervision.RealClock{}})
			err := d.pass(t.Context(), strings.NewReader(line+"\n\ndata: 1\n\n"), func(_ context.Context, m *message) error {
				if m != nil { // it says that it lives, to begin with
					got++
				}
				return nil
			})
			if err != nil || got != want {
				t.Errorf("%d events, want %d; %v", got, want, err)
			}
		})
	}
}

// The same over a WebSocket, each event a JSON text; pages of other origins are refused, and a client that talks is cut off.
//
// Spec: RFC 6455 §4.2, §10.2.
func TestSocket(t *testing.T) {
	w := newWorld()
	w.follow = func(ctx context.Context, _, _ string) (io.ReadCloser, error) { return feed(ctx, twoEvents), nil }
	s := open(t, w, nil)
	for name, c := range map[string]struct {
		origin string
		status int
	}{"no page": {"", 101}, "its own page": {"https://" + host, 101}, "a page of another": {"https://evil.example", 403}} {
		t.Run(name, func(t *testing.T) {
			header := http.Header{}
			if c.origin != "" {
				header.Set("Origin", c.origin)
			}
			ctx := t.Context()
			conn, x, err := websocket.Dial(ctx, s.URL+eventsPath, &websocket.DialOptions{Host: host, HTTPHeader: header})
			if x == nil || x.StatusCode != c.status {
				t.Fatalf("%v %v, want %d", x, err, c.status)
			}
			if err != nil {
				return
			}
			defer conn.CloseNow()
			for _, want := range []string{`{"id":"7.0","event":"event","data":{"topic":"sold"}}`, `{"id":"","event":"lagged","data":{"missed":1}}`} {
				if kind, text, err := conn.Read(ctx); err != nil || kind != websocket.MessageText || string(text) != want {
					t.Errorf("%s %v, want %s", text, err, want)
				}
			}
			if err := conn.Write(ctx, websocket.MessageText, []byte("hello")); err != nil {
				t.Fatal(err)
			}
			if _, _, err := conn.Read(ctx); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
				t.Errorf("talking: %v", fmt.Sprint(err))
			}
		})
	}
}
