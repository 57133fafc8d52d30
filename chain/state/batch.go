package state

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/keyindex"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

// batch builds the Commit that follows base.
type batch struct {
	base   *Commit
	config *Config
	start  uint64 // first location of this batch
	stamp  uint64 // marks what this batch created in shared structures
	steps  uint64 // operations that oblige the floor to move
	floor  uint64

	data     []byte // operations, end to end
	ends     []int
	previous []uint64 // location each operation took the place of

	index *keyindex.Editor
	bits  columnEdit
	dirty dirtySet // chunks whose bits changed
}

// begin starts a batch on c; writes is a hint of its size.
func (c *Commit) begin(writes int) *batch {
	return &batch{
		base:     c,
		config:   c.config,
		start:    c.length,
		stamp:    c.stamp + 1,
		floor:    c.floor,
		data:     make([]byte, 0, 128*(2*writes+2)),
		ends:     make([]int, 0, 2*writes+2),
		previous: make([]uint64, 0, 2*writes+2),
		index:    c.index.Edit(c.stamp + 1),
		bits:     c.bits.edit(c.stamp + 1),
		dirty:    newDirtySet(c.bits.start(), c.length/ChunkBits+uint64(writes)/64+2),
	}
}

func (b *batch) tip() uint64 { return b.start + uint64(len(b.ends)) }

// append adds an operation to the log.
func (b *batch) append(op *Operation) {
	b.data = b.config.AppendOperation(b.data, op)
	b.ends = append(b.ends, len(b.data))
}

// own is operation i of this batch.
func (b *batch) own(i uint64) []byte {
	from := 0
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.data[from:b.ends[i]]
}

func (b *batch) setBit(location uint64) {
	b.bits.own(location / ChunkBits)[location%ChunkBits/8] |= 1 << (location % 8)
	b.dirty.add(location / ChunkBits)
}

func (b *batch) clearBit(location uint64) {
	b.bits.own(location / ChunkBits)[location%ChunkBits/8] &^= 1 << (location % 8)
	b.dirty.add(location / ChunkBits)
}

func (b *batch) bit(location uint64) bool {
	i := location / ChunkBits
	return i < b.bits.len && b.bits.at(i)[location%ChunkBits/8]>>(location%8)&1 == 1
}

// place makes the operation about to be appended the present one of key and
// gives the location it takes the place of, or NoLocation.
func (b *batch) place(key []byte) (previous uint64) {
	location := b.tip()
	previous, existed := b.index.Put(key, location)
	if !existed {
		previous = NoLocation
	}
	b.supersede(previous, location)
	return previous
}

// supersede moves a key's activity bit to location.
func (b *batch) supersede(previous, location uint64) {
	switch previous {
	case location: // a create is in the index already
		previous = NoLocation
	case NoLocation:
	default:
		b.clearBit(previous)
	}
	b.setBit(location)
	b.previous = append(b.previous, previous)
}

// update appends an update of key, which the index holds, and makes it the
// present one.
func (b *batch) update(key, value []byte) {
	location := b.tip()
	var buf [KeyMax]byte
	previous, following, ok := b.index.Replace(key, location, buf[:0])
	if !ok {
		panic("state: update of a key that is not in the index")
	}
	b.supersede(previous, location)
	b.append(&Operation{Kind: Update, Key: key, Value: value, Next: following})
}

// apply appends the operations of the writes, which are ascending by key:
// deletes, updates of present keys, creates, and the present keys that precede a
// created or deleted one.
//
// Spec: commonware §5.3.
func (b *batch) apply(writes []*write) error {
	if b.start+4*uint64(len(writes))+2 > LocationMax {
		panic("state: the log is full")
	}
	deletes := b.deletes(writes)
	updates, creates := b.updates(writes)
	for _, w := range creates {
		b.update(w.key, w.value)
	}
	b.steps = uint64(len(deletes) + len(updates))
	return b.relink(deletes, updates, creates)
}

// deletes appends the deletes and takes their keys out of the index. Deletes of
// absent keys are dropped.
func (b *batch) deletes(writes []*write) (deletes []*write) {
	for _, w := range writes {
		if w.fate != removed {
			continue
		}
		previous, existed := b.index.Remove(w.key)
		if !existed {
			continue
		}
		deletes = append(deletes, w)
		b.clearBit(previous)
		b.previous = append(b.previous, previous)
		b.append(&Operation{Kind: Delete, Key: w.key})
	}
	return deletes
}

// updates appends the updates of present keys and puts the created keys into the
// index at the locations they are about to take.
//
// A present key is looked up once: its place in the index gives the key that
// follows it before the creates, and the creates, which are ascending too, give
// the one that follows it after.
func (b *batch) updates(writes []*write) (updates, creates []*write) {
	type link struct {
		previous uint64
		end      int // of the following key in keys
	}
	links := make([]link, 0, len(writes))
	keys := make([]byte, 0, 32*len(writes))
	first := b.tip()
	for _, w := range writes {
		if w.fate != kept {
			continue
		}
		previous, following, ok := b.index.Replace(w.key, first+uint64(len(updates)), keys)
		if !ok {
			creates = append(creates, w)
			continue
		}
		keys = following
		links = append(links, link{previous, len(keys)})
		updates = append(updates, w)
	}
	for i, w := range creates {
		b.index.Put(w.key, first+uint64(len(updates)+i))
	}
	from, above := 0, 0 // above: the first create above the key
	for i, w := range updates {
		for above < len(creates) && bytes.Compare(creates[above].key, w.key) < 0 {
			above++
		}
		following := closer(w.key, keys[from:links[i].end], creates, above)
		from = links[i].end
		b.supersede(links[i].previous, b.tip())
		b.append(&Operation{Kind: Update, Key: w.key, Value: w.value, Next: following})
	}
	return updates, creates
}

// closer gives the key that follows key, cyclically, among following and the
// creates, of which those from above on are above key.
func closer(key, following []byte, creates []*write, above int) []byte {
	wraps := bytes.Compare(following, key) <= 0
	switch {
	case above < len(creates):
		if c := creates[above].key; wraps || bytes.Compare(c, following) < 0 {
			return c
		}
	case wraps && len(creates) > 0:
		if c := creates[0].key; bytes.Compare(c, following) < 0 {
			return c
		}
	}
	return following
}

// relink re-writes the surviving keys whose next key changed because their
// neighbour was created or deleted.
//
// Spec: commonware §5.3 (4).
func (b *batch) relink(deletes, updates, creates []*write) error {
	if b.base.index.Len() == len(deletes) || len(deletes)+len(creates) == 0 {
		return nil
	}
	p := newPredecessors(b.base.index, deletes)
	rewritten := map[string]bool{}
	rewrite := func(key []byte) error {
		if _, updated := find(updates, key); updated || rewritten[string(key)] {
			return nil
		}
		rewritten[string(key)] = true
		location, _ := b.base.index.Find(key)
		op, err := b.base.update(location)
		if err != nil {
			return err
		}
		if !bytes.Equal(op.Key, key) {
			return fmt.Errorf("%w: location %d holds another key", ErrSource, location)
		}
		b.update(key, op.Value)
		b.steps++
		return nil
	}
	for _, w := range creates {
		if err := rewrite(p.before(w.key)); err != nil {
			return err
		}
	}
	for i := range deletes {
		if err := rewrite(p.ofDelete[i]); err != nil {
			return err
		}
	}
	return nil
}

// predecessors finds the keys that were present before the batch, survive it,
// and precede a given key, cyclically.
type predecessors struct {
	index    keyindex.Index
	deletes  []*write
	ofDelete [][]byte // for each deleted key
	top      []byte   // the highest survivor
}

// newPredecessors needs at least one survivor.
func newPredecessors(x keyindex.Index, deletes []*write) *predecessors {
	p := &predecessors{index: x, deletes: deletes, ofDelete: make([][]byte, len(deletes))}
	c, i := x.Last(), len(deletes)-1
	for p.top = c.AppendKey(nil); i >= 0 && bytes.Equal(p.top, deletes[i].key); i-- {
		c.Prev()
		p.top = c.AppendKey(p.top[:0])
	}
	for i, w := range deletes {
		p.ofDelete[i] = p.before(w.key)
	}
	return p
}

// before gives the survivor below key, or the highest one. A run of deleted keys
// is passed in one step, because the answers for lower deletes are known.
func (p *predecessors) before(key []byte) []byte {
	c := p.index.Before(key)
	if !c.Valid() {
		return p.top
	}
	k := c.AppendKey(nil)
	if i, deleted := find(p.deletes, k); deleted {
		return p.ofDelete[i]
	}
	return k
}

// find gives the position of key in ascending writes.
func find(writes []*write, key []byte) (int, bool) {
	return sort.Find(len(writes), func(i int) int { return bytes.Compare(key, writes[i].key) })
}

// commit appends the commit operation that ends the batch.
//
// Spec: commonware §5.3.
func (b *batch) commit(metadata []byte) {
	previous := NoLocation
	if b.start > 0 {
		previous = b.start - 1
		b.clearBit(previous)
	}
	b.previous = append(b.previous, previous)
	b.setBit(b.tip())
	b.append(&Operation{Kind: CommitFloor, Metadata: metadata, Floor: b.floor})
}

// finish hashes what is new and gives the Commit.
func (b *batch) finish() (*Commit, error) {
	c := &Commit{
		config: b.config,
		source: b.base.source,
		stamp:  b.stamp,
		height: b.base.height,
		length: b.tip(),
		floor:  b.floor,
		index:  b.index.Index(),
		delta:  &Delta{Start: b.start, Floor: b.floor, Previous: b.previous, data: b.data, ends: b.ends},
	}
	durable := c.source.Length()
	for _, d := range b.base.tail {
		if d.End() > durable {
			c.tail = append(c.tail, d)
		}
	}
	c.tail = append(c.tail, c.delta)
	r := rehash{batch: b, next: c, hasher: mmr.NewHasher(b.config.Hash)}
	r.subtrees()
	r.upper()
	r.grafts()
	r.forget(c.source.Shelved())
	c.bits = b.bits.column
	c.computeRoots(r.hasher, b.base)
	c.delta.Root = c.roots.State
	return c, nil
}

// dirtySet is a set of chunk numbers.
type dirtySet struct {
	first uint64
	words []uint64
}

func newDirtySet(first, end uint64) dirtySet {
	first &^= 63
	return dirtySet{first: first, words: make([]uint64, (end-first)/64+1)}
}

func (s *dirtySet) add(i uint64) {
	if i < s.first { // history is taken back to where the state has forgotten
		n := s.first/64 - i/64
		s.words, s.first = append(make([]uint64, n), s.words...), i&^63
	}
	i -= s.first
	for i/64 >= uint64(len(s.words)) {
		s.words = append(s.words, 0)
	}
	s.words[i/64] |= 1 << (i % 64)
}

// digests for nodes are kept as hashes; the alias keeps signatures short.
type hash = digest.Hash
