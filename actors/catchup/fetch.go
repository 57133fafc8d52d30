package catchup

import (
	"cmp"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// chunkWithin is how long one peer is waited for with a chunk of a state.
	chunkWithin = 5 * time.Second
	// callsMax and callsEach are how many requests about a state are out, in all and to one peer.
	callsMax, callsEach = 8, 2
	// syncEvery is how many bytes of a state may be lost to a crash.
	syncEvery = 8 << 20
	// dryMax is how many pivots in a row may bring nothing before what was collected is thrown away; then as many again until the node gives up.
	dryMax = 3
	// slowMax is how many requests in a row a peer may leave unanswered.
	slowMax = 2
	// rest is how long a node that gave up, or whose disk is full, waits before it tries again.
	rest = 10 * time.Second
)

// fetch is the collection of one snapshot.
type fetch struct {
	client  *light.Client
	stage   *store.Stage
	pivot   *pivot
	way     bool // the epoch's end is being sought, not a pivot
	calls   []call
	ahead   map[uint64]chunk
	next    uint64                  // nothing from here on was asked for
	again   []span                  // asked for in vain, ascending
	idle    map[link.Peer]bool      // they have nothing for the present pivot
	resting map[link.Peer]time.Time // they asked not to be asked before
	slow    map[link.Peer]int       // requests in a row that were not answered
	liars   map[link.Peer]bool
	loose   int // bytes appended and not synced
	turn    int
	dry     int
	serial  uint64

	adopting unit.Height // the snapshot was handed to the ledger; 0: not yet
}

// pivot is the state that is fetched.
type pivot struct {
	block        *block.Block
	finalization *sig.Certificate
	extent       *state.Extent
}

// span is a run of operations.
type span struct{ from, count uint64 }

// chunk is a run of operations that was proven.
type chunk struct {
	data  []byte
	count uint64
}

// call is a request that is out.
type call struct {
	id    uint64
	to    link.Peer
	since time.Time
	span  span // of a chunk
}

func newFetch(client *light.Client, stage *store.Stage) *fetch {
	return &fetch{
		client: client, stage: stage, way: true, ahead: map[uint64]chunk{}, idle: map[link.Peer]bool{}, liars: map[link.Peer]bool{},
		resting: map[link.Peer]time.Time{}, slow: map[link.Peer]int{},
	}
}

// peer picks whom to ask: the least asked one that is of use, in turn. ok is false when nobody may be asked now; later tells that somebody may be soon.
func (f *fetch) peer(peers []link.Peer, now time.Time) (to link.Peer, ok, later bool) {
	least := callsEach
	for i := range peers {
		p := peers[(f.turn+i)%len(peers)]
		switch n := f.out(p); {
		case f.idle[p] || f.liars[p]:
		case now.Before(f.resting[p]):
			later = true
		case n < least:
			to, least, ok = p, n, true
		}
	}
	if ok {
		f.turn++
	}
	return to, ok, later
}

func (f *fetch) out(p link.Peer) (n int) {
	for _, c := range f.calls {
		if c.to == p {
			n++
		}
	}
	return n
}

// call notes a request.
func (f *fetch) call(to link.Peer, s span, now time.Time) (id uint64) {
	f.serial++
	f.calls = append(f.calls, call{f.serial, to, now, s})
	return f.serial
}

// answered ends the request an answer is to; ok is false when there is none.
func (f *fetch) answered(from link.Peer, id uint64) (c call, ok bool) {
	for i, c := range f.calls {
		if c.id == id && c.to == from {
			f.calls = slices.Delete(f.calls, i, i+1)
			delete(f.slow, from)
			return c, true
		}
	}
	return c, false
}

// expire gives up the requests to a peer that is gone, or those that were asked too long ago.
func (f *fetch) expire(gone func(c call) bool) {
	f.calls = slices.DeleteFunc(f.calls, func(c call) bool {
		if !gone(c) {
			return false
		}
		if f.slow[c.to]++; f.slow[c.to] >= slowMax {
			f.idle[c.to] = true
		}
		f.restore(c.span)
		return true
	})
}

// restore puts a span back that was not brought.
func (f *fetch) restore(s span) {
	if s.count == 0 {
		return
	}
	f.again = append(f.again, s)
	slices.SortFunc(f.again, func(a, b span) int { return cmp.Compare(a.from, b.from) })
}

// held is what chunks take that were brought before those they go on from, and what those asked for may bring.
func (f *fetch) held() int {
	n := len(f.calls) * chunkBytes
	for _, p := range f.ahead { // order-free: a sum
		n += len(p.data)
	}
	return n
}

// wanted gives the next span to ask for.
func (f *fetch) wanted() (s span, ok bool) {
	if len(f.again) > 0 {
		return f.again[0], true
	}
	if end := f.pivot.extent.Length; f.next < end {
		return span{f.next, min(chunkOperations, end-f.next)}, true
	}
	return s, false
}

// take marks a wanted span as asked for.
func (f *fetch) take(s span) {
	if len(f.again) > 0 {
		f.again = f.again[1:]
		return
	}
	f.next = s.from + s.count
}

// aim begins with a pivot.
func (f *fetch) aim(g *pivot) {
	f.pivot, f.again = g, nil
	clear(f.idle)
	clear(f.slow)
	clear(f.ahead)
	boundary, length, ok := f.stage.Begun()
	f.next = g.extent.Boundary()
	if ok {
		f.next = max(length, boundary)
	}
}

// miss lets a pivot go that nobody serves.
func (f *fetch) miss() {
	f.pivot, f.way = nil, true
	clear(f.idle)
	clear(f.slow)
	f.dry++
}

// fits reports whether what was collected so far can be continued up to a pivot.
func (f *fetch) fits(e *state.Extent) bool {
	boundary, length, ok := f.stage.Begun()
	return !ok || e.Floor >= boundary && e.Length >= length
}

// complete reports whether every operation up to the pivot is collected.
func (f *fetch) complete() bool {
	_, length, ok := f.stage.Begun()
	return ok && f.pivot != nil && length == f.pivot.extent.Length
}
