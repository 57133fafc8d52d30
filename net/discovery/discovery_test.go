package discovery

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

var (
	epoch   = time.Unix(1_700_000_000, 0)
	testNet = NetworkOf("test", [32]byte{1})
)

// keys remembers the keys of tests, and ids their identities; both cost more than anything else here.
var (
	keys = map[int]transport.Key{}
	ids  = map[int]transport.ID{}
)

func testKey(n int) transport.Key {
	if k, ok := keys[n]; ok {
		return k
	}
	seed := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(n)))
	k, err := transport.KeyFromSeed(seed[:])
	if err != nil {
		panic(err)
	}
	keys[n], ids[n] = k, k.ID()
	return k
}

func testID(n int) transport.ID {
	testKey(n)
	return ids[n]
}

func addr(n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 9)
}

func record(n int) Record { return Sign(testKey(n), testNet, 1, addr(n)) }

func TestRecord(t *testing.T) {
	for _, at := range []string{"1.2.3.4:5", "[2001:db8::1]:5"} {
		r := Sign(testKey(1), testNet, 7, netip.MustParseAddrPort(at))
		m := message{kind: kindAdvert, records: []Record{r}}
		back, err := decodeMessage(m.encode())
		if err != nil || back.records[0] != r || r.verify(testNet) != nil || r.ID() != testID(1) {
			t.Errorf("%+v became %+v, %v", r, back.records, err)
		}
		if err := r.verify(NetworkOf("test", [32]byte{2})); !errors.Is(err, ErrRecord) {
			t.Errorf("a record of another genesis: %v", err)
		}
		if err := r.verify(NetworkOf("tess", [32]byte{1})); !errors.Is(err, ErrRecord) {
			t.Errorf("a record of another network: %v", err)
		}
		for i, change := range []func(*Record){
			func(r *Record) { r.Seq++ }, func(r *Record) { r.Key[0] ^= 1 }, func(r *Record) { r.Signature[9] ^= 1 },
			func(r *Record) { r.Address = netip.AddrPortFrom(r.Address.Addr(), 6) },
			func(r *Record) { r.Address = netip.AddrPortFrom(r.Address.Addr().Next(), 5) },
		} {
			forged := r
			change(&forged)
			if err := forged.verify(testNet); !errors.Is(err, ErrRecord) {
				t.Errorf("change %d: %v", i, err)
			}
		}
	}
}

func TestBadMessages(t *testing.T) {
	good := (&message{kind: kindFound, request: 1, records: []Record{record(1), record(2)}}).encode()
	if _, err := decodeMessage(good); err != nil {
		t.Fatal(err)
	}
	port0 := Sign(testKey(1), testNet, 1, netip.AddrPortFrom(addr(1).Addr(), 0))
	mapped := record(1)
	mapped.Address = netip.AddrPortFrom(netip.AddrFrom16(addr(1).Addr().As16()), 9)
	for name, b := range map[string][]byte{
		"empty":          {},
		"unknown":        {9},
		"short find":     {kindFind, 0, 0, 0, 1},
		"trailing":       append(slices.Clone(good), 0),
		"cut":            good[:len(good)-1],
		"count":          {kindFound, 0, 0, 0, 1, answerMax + 1},
		"missing":        {kindFound, 0, 0, 0, 1, 1},
		"nowhere":        (&message{kind: kindAdvert, records: []Record{port0}}).encode(),
		"mapped":         (&message{kind: kindAdvert, records: []Record{mapped}}).encode(),
		"unknown family": append(append([]byte{kindAdvert}, make([]byte, 40)...), 5),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := decodeMessage(b); !errors.Is(err, ErrMessage) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// The table's nearest are those of a sort over everything it holds, and its buckets hold what their distance says.
func TestTableAgainstSort(t *testing.T) {
	self := testID(0)
	table := newTable(self)
	var known []transport.ID
	for i := 1; i <= 120; i++ {
		table.add(record(i), epoch)
	}
	for i := range table.buckets {
		for _, n := range table.buckets[i].nodes {
			known = append(known, n.id)
			d := [32]byte{}
			for k := range d {
				d[k] = self[k] ^ n.id[k]
			}
			if d[i/8]>>(7-i%8) != 1 {
				t.Fatalf("a node at distance %x lies in bucket %d", d[:4], i)
			}
		}
		if len(table.buckets[i].nodes) > bucketSize || len(table.buckets[i].waiting) > waitingSize {
			t.Fatal("a bucket is too large")
		}
	}
	if len(known) != table.len() || table.len() < 40 {
		t.Fatalf("%d nodes", table.len())
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		var target transport.ID
		binary.BigEndian.PutUint64(target[:], random.Uint64())
		slices.SortFunc(known, func(a, b transport.ID) int {
			for i := range target {
				if x, y := a[i]^target[i], b[i]^target[i]; x != y {
					return int(x) - int(y)
				}
			}
			return 0
		})
		want := slices.DeleteFunc(slices.Clone(known), func(id transport.ID) bool { return id == known[3] })[:16]
		for i, r := range table.closest(target, 16, known[3]) {
			if r.ID() != want[i] {
				t.Fatalf("the %d-th nearest to %x", i, target[:4])
			}
		}
	}
}

// Old nodes keep their places; one that fails twice gives its to the latest that waits.
func TestBucketLife(t *testing.T) {
	table := newTable(testID(0))
	var first, waits []int
	for i := 1; len(waits) < 3; i++ {
		if table.index(testID(i)) != 0 {
			continue
		}
		table.add(record(i), epoch)
		if len(first) < bucketSize {
			first = append(first, i)
		} else {
			waits = append(waits, i)
		}
	}
	b := &table.buckets[0]
	for _, i := range first {
		if b.find(testID(i)) < 0 {
			t.Fatal("a newcomer displaced an old node")
		}
	}
	old := testID(first[0])
	table.fail(old)
	table.hear(old, epoch)
	table.fail(old)
	if b.find(old) < 0 {
		t.Error("a sign of life was forgotten")
	}
	table.fail(old)
	if b.find(old) >= 0 || b.find(testID(waits[2])) < 0 {
		t.Error("the place of a silent node goes to the latest that waits")
	}
	newer := Sign(testKey(first[1]), testNet, 2, addr(999))
	table.add(newer, epoch)
	table.add(record(first[1]), epoch)
	if got := b.nodes[b.find(newer.ID())].record; got != newer {
		t.Error("a lower seq replaced a higher")
	}
}

// The owner of one network gets a few places and no more.
func TestShares(t *testing.T) {
	table := newTable(testID(0))
	public := func(n int) Record {
		return Sign(testKey(n), testNet, 1, netip.AddrPortFrom(netip.AddrFrom4([4]byte{93, 184, 7, byte(n)}), 9))
	}
	for i := 1; i < 250; i++ {
		table.add(public(i), epoch)
	}
	if table.len() > tableShare {
		t.Errorf("%d places for one network", table.len())
	}
	for i := range table.buckets {
		if n := len(table.buckets[i].nodes); n > bucketShare {
			t.Errorf("%d places in one bucket", n)
		}
	}
	for i := 1; i < 250; i++ {
		table.fail(testID(i))
		table.fail(testID(i))
	}
	for i := 1; i < 250; i++ { // whoever took a place since
		table.fail(testID(i))
		table.fail(testID(i))
	}
	if left := table.len(); left > 0 && len(table.shares) == 0 || left == 0 && len(table.shares) != 0 {
		t.Errorf("%d nodes, shares %v", left, table.shares)
	}
}

// world is a network of finders without a wire: frames arrive a tick after they were sent.
type world struct {
	t       *testing.T
	now     time.Time
	nodes   []*actor
	byID    map[transport.ID]*actor
	inbox   []func()
	learned map[transport.ID]map[transport.ID]bool
	errors  int
}

type actor struct {
	n      int
	finder *Finder
	conns  map[transport.ID]transport.Purpose
	dead   bool
	twist  func([]byte) []byte // what a liar does to its frames
}

func newWorld(t *testing.T, n int, boot func(int) []int) *world {
	w := &world{t: t, now: epoch, byID: map[transport.ID]*actor{}, learned: map[transport.ID]map[transport.ID]bool{}}
	for i := range n {
		var targets []transport.Target
		for _, b := range boot(i) {
			targets = append(targets, transport.Target{ID: testID(b), Address: addr(b)})
		}
		a := &actor{n: i, conns: map[transport.ID]transport.Purpose{}, finder: New(Config{
			Key: testKey(i), Network: testNet, Seq: 1, Address: addr(i), Boot: targets, Seed: uint64(i),
		})}
		w.nodes = append(w.nodes, a)
		w.byID[testID(i)] = a
		w.learned[testID(i)] = map[transport.ID]bool{}
	}
	return w
}

func (w *world) peer(a *actor, inbound bool) transport.Peer {
	p := transport.Peer{ID: testID(a.n), Key: testKey(a.n).Public(), Address: addr(a.n), Inbound: inbound, Purpose: transport.Lookup, Listen: 9}
	if inbound {
		p.Address = netip.AddrPortFrom(p.Address.Addr(), 50_000)
	}
	return p
}

// perform carries out what a node wants done.
func (w *world) perform(a *actor) {
	self := testID(a.n)
	for _, e := range a.finder.Effects() {
		switch {
		case e.Learned != nil:
			w.learned[self][e.Learned.ID()] = true
		case e.Dial != nil:
			target := *e.Dial
			w.inbox = append(w.inbox, func() { w.connect(a, target) })
		case e.Drop != nil:
			other := w.byID[*e.Drop]
			w.inbox = append(w.inbox, func() { w.part(a, other) })
		case e.Send != nil:
			frame, other := e.Send.Frame, w.byID[e.Send.To]
			if a.twist != nil {
				frame = a.twist(frame)
			}
			w.inbox = append(w.inbox, func() {
				if _, ok := a.conns[testID(other.n)]; !ok || other.dead {
					return
				}
				if err := other.finder.Receive(self, frame, w.now); err != nil {
					w.errors++
				}
				w.perform(other)
			})
		}
	}
}

func (w *world) connect(a *actor, target transport.Target) {
	other := w.byID[target.ID]
	if other == nil || other.dead || addr(other.n) != target.Address {
		a.finder.Failed(target, w.now)
		w.perform(a)
		return
	}
	if _, ok := a.conns[target.ID]; !ok {
		a.conns[target.ID] = target.Purpose
		other.conns[testID(a.n)] = target.Purpose
		a.finder.Up(w.peer(other, false), w.now)
		other.finder.Up(w.peer(a, true), w.now)
	}
	w.perform(a)
	w.perform(other)
}

func (w *world) part(a, b *actor) {
	for _, pair := range [][2]*actor{{a, b}, {b, a}} {
		id := testID(pair[1].n)
		if _, ok := pair[0].conns[id]; ok {
			delete(pair[0].conns, id)
			pair[0].finder.Down(id, w.now)
			w.perform(pair[0])
		}
	}
}

// run lets seconds pass.
func (w *world) run(seconds int) {
	for range seconds {
		w.now = w.now.Add(time.Second)
		for _, a := range w.nodes {
			if !a.dead {
				a.finder.Tick(true, w.now)
				w.perform(a)
			}
		}
		for len(w.inbox) > 0 {
			next := w.inbox[0]
			w.inbox = w.inbox[1:]
			next()
		}
	}
}

// From one bootstrap node everybody finds everybody. Spec: WP §6.2.
func TestNetworkOfOneBootstrapNode(t *testing.T) {
	w := newWorld(t, 40, func(int) []int { return []int{0} })
	w.run(120)
	for _, a := range w.nodes {
		if n := len(w.learned[testID(a.n)]); n < 36 {
			t.Errorf("node %d has learned of %d others", a.n, n)
		}
		if a.finder.Known() < 16 {
			t.Errorf("node %d has %d in its table", a.n, a.finder.Known())
		}
		if len(a.conns) > 8 {
			t.Errorf("node %d holds %d connections", a.n, len(a.conns))
		}
	}
	if w.errors > 0 {
		t.Errorf("%d honest messages were called faults", w.errors)
	}
	// Half of them die. The tables of the rest become true, slowly but surely.
	for i := 20; i < 40; i++ {
		w.nodes[i].dead = true
		for id := range w.nodes[i].conns {
			w.part(w.nodes[i], w.byID[id])
		}
	}
	w.run(600)
	for _, a := range w.nodes[:20] {
		dead := 0
		for i := 20; i < 40; i++ {
			id := testID(i)
			if a.finder.table.buckets[a.finder.table.index(id)].find(id) >= 0 {
				dead++
			}
		}
		if dead > 2 {
			t.Errorf("node %d still lists %d dead ones", a.n, dead)
		}
	}
}

// Same seeds, same world.
func TestDeterminism(t *testing.T) {
	trace := func() (out []string) {
		w := newWorld(t, 20, func(int) []int { return []int{0} })
		w.run(60)
		for _, a := range w.nodes {
			for _, r := range a.finder.table.closest(transport.ID{}, 99, transport.ID{}) {
				out = append(out, r.ID().String())
			}
		}
		return out
	}
	if !slices.Equal(trace(), trace()) {
		t.Error("two runs differ")
	}
}

// Liars are errors at whoever hears them, and nobody believes them.
func TestLiars(t *testing.T) {
	w := newWorld(t, 20, func(int) []int { return []int{0} })
	for i := 15; i < 20; i++ {
		w.nodes[i].twist = func(b []byte) []byte {
			b = slices.Clone(b)
			b[len(b)-1] ^= 1
			return b
		}
	}
	w.run(120)
	if w.errors == 0 {
		t.Error("nobody noticed")
	}
	for i := range 15 {
		if n := len(w.learned[testID(i)]); n != 14 {
			t.Errorf("node %d knows %d of the 14 other honest ones", i, n)
		}
	}
}

func TestReceiveFaults(t *testing.T) {
	f := New(Config{Key: testKey(0), Network: testNet, Address: addr(0)})
	p := transport.Peer{ID: testID(1), Key: testKey(1).Public(), Address: addr(1), Inbound: true}
	f.Up(p, epoch)
	e := f.Effects()
	if len(e) != 2 || e[0].Send == nil || e[0].Send.To != p.ID || e[0].Send.Frame[0] != kindAdvert || e[1].Send == nil || e[1].Send.Frame[0] != kindFind {
		t.Fatalf("%+v", e) // our advert; and nobody else being known, the question who is
	}
	another := message{kind: kindAdvert, records: []Record{record(2)}}
	if err := f.Receive(p.ID, another.encode(), epoch); !errors.Is(err, ErrRecord) {
		t.Errorf("another's advert: %v", err)
	}
	// An answer nobody waits for changes nothing.
	late := message{kind: kindFound, request: 1, records: []Record{record(2)}}
	if err := f.Receive(p.ID, late.encode(), epoch); err != nil || len(f.Effects()) != 0 {
		t.Error(err)
	}
	// An address elsewhere is learned, and has no place in the table before it was seen to be true.
	elsewhere := Sign(testKey(1), testNet, 1, addr(77))
	advert := message{kind: kindAdvert, records: []Record{elsewhere}}
	if err := f.Receive(p.ID, advert.encode(), epoch); err != nil || f.Known() != 0 {
		t.Error(err, f.Known())
	}
	if e := f.Effects(); len(e) != 1 || e[0].Learned == nil || *e[0].Learned != elsewhere {
		t.Errorf("%+v", e)
	}
	if err := f.Receive(transport.ID{9}, []byte{kindFind}, epoch); !errors.Is(err, ErrMessage) {
		t.Error(err)
	}
}

// FuzzMessage: any bytes give an error or a message that is written as it was read.
func FuzzMessage(f *testing.F) {
	f.Add((&message{kind: kindFound, request: 1, records: []Record{record(1), record(2)}}).encode())
	f.Add((&message{kind: kindAdvert, records: []Record{Sign(testKey(1), testNet, 1, netip.MustParseAddrPort("[2001:db8::1]:5"))}}).encode())
	f.Add((&message{kind: kindFind, request: 1}).encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decodeMessage(b)
		if err != nil {
			return
		}
		if again := m.encode(); string(again) != string(b) {
			t.Errorf("%x became %x", b, again)
		}
		finder := New(Config{Key: testKey(0), Network: testNet})
		finder.Up(transport.Peer{ID: testID(1), Key: testKey(1).Public()}, epoch)
		_ = finder.Receive(testID(1), b, epoch)
	})
}

func BenchmarkReceive(b *testing.B) {
	for _, n := range []int{1, answerMax} {
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			m := message{kind: kindFound, request: 1}
			for i := range n {
				m.records = append(m.records, record(i+1))
			}
			data := m.encode()
			f := New(Config{Key: testKey(0), Network: testNet})
			f.Up(transport.Peer{ID: testID(1)}, epoch)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := f.Receive(testID(1), data, epoch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
