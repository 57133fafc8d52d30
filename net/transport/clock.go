package transport

import "time"

// Clock is where the package learns the time and sets its deadlines. QUIC's own loss recovery and idle timer use the machine's.
type Clock interface {
	// Now returns the present instant.
	Now() time.Time
	// AfterFunc calls f once, d from now, unless the timer is stopped before. f must not wait.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a pending AfterFunc.
type Timer interface {
	// Stop cancels the call and reports whether it was still pending.
	Stop() bool
}

// MachineClock is the machine's clock.
type MachineClock struct{}

// Now implements Clock.
func (MachineClock) Now() time.Time { return time.Now() }

// AfterFunc implements Clock.
func (MachineClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }
