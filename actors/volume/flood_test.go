package volume

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"io"
	"net/netip"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/testkit/stranger"
)

// raid is eight strangers that attack one relay.
type raid struct {
	t      *testing.T
	relay  *reach.Relay
	volume digest.Hash
	valid  []byte // a question of the owner's, as it was on the wire

	mu   sync.Mutex
	told map[protocol.Status]int
}

// frame is a question on the wire; claimed is the length that it says it has.
func frame(version byte, claimed uint32, body []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{version}, claimed), body...)
}

// ask is what one stream of a stranger carries.
func (r *raid) ask(number, connection, stream int) stranger.Question {
	whole := func(raw []byte) stranger.Question { return stranger.Question{Raw: raw, Whole: true, Reads: true} }
	ask := func(q *protocol.Request) stranger.Question {
		body := q.Encode()
		return whole(frame(mutual.Version, uint32(len(body)), body))
	}
	n := number<<16 | connection<<8 | stream
	switch stream % 8 { // those that are answered first, then those that hold on to what they have
	case 0: // no question
		return whole(frame(mutual.Version, 1_000, bytes.Repeat([]byte{byte(n)}, 1_000)))
	case 1: // of somebody else
		return whole(r.valid)
	case 2: // a volume that nobody has
		return ask(&protocol.Request{Op: protocol.GetShard, Volume: digest.Hash{0xee, byte(n >> 16), byte(n >> 8), byte(n)}})
	case 3: // a token that is none
		token := bytes.Repeat([]byte{1}, cbfs.MaxTokenBytes)
		return ask(&protocol.Request{Op: protocol.PutShard, Volume: r.volume, Token: token, Data: []byte{byte(n)}})
	case 4:
		return stranger.Question{Raw: frame(mutual.Version, 1<<32-1, []byte("huge")), Reads: true}
	case 5: // right, and its answer is read by nobody
		x := ask(&protocol.Request{Op: protocol.GetShard, Volume: r.volume})
		x.Reads = false
		return x
	case 6: // a body that never comes
		return stranger.Question{Raw: frame(mutual.Version, mutual.MaxBody, nil)}
	}
	return stranger.Question{Raw: frame(mutual.Version, mutual.MaxBody, make([]byte, 100<<10))} // one that comes to a part
}

// heard reports whether strangers were told all of these.
func (r *raid) heard(all ...protocol.Status) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, status := range all {
		if r.told[status] == 0 {
			return false
		}
	}
	return true
}

// hear takes an answer: it is typed.
func (r *raid) hear(raw []byte) {
	if len(raw) == 0 {
		return
	}
	if len(raw) < 5 {
		r.t.Errorf("an answer of %d bytes", len(raw))
		return
	}
	a, err := protocol.DecodeAnswer(raw[5:])
	if err != nil {
		r.t.Errorf("an answer that is none: %v", err)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told[a.Status]++
}

// descriptors counts those of this process.
func descriptors(t *testing.T) int {
	list, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(list)
}

const raiders = 8

// small are limits that eight strangers reach with few connections.
func small() mutual.Limits {
	limits := mutual.DefaultLimits()
	limits.Connections, limits.PerAddress, limits.Memory = 64, 8, 24*2*mutual.MaxBody
	return limits
}

// attacked is a world with a volume, and strangers who have heard what its owner asked one of its relays.
func attacked(t *testing.T, limits mutual.Limits) (w *world, id digest.Hash, target *node, hostile *raid) {
	w = newBoundedWorld(t, 6, limits)
	before := w.client(ann)
	id = w.create("docs", false, 4, 2)
	must(t, before.Apply(t.Context(), id, []Change{file("a", bytes.Repeat([]byte("before"), 100_000))}))
	w.confirmed(id)
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	r, err := w.Relay(t.Context(), v.Slots[0].Relay)
	must(t, err)
	for _, n := range w.relays {
		if n.self == r.Owner {
			target = n
		}
	}
	put := protocol.Request{Op: protocol.PutShard, Volume: id, Slot: 0, Data: []byte("a chunk of the owner's")}
	must(t, before.let(v, true)(&put))
	body := put.Encode()
	valid := frame(mutual.Version, uint32(len(body)), body)
	return w, id, target, &raid{t: t, relay: r, volume: id, told: map[protocol.Status]int{}, valid: valid}
}

// TestRelayAmongStrangers: while eight strangers take all connections that a relay has, leave handshakes half-open, send garbage, frames that claim to be huge,
// bodies that never end, another's questions and questions about volumes that they make up, and read no answers, a client that comes then puts and gets, by the
// relay itself and by all of them, and the relay confirms what was committed. What it holds stays below what its limits say, and goes when they go.
func TestRelayAmongStrangers(t *testing.T) { // alone, since it counts what the process holds
	limits := small()
	w, id, target, hostile := attacked(t, limits)
	r := hostile.relay

	runtime.GC()
	var start runtime.MemStats
	runtime.ReadMemStats(&start)
	opened := descriptors(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	flood := &stranger.Raid{
		Target: r.Endpoint, ALPN: "cowboy-mutual", First: 1, Strangers: raiders, Connections: limits.PerAddress, Streams: 64,
		Key: func(number int) ed25519.PrivateKey { return seedOf(byte(100 + number)) }, Ask: hostile.ask, Hear: hostile.hear,
	}
	gone, err := flood.Begin(ctx)
	must(t, err)
	w.until("questions of strangers wait, and others were refused, each for its reason", func() bool {
		n, err := stranger.Goroutines("mutual.(*Server).question")
		full := n >= int(limits.Memory)/(2*mutual.MaxBody)+raiders
		return err == nil && full && hostile.heard(protocol.ErrAuth, protocol.ErrInvalid, protocol.ErrNotFound)
	})
	w.serves(id, r, "during")
	if n := target.server.Connections(); n < limits.Connections-raiders || n > limits.Connections {
		t.Errorf("%d connections: the flood did not fill the relay, or there is no bound", n)
	}
	asked, err := stranger.Goroutines("mutual.(*Server).question")
	must(t, err)
	if most := limits.Connections * int(limits.Streams); asked == 0 || asked > most {
		t.Errorf("%d questions under way, want at most %d", asked, most)
	}
	// one socket for each stranger and one for each handshake that it leaves half-open, the client's own, and files that are open for a moment
	if n := descriptors(t) - opened; n > raiders*(1+8)+32 {
		t.Errorf("%d descriptors more", n)
	}
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	// questions and answers, what is unread from the start, and as much as windows may grow; the strangers' own side is in it too
	if most := uint64(2*limits.Memory + int64(limits.Connections)<<20); now.HeapAlloc > start.HeapAlloc+most {
		t.Errorf("%d MiB of heap more, want at most %d", (now.HeapAlloc-start.HeapAlloc)>>20, most>>20)
	}

	cancel()
	gone()
	for status := range hostile.told {
		switch status {
		case protocol.Ok, protocol.ErrAuth, protocol.ErrInvalid, protocol.ErrNotFound, protocol.ErrCapacity:
		default:
			t.Errorf("strangers are told %v", status)
		}
	}
	w.until("the strangers are gone", func() bool {
		asked, err := stranger.Goroutines("mutual.(*Server).question")
		return err == nil && asked == 0 && target.server.Connections() <= raiders
	})
	w.serves(id, r, "afterwards")
}

// besiege has a stranger keep one connection over TCP at a time, which it uses as its number says, until the context ends: it says nothing, or nothing after
// the handshake, leaves at once, or asks one of the questions that raids ask.
func (r *raid) besiege(ctx context.Context, s *stranger.Stranger, number, connection int) {
	for round := 0; ctx.Err() == nil; round++ {
		conn, err := s.DialTCP(ctx)
		if err != nil {
			continue // the machine has no port, or the end came
		}
		stop := context.AfterFunc(ctx, func() { _ = conn.NetConn().Close() })
		kind := (number + connection) % 11
		if kind != 0 && conn.HandshakeContext(ctx) != nil || kind == 2 {
			stop()
			_ = conn.NetConn().Close()
			continue
		}
		reads := true
		if kind > 2 {
			x := r.ask(number, connection, kind-3)
			reads = x.Reads
			_, _ = conn.Write(x.Raw)
			if x.Whole && x.Reads {
				if head := make([]byte, 5); readAll(conn, head) {
					if body := make([]byte, binary.BigEndian.Uint32(head[1:])); readAll(conn, body) {
						r.hear(append(head, body...))
					}
				}
				_, _ = conn.Write(x.Raw) // and once more, to be answered while it leaves
			}
		}
		if kind <= 1 || reads {
			_, _ = conn.NetConn().Read(make([]byte, 1)) // until the server ends it
		} else {
			<-ctx.Done()
		}
		stop()
		_ = conn.NetConn().Close()
	}
}

func readAll(from io.Reader, room []byte) bool {
	_, err := io.ReadFull(from, room)
	return err == nil
}

// TestRelayAmongStrangersOverTCP: eight strangers with eleven connections each over TCP, of which they may have eight, say nothing, do not go on, come and go,
// and ask what TestRelayAmongStrangers has them ask; a client that comes then puts and gets.
func TestRelayAmongStrangersOverTCP(t *testing.T) {
	limits := small()
	w, id, target, hostile := attacked(t, limits)
	r := hostile.relay
	opened := descriptors(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all sync.WaitGroup
	for number := range raiders {
		s, err := stranger.New(byte(1+number), r.Endpoint, "cowboy-mutual", seedOf(byte(100+number)))
		must(t, err)
		defer s.Close()
		for connection := range limits.PerAddress + 3 {
			all.Go(func() { hostile.besiege(ctx, s, number, connection) })
		}
	}
	w.until("the relay is full, and strangers were refused, each for its reason", func() bool {
		return target.server.Connections() >= limits.Connections-raiders && hostile.heard(protocol.ErrAuth, protocol.ErrInvalid, protocol.ErrNotFound)
	})
	w.serves(id, r, "during")
	if n := target.server.Connections(); n > limits.Connections {
		t.Errorf("%d connections", n)
	}
	// both ends of the strangers' connections and their sockets, both ends of four of the client's to each relay, and files that are open for a moment
	if n := descriptors(t) - opened; n > 2*raiders*(limits.PerAddress+3)+raiders+2*6*4+32 {
		t.Errorf("%d descriptors more", n)
	}
	cancel()
	all.Wait()
	for status := range hostile.told {
		switch status {
		case protocol.Ok, protocol.ErrAuth, protocol.ErrInvalid, protocol.ErrNotFound, protocol.ErrCapacity:
		default:
			t.Errorf("strangers are told %v", status)
		}
	}
	w.until("the strangers are gone", func() bool {
		asked, err := stranger.Goroutines("mutual.(*Server).question")
		return err == nil && asked == 0 && target.server.Connections() <= raiders
	})
	w.serves(id, r, "afterwards")
}

// serves has a client that comes now put and get: at one relay, and at all of them.
func (w *world) serves(id digest.Hash, r *reach.Relay, when string) {
	w.t.Helper()
	c := w.client(ann)
	c.open()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	v, err := w.Volume(ctx, id)
	must(w.t, err)
	data := []byte("a chunk brought " + when)
	put := protocol.Request{Op: protocol.PutShard, Volume: id, Slot: 0, Data: data}
	must(w.t, c.let(v, true)(&put))
	a, err := c.pool.Ask(ctx, r, &put)
	for err != nil && ctx.Err() == nil { // a machine that is short of time loses packets
		a, err = c.pool.Ask(ctx, r, &put)
	}
	if err != nil || len(a.Hashes) != 1 || a.Hashes[0] != cbfs.ChunkRoot(data) {
		w.t.Fatalf("%s: put: %+v %v", when, a, err)
	}
	a, err = c.pool.Ask(ctx, r, &protocol.Request{Op: protocol.GetShard, Volume: id, Slot: 0})
	if err != nil || len(a.Data) == 0 {
		w.t.Fatalf("%s: get: %v", when, err)
	}
	text := bytes.Repeat([]byte(when), 50_000)
	must(w.t, c.Apply(ctx, id, []Change{file(when, text)}))
	if got, err := read(ctx, c, id, when); err != nil || !bytes.Equal(got, text) {
		w.t.Fatalf("%s: %d bytes, %v", when, len(got), err)
	}
	w.confirmed(id)
}

// counted counts what is looked up.
type counted struct {
	reach.Source
	volumes int
}

func (c *counted) Volume(ctx context.Context, id digest.Hash) (*reach.Volume, error) {
	c.volumes++
	return c.Source.Volume(ctx, id)
}

func seat(n byte) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, n}) }

// TestLooksOfStrangers: in a moment that does not pass a stranger has 50 names looked up and all strangers 100. The owner's own looks go on, and what is known
// of volumes that the chain has stays known, however many names were made up.
func TestLooksOfStrangers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 6)
	id := w.create("docs", false, 4, 2)
	at := time.Unix(1_000, 0)
	source := &counted{Source: w}
	d := reach.NewDirectory(source, func() time.Time { return at })
	if _, err := d.Volume(t.Context(), id, false); err != nil {
		t.Fatal(err)
	}
	busy := 0
	for i := range 5_000 {
		ctx := reach.For(t.Context(), seat(byte(i%5)))
		_, err := d.Volume(ctx, digest.Hash{0xee, byte(i >> 8), byte(i)}, false)
		switch {
		case errors.Is(err, reach.ErrBusy):
			busy++
		case !errors.Is(err, reach.ErrUnknown):
			t.Fatal(err)
		}
	}
	if looked := source.volumes - 1; looked != 100 || busy != 4_900 {
		t.Errorf("%d looks and %d refusals, want 100 and 4,900", looked, busy)
	}
	for range 51 {
		if _, err := d.Volume(reach.For(t.Context(), seat(0)), id, false); err != nil {
			t.Fatalf("what is known: %v", err)
		}
	}
	at = at.Add(reach.RefreshAfter)
	for name, ctx := range map[string]context.Context{"the owner": t.Context(), "a stranger, later": reach.For(t.Context(), seat(9))} {
		t.Run(name, func(t *testing.T) {
			if _, err := d.Volume(ctx, digest.Hash{0xdd}, true); !errors.Is(err, reach.ErrUnknown) {
				t.Error(err)
			}
			if _, err := d.Volume(ctx, id, false); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTablesOfOthers: of a volume that has no slot here nothing is kept, and two tables of a volume are on their way at a time.
func TestTablesOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 7)
	c := w.client(ann)
	c.open()
	id := w.create("docs", false, 4, 2)
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	holds := map[account.Address]bool{}
	for _, s := range v.Slots {
		holds[s.Relay] = true
	}
	ask := func(owner account.Address, q *protocol.Request) error {
		r, err := w.Relay(t.Context(), owner)
		must(t, err)
		q.Volume = id
		must(t, c.let(v, true)(q))
		_, err = c.pool.Ask(t.Context(), r, q)
		return err
	}
	table := &protocol.Table{K: 4, M: 2, Stripes: []protocol.Stripe{{Size: 1, Roots: make([]digest.Hash, 6)}}}
	raw := (&protocol.Change{K: 4, M: 2, Count: 1, List: []protocol.Numbered{{Stripe: table.Stripes[0]}}}).Encode()
	for _, n := range w.relays {
		if holds[n.self] {
			continue
		}
		q := &protocol.Request{Op: protocol.PutPlacement, Root: table.Root(), Version: v.Version, Total: uint64(len(raw)), Data: raw}
		if err := ask(n.self, q); !errors.Is(err, protocol.ErrInvalid) {
			t.Errorf("a table of a volume without a slot here: %v", err)
		}
		if u := n.store.Usage(); u.Bytes != 0 {
			t.Errorf("%d bytes are kept of it", u.Bytes)
		}
	}
	first := func(n byte) *protocol.Request {
		return &protocol.Request{
			Op: protocol.PutPlacement, Root: digest.Hash{n}, Version: v.Version, Total: protocol.PartBytes + 1, Data: make([]byte, protocol.PartBytes),
		}
	}
	for n, want := range []error{nil, nil, protocol.ErrCapacity} {
		if err := ask(v.Slots[0].Relay, first(byte(n+1))); !errors.Is(err, want) {
			t.Errorf("table %d: %v, want %v", n, err, want)
		}
	}
}
