package gossip

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

var epoch = time.Unix(1_700_000_000, 0)

func peer(n int) transport.ID { return transport.ID{byte(n >> 8), byte(n), 1} }

func name(s string) Name { return Name([]byte(fmt.Sprintf("%-32s", s))) }

// Two generations: nothing is forgotten before a whole generation has passed, and memory is bounded.
func TestSeen(t *testing.T) {
	s := NewSeen[Name](10, time.Minute)
	key := func(i int) (n Name) {
		binary.BigEndian.PutUint32(n[:], uint32(i))
		return n
	}
	for i := range 1000 {
		if !s.Add(key(i), epoch) || s.Add(key(i), epoch) {
			t.Fatal("a new name was old, or an old one new")
		}
		for k := max(0, i-10); k <= i; k++ {
			if !s.Has(key(k)) {
				t.Fatalf("after %d names the one %d before was forgotten", i, i-k)
			}
		}
		if s.Len() > 20 {
			t.Fatalf("%d names", s.Len())
		}
	}
	s.Forget(key(999))
	if s.Has(key(999)) {
		t.Error("a forgotten name is remembered")
	}
	s = NewSeen[Name](10, time.Minute)
	s.Add(key(1), epoch)
	s.Add(key(2), epoch.Add(time.Minute))
	s.Add(key(3), epoch.Add(2*time.Minute))
	if s.Has(key(1)) || !s.Has(key(2)) {
		t.Error("age does not turn generations over")
	}
}

// graph runs floods that are connected at random.
type graph struct {
	t      *testing.T
	floods []*Flood
	lines  []func()
	got    []map[Name]int
	links  map[[2]int]int // items sent over a connection, by direction
	sent   map[string]int // how often an item crossed a connection in a direction
	charge int
}

func newGraph(t *testing.T, n, degree int, seed uint64) *graph {
	g := &graph{t: t, links: map[[2]int]int{}, sent: map[string]int{}}
	for range n {
		g.floods = append(g.floods, NewFlood(FloodConfig{FrameBytes: 200}))
		g.got = append(g.got, map[Name]int{})
	}
	random := rand.New(rand.NewPCG(seed, 1))
	join := func(a, b int) {
		if a != b {
			g.floods[a].Up(peer(b))
			g.floods[b].Up(peer(a))
		}
	}
	for i := range n {
		join(i, (i+1)%n)
		for range degree {
			join(i, random.IntN(n))
		}
	}
	return g
}

func (g *graph) perform(at int) {
	f := g.floods[at]
	for _, e := range f.Effects() {
		switch {
		case e.Charge != nil:
			g.charge++
		case e.Deliver != nil:
			for _, item := range e.Deliver.Items {
				g.got[at][item.Name]++
				v := Good
				if bytes.HasPrefix(item.Data, []byte("bad")) {
					v = Bad
				}
				f.Judge(item.Name, v)
			}
			g.perform(at)
		case e.Send != nil:
			to := int(e.Send.To[0])<<8 | int(e.Send.To[1])
			frame := e.Send.Frame
			items, err := decodeItems(frame, 1000)
			if err != nil {
				g.t.Fatal(err)
			}
			for _, item := range items {
				g.sent[fmt.Sprint(at, to, string(item))]++
			}
			g.lines = append(g.lines, func() {
				if err := g.floods[to].Receive(peer(at), frame, epoch); err != nil {
					g.t.Fatal(err)
				}
				g.perform(to)
			})
		}
	}
}

func (g *graph) run() {
	for range 50 {
		for i := range g.floods {
			g.floods[i].Flush(epoch)
			g.perform(i)
		}
		lines := g.lines
		g.lines = nil
		for _, l := range lines {
			l()
		}
	}
}

// Every good item reaches every node once, and crosses no connection twice in one direction. Spec: WP "Network Layer".
func TestFloodReachesEverybodyOnce(t *testing.T) {
	for seed := range uint64(20) {
		g := newGraph(t, 25, 2, seed)
		for i := range 40 {
			g.floods[i%25].Local([]byte(fmt.Sprintf("item %d of some length", i)), epoch)
		}
		g.floods[3].Local([]byte("bad item"), epoch) // a faulty node sends what nobody passes on
		g.run()
		for at := range g.floods {
			good := 0
			for _, n := range g.got[at] {
				if n != 1 {
					t.Fatalf("seed %d: node %d got an item %d times", seed, at, n)
				}
				good++
			}
			own := 1
			if at < 15 {
				own = 2
			}
			if good < 40-own {
				t.Errorf("seed %d: node %d got %d items", seed, at, good)
			}
		}
		for what, n := range g.sent {
			if n != 1 {
				t.Errorf("seed %d: %s crossed %d times", seed, what, n)
			}
		}
		if g.charge == 0 {
			t.Error("nobody was charged for the bad item")
		}
	}
}

func TestFloodBounds(t *testing.T) {
	f := NewFlood(FloodConfig{Waiting: 10})
	f.Up(peer(1))
	f.Up(peer(2))
	f.Up(peer(2))
	var items [][]byte
	for i := range 30 {
		items = append(items, []byte{byte(i), 1})
	}
	frame := encodeItems(items, 60)
	if err := f.Receive(peer(1), frame, epoch); err != nil {
		t.Fatal(err)
	}
	e := f.Effects()
	if len(e) != 1 || len(e[0].Deliver.Items) != 10 {
		t.Fatalf("%+v", e)
	}
	// What had no room is new when it comes again.
	if err := f.Receive(peer(2), frame, epoch); err != nil {
		t.Fatal(err)
	}
	if second := f.Effects(); len(second) != 1 || len(second[0].Deliver.Items) != 10 || second[0].Deliver.Items[0].Name == e[0].Deliver.Items[0].Name {
		t.Error("the second peer's allowance")
	}
	// A busy node hears of it again; a stale item is neither passed on nor charged.
	f.Judge(e[0].Deliver.Items[0].Name, Busy)
	f.Judge(e[0].Deliver.Items[1].Name, Stale)
	f.Judge(Name{9}, Bad)
	if len(f.Effects()) != 0 || f.Ready() != 0 {
		t.Error("a verdict had effects")
	}
	if err := f.Receive(peer(1), frame, epoch); err != nil {
		t.Fatal(err)
	}
	again := f.Effects()[0].Deliver.Items
	if len(again) != 2 || again[0].Name != e[0].Deliver.Items[0].Name {
		t.Errorf("%d items came again", len(again))
	}
	f.Down(peer(1))
	f.Down(peer(1))
	f.Judge(again[0].Name, Good) // of a peer that is gone
	f.Flush(epoch)
	if len(f.Effects()) != 0 {
		t.Error("the remaining peer had sent it and is sent it")
	}
	if err := f.Receive(peer(1), frame, epoch); err != nil || len(f.Effects()) != 0 {
		t.Error("a stranger was heard")
	}
	for _, bad := range [][]byte{nil, {0}, {1}, {1, 0}, {1, 1, 2, 3}, {0xff, 0xff, 3, 1}, append([]byte{1, 5}, 1, 2)} {
		if err := f.Receive(peer(2), bad, epoch); !errors.Is(err, ErrFrame) {
			t.Errorf("%x: %v", bad, err)
		}
	}
	if err := f.Receive(peer(2), encodeItems([][]byte{make([]byte, f.config.ItemMax+1)}, 0), epoch); !errors.Is(err, ErrFrame) {
		t.Error("an item over its limit was taken")
	}
	// Many small peers share one bound.
	many := NewFlood(FloodConfig{Waiting: 10})
	total := 0
	for p := range 100 {
		many.Up(peer(p))
		var items [][]byte
		for i := range 10 {
			items = append(items, []byte{byte(p), byte(i), 7})
		}
		if err := many.Receive(peer(p), encodeItems(items, 30), epoch); err != nil {
			t.Fatal(err)
		}
		many.Down(peer(p))
	}
	for _, e := range many.Effects() {
		total += len(e.Deliver.Items)
	}
	if total > allWaiting*10 {
		t.Errorf("%d items wait", total)
	}
}

// lone is a relay with peers that the test plays.
func lone(peers ...int) *Relay {
	r := NewRelay(RelayConfig{})
	for _, p := range peers {
		r.Up(peer(p), epoch)
	}
	return r
}

// trace writes effects down as words.
func trace(effects []Effect) (out []string) {
	for _, e := range effects {
		switch {
		case e.Charge != nil:
			out = append(out, fmt.Sprintf("charge %d", e.Charge.Peer[1]))
		case e.Deliver != nil:
			out = append(out, fmt.Sprintf("deliver %s from %d", e.Deliver.Items[0].Data, e.Deliver.From[1]))
		case e.Send != nil:
			m, err := decodeRelay(e.Send.Frame)
			if err != nil {
				out = append(out, err.Error())
				continue
			}
			kind := []string{"", "announce", "want", "block", "gone"}[m.kind]
			out = append(out, fmt.Sprintf("%s %s%s to %d", kind, bytes.TrimSpace(m.names[0][:]), m.data, e.Send.To[1]))
		}
	}
	return out
}

func expect(t *testing.T, r *Relay, want ...string) {
	t.Helper()
	if got := trace(r.Effects()); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func hear(t *testing.T, r *Relay, from int, frame []byte, now time.Time) {
	t.Helper()
	if err := r.Receive(peer(from), frame, now); err != nil {
		t.Fatal(err)
	}
}

func one(kind byte, n Name) []byte { return append([]byte{kind}, n[:]...) }

// Spec: WP "Network Layer" (the proposer broadcasts, validators relay).
func TestRelayOfABlock(t *testing.T) {
	r := lone(1, 2, 3)
	a := name("a")
	hear(t, r, 1, encodeAnnounce([]Name{a}), epoch)
	expect(t, r, "want a to 1")
	hear(t, r, 2, encodeAnnounce([]Name{a}), epoch) // a second source waits
	expect(t, r)
	hear(t, r, 1, encodeBlock(a, []byte("A")), epoch)
	expect(t, r, "deliver A from 1")
	hear(t, r, 2, encodeBlock(a, []byte("A")), epoch) // once is enough
	expect(t, r)
	r.Judge(a, Good, epoch)
	expect(t, r, "announce a to 3")
	hear(t, r, 3, one(kindWant, a), epoch)
	expect(t, r, "block aA to 3")
	hear(t, r, 3, one(kindWant, name("b")), epoch)
	expect(t, r, "gone b to 3")
	r.Up(peer(4), epoch)
	expect(t, r, "announce a to 4")
	r.Publish(name("own"), []byte("O"), epoch)
	expect(t, r, "block ownO to 1", "block ownO to 2", "block ownO to 3", "block ownO to 4")
	hear(t, r, 1, encodeAnnounce([]Name{a, name("own")}), epoch)
	expect(t, r)
	// A pushed block needs no announcement.
	hear(t, r, 4, encodeBlock(name("p"), []byte("P")), epoch)
	expect(t, r, "deliver P from 4")
	r.Judge(name("p"), Stale, epoch)
	hear(t, r, 3, encodeAnnounce([]Name{name("p")}), epoch)
	expect(t, r)
}

// A source that is silent, has it no more, leaves or lies is passed over.
func TestRelayGoesOnToTheNext(t *testing.T) {
	a := name("a")
	for what, fail := range map[string]func(*Relay){
		"silent": func(r *Relay) {
			r.Tick(epoch.Add(wantWithin - 1))
			r.Tick(epoch.Add(wantWithin))
		},
		"gone":   func(r *Relay) { _ = r.Receive(peer(1), one(kindGone, a), epoch) },
		"leaves": func(r *Relay) { r.Down(peer(1), epoch) },
	} {
		r := lone(1, 2)
		hear(t, r, 1, encodeAnnounce([]Name{a}), epoch)
		hear(t, r, 2, encodeAnnounce([]Name{a}), epoch)
		expect(t, r, "want a to 1")
		fail(r)
		if got := trace(r.Effects()); !slices.Equal(got, []string{"want a to 2"}) {
			t.Errorf("%s: %q", what, got)
		}
	}
	r := lone(1, 2)
	hear(t, r, 1, encodeAnnounce([]Name{a}), epoch)
	hear(t, r, 2, encodeAnnounce([]Name{a}), epoch)
	hear(t, r, 1, encodeBlock(a, []byte("lie")), epoch)
	expect(t, r, "want a to 1", "deliver lie from 1")
	r.Judge(a, Bad, epoch)
	expect(t, r, "charge 1", "want a to 2")
	hear(t, r, 2, encodeBlock(a, []byte("A")), epoch)
	expect(t, r, "deliver A from 2")
	r.Judge(a, Good, epoch)
	r.Judge(a, Bad, epoch)
	expect(t, r)
	// When nobody is left the block is looked for no more, and may be announced again.
	b := name("b")
	hear(t, r, 1, encodeAnnounce([]Name{b}), epoch)
	hear(t, r, 1, one(kindGone, b), epoch)
	hear(t, r, 2, one(kindGone, b), epoch)
	hear(t, r, 2, encodeAnnounce([]Name{b}), epoch)
	expect(t, r, "want b to 1", "want b to 2")
	if len(r.wants) != 1 || len(r.line) != 1 {
		t.Error(len(r.wants), len(r.line))
	}
}

func TestRelayBounds(t *testing.T) {
	r := NewRelay(RelayConfig{Blocks: 3, Bytes: 100, Wants: 5, Serve: 50})
	r.Up(peer(1), epoch)
	for i := range 20 {
		hear(t, r, 1, encodeAnnounce([]Name{name(fmt.Sprint(i))}), epoch)
	}
	if len(r.wants) != 5 || len(r.line) != 5 {
		t.Errorf("%d wants", len(r.wants))
	}
	r.Effects()
	for i := range 5 {
		hear(t, r, 1, encodeBlock(name(fmt.Sprint(i)), []byte{1}), epoch)
	}
	if n := len(r.Effects()); n != deliveredMax {
		t.Errorf("%d blocks of one peer were delivered", n)
	}
	for i := range 10 {
		r.Have(name(fmt.Sprint("mine", i)), make([]byte, 40), epoch)
	}
	if len(r.kept) != 2 || r.bytes != 80 || len(r.age) != 2 {
		t.Errorf("%d blocks of %d bytes are kept", len(r.kept), r.bytes)
	}
	r.Have(name("huge"), make([]byte, 1000), epoch)
	if len(r.kept) != 1 {
		t.Error("the newest block is always kept")
	}
	r = NewRelay(RelayConfig{Serve: 50})
	r.Up(peer(1), epoch)
	r.Have(name("m"), make([]byte, 40), epoch)
	r.Effects()
	hear(t, r, 1, one(kindWant, name("m")), epoch)
	hear(t, r, 1, one(kindWant, name("m")), epoch)
	if n := len(r.Effects()); n != 1 {
		t.Errorf("%d answers within a budget of one", n)
	}
	hear(t, r, 1, one(kindWant, name("m")), epoch.Add(serveIn))
	if n := len(r.Effects()); n != 1 {
		t.Error("the budget does not come back")
	}
	r.Down(peer(1), epoch)
	r.Down(peer(1), epoch)
	hear(t, r, 1, one(kindWant, name("m")), epoch.Add(serveIn))
	if len(r.Effects()) != 0 {
		t.Error("a stranger was served")
	}
	for _, bad := range [][]byte{nil, {9}, {kindAnnounce, 0}, {kindAnnounce, 65}, {kindAnnounce, 1, 2}, one(kindBlock, name("x")), append(one(kindWant, name("x")), 1), {kindWant, 1}} {
		if err := r.Receive(peer(1), bad, epoch); !errors.Is(err, ErrFrame) {
			t.Errorf("%x: %v", bad, err)
		}
	}
}

// Any sequence of events keeps the relay's bounds, and the same sequence has the same effects.
func TestRelayInvariants(t *testing.T) {
	for seed := range uint64(200) {
		run := func() (all []string) {
			random := rand.New(rand.NewPCG(seed, 7))
			r := NewRelay(RelayConfig{Blocks: 4, Bytes: 60, Wants: 6, Serve: 100, Seen: 8})
			now := epoch
			for range 300 {
				p, n := peer(random.IntN(5)), name(fmt.Sprint(random.IntN(12)))
				switch random.IntN(10) {
				case 0:
					r.Up(p, now)
				case 1:
					r.Down(p, now)
				case 2, 3:
					_ = r.Receive(p, encodeAnnounce([]Name{n}), now)
				case 4, 5:
					_ = r.Receive(p, encodeBlock(n, []byte("0123456789")[:1+random.IntN(9)]), now)
				case 6:
					_ = r.Receive(p, one([]byte{kindWant, kindGone}[random.IntN(2)], n), now)
				case 7:
					r.Judge(n, Verdict(random.IntN(4)), now)
				case 8:
					r.Have(n, []byte("mine"), now)
				case 9:
					now = now.Add(time.Duration(random.IntN(3000)) * time.Millisecond)
					r.Tick(now)
				}
				if len(r.wants) != len(r.line) || len(r.wants) > 6 || len(r.kept) != len(r.age) || len(r.kept) > 4 || r.done.Len() > 16 {
					t.Fatalf("seed %d: %d wants in a line of %d, %d kept of %d", seed, len(r.wants), len(r.line), len(r.kept), len(r.age))
				}
				under := 0
				for _, w := range r.wants {
					if w.under {
						under++
					} else if w.asked.IsZero() {
						t.Fatalf("seed %d: a block is looked for and nobody is asked", seed)
					}
				}
				counted := 0
				for _, p := range r.peers {
					counted += p.delivered
				}
				if counted > under {
					t.Fatalf("seed %d: %d deliveries are counted, %d are under way", seed, counted, under)
				}
				all = append(all, trace(r.Effects())...)
			}
			return all
		}
		if !slices.Equal(run(), run()) {
			t.Fatalf("seed %d: two runs differ", seed)
		}
	}
}

// FuzzFlood: any bytes are refused or are a frame that is written as it was read, with items within their limits.
func FuzzFlood(f *testing.F) {
	f.Add(encodeItems([][]byte{[]byte("a"), []byte("bc")}, 3))
	f.Fuzz(func(t *testing.T, b []byte) {
		items, err := decodeItems(b, 100)
		if err != nil {
			return
		}
		if again := encodeItems(items, 0); !bytes.Equal(again, b) {
			t.Errorf("%x became %x", b, again)
		}
		flood := NewFlood(FloodConfig{ItemMax: 100})
		flood.Up(peer(1))
		_ = flood.Receive(peer(1), b, epoch)
	})
}

// FuzzRelay: any bytes are refused or are a frame that is written as it was read.
func FuzzRelay(f *testing.F) {
	f.Add(encodeAnnounce([]Name{{1}, {2}}))
	f.Add(encodeBlock(Name{1}, []byte("x")))
	f.Add(one(kindGone, Name{1}))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decodeRelay(b)
		if err != nil {
			return
		}
		var again []byte
		switch m.kind {
		case kindAnnounce:
			again = encodeAnnounce(m.names)
		case kindBlock:
			again = encodeBlock(m.names[0], m.data)
		default:
			again = one(m.kind, m.names[0])
		}
		if !bytes.Equal(again, b) {
			t.Errorf("%x became %x", b, again)
		}
		r := lone(1)
		_ = r.Receive(peer(1), b, epoch)
	})
}

func BenchmarkFlood(b *testing.B) {
	for _, peers := range []int{3, 30} {
		b.Run(fmt.Sprintf("peers=%d", peers), func(b *testing.B) {
			f := NewFlood(FloodConfig{})
			for p := range peers {
				f.Up(peer(p))
			}
			data := make([]byte, 250)
			count := uint64(0)
			for b.Loop() {
				count++
				binary.BigEndian.PutUint64(data, count)
				if err := f.Receive(peer(0), encodeItems([][]byte{data}, 250), epoch); err != nil {
					b.Fatal(err)
				}
				for _, e := range f.Effects() {
					if e.Deliver != nil {
						f.Judge(e.Deliver.Items[0].Name, Good)
					}
				}
				if count%64 == 0 {
					f.Flush(epoch)
				}
			}
		})
	}
}
