package transport

import (
	"bytes"
	"crypto/sha256"
	"net/netip"
	"sync"
	"testing"
	"time"
)

// patience bounds every wait of a test; it is reached only by a failure.
const patience = 20 * time.Second

type ended struct {
	id  ID
	why error
}

type failed struct {
	target Target
	why    error
}

// watcher is a Handler that records.
type watcher struct {
	up     chan Peer
	down   chan ended
	failed chan failed
	cold   chan error // inbound connections refused
	frames [ChannelCount]chan *Frame
	refuse func(*Frame) bool // sheds a frame
}

func newWatcher() *watcher {
	w := &watcher{up: make(chan Peer, 1024), down: make(chan ended, 1024), failed: make(chan failed, 1024), cold: make(chan error, 1024)}
	for i := range w.frames {
		w.frames[i] = make(chan *Frame, 1<<16)
	}
	return w
}

func (w *watcher) Up(p Peer)                { w.up <- p }
func (w *watcher) Down(p Peer, why error)   { w.down <- ended{p.ID, why} }
func (w *watcher) Failed(t Target, e error) { w.failed <- failed{t, e} }
func (w *watcher) Refused(_ netip.AddrPort, why error) {
	select {
	case w.cold <- why:
	default:
	}
}
func (w *watcher) Receive(f *Frame) bool {
	if w.refuse != nil && w.refuse(f) {
		return false
	}
	select {
	case w.frames[f.Channel] <- f:
		return true
	default:
		return false
	}
}

type node struct {
	*Transport
	*watcher
	t testing.TB
}

func testKey(name string) Key {
	seed := sha256.Sum256([]byte(name))
	k, err := KeyFromSeed(seed[:])
	if err != nil {
		panic(err)
	}
	return k
}

func testConfig(name string) Config {
	return Config{
		Key: testKey(name), Network: "test", Genesis: [32]byte{1}, Agent: "tester/" + name, Instance: 1,
		Address: netip.MustParseAddrPort("127.0.0.1:0"), Limits: DefaultLimits(),
	}
}

func start(t testing.TB, config Config) *node {
	return startWith(t, config, newWatcher())
}

func startWith(t testing.TB, config Config, w *watcher) *node {
	t.Helper()
	tr, err := Listen(config, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return &node{tr, w, t}
}

func named(t testing.TB, name string) *node { return start(t, testConfig(name)) }

// await takes the next value of a channel.
func await[T any](t testing.TB, c <-chan T, what string) T {
	t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case v := <-c:
		return v
	case <-timeout.C:
		t.Fatalf("no %s came", what)
		panic("unreachable")
	}
}

// join connects a to b and waits for both to know.
func join(t testing.TB, a, b *node) {
	t.Helper()
	a.Dial(Target{ID: b.Self(), Address: b.Address()})
	if p := await(t, a.up, "peer"); p.ID != b.Self() || p.Inbound {
		t.Fatalf("dialed %v, connected to %+v", b.Self(), p)
	}
	if p := await(t, b.up, "peer"); p.ID != a.Self() || !p.Inbound {
		t.Fatalf("expected %v, got %+v", a.Self(), p)
	}
}

// deliver sends a frame and waits for it.
func deliver(t testing.TB, from, to *node, c Channel, data []byte) {
	t.Helper()
	if o := from.Send(to.Self(), c, data); o != Queued {
		t.Fatalf("%v frame of %d bytes: %v", c, len(data), o)
	}
	f := await(t, to.frames[c], "frame")
	if f.From != from.Self() || f.Channel != c || !bytes.Equal(f.Data, data) {
		t.Fatalf("%d bytes from %v on %v", len(f.Data), f.From.Short(), f.Channel)
	}
	f.Done()
	f.Done()
}

// handClock is a clock that stands still until it is moved.
type handClock struct {
	mu      sync.Mutex
	now     time.Time
	pending []*handTimer
	armed   chan struct{} // a timer was set
}

type handTimer struct {
	clock *handClock
	at    time.Time
	f     func()
}

func newHandClock() *handClock {
	return &handClock{now: time.Unix(1_700_000_000, 0), armed: make(chan struct{}, 1<<16)}
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) AfterFunc(d time.Duration, f func()) Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &handTimer{c, c.now.Add(d), f}
	c.pending = append(c.pending, t)
	select {
	case c.armed <- struct{}{}:
	default:
	}
	return t
}

func (t *handTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	for i, p := range t.clock.pending {
		if p == t {
			t.clock.pending = append(t.clock.pending[:i], t.clock.pending[i+1:]...)
			return true
		}
	}
	return false
}

// advance moves the clock and calls what falls due, in the order it was set.
func (c *handClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []func()
	keep := c.pending[:0]
	for _, p := range c.pending {
		if p.at.After(c.now) {
			keep = append(keep, p)
		} else {
			due = append(due, p.f)
		}
	}
	c.pending = keep
	c.mu.Unlock()
	for _, f := range due {
		f()
	}
}
