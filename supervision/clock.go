package supervision

import (
	"sync"
	"time"
)

// Clock is the only way actors and supervisors learn the time and set node-local
// deadlines.
type Clock interface {
	// Now returns the present instant.
	Now() time.Time
	// AfterFunc calls f once, d from now, on a goroutine of the clock's choosing.
	// f must only send a command.
	AfterFunc(d time.Duration, f func()) Deadline
}

// Deadline is a pending AfterFunc.
type Deadline interface {
	// Stop cancels the call and reports whether it was still pending.
	Stop() bool
}

// RealClock is the machine's clock.
type RealClock struct{}

// Now implements Clock.
func (RealClock) Now() time.Time { return time.Now() }

// AfterFunc implements Clock.
func (RealClock) AfterFunc(d time.Duration, f func()) Deadline { return time.AfterFunc(d, f) }

// VirtualClock is a clock that stands still until it is advanced. Deadlines that
// fall due at the same instant are called in the order they were set.
type VirtualClock struct {
	mu      sync.Mutex
	now     time.Time
	seq     uint64
	pending []*virtualDeadline
}

type virtualDeadline struct {
	clock *VirtualClock
	at    time.Time
	seq   uint64
	f     func()
}

// NewVirtualClock returns a clock that reads start.
func NewVirtualClock(start time.Time) *VirtualClock {
	return &VirtualClock{now: start}
}

// Now implements Clock.
func (c *VirtualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// AfterFunc implements Clock. f runs inside Advance or Next.
func (c *VirtualClock) AfterFunc(d time.Duration, f func()) Deadline {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	t := &virtualDeadline{clock: c, at: c.now.Add(max(d, 0)), seq: c.seq, f: f}
	c.pending = append(c.pending, t)
	return t
}

// Stop implements Deadline.
func (t *virtualDeadline) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	return t.clock.remove(t)
}

func (c *VirtualClock) remove(t *virtualDeadline) bool {
	for i, p := range c.pending {
		if p == t {
			c.pending = append(c.pending[:i], c.pending[i+1:]...)
			return true
		}
	}
	return false
}

// Advance moves the clock forward by d and calls every deadline that falls due
// on the way, in order, each at its own instant.
func (c *VirtualClock) Advance(d time.Duration) {
	end := c.Now().Add(d)
	for c.fire(end) {
	}
	c.mu.Lock()
	c.now = end
	c.mu.Unlock()
}

// Next moves the clock to the earliest deadline and calls it. It reports false
// when nothing is pending.
func (c *VirtualClock) Next() bool {
	return c.fire(time.Unix(1<<62-1, 0))
}

// Pending returns the number of deadlines that have not been called.
func (c *VirtualClock) Pending() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending)
}

func (c *VirtualClock) fire(end time.Time) bool {
	c.mu.Lock()
	var first *virtualDeadline
	for _, p := range c.pending {
		if p.at.After(end) {
			continue
		}
		if first == nil || p.at.Before(first.at) || p.at.Equal(first.at) && p.seq < first.seq {
			first = p
		}
	}
	if first == nil {
		c.mu.Unlock()
		return false
	}
	c.remove(first)
	c.now = first.at
	c.mu.Unlock()
	first.f()
	return true
}
