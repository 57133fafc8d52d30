package volume

import (
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// as is how a relay of the world asks others.
func (w *world) as(number byte) *reach.Pool {
	p := &reach.Pool{Key: seedOf(number), Node: digest.Hash{number}, Self: walletOf(number).Address(), Now: w.now, Dial: w.wire.dialer(number)}
	w.t.Cleanup(p.Close)
	return p
}

// relayOf is what the chain says of a relay of the world.
func (w *world) relayOf(number byte) *reach.Relay {
	r, err := w.Relay(w.t.Context(), walletOf(number).Address())
	must(w.t, err)
	return r
}

// spare is the number of the first relay that holds no slot of a volume.
func (o *overheard) spare(id digest.Hash) byte {
	v, err := o.Volume(o.t.Context(), id)
	must(o.t, err)
	return byte(1 + slices.IndexFunc(o.relays, func(n *node) bool { return len(v.Holds(n.self)) == 0 }))
}

// drain has a relay give its slots to others, and waits until these have confirmed one of a volume.
func (o *overheard) drain(i int, id digest.Hash, slot uint8) (to byte) {
	from := o.relays[i].self
	o.world.mu.Lock()
	must(o.t, o.registry.Drain(from))
	o.world.mu.Unlock()
	o.until("another relay has the slot, whole", func() bool {
		v, err := o.Volume(o.t.Context(), id)
		must(o.t, err)
		to = byte(1 + slices.IndexFunc(o.relays, func(n *node) bool { return n.self == v.Slots[slot].Relay }))
		return v.Slots[slot].Relay != from && v.Slots[slot].Root == v.Root
	})
	return to
}

// count counts statuses.
func count(list []protocol.Status, status protocol.Status) (n int) {
	for _, one := range list {
		if one == status {
			n++
		}
	}
	return n
}

// A relay that drains brings the chunks of its slot to whoever has it then: one transfer for each, where the other one fetches k of them if nobody pushes.
//
// Spec: storage-cbfs §3.3 (PeerRelayPushShard), §4 (repair).
func TestDrainingPushes(t *testing.T) {
	const chunks = 5 // of a slot: four of the file, and the manifest's
	for name, pushes := range map[string]bool{"with pushing": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			o := overhear(t, 7)
			c := o.client(ann)
			id := o.create("docs", false, 4, 2)
			must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 13<<20))}))
			o.confirmed(id)
			o.whole()
			i, number, slot := o.holder(id)
			for _, n := range others(7, number) { // either way is tried alone
				o.hear(n, func(q *protocol.Request) *protocol.Answer {
					if !pushes && q.Op == protocol.PeerRelayPushShard || pushes && q.Op == protocol.GetShard {
						return &protocol.Answer{Status: protocol.ErrCapacity}
					}
					return nil
				})
			}
			o.forget()
			to := o.drain(i, id, slot)
			pushed := count(o.of(protocol.PeerRelayPushShard, to), protocol.Ok)
			fetched := count(o.of(protocol.GetShard, others(7, to)...), protocol.Ok)
			t.Logf("%d chunks pushed, %d fetched", pushed, fetched)
			if pushes && (pushed != chunks || fetched != 0) || !pushes && (pushed != 0 || fetched < 4*chunks) {
				t.Errorf("%d chunks are pushed and %d fetched, and the slot has %d", pushed, fetched, chunks)
			}
			v, err := o.Volume(t.Context(), id)
			must(t, err)
			if !has(o.relays[to-1], v, slot) {
				t.Error("the slot is not whole")
			}
		})
	}
}

// pushed is a chunk that a relay pushes, as a test changes it.
type pushed struct {
	q        protocol.Request
	from, to byte // who signs, and for whom
	asks     byte // who sends; 0 is no relay
	root     digest.Hash
	ago      time.Duration // since it was signed
	unsigned bool
}

// What is pushed is taken only of a relay of the chain's that signed it just now for this receiver, of a slot that this one has, and as the table of the newest
// commit says. Anything else has its status, and nothing of it is kept.
//
// Spec: storage-cbfs §3.3 (PeerRelayPushShard), §9.
func TestWhatIsNotTakenOfRelays(t *testing.T) {
	o := overhear(t, 7)
	c := o.client(ann)
	id := o.create("docs", false, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000))}))
	must(t, c.Apply(t.Context(), id, []Change{file("b", random(2, 9_000))}))
	o.confirmed(id)
	o.whole()
	empty := o.create("empty", false, 4, 2)
	s, err := c.Open(t.Context(), id)
	must(t, err)
	i, number, slot := o.holder(id)
	v, err := o.Volume(t.Context(), empty)
	must(t, err)
	other, emptySlot := o.spare(id), v.Holds(o.relays[i].self)[0]
	stripe := tableOf(t, s).Stripes[1]
	root := stripe.Roots[slot]
	data, err := chunkIn(chunkFile(o.relays[i], root))
	must(t, err)
	first, err := o.relays[i].store.Get(tableOf(t, s).Stripes[0].Roots[slot])
	must(t, err)
	must(t, os.Remove(chunkFile(o.relays[i], root)))
	held := func() bool { return o.relays[i].store.Has(root) }
	send := func(p *pushed) error {
		pool := &reach.Pool{Key: seedOf(99), Now: o.now, Dial: o.wire.dialer(0)}
		if p.asks != 0 {
			pool = o.as(p.asks)
		}
		defer pool.Close()
		p.q.Offset = uint64(o.now().Add(-p.ago).UnixMilli())
		if h := protocol.PushHash(digest.Hash{p.from}, digest.Hash{p.to}, &p.q, p.root); !p.unsigned {
			p.q.Certificate = ed25519.Sign(seedOf(p.from), h[:])
		}
		_, err := pool.Ask(t.Context(), o.relayOf(number), &p.q)
		return err
	}
	right := func() *pushed {
		return &pushed{
			q:    protocol.Request{Op: protocol.PeerRelayPushShard, Volume: id, Root: s.Volume.Root, Slot: slot, Number: 1, Data: data},
			from: other, to: number, asks: other, root: root,
		}
	}
	for name, one := range map[string]struct {
		change func(p *pushed)
		status protocol.Status
	}{
		"of no relay":                 {func(p *pushed) { p.asks = 0 }, protocol.ErrAuth},
		"of another one, captured":    {func(p *pushed) { p.asks = others(7, other)[0] }, protocol.ErrAuth},
		"signed by another key":       {func(p *pushed) { p.from = 99 }, protocol.ErrAuth},
		"not signed":                  {func(p *pushed) { p.unsigned = true }, protocol.ErrInvalid},
		"signed for another receiver": {func(p *pushed) { p.to = other }, protocol.ErrAuth},
		"signed for another chunk":    {func(p *pushed) { p.root = stripe.Roots[(slot+1)%6] }, protocol.ErrAuth},
		"of a minute ago":             {func(p *pushed) { p.ago = 61 * time.Second }, protocol.ErrAuth},
		"of a minute hence":           {func(p *pushed) { p.ago = -62 * time.Second }, protocol.ErrAuth},
		"of another slot":             {func(p *pushed) { p.q.Slot = (slot + 1) % 6 }, protocol.ErrInvalid},
		"of no slot":                  {func(p *pushed) { p.q.Slot = 200 }, protocol.ErrInvalid},
		"of no table":                 {func(p *pushed) { p.q.Root = digest.Hash{} }, protocol.ErrInvalid},
		"of another table":            {func(p *pushed) { p.q.Root = digest.Hash{1} }, protocol.ErrConflict},
		"beyond the table":            {func(p *pushed) { p.q.Number = 1 << 40 }, protocol.ErrNotFound},
		"of no volume":                {func(p *pushed) { p.q.Volume = digest.Hash{1} }, protocol.ErrNotFound},
		"of another volume":           {func(p *pushed) { p.q.Volume, p.q.Slot = empty, emptySlot }, protocol.ErrConflict},
		"a rotten chunk":              {func(p *pushed) { p.q.Data = append([]byte{data[0] ^ 1}, data[1:]...) }, protocol.ErrInvalid},
		"another chunk":               {func(p *pushed) { p.q.Data = first }, protocol.ErrInvalid},
		"no chunk":                    {func(p *pushed) { p.q.Data = nil }, protocol.ErrInvalid},
		"a byte more":                 {func(p *pushed) { p.q.Data = append(slices.Clone(data), 0) }, protocol.ErrInvalid},
		"more than a frame has":       {func(p *pushed) { p.q.Data = make([]byte, cbfs.ChunkBytes+1) }, protocol.ErrInvalid},
		"what is here":                {func(p *pushed) { p.q.Number, p.q.Data, p.root = 0, first, cbfs.ChunkRoot(first) }, protocol.ErrConflict},
	} {
		t.Run(name, func(t *testing.T) {
			before, p := o.relays[i].store.Usage(), right()
			one.change(p)
			if err := send(p); !errors.Is(err, one.status) {
				t.Errorf("%v, want %v", err, one.status)
			}
			if after := o.relays[i].store.Usage(); held() || after != before {
				t.Errorf("something is kept: %+v, before %+v", after, before)
			}
		})
	}
	must(t, send(right()))
	if !held() {
		t.Fatal("a right one is not kept")
	}
	if err := send(right()); !errors.Is(err, protocol.ErrConflict) {
		t.Errorf("the same again: %v", err)
	}
	o.relays[i].end()
	must(t, os.Remove(chunkFile(o.relays[i], root)))
	full, err := store.Look(o.relays[i].dir)
	must(t, err)
	o.relays[i] = o.begin(number, o.relays[i].dir, full.Bytes+uint64(len(data))-1)
	if err := send(right()); !errors.Is(err, protocol.ErrCapacity) {
		t.Errorf("with no room: %v", err)
	}
}

// The table of the newest commit comes to a relay that neither the client reached nor can fetch it, and it mends its slot; others bring no table, and to nobody
// one that is not the newest.
//
// Spec: storage-cbfs §3.3 (ReplicatePlacement).
func TestTablesComeUnasked(t *testing.T) {
	o := overhear(t, 7)
	c := o.client(ann)
	id := o.create("docs", false, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000))}))
	o.confirmed(id)
	o.whole()
	v, err := o.Volume(t.Context(), id)
	must(t, err)
	number := byte(1 + slices.IndexFunc(o.relays, func(n *node) bool { return n.self == v.Slots[5].Relay }))
	for n := byte(1); n <= 7; n++ {
		o.hear(n, func(q *protocol.Request) *protocol.Answer {
			if n == number && (q.Op == protocol.PutShard || q.Op == protocol.PutPlacement) || q.Op == protocol.GetPlacement {
				return &protocol.Answer{Status: protocol.ErrCapacity}
			}
			return nil
		})
	}
	o.forget()
	must(t, c.Apply(t.Context(), id, []Change{file("b", random(2, 9_000))}))
	o.confirmed(id)
	if got := o.of(protocol.ReplicatePlacement, number); count(got, protocol.Ok) != 1 {
		t.Errorf("the table is brought: %v", got)
	}
	v, err = o.Volume(t.Context(), id)
	must(t, err)
	if !has(o.relays[number-1], v, 5) {
		t.Error("the slot is not whole")
	}
	o.kill(int(number - 1)) // and nothing of it is there any more
	for n := byte(1); n <= 7; n++ {
		o.hear(n, func(q *protocol.Request) *protocol.Answer {
			if q.Op == protocol.GetPlacement {
				return &protocol.Answer{Status: protocol.ErrCapacity}
			}
			return nil
		})
	}
	o.again(int(number - 1))
	holder := byte(1 + slices.IndexFunc(o.relays, func(n *node) bool { return n.self == v.Slots[0].Relay }))
	table, err := o.relays[holder-1].store.Table(store.Name{Volume: id, Root: v.Root})
	must(t, err)
	change := &protocol.Change{K: 4, M: 2, Count: v.Chunks}
	for n := range v.Chunks {
		one, err := table.Stripe(n)
		must(t, err)
		change.List = append(change.List, protocol.Numbered{Number: n, Stripe: *one})
	}
	whole := change.Encode()
	bring := func(from byte, change func(q *protocol.Request)) error {
		q := &protocol.Request{
			Op: protocol.ReplicatePlacement, Volume: id, Root: v.Root, Version: v.Version, Total: uint64(len(whole)), Data: whole,
		}
		change(q)
		pool := &reach.Pool{Key: seedOf(98), Now: o.now, Dial: o.wire.dialer(0)}
		if from != 0 {
			pool = o.as(from)
		}
		defer pool.Close()
		_, err := pool.Ask(t.Context(), o.relayOf(number), q)
		return err
	}
	for name, one := range map[string]struct {
		from   byte
		change func(q *protocol.Request)
		status protocol.Status
	}{
		"of no relay":         {0, func(*protocol.Request) {}, protocol.ErrAuth},
		"without a slot":      {o.spare(id), func(*protocol.Request) {}, protocol.ErrAuth},
		"another table":       {holder, func(q *protocol.Request) { q.Root = digest.Hash{1} }, protocol.ErrConflict},
		"no table":            {holder, func(q *protocol.Request) { q.Root = digest.Hash{} }, protocol.ErrConflict},
		"another placement":   {holder, func(q *protocol.Request) { q.Version++ }, protocol.ErrConflict},
		"not what it says":    {holder, func(q *protocol.Request) { q.Data = append(whole[:len(whole)-1:len(whole)-1], 1) }, protocol.ErrInvalid},
		"a base it has not":   {holder, func(q *protocol.Request) { q.Hashes = []digest.Hash{{1}} }, protocol.ErrNotFound},
		"more than a table":   {holder, func(q *protocol.Request) { q.Total = protocol.MaxChange + 1 }, protocol.ErrInvalid},
		"a part in the midst": {holder, func(q *protocol.Request) { q.Total, q.Offset = q.Total+9, 9 }, protocol.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			if err := bring(one.from, one.change); !errors.Is(err, one.status) {
				t.Errorf("%v, want %v", err, one.status)
			}
		})
	}
	if files, err := filepath.Glob(filepath.Join(o.relays[number-1].dir, "tables", "*")); err != nil || len(files) > 0 {
		t.Errorf("tables are kept: %v %v", files, err)
	}
	must(t, bring(holder, func(*protocol.Request) {}))
	o.until("it has the table", func() bool {
		return errors.Is(bring(holder, func(*protocol.Request) {}), protocol.ErrConflict) && has(o.relays[number-1], v, 5)
	})
}

// Whoever asks a relay is told whom it spoke with, as the chain had them; a list that is none, or has no end, is an error.
//
// Spec: storage-cbfs §3.3 (SyncPeers).
func TestWhomARelayKnows(t *testing.T) {
	o := overhear(t, 7)
	c := o.client(ann)
	id := o.create("docs", false, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000))}))
	o.confirmed(id)
	i, number, slot := o.holder(id)
	o.kill(i)
	o.again(i) // and makes its chunks of those of four others
	v, err := o.Volume(t.Context(), id)
	must(t, err)
	o.until("the slot is whole", func() bool { return has(o.relays[i], v, slot) })
	nobody := &reach.Pool{Key: seedOf(97), Now: o.now, Dial: o.wire.dialer(0)}
	defer nobody.Close()
	list, err := nobody.Known(t.Context(), o.relayOf(number))
	if err != nil || len(list) < 4 {
		t.Errorf("%d relays, %v", len(list), err)
	}
	for _, p := range list {
		r, err := o.Relay(t.Context(), p.Owner)
		if err != nil || p.Node != r.Node || p.Endpoint != r.Endpoint || p.SeenMs == 0 || p.Owner == o.relays[i].self {
			t.Errorf("%+v, and the chain has %+v %v", p, r, err)
		}
	}
	for name, one := range map[string]struct {
		data []byte
		want error
	}{
		"no list":          {[]byte{1}, reach.ErrNode},
		"one without end":  {protocol.EncodePeers(list[:1]), reach.ErrNode},
		"one out of order": {protocol.EncodePeers([]protocol.Peer{list[1], list[0]}), reach.ErrNode},
		"an empty one":     {protocol.EncodePeers(nil), nil},
	} {
		t.Run(name, func(t *testing.T) {
			o.hear(number, func(q *protocol.Request) *protocol.Answer {
				if q.Op == protocol.SyncPeers {
					return &protocol.Answer{Data: one.data}
				}
				return nil
			})
			if got, err := nobody.Known(t.Context(), o.relayOf(number)); !errors.Is(err, one.want) || len(got) > 0 {
				t.Errorf("%d relays, %v", len(got), err)
			}
		})
	}
	o.hear(number, nil)
	two := &protocol.Request{Op: protocol.SyncPeers, Hashes: make([]digest.Hash, 2)}
	if _, err := nobody.Ask(t.Context(), o.relayOf(number), two); !errors.Is(err, protocol.ErrInvalid) {
		t.Error(err)
	}
}

func chunkFile(n *node, root digest.Hash) string {
	return filepath.Join(n.dir, "chunks", root.Hex()[:2], root.Hex())
}

// chunkIn reads the chunk in a relay's file, by the size in its last eight bytes but four.
func chunkIn(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err != nil || len(data) < 8 {
		return nil, err
	}
	return data[:min(len(data)-8, int(binary.BigEndian.Uint32(data[len(data)-8:])))], nil
}
