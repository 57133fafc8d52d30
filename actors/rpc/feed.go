package rpc

import (
	"cmp"
	"encoding/json"
	"errors"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// message is one message of a stream: an event, a receipt, or the block.
type message struct {
	kind    string
	text    []byte // JSON
	event   *wire.Event
	receipt *wire.Receipt
}

// feedBlocks is how many of the blocks asked for last are kept ready for other clients, and feedBytes how many bytes of messages where nobody says.
const (
	feedBlocks = 64
	feedBytes  = 16 << 20
)

// What clients that take their time may hold of blocks that are not kept any more, in shares of what is kept: beyond the first bound no old block is made
// ready for anybody, beyond the second no new one either.
const (
	looseOld = 2
	looseNew = 6
)

// feed writes each block's messages once, however many clients follow. Clients that are far behind displace each other only.
type feed struct {
	turns chan struct{} // one element for each read under way; nil: as many as there are

	mu    sync.Mutex
	kept  map[uint64]*ready
	order []uint64 // of kept, the oldest first
	bytes int      // of kept
	loose int      // of what is not kept any more and still read
	limit int
}

// ready is a block's messages; one client makes them while the others wait.
type ready struct {
	once sync.Once
	list []message
	err  error

	size    int  // of list, once it counts
	readers int  // clients that hold it
	let     bool // it is not kept any more
}

// errFull ends the stream of a client whose next block finds no room beside those that slow clients hold.
var errFull = errors.New("rpc: slow clients hold as many blocks as may be held")

// errUnread is of a block whose reader panicked.
var errUnread = errors.New("rpc: the block could not be read")

// block gives the messages of a block: all events and receipts in order, then the block. The place in the list counts every message, also those a
// filter hides, so that a cursor means the same under every filter. The client calls done once it holds them no more. Old is a block of which most clients
// have been told long ago.
func (f *feed) block(from Backend, height uint64, old bool) (r *ready, done func(), err error) {
	if r = f.place(height, old); r == nil {
		return nil, nil, errFull
	}
	r.once.Do(func() {
		if f.turns != nil {
			f.turns <- struct{}{}
			defer func() { <-f.turns }()
		}
		r.list, r.err = messages(from, height)
		f.weigh(height, r)
	})
	if r.err != nil {
		f.forget(height, r)
		f.done(r)
		return nil, nil, r.err
	}
	return r, func() { f.done(r) }, nil
}

// place finds a block for one more client, or makes a place for it; nil if there is no room.
func (f *feed) place(height uint64, old bool) *ready {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.kept[height]; r != nil {
		r.readers++
		return r
	}
	most := looseNew
	if old {
		most = looseOld
	}
	if f.loose > most*cmp.Or(f.limit, feedBytes) {
		return nil
	}
	if f.kept == nil {
		f.kept = map[uint64]*ready{}
	}
	if len(f.order) == feedBlocks {
		f.oldest()
	}
	r := &ready{err: errUnread, readers: 1}
	f.kept[height], f.order = r, append(f.order, height)
	return r
}

// done takes a client from those that hold a block.
func (f *feed) done(r *ready) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.readers--; r.let && r.readers == 0 {
		f.loose -= r.size
	}
}

// weigh counts a block's messages and lets the oldest go until the others fit; clients that read them have them still.
func (f *feed) weigh(height uint64, r *ready) {
	size := 0
	for i := range r.list {
		size += len(r.list[i].text)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r.size = size
	if r.let { // while it was made
		if r.readers > 0 {
			f.loose += size
		}
		return
	}
	for f.bytes += size; f.bytes > cmp.Or(f.limit, feedBytes) && len(f.order) > 0; {
		f.oldest()
	}
}

// oldest lets the oldest block go.
func (f *feed) oldest() {
	height := f.order[0]
	f.release(f.kept[height])
	delete(f.kept, height)
	f.order = append(f.order[:0], f.order[1:]...)
}

// release notes that a block is not kept any more.
func (f *feed) release(r *ready) {
	f.bytes -= r.size
	if r.let = true; r.readers > 0 {
		f.loose += r.size
	}
}

// forget lets the next client try again.
func (f *feed) forget(height uint64, r *ready) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept[height] != r {
		return
	}
	f.release(r)
	delete(f.kept, height)
	for i, h := range f.order {
		if h == height {
			f.order = append(f.order[:i], f.order[i+1:]...)
			return
		}
	}
}

func messages(from Backend, height uint64) ([]message, error) {
	block, err := from.BlockAt(height)
	if err != nil {
		return nil, err
	}
	receipts, err := from.BlockReceipts(height)
	if err != nil {
		return nil, err
	}
	var list []message
	add := func(m message, value any) (err error) {
		if m.text, err = json.Marshal(value); err == nil {
			list = append(list, m)
		}
		return err
	}
	for i := range receipts {
		x := &receipts[i]
		for k := range x.Events {
			if err := add(message{kind: "event", event: &x.Events[k]}, &x.Events[k]); err != nil {
				return nil, err
			}
		}
		if err := add(message{kind: "receipt", receipt: x}, x); err != nil {
			return nil, err
		}
	}
	if err := add(message{kind: "block"}, block); err != nil {
		return nil, err
	}
	return list, nil
}
