package sim

import (
	"time"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// clock is a machine's clock: the world's, off by the machine's skew. What was set dies with the machine.
type clock struct{ life *life }

// Now implements supervision.Clock.
func (c *clock) Now() time.Time { return c.life.m.w.now.Add(c.life.m.skew) }

// AfterFunc implements supervision.Clock.
func (c *clock) AfterFunc(d time.Duration, f func()) supervision.Deadline {
	x := &deadline{}
	x.item = c.life.m.w.after(d, func() {
		x.item = nil
		if !c.life.over {
			f()
		}
	})
	return x
}

// deadline is a pending call.
type deadline struct{ item *item }

// Stop implements supervision.Deadline.
func (d *deadline) Stop() bool {
	if d.item == nil {
		return false
	}
	d.item.run, d.item = nil, nil
	return true
}
