package dev

import (
	"slices"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// Clock is a clock that can be moved forward. It outlives the node's restarts.
type Clock struct {
	base supervision.Clock

	mu      sync.Mutex
	ahead   time.Duration
	pending []*deadline // in the order they were set
}

// NewClock puts a clock before another one.
func NewClock(base supervision.Clock) *Clock { return &Clock{base: base} }

// deadline is a pending call.
type deadline struct {
	clock *Clock
	at    time.Time // of the moved clock
	f     func()
	timer supervision.Deadline
}

// Now implements supervision.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time { return c.base.Now().Add(c.ahead) }

// Ahead is how far the clock was moved.
func (c *Clock) Ahead() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ahead
}

// AfterFunc implements supervision.Clock.
func (c *Clock) AfterFunc(d time.Duration, f func()) supervision.Deadline {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := &deadline{clock: c, at: c.now().Add(d), f: f}
	c.pending = append(c.pending, one)
	c.arm(one, d)
	return one
}

// arm has the base clock end the wait.
func (c *Clock) arm(one *deadline, d time.Duration) {
	one.timer = c.base.AfterFunc(d, func() {
		if one.take() {
			one.f()
		}
	})
}

// take takes the deadline out and reports whether it was still pending.
func (d *deadline) take() bool {
	d.clock.mu.Lock()
	defer d.clock.mu.Unlock()
	i := slices.Index(d.clock.pending, d)
	if i >= 0 {
		d.clock.pending = slices.Delete(d.clock.pending, i, i+1)
	}
	return i >= 0
}

// Stop implements supervision.Deadline.
func (d *deadline) Stop() bool {
	pending := d.take()
	d.clock.mu.Lock()
	timer := d.timer
	d.clock.mu.Unlock()
	timer.Stop()
	return pending
}

// Jump moves the clock forward. Waits go on as long as they would have.
func (c *Clock) Jump(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += by
	for _, one := range c.pending {
		one.at = one.at.Add(by)
	}
}

// Step lets time pass: the clock moves forward, waits that end on the way end now, in the order they would have, and the others are shorter.
func (c *Clock) Step(by time.Duration) {
	c.mu.Lock()
	c.ahead += by
	now := c.now()
	var due []*deadline
	rest := c.pending[:0]
	for _, one := range c.pending {
		one.timer.Stop()
		if one.at.After(now) {
			rest = append(rest, one)
			c.arm(one, one.at.Sub(now))
		} else {
			due = append(due, one)
		}
	}
	clear(c.pending[len(rest):])
	c.pending = rest
	c.mu.Unlock()
	slices.SortStableFunc(due, func(a, b *deadline) int { return a.at.Compare(b.at) })
	for _, one := range due {
		one.f()
	}
}
