package store

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// draftBytes is how much of a draft waits in memory until it is known whether the table is kept. What is more is written before.
const draftBytes = 64 << 20

// Draft is a table that is being made of another one. Only the pages and branches that a change touches are read and written; the rest is that of the base. It
// is of one goroutine.
type Draft struct {
	store *Store
	base  Name
	dir   *directory
	claim func(size int) bool

	touched []uint64 // numbers that differ from the base, ascending
	all     bool     // it is not told which

	mu     sync.Mutex
	staged map[string][]byte   // to be written
	bytes  int                 // of staged
	most   int                 // of them
	names  []string            // that the draft holds: of what is staged, and of what was written
	fresh  map[digest.Hash]int // bytes that were claimed of each part
}

// Draft begins a table from another one, or from an empty one where the base has the zero root. claim is asked for room before bytes are kept that were not
// there, and may be nil. Whoever begins a draft closes it. Error: ErrMissing.
func (s *Store) Draft(base Name, claim func(size int) bool) (*Draft, error) {
	d := &Draft{
		store: s, base: base, claim: claim, all: base.Root.IsZero(), dir: &directory{branches: make([]branchRef, 1)},
		staged: map[string][]byte{}, most: draftBytes, fresh: map[digest.Hash]int{},
	}
	s.naming.Lock()
	s.drafts[d] = true
	if s.kept != nil { // from here on the base stays
		s.kept.tables[tableName(base)] = true
	}
	s.naming.Unlock()
	if base.Root.IsZero() {
		return d, nil
	}
	t, err := s.Table(base)
	if err != nil {
		d.Close()
		return nil, err
	}
	d.dir = t.dir
	return d, nil
}

// Apply makes a change. Errors, after which the draft is of no use: protocol.ErrTable for a change that does not follow, ErrLost where a part of the base is
// gone, ErrFull.
//
// Spec: storage-cbfs §2.2 (shard_root).
func (d *Draft) Apply(c *protocol.Change) error {
	old := d.dir
	if !c.Follows(old.count) || old.count > 0 && (c.K != old.k || c.M != old.m) || c.Count > protocol.MaxStripes {
		return protocol.ErrTable
	}
	next := &directory{k: c.K, m: c.M, count: c.Count, base: d.base.Root}
	next.pages = append(slices.Clone(old.pages), make([]digest.Hash, protocol.Pages(c.Count)-len(old.pages))...)
	if err := d.flush(); err != nil { // what this change reads is written
		return err
	}
	if err := d.pages(old, next, c); err != nil {
		return err
	}
	if err := d.branches(old, next, c); err != nil {
		return err
	}
	d.touch(next, c)
	d.dir = next
	return nil
}

// touch notes the numbers that differ from the base.
func (d *Draft) touch(next *directory, c *protocol.Change) {
	for i := range c.List {
		if d.all = d.all || len(d.touched) == maxTouched; d.all {
			break
		}
		if at, there := slices.BinarySearch(d.touched, c.List[i].Number); !there {
			d.touched = slices.Insert(d.touched, at, c.List[i].Number)
		}
	}
	if d.all {
		next.base = digest.Hash{}
		return
	}
	next.touched = slices.Clone(d.touched)
}

// pages makes the pages that a change touches.
func (d *Draft) pages(old, next *directory, c *protocol.Change) error {
	for list := c.List; len(list) > 0; {
		at := int(list[0].Number / protocol.PageStripes)
		mine := list
		if i := slices.IndexFunc(list, func(n protocol.Numbered) bool { return n.Number/protocol.PageStripes > uint64(at) }); i >= 0 {
			mine = list[:i]
		}
		list = list[len(mine):]
		stripes := make([]protocol.Stripe, min(protocol.PageStripes, next.count-uint64(at)*protocol.PageStripes))
		if at < len(old.pages) && len(mine) < len(stripes) {
			p, err := d.store.page(old, at)
			if err != nil {
				return err
			}
			copy(stripes, p.Stripes)
		}
		for i := range mine {
			stripes[mine[i].Number%protocol.PageStripes] = mine[i].Stripe
		}
		raw := protocol.EncodePage(next.k, next.m, stripes)
		next.pages[at] = digest.Blake3(raw)
		if err := d.stage(partName(pages, next.pages[at]), raw); err != nil {
			return err
		}
	}
	return nil
}

// set is a chunk that a change sets.
type set struct {
	key  digest.Hash
	at   uint32 // of the change's list
	slot uint8
}

// branches makes the branches that a change touches: all of them, where there are to be more.
func (d *Draft) branches(old, next *directory, c *protocol.Change) error {
	sets := make([]set, 0, len(c.List)*next.slots())
	for i := range c.List {
		for slot := range c.List[i].Roots {
			sets = append(sets, set{cbfs.ShardKey(uint8(slot), c.List[i].Number), uint32(i), uint8(slot)})
		}
	}
	slices.SortFunc(sets, func(a, b set) int { return bytes.Compare(a.key[:], b.key[:]) })
	before, after := branchBits(old.count*uint64(next.slots())), next.bits()
	next.branches = make([]branchRef, 1<<after)
	if before == after {
		copy(next.branches, old.branches)
	}
	var all errgroup.Group
	all.SetLimit(atOnce)
	for at := range old.branches { // each becomes as many as the further bits divide it into
		count := 0
		for count < len(sets) && branchOf(sets[count].key, before) == at {
			count++
		}
		mine := sets[:count]
		if sets = sets[count:]; count > 0 || before != after {
			all.Go(func() error { return d.branch(old.branches[at], next, at<<(after-before), after, mine, c) })
		}
	}
	return all.Wait()
}

// branch makes the branches that an old one becomes, the first of which is that of a number.
func (d *Draft) branch(from branchRef, next *directory, first, bits int, sets []set, c *protocol.Change) error {
	old, err := d.store.branch(from.hash)
	if err != nil {
		return err
	}
	made := map[int]*branch{}
	put := func(key digest.Hash, one cbfs.Chunk, id chunkID) {
		at := branchOf(key, bits)
		if made[at] == nil {
			made[at] = &branch{}
		}
		made[at].add(one, id)
	}
	for i := 0; i < len(old.ids) || len(sets) > 0; {
		if len(sets) == 0 || i < len(old.ids) && bytes.Compare(old.chunks[i].Key[:], sets[0].key[:]) < 0 {
			put(old.chunks[i].Key, old.chunks[i], old.ids[i])
			i++
			continue
		}
		if i < len(old.ids) && old.chunks[i].Key == sets[0].key {
			i++
		}
		n := &c.List[sets[0].at]
		chunk := cbfs.Chunk{Key: sets[0].key, Root: n.Roots[sets[0].slot], Size: uint64(n.Size)}
		put(chunk.Key, chunk, chunkID{sets[0].slot, uint32(n.Number)})
		sets = sets[1:]
	}
	for at, b := range made { // order-free: each by itself
		raw := b.encode()
		next.branches[at] = branchRef{digest.Blake3(raw), cbfs.SubtreeOf(b.chunks, bits)}
		if err := d.stage(partName(branches, next.branches[at].hash), raw); err != nil {
			return err
		}
	}
	return nil
}

// Root is the shard_root of what was made.
func (d *Draft) Root() digest.Hash { return d.dir.root() }

// stage has a part of the table written before the draft is kept.
func (d *Draft) stage(name string, raw []byte) error {
	d.mu.Lock()
	if d.staged[name] == nil {
		d.staged[name] = raw
		d.bytes += len(raw)
	}
	full := d.bytes > d.most
	d.mu.Unlock()
	if full {
		return d.flush()
	}
	return nil
}

// flush writes what is staged, and does not sync it.
func (d *Draft) flush() error {
	d.mu.Lock()
	staged := d.staged
	d.staged, d.bytes = map[string][]byte{}, 0
	names := make([]string, 0, len(staged))
	for name := range staged {
		names = append(names, name)
	}
	slices.Sort(names)
	d.names = append(d.names, names...)
	d.mu.Unlock()
	d.store.hold(names)
	_, err := each(names, func(name string) error { return d.write(name, staged[name]) })
	return err
}

// write keeps a part unless it is there.
func (d *Draft) write(name string, raw []byte) error {
	s := d.store
	defer s.alone(name)()
	old, size, err := s.place.get(name, len(raw)+1, nil, false)
	if err == nil && uint64(len(old)) == size && bytes.Equal(old, raw) {
		return nil
	}
	if err == nil { // cut off by a power cut, or rotten
		err = s.remove(name, 0)
	}
	if err != nil && !errors.Is(gone(err), ErrMissing) {
		return err
	}
	hash, err := digest.ParseHash("0x" + path.Base(name))
	if err != nil {
		return err
	}
	if err := d.room(hash, len(raw)); err != nil {
		return err
	}
	if err := s.place.put(name, false, raw); err != nil {
		s.give(uint64(len(raw)), 0)
		return err
	}
	s.naming.Lock()
	defer s.naming.Unlock()
	s.held[name].fresh = true
	return nil
}

// room takes room of the store for a part, and claims it.
func (d *Draft) room(part digest.Hash, size int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.claim != nil && !d.claim(size) {
		return ErrFull
	}
	d.fresh[part] += size
	return d.store.take(uint64(size))
}

// Keep keeps the table, durably: its pages and branches before its directory. One that is there already is named anew. Errors: protocol.ErrTable for one
// without chunks, ErrFull.
func (d *Draft) Keep() (Name, error) {
	s, n := d.store, Name{d.base.Volume, d.Root()}
	if n.Root.IsZero() {
		return n, protocol.ErrTable
	}
	if err := d.flush(); err != nil {
		return n, err
	}
	absent, err := s.place.settle(d.names)
	if err == nil && slices.Contains(absent, true) {
		err = ErrMissing
	}
	if err == nil {
		s.keep(tableName(n), d.dir)
		err = d.keep(n)
	}
	if err == nil {
		s.keep(tableName(n), d.dir) // a collection that began meanwhile may not have seen it
		s.settled(d.names)
	}
	return n, err
}

// keep keeps the directory, or names the one that is there.
func (d *Draft) keep(n Name) error {
	s, name := d.store, tableName(n)
	defer s.alone(name)()
	if _, err := s.ReadTable(n); err == nil {
		return s.Named(n, time.Now())
	}
	raw := d.dir.encode()
	if err := d.room(n.Root, len(raw)); err != nil {
		return err
	}
	if err := s.place.put(name, true, raw); err != nil {
		s.give(uint64(len(raw)), 0)
		return err
	}
	s.cache.Put(name, d.dir, d.dir.size())
	return nil
}

// Claimed is how many bytes were claimed of each part: a page and a branch by its hash, the directory by the table's root.
func (d *Draft) Claimed() map[digest.Hash]int { return d.fresh }

// Close ends a draft. What was written for it alone goes, unless it was kept.
func (d *Draft) Close() {
	s := d.store
	s.naming.Lock()
	defer s.naming.Unlock()
	delete(s.drafts, d)
	for _, name := range d.names {
		h := s.held[name]
		if h.drafts--; h.drafts > 0 {
			continue
		}
		delete(s.held, name)
		if h.fresh && !h.named {
			_ = s.remove(name, 0) // what stays is collected
		}
	}
}

// holding is a file that drafts hold.
type holding struct {
	drafts int
	fresh  bool // one of them wrote it
	named  bool // a table that was kept has it
}

// hold has files stay while a draft holds them.
func (s *Store) hold(names []string) {
	s.naming.Lock()
	defer s.naming.Unlock()
	for _, name := range names {
		if s.held[name] == nil {
			s.held[name] = &holding{}
		}
		s.held[name].drafts++
	}
}

// settled notes that a table which was kept has files.
func (s *Store) settled(names []string) {
	s.naming.Lock()
	defer s.naming.Unlock()
	for _, name := range names {
		s.held[name].named = true
	}
}
