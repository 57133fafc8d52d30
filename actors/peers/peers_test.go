package peers_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/peers"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// patience bounds every wait of a test; it is reached only by a failure.
const patience = 20 * time.Second

func testKey(name string) transport.Key {
	seed := sha256.Sum256([]byte(name))
	k, err := transport.KeyFromSeed(seed[:])
	if err != nil {
		panic(err)
	}
	return k
}

type heardFrame struct {
	from link.Peer
	c    link.Channel
	data string
}

// ear is a receiver that records.
type ear struct {
	up, down chan link.Peer
	frames   chan heardFrame
}

func newEar() *ear {
	return &ear{make(chan link.Peer, 256), make(chan link.Peer, 256), make(chan heardFrame, 256)}
}

func (e *ear) Up(p link.Peer)   { e.up <- p }
func (e *ear) Down(p link.Peer) { e.down <- p }
func (e *ear) Frame(from link.Peer, c link.Channel, frame []byte) {
	e.frames <- heardFrame{from, c, string(frame)}
}

type member struct {
	*peers.Handle
	*ear
	name   string
	at     netip.AddrPort
	change func(*peers.Subsystem)
	bomb   atomic.Bool

	mu     sync.Mutex
	events []peers.Event
}

func (m *member) observe(e peers.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events = append(m.events, e)
}

func (m *member) saw(kind peers.EventKind, text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.events {
		if e.Kind == kind && strings.Contains(e.Why, text) {
			return true
		}
	}
	return false
}

func (m *member) target() transport.Target {
	return transport.Target{ID: transport.ID(m.Self()), Address: m.at}
}

// launch starts a member on loopback that hears frames itself.
func launch(t testing.TB, name string, change func(*peers.Subsystem)) *member {
	t.Helper()
	m := prepare(name, change)
	m.ear = newEar()
	m.Attach(m.ear)
	m.start(t)
	return m
}

// prepare makes a member that has not started.
func prepare(name string, change func(*peers.Subsystem)) *member {
	return &member{Handle: peers.NewHandle(testKey(name)), name: name, change: change}
}

// fail makes the subsystem panic, once.
func (m *member) fail() {
	m.bomb.Store(true)
	m.Pardon(link.Peer{})
}

// start brings the member's tree up. After a restart it binds the port it had before.
func (m *member) start(t testing.TB) {
	t.Helper()
	made := make(chan netip.AddrPort, 16)
	port := uint16(0)
	tree, err := supervision.New(supervision.Spec{
		Name: "network", Strategy: supervision.AllForOne, Limit: supervision.Limit{Restarts: 5, Within: time.Minute},
		Children: []supervision.Spec{{Name: "peers", Inbox: m.Inbox(), New: func() actor.Actor {
			s := &peers.Subsystem{
				Handle:  m.Handle,
				Observe: m.observe,
				Transport: transport.Config{
					Key: testKey(m.name), Network: "test", Genesis: [32]byte{1}, Agent: m.name, Instance: 1,
					Address: netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port),
				},
				Book: book.Config{Initial: 20 * time.Millisecond, Max: 100 * time.Millisecond},
			}
			m.change(s)
			s.Listen = func(c transport.Config, h transport.Handler) (peers.Network, error) {
				n, err := transport.Listen(c, h)
				if err != nil {
					return nil, err
				}
				port = n.Address().Port()
				made <- n.Address()
				return n, nil
			}
			return s
		}}},
	}, supervision.Config{Clock: supervision.RealClock{}, Inject: func(_ string, command any) {
		if fmt.Sprintf("%T", command) == "peers.pardon" && m.bomb.Swap(false) {
			panic("injected")
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := tree.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	m.at = await(t, made, "address")
}

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

func waitFor(t testing.TB, so func() bool, members ...*member) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	end := time.NewTimer(patience)
	defer end.Stop()
	for !so() {
		select {
		case <-look.C:
		case <-end.C:
			for _, m := range members {
				t.Log(m.name, m.events)
			}
			t.Fatal("it never came to be")
		}
	}
}

// From one bootstrap node four nodes become a full mesh, and frames go where they are sent. Spec: WP §6.2, "Network Layer".
func TestMesh(t *testing.T) {
	hub := launch(t, "hub", func(*peers.Subsystem) {})
	all := []*member{hub}
	for _, name := range []string{"b", "c", "d"} {
		all = append(all, launch(t, name, func(s *peers.Subsystem) { s.Boot = []transport.Target{hub.target()} }))
	}
	waitFor(t, func() bool {
		for _, m := range all {
			if len(m.Peers()) != 3 {
				return false
			}
		}
		return true
	})
	// Dials that crossed may still be settling, and what was on the losing connection is lost: say it until all have heard it.
	heard := map[string]bool{}
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for len(heard) < 12 {
		<-again.C
		for _, m := range all {
			m.Broadcast(link.Transactions, []byte("from "+m.name))
			for len(m.frames) > 0 {
				f := <-m.frames
				if f.c != link.Transactions || !strings.HasPrefix(f.data, "from ") || f.data == "from "+m.name {
					t.Fatalf("%s heard %+v", m.name, f)
				}
				heard[m.name+" heard "+f.data] = true
			}
		}
	}
	all[1].Send(all[2].Self(), link.Consensus, []byte("a vote"))
	for {
		f := await(t, all[2].frames, "frame")
		if f == (heardFrame{all[1].Self(), link.Consensus, "a vote"}) {
			break
		}
		if f.c != link.Transactions {
			t.Fatalf("%+v", f)
		}
	}
	if _, ok := hub.Tallies(); !ok {
		t.Error("no tallies")
	}
}

// A peer that is reported is banned and stays away.
func TestReport(t *testing.T) {
	a := launch(t, "a", func(*peers.Subsystem) {})
	b := launch(t, "b", func(s *peers.Subsystem) { s.Book.Persistent = []transport.Target{a.target()} })
	await(t, a.up, "peer")
	await(t, b.up, "peer")
	a.Report(b.Self(), "signed two blocks")
	if p := await(t, a.down, "end"); p != b.Self() {
		t.Error(p)
	}
	if list := a.Bans(); len(list) != 1 || list[0].ID != transport.ID(b.Self()) {
		t.Error(list)
	}
	waitFor(t, func() bool { return b.saw(peers.Disconnected, "signed two blocks") }, a, b)
	waitFor(t, func() bool { return b.saw(peers.DialFailed, "blocked") && a.saw(peers.Refused, "blocked") }, a, b)
	a.Pardon(b.Self())
	await(t, a.up, "peer")
}

// A subsystem that fails is restarted: peers go down, come back, and the handle others hold is the same.
func TestRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "peers")
	a := launch(t, "a", func(s *peers.Subsystem) { s.Path = path })
	b := launch(t, "b", func(s *peers.Subsystem) { s.Book.Persistent = []transport.Target{a.target()} })
	await(t, a.up, "peer")
	a.fail()
	await(t, a.down, "end")
	if p := await(t, a.up, "peer after the restart"); p != b.Self() {
		t.Error(p)
	}
	await(t, b.up, "peer")
	waitFor(t, func() bool { return len(b.Peers()) == 1 })
	b.Send(a.Self(), link.Sync, []byte("still here?"))
	if f := await(t, a.frames, "frame"); f.data != "still here?" {
		t.Errorf("%+v", f)
	}
	if data, err := os.ReadFile(path); err != nil || book.New(book.Config{}).Decode(data) != nil {
		t.Error("the book was not written at the stop:", err)
	}
}

// Strangers hear on both sides what each of them is, and a damaged book is rebuilt.
func TestStrangerAndDamagedBook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "peers")
	if err := os.WriteFile(path, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := launch(t, "a", func(s *peers.Subsystem) { s.Path = path })
	if !a.saw(peers.BookLost, "corrupt") {
		t.Error("nobody was told about the damaged book")
	}
	b := launch(t, "b", func(s *peers.Subsystem) {
		s.Transport.Genesis = [32]byte{2}
		s.Book.Persistent = []transport.Target{a.target()}
	})
	waitFor(t, func() bool { return b.saw(peers.DialFailed, "other genesis") && a.saw(peers.Refused, "other genesis") })
}

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node.key")
	k, err := peers.LoadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := peers.LoadKey(path); err != nil || again.ID() != k.ID() {
		t.Error(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := peers.LoadKey(path); err == nil {
		t.Error("a key that others can read was taken")
	}
	bad := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(bad, []byte("00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := peers.LoadKey(bad); err == nil {
		t.Error("a short key was taken")
	}
}
