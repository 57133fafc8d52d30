package rpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// received is a context with one message.
type received struct {
	actor.Context
	message any
}

func (r received) Message() any { return r.message }

// TestRestartFreesTheAddress: an instance that replaces a failed one serves the same address at once, whatever the clients of the old one do; those are
// cut off. What the old one's listener says afterwards does not concern it.
func TestRestartFreesTheAddress(t *testing.T) {
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	entered, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stuck" {
			close(entered)
			<-release // whoever cancels it
		}
		fmt.Fprint(w, "served")
	})
	inbox := NewInbox()
	first := &Service{Address: listener.Addr().String(), Handler: handler, Inbox: inbox, First: listener}
	first.Receive(received{message: &actor.Started{}})
	old := first.server
	stuck := make(chan error, 1)
	go func() {
		answer, err := http.Get("http://" + first.Address + "/stuck")
		if err == nil {
			_ = answer.Body.Close()
		}
		stuck <- err
	}()
	<-entered
	first.Receive(received{message: &actor.Restarting{}})
	second := &Service{Address: first.Address, Handler: handler, Inbox: inbox}
	second.Receive(received{message: &actor.Started{}})
	defer second.Receive(received{message: &actor.Stopping{}})
	second.Receive(received{message: serveFailed{old, net.ErrClosed}})
	if err := <-stuck; err == nil {
		t.Error("a request of the failed instance was answered")
	}
	answer, err := http.Get("http://" + second.Address + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || string(text) != "served" {
		t.Errorf("%q %v", text, err)
	}
}

// narrow dials with a small receive buffer.
func narrow(address string) (net.Conn, error) {
	d := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
	}}
	return d.Dial("tcp", address)
}

// TestFollowerCutOff: a client that takes nothing is cut off, its place is another's, and it may come back with the cursor it has. When it reads again, the
// last it reads is that.
func TestFollowerCutOff(t *testing.T) {
	f := newFake(3)
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	limits := DefaultLimits()
	limits.StreamWrite, limits.StreamLag, limits.Streams, limits.RequestsPerSecond = 20*time.Millisecond, 0, 1, 0
	s := &Service{Address: listener.Addr().String(), Handler: NewHandler(Config{Backend: f, Limits: limits}), Inbox: NewInbox(), First: listener}
	s.Receive(received{message: &actor.Started{}})
	defer s.Receive(received{message: &actor.Stopping{}})
	conn, err := narrow(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
	lines := bufio.NewScanner(conn)
	for lines.Scan() && lines.Text() != ": connected" {
	}
	const blocks = 4_000 // more than the buffers between them hold
	for range blocks {
		f.grow()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for { // until the one place is free
		if answered(t, "http://"+s.Address+"/stream") == http.StatusOK {
			break
		}
		select {
		case <-ctx.Done():
			t.Fatal("the client is not cut off")
		case <-tick.C:
		}
	}
	var last string
	var text []string
	for lines.Scan() {
		text = append(text, lines.Text())
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			last = id
		}
	}
	height, index, err := parseCursor(last)
	if err != nil || height <= 3 || height >= blocks {
		t.Fatalf("cut off after %s: %v, %v", last, err, lines.Err())
	}
	end := fmt.Sprintf("event: cut|data: {\"cursor\":%q,\"reason\":\"nothing was taken for 20ms\"}||", last)
	if got := strings.Join(text, "|"); !strings.Contains(got, end) || !strings.HasSuffix(got, "|0|") {
		t.Errorf("the stream ended with %q", got[max(0, len(got)-300):])
	}
	for {
		next := ids(t, "http://"+s.Address+"/stream", last, 1, nil)
		if len(next) == 0 {
			continue // the place is still taken
		}
		if want := fmt.Sprintf(" %d.%d", height, index+1); !strings.HasSuffix(next[0], want) && !strings.HasSuffix(next[0], fmt.Sprintf(" %d.0", height+1)) {
			t.Errorf("after %s comes %v", last, next)
		}
		return
	}
}

// answered gives the status of an answer and leaves its body.
func answered(t *testing.T, url string) int {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}
