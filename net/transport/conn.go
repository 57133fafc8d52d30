package transport

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
)

// conn is a connection that has said hello and has its place.
type conn struct {
	transport *Transport
	quic      *quic.Conn
	peer      Peer
	place     place
	former    *conn // the connection to the same peer before this one, if the host may not know of its end yet
	lanes     [ChannelCount]lane
	tick      atomic.Uint64 // counts the watch's rounds, from 1
	done      chan struct{} // closed after Handler.Down

	mu      sync.Mutex
	work    sync.WaitGroup
	closing bool
}

// run carries a connection from Up to Down.
func (c *conn) run() {
	defer close(c.done)
	if c.former != nil {
		<-c.former.done
		c.former = nil
	}
	host := c.transport.host
	host.Up(c.peer)
	stop := c.watch()
	c.streams()
	c.mu.Lock()
	c.closing = true
	c.mu.Unlock()
	c.work.Wait()
	stop()
	c.transport.leave(c)
	host.Down(c.peer, c.cause())
	c.transport.told(c)
}

// spawn runs f until the connection's end is waited for. It reports false when that has begun.
func (c *conn) spawn(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return false
	}
	c.work.Go(f)
	return true
}

// streams reads the streams the peer opens. It returns when the connection has ended.
func (c *conn) streams() {
	ctx := c.quic.Context()
	for {
		stream, err := c.quic.AcceptUniStream(ctx)
		if err != nil {
			break
		}
		c.spawn(func() { c.read(stream) })
	}
	<-ctx.Done()
}

// watch looks at every frame under way a few times per Limits.Stall, and ends a lookup that has lived long enough.
func (c *conn) watch() (stop func()) {
	clock, limits := c.transport.config.Clock, c.transport.config.Limits
	w := &watch{clock: clock, every: limits.Stall / stallTicks, round: func() bool {
		channel, stalled := c.stalled(c.tick.Add(1))
		if stalled {
			go c.end(NewRefusal(CodeStalled, "no progress on %v for %v", channel, limits.Stall))
		}
		return !stalled
	}}
	w.arm()
	if c.peer.Purpose == Full {
		return w.stop
	}
	brief := clock.AfterFunc(limits.Brief, func() { go c.end(NewRefusal(CodeDone, "the lookup is over")) })
	return func() {
		brief.Stop()
		w.stop()
	}
}

// watch calls round again and again until it says false.
type watch struct {
	clock Clock
	every time.Duration
	round func() bool

	mu      sync.Mutex
	timer   Timer
	stopped bool
}

func (w *watch) arm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.timer = w.clock.AfterFunc(w.every, func() {
			if w.round() {
				w.arm()
			}
		})
	}
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.timer.Stop()
}

// stallTicks is how many of the watch's rounds make Limits.Stall.
const stallTicks = 4

// stalled finds a channel whose frame has not moved for a whole Limits.Stall.
func (c *conn) stalled(now uint64) (Channel, bool) {
	for i := range c.lanes {
		for _, mark := range []uint64{c.lanes[i].reading.Load(), c.lanes[i].writing.Load()} {
			if mark != 0 && now > mark+stallTicks {
				return Channel(i), true
			}
		}
	}
	return 0, false
}

// sleep waits on the clock; false means that the connection ended first.
func (c *conn) sleep(d time.Duration) bool {
	woken := make(chan struct{})
	timer := c.transport.config.Clock.AfterFunc(d, func() { close(woken) })
	defer timer.Stop()
	select {
	case <-woken:
		return true
	case <-c.quic.Context().Done():
		return false
	}
}

// end closes the connection and tells the peer why. The first reason given, by either side, is the one reported; QUIC ignores the
// others.
func (c *conn) end(why *Refusal) {
	_ = c.quic.CloseWithError(quic.ApplicationErrorCode(why.Code), why.Text)
}

// cause is why the connection ended.
func (c *conn) cause() error {
	return reason(context.Cause(c.quic.Context()))
}
