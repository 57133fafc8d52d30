package timers

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Tier is one of the three.
type Tier uint8

// The tiers, from near to far.
const (
	Ring Tier = iota
	Epoch
	Far
	TierCount
)

// String names the tier.
func (t Tier) String() string {
	switch t {
	case Ring:
		return "ring"
	case Epoch:
		return "epoch"
	case Far:
		return "far"
	}
	return fmt.Sprintf("tier(%d)", uint8(t))
}

// RingBlocks is how many heights after the newest final block the ring holds.
const RingBlocks = 256

// epochOf is the tiers' own division of heights, whatever the network's epochs are.
func epochOf(height unit.Height) uint64 { return uint64(height) / params.EpochBlocks }

// span is the range of heights [from, to) of a tier when tip is the newest final block. The three spans of a tip cover every height
// once. The ring reaches down to zero: a timer the lane had no room for stays at its height and is carried over.
func (t Tier) span(tip unit.Height) (from, to unit.Height) {
	ring := tip + 1 + RingBlocks
	queue := max(ring, unit.Height((epochOf(tip)+2)*params.EpochBlocks))
	switch t {
	case Ring:
		return 0, ring
	case Epoch:
		return ring, queue
	}
	return queue, ^unit.Height(0)
}

// index is what one tier holds.
type index struct {
	tier    Tier
	tip     unit.Height
	entries map[unit.Height][]timer.Entry // the ring's, in order of insertion
	counts  map[uint64]int                // by height in the queue, by epoch in the far set
	total   int
}

// bucket is the key of counts for a height.
func (x *index) bucket(h unit.Height) uint64 {
	if x.tier == Far {
		return epochOf(h)
	}
	return uint64(h)
}

// load reads a tier's whole range of a state. An error is a failing source.
func load(t Tier, c *state.Commit, tip unit.Height) (*index, error) {
	x := &index{tier: t, tip: tip, entries: map[unit.Height][]timer.Entry{}, counts: map[uint64]int{}}
	from, to := t.span(tip)
	return x, x.read(c, from, to)
}

// read adds the timers of the heights [from, to) of a state. The ring needs the entries; the others only where they are, which the state's
// index of keys tells without reading a value.
func (x *index) read(c *state.Commit, from, to unit.Height) error {
	if x.tier != Ring {
		x.count(c, from, to)
		return nil
	}
	bad := false
	err := c.Scan(timer.IndexPrefix(), before(from), 0, func(key, value []byte) bool {
		e, ok := timer.ParseEntry(key, value)
		if !ok || e.Height >= to {
			bad = !ok
			return false
		}
		x.insert(e)
		return true
	})
	if err == nil && bad {
		err = fmt.Errorf("timers: index entry of the state is malformed")
	}
	return err
}

// before is the cursor after which the entries of a height begin.
func before(h unit.Height) []byte {
	if h == 0 {
		return nil
	}
	return timer.IndexKey(h-1, ^uint64(0))
}

func (x *index) count(c *state.Commit, from, to unit.Height) {
	prefix := timer.IndexPrefix()
	cursor := c.Index().Seek(timer.IndexKey(from, 0))
	var key []byte
	for ; cursor.Valid(); cursor.Next() {
		key = cursor.AppendKey(key[:0])
		h, ok := heightOf(prefix, key)
		if !ok || h >= to {
			return
		}
		x.counts[x.bucket(h)]++
		x.total++
	}
}

// heightOf reads the height out of a key of the timer index.
func heightOf(prefix, key []byte) (unit.Height, bool) {
	if len(key) != len(prefix)+16 || string(key[:len(prefix)]) != string(prefix) {
		return 0, false
	}
	e, ok := timer.ParseEntry(key, make([]byte, entryValueSize))
	return e.Height, ok
}

// entryValueSize is the length of an index entry's value: owner and identity.
const entryValueSize = 20 + 32

func (x *index) insert(e timer.Entry) {
	bucket := x.entries[e.Height]
	at, held := slices.BinarySearchFunc(bucket, e, bySeq)
	if !held {
		x.entries[e.Height] = slices.Insert(bucket, at, e)
		x.total++
	}
}

func bySeq(a, b timer.Entry) int {
	switch {
	case a.Seq < b.Seq:
		return -1
	case a.Seq > b.Seq:
		return 1
	}
	return 0
}

func (x *index) remove(e timer.Entry) {
	bucket := x.entries[e.Height]
	at, held := slices.BinarySearchFunc(bucket, e, bySeq)
	if !held {
		return
	}
	x.total--
	if bucket = slices.Delete(bucket, at, at+1); len(bucket) == 0 {
		delete(x.entries, e.Height)
		return
	}
	x.entries[e.Height] = bucket
}

// apply takes a final block: its changes inside the range, then the move of the range. A block the index has seen is ignored; one after a
// gap makes it read its range again. c is the state after the block.
//
// Spec: WP §5.1a; scheduler-timers §3.
func (x *index) apply(c *state.Commit, height unit.Height) error {
	if height <= x.tip {
		return nil
	}
	if height != x.tip+1 || c.Delta() == nil {
		fresh, err := load(x.tier, c, height)
		if err == nil {
			*x = *fresh
		}
		return err
	}
	if err := x.change(c); err != nil {
		return err
	}
	return x.move(c, height)
}

// change applies the operations of the block's delta that touch the timer index inside the range. Operations that only move an entry
// within the log change nothing.
func (x *index) change(c *state.Commit) error {
	from, to := x.tier.span(x.tip)
	d, config, prefix := c.Delta(), c.Config(), timer.IndexPrefix()
	for i := range d.Len() {
		op, err := config.DecodeOperation(d.Operation(i))
		if err != nil {
			return err
		}
		h, ok := heightOf(prefix, op.Key)
		if !ok || h < from || h >= to {
			continue
		}
		existed := d.Previous[i] != state.NoLocation
		switch {
		case op.Kind == state.Delete && existed:
			x.drop(op.Key, h)
		case op.Kind == state.Update && !existed:
			x.add(op.Key, op.Value, h)
		}
	}
	return nil
}

func (x *index) add(key, value []byte, h unit.Height) {
	if x.tier != Ring {
		x.counts[x.bucket(h)]++
		x.total++
		return
	}
	if e, ok := timer.ParseEntry(key, value); ok {
		x.insert(e)
	}
}

func (x *index) drop(key []byte, h unit.Height) {
	if x.tier == Ring {
		if e, ok := timer.ParseEntry(key, make([]byte, entryValueSize)); ok {
			x.remove(e)
		}
		return
	}
	b := x.bucket(h)
	x.total--
	if x.counts[b]--; x.counts[b] == 0 {
		delete(x.counts, b)
	}
}

// move makes height the tip: what falls out of the range at its near end belongs to the tier before, and what enters at the far end
// is read from the state.
func (x *index) move(c *state.Commit, height unit.Height) error {
	oldFrom, oldTo := x.tier.span(x.tip)
	from, to := x.tier.span(height)
	x.tip = height
	x.leave(oldFrom, from)
	if to > oldTo {
		return x.read(c, max(oldTo, from), to)
	}
	return nil
}

// leave forgets the heights [from, to).
func (x *index) leave(from, to unit.Height) {
	switch {
	case from >= to:
	case x.tier == Far: // whole epochs leave
		for b := epochOf(from); b < epochOf(to); b++ {
			x.total -= x.counts[b]
			delete(x.counts, b)
		}
	default:
		for h := from; h < to; h++ {
			x.total -= len(x.entries[h]) + x.counts[uint64(h)]
			delete(x.entries, h)
			delete(x.counts, uint64(h))
		}
	}
}
