package transport

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Every channel carries frames both ways, of every size up to its limit. Spec: WP §6.2.
func TestChannels(t *testing.T) {
	a, b := named(t, "a"), named(t, "b")
	join(t, a, b)
	for c := range Channel(ChannelCount) {
		limit := a.config.Limits.Channels[c].FrameMax
		for _, n := range []int{1, 127, 128, min(limit, step), min(limit, batch+1), limit} {
			data := bytes.Repeat([]byte{byte(n), byte(c)}, n)[:n]
			deliver(t, a, b, c, data)
			deliver(t, b, a, c, data)
		}
		if o := a.Send(b.Self(), c, make([]byte, limit+1)); o != TooLarge {
			t.Errorf("%v: a frame over the limit is %v", c, o)
		}
		if o := a.Send(b.Self(), c, nil); o != TooLarge {
			t.Errorf("%v: an empty frame is %v", c, o)
		}
	}
	if o := a.Send(ID{9}, Sync, []byte{1}); o != Absent {
		t.Errorf("a frame for a stranger is %v", o)
	}
	if o := a.Send(b.Self(), ChannelCount, []byte{1}); o != Absent {
		t.Errorf("a frame on no channel is %v", o)
	}
}

// Frames of a channel keep their order, whatever their sizes.
func TestOrderWithinAChannel(t *testing.T) {
	a, b := named(t, "a"), named(t, "b")
	join(t, a, b)
	const rounds = 2000
	go func() {
		for i := 0; i < rounds; {
			data := make([]byte, 8+(i*7919)%3000)
			binary.BigEndian.PutUint64(data, uint64(i))
			if a.Send(b.Self(), Blocks, data) == Queued {
				i++
			}
		}
	}()
	for i := range uint64(rounds) {
		f := await(t, b.frames[Blocks], "frame")
		if got := binary.BigEndian.Uint64(f.Data); got != i {
			t.Fatalf("frame %d came instead of %d", got, i)
		}
		f.Done()
	}
}

// What a peer is told about the other: identity proven by key, address, agent, where it can be dialed.
func TestPeer(t *testing.T) {
	a, b := named(t, "a"), named(t, "b")
	a.Dial(Target{Address: b.Address()}) // whoever answers
	p, q := await(t, a.up, "peer"), await(t, b.up, "peer")
	if p.ID != b.Self() || p.Key != b.config.Key.Public() || p.Agent != "tester/b" || p.Version != Version || p.Inbound {
		t.Errorf("a sees %+v", p)
	}
	if at, ok := q.Dialable(); !ok || at != a.Address() || q.ID != a.Self() || !q.Inbound {
		t.Errorf("b sees %+v", q)
	}
	closed := testConfig("c")
	closed.Closed = true
	c := start(t, closed)
	c.Dial(Target{ID: b.Self(), Address: b.Address()})
	if _, ok := await(t, b.up, "peer").Dialable(); ok {
		t.Error("a node that only dials is taken for dialable")
	}
}

// Wrong network, genesis and version: both sides know what each of them is. Spec: WP §6.2.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Config)
		want   error
		text   []string
	}{
		{"network", func(c *Config) { c.Network = "other" }, ErrNetwork, []string{`"test"`, `"other"`}},
		{"genesis", func(c *Config) { c.Genesis = [32]byte{2} }, ErrGenesis, []string{"0100", "0200"}},
		{"version", func(c *Config) { c.versions = [2]uint16{3, 4} }, ErrVersion, []string{"1 to 2", "3 to 4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := named(t, "b")
			config := testConfig("a")
			c.change(&config)
			a := start(t, config)
			a.Dial(Target{ID: b.Self(), Address: b.Address()})
			why := await(t, a.failed, "failure").why
			if !errors.Is(why, c.want) {
				t.Fatalf("the dialer learns %v", why)
			}
			for _, text := range c.text {
				if !strings.Contains(why.Error(), text) {
					t.Errorf("%q is not in %q", text, why)
				}
			}
			if why := await(t, b.cold, "refusal"); !errors.Is(why, c.want) || why.Error() == "" {
				t.Errorf("the dialed node learns %v", why)
			}
			b.Dial(Target{ID: a.Self(), Address: a.Address()})
			if why := await(t, b.failed, "failure").why; !errors.Is(why, c.want) {
				t.Errorf("the other way round: %v", why)
			}
			if len(a.up) > 0 || len(b.up) > 0 {
				t.Error("strangers became peers")
			}
		})
	}
}

// Both sides of a meeting come to the same verdict. Spec: WP §6.2.
func TestMeetIsSymmetric(t *testing.T) {
	base := hello{low: 1, high: 2, network: "n", genesis: [32]byte{1}}
	for i, c := range []struct {
		other   hello
		version uint16
		want    error
	}{
		{base, 2, nil},
		{hello{low: 1, high: 1, network: "n", genesis: [32]byte{1}}, 1, nil},
		{hello{low: 2, high: 9, network: "n", genesis: [32]byte{1}}, 2, nil},
		{hello{low: 3, high: 9, network: "n", genesis: [32]byte{1}}, 0, ErrVersion},
		{hello{low: 1, high: 2, network: "m", genesis: [32]byte{1}}, 0, ErrNetwork},
		{hello{low: 1, high: 2, network: "n", genesis: [32]byte{2}}, 0, ErrGenesis},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			v1, r1 := meet(base, c.other)
			v2, r2 := meet(c.other, base)
			if v1 != c.version || v2 != c.version || c.want == nil != (r1 == nil) || c.want == nil != (r2 == nil) {
				t.Errorf("%+v: %d, %d, %v, %v", c.other, v1, v2, r1, r2)
			}
			if c.want != nil && (!errors.Is(r1, c.want) || !errors.Is(r2, c.want)) {
				t.Errorf("%+v: %v and %v", c.other, r1, r2)
			}
		})
	}
}

// A node whose key was replaced is not taken for its predecessor.
func TestReplacedKey(t *testing.T) {
	a, b := named(t, "a"), named(t, "b")
	a.Dial(Target{ID: testKey("former b").ID(), Address: b.Address()})
	if why := await(t, a.failed, "failure").why; !errors.Is(why, ErrIdentity) {
		t.Error(why)
	}
	a.Dial(Target{Address: a.Address()})
	if why := await(t, a.failed, "failure").why; !errors.Is(why, ErrSelf) {
		t.Error(why)
	}
}

// Two nodes that dial each other end with one connection, and it is the same one for both.
func TestSimultaneousDials(t *testing.T) {
	for round := range 10 {
		a, b := named(t, "a"), named(t, "b")
		a.Dial(Target{ID: b.Self(), Address: b.Address()})
		b.Dial(Target{ID: a.Self(), Address: a.Address()})
		// Both dials end: each in a connection, which may be the one given up, or in a refusal as the duplicate. The dialed side has
		// settled what it does by then.
		dialing := func(n *node) int {
			n.mu.Lock()
			defer n.mu.Unlock()
			return n.dials
		}
		waitFor(t, func() bool { return dialing(a) == 0 && dialing(b) == 0 })
		waitFor(t, func() bool {
			x, y := a.Peers(), b.Peers()
			return len(x) == 1 && len(y) == 1 && x[0].Inbound != y[0].Inbound && len(a.up)-len(a.down) == 1 && len(b.up)-len(b.down) == 1
		})
		if a.Send(b.Self(), Sync, []byte{byte(round)}) != Queued || b.Send(a.Self(), Sync, []byte{byte(round)}) != Queued {
			t.Fatal("the connection that is left carries nothing")
		}
		await(t, a.frames[Sync], "frame")
		await(t, b.frames[Sync], "frame")
		if len(a.Peers()) != 1 || len(b.Peers()) != 1 {
			t.Error("the connection that carried frames was given up")
		}
	}
}

// A restarted peer takes the place of its former self, though the old connection has not timed out.
func TestRestartedPeer(t *testing.T) {
	b := named(t, "b")
	config := testConfig("a")
	a := start(t, config)
	join(t, a, b)
	config.Instance = 2
	again := start(t, config)
	again.Dial(Target{ID: b.Self(), Address: b.Address()})
	await(t, again.up, "peer")
	if d := await(t, b.down, "end"); d.id != a.Self() || !errors.Is(d.why, ErrDuplicate) {
		t.Errorf("the old connection ended by %v", d.why)
	}
	await(t, b.up, "peer")
	deliver(t, b, again, Consensus, []byte("still there"))
	if d := await(t, a.down, "end"); !errors.Is(d.why, ErrDuplicate) {
		t.Errorf("the former self learns %v", d.why)
	}
}

// slowHost tells of an end only once it was let, and of ends and beginnings in the order in which it was told.
type slowHost struct {
	*watcher
	leaving chan struct{} // an end is being told
	proceed chan struct{}

	mu   sync.Mutex
	told []string
}

func (h *slowHost) note(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, what)
}

func (h *slowHost) Up(p Peer) {
	h.note("up")
	h.watcher.Up(p)
}

func (h *slowHost) Down(p Peer, why error) {
	h.leaving <- struct{}{}
	<-h.proceed
	h.note("down")
	h.watcher.Down(p, why)
}

// A connection that begins while the host is being told of its predecessor's end waits for that: a host that heard of them the other way round would
// take the peer for gone for as long as the connection lives.
func TestEndIsToldBeforeSuccessor(t *testing.T) {
	h := &slowHost{watcher: newWatcher(), leaving: make(chan struct{}, 8), proceed: make(chan struct{})}
	tr, err := Listen(testConfig("b"), h)
	if err != nil {
		t.Fatal(err)
	}
	a, b := named(t, "a"), &node{tr, h.watcher, t}
	join(t, a, b)
	former := b.conn(a.Self())
	a.Drop(b.Self(), NewRefusal(CodeDuplicate, "another connection is kept"))
	await(t, a.down, "end")
	await(t, h.leaving, "end")
	a.Dial(Target{ID: b.Self(), Address: b.Address()})
	await(t, a.up, "peer") // b has taken the connection
	if next := b.conn(a.Self()); next == nil || next.former != former {
		t.Error("the new connection does not wait for the end of the former one")
	}
	if a.Send(b.Self(), Sync, []byte("early")) != Queued {
		t.Error("nothing can be sent")
	}
	close(h.proceed)
	await(t, b.frames[Sync], "frame").Done()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if want := []string{"up", "down", "up", "down"}; !slices.Equal(h.told, want) {
		t.Errorf("told %v, want %v", h.told, want)
	}
}

// Spec: WP §6.2.
func TestDropAndBlock(t *testing.T) {
	clock := newHandClock()
	config := testConfig("b")
	config.Clock = clock
	a, b := named(t, "a"), start(t, config)
	join(t, a, b)
	b.Drop(a.Self(), NewRefusal(CodeMisconduct, "three bad votes"))
	if d := await(t, a.down, "end"); !errors.Is(d.why, &Refusal{Code: CodeMisconduct}) || !strings.Contains(d.why.Error(), "three bad votes") {
		t.Errorf("the dropped peer learns %v", d.why)
	}
	await(t, b.down, "end")
	b.Block(a.Self(), clock.Now().Add(time.Minute))
	a.Dial(Target{ID: b.Self(), Address: b.Address()})
	clockless := await(t, a.failed, "failure").why
	if !errors.Is(clockless, ErrBlocked) || !strings.Contains(clockless.Error(), "1m0s") {
		t.Errorf("the banned peer learns %v", clockless)
	}
	clock.advance(time.Minute)
	join(t, a, b)
}

func TestCaps(t *testing.T) {
	config := testConfig("hub")
	config.Limits.Inbound, config.Limits.Lookups, config.Limits.PerAddress = 2, 1, 3
	config.Reserved = []ID{testKey("friend").ID()}
	hub := start(t, config)
	dial := func(name string, purpose Purpose) error {
		n := named(t, name)
		n.Dial(Target{ID: hub.Self(), Address: hub.Address(), Purpose: purpose})
		select {
		case <-n.up:
			return nil
		case f := <-n.failed:
			return f.why
		}
	}
	for i, c := range []struct {
		purpose Purpose
		want    error
	}{{Full, nil}, {Full, nil}, {Full, ErrFull}, {Lookup, nil}, {Lookup, ErrFull}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if err := dial(string(rune('a'+i)), c.purpose); !errors.Is(err, c.want) {
				t.Errorf("dial %d: %v, want %v", i, err, c.want)
			}
		})
	}
	if err := dial("friend", Full); err != nil {
		t.Errorf("a node with a reserved place: %v", err)
	}
	hub.Drop(testKey("a").ID(), NewRefusal(CodeClosing, ""))
	await(t, hub.down, "end")
	if err := dial("f", Full); err != nil {
		t.Errorf("a place that became free was not given: %v", err)
	}
	crowded := testConfig("crowded")
	crowded.Limits.PerAddress = 1
	hub = start(t, crowded)
	if err := errors.Join(dial("x", Full)); err != nil {
		t.Fatal(err)
	}
	if err := dial("y", Full); !errors.Is(err, ErrCrowded) {
		t.Errorf("a second connection from one address: %v", err)
	}
}

// A lookup connection carries Discovery only and ends by itself.
func TestLookup(t *testing.T) {
	clock := newHandClock()
	config := testConfig("b")
	config.Clock = clock
	a, b := named(t, "a"), start(t, config)
	a.Dial(Target{ID: b.Self(), Address: b.Address(), Purpose: Lookup})
	await(t, a.up, "peer")
	if p := await(t, b.up, "peer"); p.Purpose != Lookup {
		t.Errorf("%+v", p)
	}
	deliver(t, a, b, Discovery, []byte("who"))
	if o := a.Send(b.Self(), Consensus, []byte{1}); o != Absent {
		t.Errorf("a vote on a lookup is %v", o)
	}
	// A full connection takes the lookup's place.
	a.Dial(Target{ID: b.Self(), Address: b.Address()})
	await(t, b.down, "end of the lookup")
	if p := await(t, b.up, "peer"); p.Purpose != Full {
		t.Errorf("%+v", p)
	}
	await(t, a.down, "end of the lookup")
	await(t, a.up, "peer")
	a.Drop(b.Self(), NewRefusal(CodeDone, "")) // too late: it is a full connection now
	deliver(t, a, b, Consensus, []byte("not dropped"))
	c := named(t, "c")
	c.Dial(Target{ID: b.Self(), Address: b.Address(), Purpose: Lookup})
	await(t, c.up, "peer")
	await(t, b.up, "peer")
	clock.advance(config.Limits.Brief)
	if d := await(t, c.down, "end"); !errors.Is(d.why, &Refusal{Code: CodeDone}) {
		t.Error(d.why)
	}
	deliver(t, a, b, Consensus, []byte("a full connection goes on"))
}

func TestClose(t *testing.T) {
	a, b := named(t, "a"), named(t, "b")
	join(t, a, b)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if d := await(t, a.down, "end"); !errors.Is(d.why, ErrClosing) {
		t.Errorf("the peer of a stopped node learns %v", d.why)
	}
	if d := await(t, b.down, "end"); !errors.Is(d.why, ErrClosing) {
		t.Errorf("the stopped node learns %v", d.why)
	}
	b.Dial(Target{Address: a.Address()})
	if f := await(t, b.failed, "failure"); !errors.Is(f.why, ErrClosed) {
		t.Error(f.why)
	}
	if o := b.Send(a.Self(), Sync, []byte{1}); o != Absent {
		t.Error(o)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

func TestConfigErrors(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"no key":      func(c *Config) { c.Key = Key{} },
		"no network":  func(c *Config) { c.Network = "" },
		"bad network": func(c *Config) { c.Network = "a\n" },
		"long agent":  func(c *Config) { c.Agent = strings.Repeat("a", 65) },
		"no address":  func(c *Config) { c.Address = netip.AddrPort{} },
		"no dials":    func(c *Config) { c.Limits.Dials = 0 },
		"no time":     func(c *Config) { c.Limits.Stall = 0 },
		"no window":   func(c *Config) { c.Limits.Window = 0 },
		"no budget":   func(c *Config) { c.Limits.Channels[Sync].BytesPerSecond = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			c := testConfig("a")
			change(&c)
			if _, err := Listen(c, newWatcher()); !errors.Is(err, ErrConfig) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	a := named(t, "a")
	c := testConfig("b")
	c.Address = a.Address()
	if _, err := Listen(c, newWatcher()); err == nil {
		t.Error("an address in use was bound")
	}
}
