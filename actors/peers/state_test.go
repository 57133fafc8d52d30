package peers

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/discovery"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

var epoch = time.Unix(1_700_000_000, 0)

func testKey(name string) transport.Key {
	seed := sha256.Sum256([]byte(name))
	k, err := transport.KeyFromSeed(seed[:])
	if err != nil {
		panic(err)
	}
	return k
}

func address(n byte) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, n}), 9)
}

// driver is a state with what it wanted done so far, by kind.
type driver struct {
	*state
	connected map[transport.ID]bool // what the network is said to know
	dials     []transport.Target
	dropped   []transport.ID
	blocked   map[transport.ID]time.Time
	asked     []resolve
	events    []Event
	sent      int
}

func newDriver(persistent ...transport.Target) *driver {
	key := testKey("self")
	d := &driver{
		state: &state{
			book:   book.New(book.Config{Self: key.ID(), Persistent: persistent}),
			finder: discovery.New(discovery.Config{Key: key, Address: address(1)}),
		},
		connected: map[transport.ID]bool{}, blocked: map[transport.ID]time.Time{},
	}
	d.on(func() { d.begin(epoch) })
	return d
}

// on runs an event and notes its effects.
func (d *driver) on(event func()) {
	event()
	for _, e := range d.take() {
		switch e := e.(type) {
		case send:
			d.sent++
		case dial:
			d.dials = append(d.dials, e.target)
		case drop:
			d.dropped = append(d.dropped, e.id)
		case block:
			d.blocked[e.id] = e.until
		case resolve:
			d.asked = append(d.asked, e)
		case observe:
			d.events = append(d.events, e.event)
		}
	}
}

func (d *driver) tick(now time.Time)                   { d.on(func() { d.state.tick(d.connected, now) }) }
func (d *driver) up(p transport.Peer, now time.Time)   { d.on(func() { d.state.up(p, now) }) }
func (d *driver) pardon(id transport.ID)               { d.on(func() { d.state.pardon(id) }) }
func (d *driver) resolved(r resolved, now time.Time)   { d.on(func() { d.state.resolved(r, now) }) }
func (d *driver) refused(at netip.AddrPort, why error) { d.on(func() { d.state.refused(at, why) }) }
func (d *driver) down(p transport.Peer, why error, now time.Time) {
	d.on(func() { d.state.down(p, why, now) })
}
func (d *driver) penalize(id transport.ID, points int, why string, now time.Time) {
	d.on(func() { d.state.penalize(id, points, why, now) })
}
func (d *driver) failed(target transport.Target, why error, now time.Time) {
	d.on(func() { d.state.failed(target, why, d.connected[target.ID], now) })
}

// full is a peer to which there is a connection from now on.
func (d *driver) full(name string, n byte) transport.Peer {
	k := testKey(name)
	d.connected[k.ID()] = true
	return transport.Peer{ID: k.ID(), Key: k.Public(), Address: address(n), Listen: 9}
}

func kinds(events []Event) (out []EventKind) {
	for _, e := range events {
		out = append(out, e.Kind)
	}
	return out
}

// A misbehaving peer is banned, told, and dialed again when its ban has ended.
func TestBan(t *testing.T) {
	target := transport.Target{ID: testKey("a").ID(), Address: address(2)}
	s := newDriver(target)
	s.tick(epoch)
	if !slices.Equal(s.dials, []transport.Target{target}) {
		t.Fatal(s.dials)
	}
	p := s.full("a", 2)
	s.up(p, epoch)
	s.penalize(p.ID, book.Major, "a late vote", epoch)
	if len(s.dropped) != 0 {
		t.Error("dropped for little")
	}
	s.penalize(p.ID, book.Fatal, "a forged vote", epoch)
	until := epoch.Add(10 * time.Minute)
	if !slices.Equal(s.dropped, []transport.ID{p.ID}) || s.blocked[p.ID] != until {
		t.Error(s.dropped, s.blocked)
	}
	s.down(p, transport.NewRefusal(transport.CodeMisconduct, "a forged vote"), epoch)
	s.tick(until.Add(-time.Second))
	if len(s.dials) != 1 {
		t.Error("a banned peer is dialed")
	}
	s.tick(until)
	if len(s.dials) != 2 {
		t.Error("a persistent peer whose ban has ended is not dialed")
	}
	if want := []EventKind{Connected, Banned, Disconnected}; !slices.Equal(kinds(s.events), want) {
		t.Error(s.events)
	}
	s.penalize(p.ID, book.Fatal, "again", until)
	s.pardon(p.ID)
	if !s.blocked[p.ID].IsZero() || len(s.book.Bans(until)) != 0 {
		t.Error("not pardoned")
	}
}

// Whoever breaks the protocol pays; whoever hangs up, or finds fault with us, does not.
func TestFaults(t *testing.T) {
	for i, c := range []struct {
		why    error
		banned bool
	}{
		{transport.NewRefusal(transport.CodeFrame, "frame of 9 GB"), true},
		{transport.NewRefusal(transport.CodeStream, "second stream"), true},
		{transport.NewRefusal(transport.CodeStalled, "slow"), false},
		{transport.NewRefusal(transport.CodeClosing, ""), false},
		{&transport.Refusal{Code: transport.CodeFrame, Remote: true}, false},
		{errors.New("timeout: no recent network activity"), false},
		{nil, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := newDriver()
			p := s.full("a", 2)
			s.up(p, epoch)
			s.down(p, c.why, epoch)
			if got := len(s.book.Bans(epoch)) == 1; got != c.banned {
				t.Errorf("%v: banned %v", c.why, got)
			}
		})
	}
	s := newDriver()
	p := s.full("a", 2)
	s.up(p, epoch)
	s.on(func() { s.heard(p.ID, []byte{9}, epoch) })
	if len(s.book.Bans(epoch)) != 1 || !strings.Contains(s.events[1].Why, "discovery") {
		t.Error(s.events)
	}
}

// The loser of two dials that crossed is no failure of the address.
func TestCrossedDials(t *testing.T) {
	target := transport.Target{ID: testKey("a").ID(), Address: address(2)}
	s := newDriver(target)
	s.tick(epoch)
	s.up(s.full("a", 2), epoch)
	s.failed(target, transport.ErrDuplicate, epoch)
	if got := kinds(s.events); !slices.Equal(got, []EventKind{Connected}) {
		t.Error(got)
	}
	clear(s.connected)
	s.failed(target, transport.ErrNetwork, epoch)
	if e := s.events[1]; e.Kind != DialFailed || e.Peer != target.ID || !strings.Contains(e.Why, "network") {
		t.Error(e)
	}
}

func TestEventText(t *testing.T) {
	for want, e := range map[string]Event{
		"connected 01000000 10.0.0.2:9: agent":                   {Kind: Connected, Peer: transport.ID{1}, Address: address(2), Why: "agent"},
		"banned 01000000 until 2023-11-14T22:13:20Z: two blocks": {Kind: Banned, Peer: transport.ID{1}, Until: epoch, Why: "two blocks"},
		"refused 10.0.0.2:9: transport: refused: other genesis":  {Kind: Refused, Address: address(2), Why: transport.ErrGenesis.Error()},
		"address book rebuilt":                                   {Kind: BookLost},
	} {
		t.Run(want, func(t *testing.T) {
			if got := e.String(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// A lookup takes no peer's place and leaves no trace in the book.
func TestLookupIsNoPeer(t *testing.T) {
	s := newDriver()
	p := s.full("a", 2)
	p.Purpose = transport.Lookup
	s.up(p, epoch)
	s.down(p, transport.NewRefusal(transport.CodeDone, ""), epoch)
	s.failed(transport.Target{ID: p.ID, Address: p.Address, Purpose: transport.Lookup}, transport.ErrTimeout, epoch)
	if len(s.events) != 0 || s.book.Len() != 0 {
		t.Error(s.events, s.book.Len())
	}
	if s.sent == 0 {
		t.Error("no advert was sent")
	}
	s.refused(address(3), transport.ErrGenesis)
	if e := s.events[0]; e.Kind != Refused || e.Address != address(3) {
		t.Error(e)
	}
}

// The book is written when it has changed, at most once a minute, and at the end.
func TestSaving(t *testing.T) {
	s := newDriver()
	if s.unsaved(epoch.Add(time.Hour), false) != nil || s.unsaved(epoch, true) != nil {
		t.Error("an unchanged book is written")
	}
	s.up(s.full("a", 2), epoch)
	if s.unsaved(epoch.Add(saveEvery-1), false) != nil {
		t.Error("written too often")
	}
	data := s.unsaved(epoch.Add(saveEvery), false)
	if err := book.New(book.Config{}).Decode(data); err != nil || s.unsaved(epoch.Add(time.Hour), true) != nil {
		t.Error(err)
	}
	s.pardon(testKey("a").ID())
	if s.unsaved(epoch.Add(saveEvery), true) == nil {
		t.Error("the last change is lost at a stop")
	}
}

func TestHandleWithoutNetwork(t *testing.T) {
	h := NewHandle(testKey("a"))
	h.Send(link.Peer{1}, link.Consensus, []byte("x"))
	h.Broadcast(link.Consensus, []byte("x"))
	if h.Peers() != nil {
		t.Error("peers without a network")
	}
	if _, ok := h.Tallies(); ok {
		t.Error("tallies without a network")
	}
	for c := range link.Channel(link.Channels) {
		if above(below(c)) != c || below(c) == transport.Discovery || below(c).String() != c.String() {
			t.Errorf("channel %v is %v below", c, below(c))
		}
		if got := transport.DefaultLimits().Channels[below(c)].FrameMax; got < c.MaxFrame() {
			t.Errorf("%v: frames of %d bytes, the transport takes %d", c, c.MaxFrame(), got)
		}
	}
}
