package state

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Overlay is one block's writes on top of a Commit. It implements [Reader]; what
// was written is seen at once, and short values are read from the Source once.
// One goroutine uses it at a time, also when it only reads.
type Overlay struct {
	base    *Commit
	writes  map[string]*write
	sorted  sortedWrites
	journal []undone
	frame   uint64  // changes with every Mark and Revert
	fresh   []write // made and not used yet
}

// overlayBatch is how many writes are made at once.
const overlayBatch = 8

// write is what an overlay knows of one key.
type write struct {
	key    []byte
	value  []byte
	fate   fate
	found  bool   // was is known
	listed bool   // in the ordered list
	was    uint64 // location in the base, or NoLocation
	frame  uint64 // frame in which the fate was last journaled
	room   [keyRoom]byte
}

// keyRoom holds most keys: those of an address with a suffix of a hash.
const keyRoom = 54

type fate uint8

const (
	untouched fate = iota // as in the base, value not read yet
	read                  // as in the base, which holds value
	kept                  // holds value
	removed
)

// cacheMax bounds the values that are remembered after a read, in bytes.
const cacheMax = 4 << 10

// undone remembers a write's fate before it changed.
type undone struct {
	write *write
	value []byte
	fate  fate
}

// Mark is a place in an overlay's history that Revert can go back to.
type Mark struct{ at int }

func newOverlay(base *Commit) *Overlay {
	return &Overlay{base: base, writes: make(map[string]*write, 2*overlayBatch), journal: make([]undone, 0, overlayBatch), frame: 1}
}

// Base is the state the overlay stands on.
func (o *Overlay) Base() *Commit { return o.base }

// Lookup implements [Reader].
func (o *Overlay) Lookup(key []byte) (value []byte, ok bool, err error) {
	w := o.writes[string(key)]
	if w != nil {
		switch w.fate {
		case kept, read:
			return w.value, true, nil
		case removed:
			return nil, false, nil
		}
	} else if w = o.find(key); w == nil {
		return nil, false, nil
	}
	if o.locate(w) == NoLocation {
		return nil, false, nil
	}
	value, err = o.base.value(key, w.was)
	if err == nil && len(value) <= cacheMax {
		w.value, w.fate = value, read
	}
	return value, err == nil, err
}

// find remembers a key of the base; it gives nil when the base lacks it.
func (o *Overlay) find(key []byte) *write {
	location, ok := o.base.index.Find(key)
	if !ok {
		return nil
	}
	return o.remember(key, location, true)
}

func (o *Overlay) remember(key []byte, was uint64, found bool) *write {
	if len(o.fresh) == 0 {
		o.fresh = make([]write, overlayBatch)
	}
	w := &o.fresh[0]
	o.fresh = o.fresh[1:]
	w.was, w.found = was, found
	w.key = append(w.room[:0], key...)
	o.writes[string(key)] = w
	return w
}

// OnlyRead reports whether no write is left, and at most so many keys are remembered: then the overlay is a Commit that has some of its values at hand. A
// write that was undone or changed nothing may count as left.
func (o *Overlay) OnlyRead(most int) bool { return o.sorted.len == 0 && len(o.writes) <= most }

// locate gives the location of a write's key in the base, or NoLocation.
func (o *Overlay) locate(w *write) uint64 {
	if !w.found {
		w.found, w.was = true, NoLocation
		if location, ok := o.base.index.Find(w.key); ok {
			w.was = location
		}
	}
	return w.was
}

// Has reports whether key is present. It reads no value, so no Source can fail.
func (o *Overlay) Has(key []byte) bool {
	if w := o.writes[string(key)]; w != nil {
		return w.fate == kept || w.fate != removed && o.locate(w) != NoLocation
	}
	_, ok := o.base.index.Find(key)
	return ok
}

// Touched gives every key that was written, or read and found, in no order: what the overlay knows.
func (o *Overlay) Touched(fn func(key []byte, written bool)) {
	for _, w := range o.writes { // order-free: the caller is told of no order
		if w.fate == read {
			fn(w.key, false)
		} else if w.fate != untouched {
			fn(w.key, true)
		}
	}
}

// Set writes a value; key and value are copied. Keys above KeyMax and values
// above ValueMax are a caller's bug.
func (o *Overlay) Set(key, value []byte) {
	if len(key) > KeyMax || len(value) > ValueMax {
		panic(fmt.Sprintf("state: key of %d bytes, value of %d", len(key), len(value)))
	}
	w := o.writes[string(key)]
	if w == nil {
		w = o.remember(key, NoLocation, false)
	}
	o.touch(w)
	w.value, w.fate = append(make([]byte, 0, len(value)), value...), kept
}

// Delete removes key. Deleting an absent key changes nothing.
func (o *Overlay) Delete(key []byte) {
	w := o.writes[string(key)]
	if w == nil {
		w = o.find(key)
	}
	if w == nil || w.fate != kept && o.locate(w) == NoLocation {
		return
	}
	o.touch(w)
	w.value, w.fate = nil, removed
}

// touch journals the fate of a write that is about to change.
func (o *Overlay) touch(w *write) {
	o.list(w)
	if w.frame != o.frame {
		o.journal = append(o.journal, undone{w, w.value, w.fate})
		w.frame = o.frame
	}
}

// list puts a write into the ordered list.
func (o *Overlay) list(w *write) {
	if !w.listed {
		w.listed = true
		o.sorted.insert(w)
	}
}

// unlist takes a write without effect out of the ordered list, so that scans pass it once and no more.
func (o *Overlay) unlist(w *write) {
	w.listed = false
	o.sorted.remove(w)
}

// Mark opens a frame: Revert with it undoes every later write. Frames nest; one
// that is not reverted needs no closing.
func (o *Overlay) Mark() Mark {
	o.frame++
	return Mark{len(o.journal)}
}

// Revert undoes every write made since the mark, and forgets the marks made
// since. Its cost is the number of keys written since, not of those before.
func (o *Overlay) Revert(m Mark) {
	for i := len(o.journal) - 1; i >= m.at; i-- {
		u := o.journal[i]
		u.write.value, u.write.fate = u.value, u.fate
		if !u.write.listed && o.effective(u.write) {
			o.list(u.write)
		}
	}
	clear(o.journal[m.at:])
	o.journal = o.journal[:m.at]
	o.frame++
}

// Change is the net effect of an overlay on one key.
type Change struct {
	Key     []byte
	Value   []byte // nil when Deleted
	Deleted bool
	Existed bool // the key was present before the block
}

// Changes calls fn with the net effects in ascending order of keys until it
// answers false. Keys that were absent before and are absent now are left out.
func (o *Overlay) Changes(fn func(Change) (more bool)) {
	o.sorted.each(func(w *write) bool {
		if !o.effective(w) {
			return true
		}
		return fn(Change{Key: w.key, Value: w.value, Deleted: w.fate == removed, Existed: o.locate(w) != NoLocation})
	})
}

// Written calls fn with every key under a prefix that a write changed, in ascending order until it answers false; maybe also with some whose write was
// undone or changed nothing.
func (o *Overlay) Written(prefix []byte, fn func(key []byte) (more bool)) {
	cursor := o.sorted.cursor(prefix)
	for w := cursor.current(); w != nil && bytes.HasPrefix(w.key, prefix) && fn(w.key); w = cursor.current() {
		cursor.next()
	}
}

// effective reports whether the write becomes an operation.
func (o *Overlay) effective(w *write) bool {
	return w.fate == kept || w.fate == removed && o.locate(w) != NoLocation
}

// Commit turns the writes into operations and gives the state after the block,
// whose commit operation carries the height. The overlay is left as it was. err
// means that the Source failed.
//
// Spec: commonware §5.3, §5.10 (metadata = be8 block height).
func (o *Overlay) Commit(height unit.Height) (*Commit, error) {
	next, err := o.commit(binary.BigEndian.AppendUint64(nil, uint64(height)))
	if err != nil {
		return nil, err
	}
	next.height = height
	next.delta.Height = height
	return next, nil
}

func (o *Overlay) commit(metadata []byte) (*Commit, error) {
	list := make([]*write, 0, o.sorted.len)
	o.sorted.each(func(w *write) bool {
		if w.fate == kept || w.fate == removed {
			list = append(list, w)
		}
		return true
	})
	b := o.base.begin(len(list))
	if err := b.apply(list); err != nil {
		return nil, err
	}
	if err := b.raise(); err != nil {
		return nil, err
	}
	b.commit(metadata)
	return b.finish()
}
