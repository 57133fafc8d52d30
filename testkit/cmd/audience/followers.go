package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coder/websocket"
)

// crowd says how many follow in which way.
type crowd struct {
	blocks, everything, slow int
	stuck                    int // stop reading, and go on when the stretch is over
	rate                     int // bytes a slow one reads in a second
}

// later is how long those who stopped reading may read before all leave.
const later = 5 * time.Second

// maxFrame bounds a message.
const maxFrame = 8 << 20

// followers are those who follow, and what they saw.
type followers struct {
	count    int
	stuck    int
	end      context.CancelFunc
	wake     chan struct{} // closed: those who stopped reading go on
	done     sync.WaitGroup
	messages atomic.Int64
	lagged   atomic.Int64
	cut      atomic.Int64 // streams that ended before they were left
}

func (f *followers) leave() {
	close(f.wake)
	if f.stuck > 0 {
		time.Sleep(later)
	}
	f.end()
	f.done.Wait()
}

func (f *followers) String() string {
	return fmt.Sprintf("%d messages received; %d times lagged, %d streams cut off", f.messages.Load(), f.lagged.Load(), f.cut.Load())
}

// join connects them all, every other one as a WebSocket client.
func (c crowd) join(ctx context.Context, url string) (*followers, error) {
	ctx, end := context.WithCancel(ctx)
	f := &followers{count: c.blocks + c.everything + c.slow + c.stuck, stuck: c.stuck, end: end, wake: make(chan struct{})}
	for i := range f.count {
		kinds, dial, open := "blocks", &net.Dialer{}, openEvents
		if i >= c.blocks {
			kinds = "blocks,receipts,events"
		}
		if i%2 == 1 {
			open = openSocket
		}
		slow := i - c.blocks - c.everything
		if slow >= 0 {
			dial = narrow
		}
		conn, err := dial.DialContext(ctx, "tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			end()
			return nil, fmt.Errorf("follower %d: %w", i, err)
		}
		context.AfterFunc(ctx, func() { _ = conn.Close() })
		p := &paced{Conn: conn}
		next, err := open(ctx, p, kinds)
		if err != nil {
			end()
			return nil, fmt.Errorf("follower %d: %w", i, err)
		}
		switch {
		case slow >= c.slow:
			p.wake = f.wake
		case slow >= 0:
			p.rate = c.rate
		}
		f.done.Go(func() { f.follow(ctx, next) })
	}
	return f, nil
}

// narrow dials with a small receive buffer.
var narrow = &net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
}}

// message reads a stream's next message: whether it says that the client lags.
type message func() (lagged bool, err error)

// openEvents asks for server-sent events over a connection.
func openEvents(_ context.Context, conn net.Conn, kinds string) (message, error) {
	if _, err := fmt.Fprintf(conn, "GET /stream?kinds=%s HTTP/1.1\r\nHost: node\r\n\r\n", kinds); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("/stream: %s", answer.Status)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, maxFrame)
	return func() (bool, error) {
		for lines.Scan() {
			if kind, ok := bytes.CutPrefix(lines.Bytes(), []byte("event: ")); ok {
				return string(kind) == "lagged", nil
			}
		}
		return false, io.EOF
	}, nil
}

// openSocket asks for the same as a WebSocket client. Nothing but reading messages reads the connection.
func openSocket(ctx context.Context, conn net.Conn, kinds string) (message, error) {
	over := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return conn, nil }}
	socket, _, err := websocket.Dial(ctx, "ws://node/ws?kinds="+kinds, &websocket.DialOptions{HTTPClient: &http.Client{Transport: over}})
	if err != nil {
		return nil, err
	}
	socket.SetReadLimit(maxFrame)
	return func() (bool, error) {
		_, text, err := socket.Read(context.Background()) // until the connection is closed
		return bytes.HasPrefix(text, []byte(`{"kind":"lagged"`)), err
	}, nil
}

// follow reads a stream until it ends.
func (f *followers) follow(ctx context.Context, next message) {
	for {
		lagged, err := next()
		switch {
		case err != nil:
			if ctx.Err() == nil {
				f.cut.Add(1)
			}
			return
		case lagged:
			f.lagged.Add(1)
		default:
			f.messages.Add(1)
		}
	}
}

// paced is a connection of which nothing is read before wake is closed, and so many bytes a second, unless they are not set.
type paced struct {
	net.Conn
	wake <-chan struct{}
	rate int
}

func (p *paced) Read(into []byte) (int, error) {
	if p.wake != nil {
		<-p.wake
	}
	if p.rate == 0 {
		return p.Conn.Read(into)
	}
	time.Sleep(time.Second / 4)
	return io.ReadFull(p.Conn, into[:min(len(into), max(p.rate/4, 1))])
}
