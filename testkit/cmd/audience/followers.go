package main

import (
	"bufio"
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
)

// crowd says how many follow in which way.
type crowd struct {
	blocks, everything, slow int
	rate                     int // bytes a slow one reads in a second
}

// followers are those who follow, and what they saw.
type followers struct {
	count    int
	end      context.CancelFunc
	done     sync.WaitGroup
	messages atomic.Int64
	lagged   atomic.Int64
	cut      atomic.Int64 // streams that ended before they were left
}

func (f *followers) leave() {
	f.end()
	f.done.Wait()
}

func (f *followers) String() string {
	return fmt.Sprintf("%d messages received; %d times lagged, %d streams cut off", f.messages.Load(), f.lagged.Load(), f.cut.Load())
}

// join connects them all.
func (c crowd) join(ctx context.Context, url string) (*followers, error) {
	ctx, end := context.WithCancel(ctx)
	f := &followers{count: c.blocks + c.everything + c.slow, end: end}
	fast := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: -1}}
	narrow := &net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
	}}
	slow := &http.Client{Transport: &http.Transport{DialContext: narrow.DialContext, ReadBufferSize: 4 << 10}}
	for i := range f.count {
		client, kinds, rate := fast, "blocks", 0
		if i >= c.blocks {
			kinds = "blocks,receipts,events"
		}
		if i >= c.blocks+c.everything {
			client, rate = slow, c.rate
		}
		request, err := http.NewRequestWithContext(ctx, "GET", url+"/stream?kinds="+kinds, nil)
		if err != nil {
			return nil, err
		}
		answer, err := client.Do(request)
		if err != nil {
			end()
			return nil, fmt.Errorf("follower %d: %w", i, err)
		}
		if answer.StatusCode != http.StatusOK {
			end()
			return nil, fmt.Errorf("follower %d: %s", i, answer.Status)
		}
		f.done.Go(func() { f.follow(ctx, answer.Body, rate) })
	}
	return f, nil
}

// follow reads a stream, so many bytes a second unless rate is zero.
func (f *followers) follow(ctx context.Context, body io.ReadCloser, rate int) {
	defer body.Close()
	var from io.Reader = body
	if rate > 0 {
		from = &dripping{body, rate}
	}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		switch text := lines.Text(); {
		case strings.HasPrefix(text, "event: lagged"):
			f.lagged.Add(1)
		case strings.HasPrefix(text, "event: "):
			f.messages.Add(1)
		}
	}
	if ctx.Err() == nil {
		f.cut.Add(1)
	}
}

// dripping reads so many bytes a second.
type dripping struct {
	from io.Reader
	rate int
}

func (d *dripping) Read(p []byte) (int, error) {
	time.Sleep(time.Second / 4)
	return io.ReadFull(d.from, p[:min(len(p), d.rate/4)])
}
