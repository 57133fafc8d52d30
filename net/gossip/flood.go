package gossip

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/net/layout"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// countMax is the most items of a frame.
const countMax = 1024

// FloodConfig bounds a Flood. Zero fields take the values of DefaultFlood.
type FloodConfig struct {
	ItemMax    int           // bytes of an item
	FrameBytes int           // what a frame is filled up to
	Seen       int           // names per generation
	Known      int           // names per generation and peer
	Age        time.Duration // of a generation
	Waiting    int           // items of one peer without a verdict
}

// DefaultFlood suits transactions of up to 128 KiB.
func DefaultFlood() FloodConfig {
	return FloodConfig{ItemMax: 128 << 10, FrameBytes: 64 << 10, Seen: 1 << 17, Known: 1 << 13, Age: 2 * time.Minute, Waiting: 4096}
}

// allWaiting times FloodConfig.Waiting bounds the items without a verdict of all peers, past ones included.
const allWaiting = 16

// NameOf is the name of a flooded item.
func NameOf(data []byte) Name { return sha256.Sum256(data) }

// head is enough of a name to tell items of one peer apart.
func (n *Name) head() uint64 { return binary.BigEndian.Uint64(n[:]) }

// Flood passes small items to every peer. It is not safe for use by several goroutines.
type Flood struct {
	queue
	config  FloodConfig
	seen    *Seen[Name]
	peers   map[transport.ID]*flooded
	order   []transport.ID // of peers, sorted
	waiting map[Name]pending
	ready   []Item // to be sent at the next flush
}

type flooded struct {
	known   *Seen[uint64] // by head; an equal head of two items costs this peer one of them
	waiting int           // items of it without a verdict
}

// pending is an item delivered and not judged.
type pending struct {
	from transport.ID
	data []byte
}

// NewFlood makes a flood without peers.
func NewFlood(c FloodConfig) *Flood {
	d := DefaultFlood()
	for _, p := range []struct{ v, d *int }{
		{&c.ItemMax, &d.ItemMax}, {&c.FrameBytes, &d.FrameBytes}, {&c.Seen, &d.Seen}, {&c.Known, &d.Known}, {&c.Waiting, &d.Waiting},
	} {
		if *p.v == 0 {
			*p.v = *p.d
		}
	}
	if c.Age == 0 {
		c.Age = d.Age
	}
	return &Flood{config: c, seen: NewSeen[Name](c.Seen, c.Age), peers: map[transport.ID]*flooded{}, waiting: map[Name]pending{}}
}

// Up tells of a peer.
func (f *Flood) Up(id transport.ID) {
	if f.peers[id] == nil {
		f.peers[id] = &flooded{known: NewSeen[uint64](f.config.Known, f.config.Age)}
		at, _ := slices.BinarySearchFunc(f.order, id, transport.ID.Compare)
		f.order = slices.Insert(f.order, at, id)
	}
}

// Down tells of a peer's end. Its items may still be judged good.
func (f *Flood) Down(id transport.ID) {
	if f.peers[id] != nil {
		delete(f.peers, id)
		at, _ := slices.BinarySearchFunc(f.order, id, transport.ID.Compare)
		f.order = slices.Delete(f.order, at, at+1)
	}
}

// Local takes an item of the node's own, which it has found good.
func (f *Flood) Local(data []byte, now time.Time) {
	n := NameOf(data)
	if f.seen.Add(n, now) {
		f.ready = append(f.ready, Item{n, data})
	}
}

// Receive takes a peer's frame. The error is the sender's fault.
func (f *Flood) Receive(from transport.ID, frame []byte, now time.Time) error {
	items, err := decodeItems(frame, f.config.ItemMax)
	if err != nil {
		return err
	}
	p := f.peers[from]
	if p == nil {
		return nil
	}
	var fresh []Item
	for _, data := range items {
		n := NameOf(data)
		p.known.Add(n.head(), now)
		if f.seen.Has(n) || p.waiting >= f.config.Waiting || len(f.waiting) >= allWaiting*f.config.Waiting {
			continue
		}
		f.seen.Add(n, now)
		data = bytes.Clone(data) // a window would keep the whole frame alive
		f.waiting[n] = pending{from, data}
		p.waiting++
		fresh = append(fresh, Item{n, data})
	}
	if len(fresh) > 0 {
		f.effects = append(f.effects, Effect{Deliver: &Deliver{from, fresh}})
	}
	return nil
}

// Judge takes the node's verdict on an item.
func (f *Flood) Judge(n Name, v Verdict) {
	p, ok := f.waiting[n]
	if !ok {
		return
	}
	delete(f.waiting, n)
	if peer := f.peers[p.from]; peer != nil && peer.waiting > 0 {
		peer.waiting--
	}
	switch v {
	case Good:
		f.ready = append(f.ready, Item{n, p.data})
	case Bad:
		f.charge(p.from, fmt.Sprintf("flooded item %x", n[:8]))
	case Busy:
		f.seen.Forget(n)
	}
}

// Ready is how many items wait for the next flush.
func (f *Flood) Ready() int { return len(f.ready) }

// Flush sends every peer what waits and it does not know.
//
// Spec: WP "Network Layer" (transactions flood to all peers).
func (f *Flood) Flush(now time.Time) {
	for _, id := range f.order {
		f.flush(id, now)
	}
	f.ready = nil
}

func (f *Flood) flush(id transport.ID, now time.Time) {
	known := f.peers[id].known
	var batch [][]byte
	size := 0
	for _, item := range f.ready {
		if !known.Add(item.Name.head(), now) {
			continue
		}
		if len(batch) == countMax || len(batch) > 0 && size+len(item.Data) > f.config.FrameBytes {
			f.send(id, encodeItems(batch, size))
			batch, size = batch[:0], 0
		}
		batch = append(batch, item.Data)
		size += len(item.Data)
	}
	if len(batch) > 0 {
		f.send(id, encodeItems(batch, size))
	}
}

func encodeItems(items [][]byte, size int) []byte {
	b := layout.AppendUv(make([]byte, 0, size+4*len(items)+4), uint64(len(items)))
	for _, data := range items {
		b = layout.AppendBytes(b, data)
	}
	return b
}

// decodeItems takes a frame apart. The items are windows into it, so memory is bounded by the frame.
func decodeItems(frame []byte, itemMax int) ([][]byte, error) {
	r := layout.NewReader(frame)
	n := r.Count(min(countMax, len(frame)))
	if n == 0 {
		r.Fail(fmt.Errorf("no items"))
	}
	items := make([][]byte, 0, n)
	for range n {
		data := r.Bytes(itemMax)
		if len(data) == 0 {
			r.Fail(fmt.Errorf("an empty item"))
			break
		}
		items = append(items, data)
	}
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return items, nil
}
