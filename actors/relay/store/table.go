package store

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Name names a table: its shard_root, and the volume it was brought for, so that nobody reads a private volume's by the way of another one.
type Name struct{ Volume, Root digest.Hash }

func tableName(n Name) string { return path.Join(tables, n.Volume.Hex()+"-"+n.Root.Hex()) }

// partName is the name of a page, a branch or a chunk, which is its hash.
func partName(folder string, hash digest.Hash) string {
	name := hash.Hex()
	return path.Join(folder, name[:2], name)
}

// Table is a table that is here. Of its pages and branches some may be gone.
type Table struct {
	store *Store
	dir   *directory
}

// Table gives a table. One that is rotten is removed. Error: ErrMissing.
func (s *Store) Table(n Name) (*Table, error) {
	if d, ok := s.cache.Find(tableName(n)); ok {
		return &Table{s, d.(*directory)}, nil
	}
	return s.ReadTable(n)
}

// ReadTable is Table for whoever wants it read from its file.
func (s *Store) ReadTable(n Name) (*Table, error) {
	name := tableName(n)
	raw, _, err := s.place.get(name, maxDirectory, nil, false)
	if err != nil {
		return nil, gone(err)
	}
	d, ok := decodeDirectory(raw, n.Root)
	if !ok {
		return nil, s.spoilt(name, 0)
	}
	s.cache.Put(name, d, d.size())
	return &Table{s, d}, nil
}

// spoilt removes a file that is not what its name says. It gives ErrLost, or why it cannot be removed.
func (s *Store) spoilt(name string, chunks uint64) error {
	if err := s.remove(name, chunks); err != nil && !errors.Is(err, ErrMissing) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rotten++
	return ErrLost
}

// part reads a page or a branch that a table has, and holds it to its hash. One that is rotten is removed. Error: ErrLost.
func (s *Store) part(folder string, hash digest.Hash, most int) ([]byte, error) {
	name := partName(folder, hash)
	raw, _, err := s.place.get(name, most, nil, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrLost
	}
	if err != nil {
		return nil, err
	}
	if digest.Blake3(raw) != hash {
		return nil, s.spoilt(name, 0)
	}
	return raw, nil
}

// page reads a page of a directory.
func (s *Store) page(d *directory, at int) (*protocol.Table, error) { return s.Page(d.pages[at]) }

// Page reads a page of any table, which its hash names. Error: ErrLost.
func (s *Store) Page(hash digest.Hash) (*protocol.Table, error) {
	raw, err := s.part(pages, hash, maxPage)
	if err != nil {
		return nil, err
	}
	p, err := protocol.DecodePage(raw)
	if err == nil {
		s.cache.Put(partName(pages, hash), p, len(raw))
	}
	return p, err
}

// branch reads a branch.
func (s *Store) branch(hash digest.Hash) (*branch, error) {
	if hash.IsZero() {
		return &branch{}, nil
	}
	raw, err := s.part(branches, hash, maxBranch)
	if err != nil {
		return nil, err
	}
	return decodeBranch(raw), nil
}

// Outline is what the table is made of.
func (t *Table) Outline() *protocol.Outline {
	return &protocol.Outline{K: t.dir.k, M: t.dir.m, Count: t.dir.count, Base: t.dir.base, Pages: t.dir.pages}
}

// Parts lists the hashes of the table's pages and branches.
func (t *Table) Parts() []digest.Hash {
	list := slices.Clone(t.dir.pages)
	for i := range t.dir.branches {
		list = append(list, t.dir.branches[i].hash)
	}
	return list
}

// Is reports whether the table is of a code and has so many stripes.
func (t *Table) Is(k, m uint8, stripes uint64) bool {
	return t.dir.k == k && t.dir.m == m && t.dir.count == stripes
}

// Page reads a page from its file. Errors: ErrMissing for one beyond the table, ErrLost.
func (t *Table) Page(at int) (*protocol.Table, error) {
	if at < 0 || at >= len(t.dir.pages) {
		return nil, ErrMissing
	}
	return t.store.page(t.dir, at)
}

// Stripe gives a stripe. Errors: ErrMissing for one beyond the table, ErrLost.
func (t *Table) Stripe(number uint64) (*protocol.Stripe, error) {
	if number >= t.dir.count {
		return nil, ErrMissing
	}
	at := int(number / protocol.PageStripes)
	if p, ok := t.store.cache.Find(partName(pages, t.dir.pages[at])); ok {
		return &p.(*protocol.Table).Stripes[number%protocol.PageStripes], nil
	}
	p, err := t.store.page(t.dir, at)
	if err != nil {
		return nil, err
	}
	return &p.Stripes[number%protocol.PageStripes], nil
}

// Paths gives the part of the tree of shards that says what stands at keys, which it sorts. It reads the branches they lie in. Error: ErrLost.
//
// Spec: storage-cbfs §2.2 (shard_root).
func (t *Table) Paths(keys []digest.Hash) (*cbfs.Partial, error) {
	return cbfs.Extract(t.dir.trees(), keys, func(at int) ([]cbfs.Chunk, error) {
		b, err := t.store.branch(t.dir.branches[at].hash)
		if err != nil {
			return nil, err
		}
		return b.chunks, nil
	})
}

// Since lists the numbers whose stripes are not those of an earlier table, ascending. false says that it is not known: too many tables are between, or they
// touched too much.
func (t *Table) Since(earlier Name) (numbers []uint64, known bool) {
	for d, left := t.dir, tablesBack; ; left-- {
		numbers = append(numbers, d.touched...)
		switch {
		case d.base.IsZero() || left == 0 || len(numbers) > maxTouched:
			return nil, false
		case d.base == earlier.Root:
			slices.Sort(numbers)
			return slices.Compact(numbers), true
		}
		before, err := t.store.Table(Name{earlier.Volume, d.base})
		if err != nil {
			return nil, false
		}
		d = before.dir
	}
}

// tablesBack is how many tables are looked at for what changed since an earlier one.
const tablesBack = 16

// Named notes that the chain names a table at a time. Error: ErrMissing.
func (s *Store) Named(n Name, at time.Time) error {
	s.naming.Lock() // a collection that begins meanwhile reads this time
	defer s.naming.Unlock()
	s.note(tableName(n), nil)
	return gone(s.place.name(tableName(n), at))
}

// Lacks reports whether branches of the table are gone. A rotten one is, if it was read or every byte is to be.
func (t *Table) Lacks(read bool) (bool, error) {
	list, err := t.lost(read)
	return len(list) > 0, err
}

// lost lists the branches that are gone.
func (t *Table) lost(read bool) (list []int, err error) {
	var names []string
	var at []int
	hash := map[string]digest.Hash{}
	for i := range t.dir.branches {
		if b := &t.dir.branches[i]; b.tree.Leaves > 0 {
			name := partName(branches, b.hash)
			names, at, hash[name] = append(names, name), append(at, i), b.hash
		}
	}
	absent, err := each(names, func(name string) error {
		if !read {
			_, err := t.store.place.size(name)
			return err
		}
		if _, err := t.store.branch(hash[name]); !errors.Is(err, ErrMissing) {
			return err
		}
		return fs.ErrNotExist
	})
	for i := range absent {
		if absent[i] {
			list = append(list, at[i])
		}
	}
	return list, err
}

// KeepPage keeps a page of the table again, durably. It is held to its hash. Errors: protocol.ErrTable, ErrFull.
func (t *Table) KeepPage(at int, raw []byte) error {
	if digest.Blake3(raw) != t.dir.pages[at] {
		return protocol.ErrTable
	}
	return t.store.again(partName(pages, t.dir.pages[at]), raw)
}

// again keeps a part of a table that was lost, durably.
func (s *Store) again(name string, raw []byte) error {
	defer s.alone(name)()
	if _, err := s.place.size(name); err == nil {
		return nil
	}
	if err := s.take(uint64(len(raw))); err != nil {
		return err
	}
	err := s.place.put(name, true, raw)
	if err != nil {
		s.give(uint64(len(raw)), 0)
	}
	return err
}

// rebuiltAtOnce is how many branches are made anew in one reading of all pages.
const rebuiltAtOnce = 512

// Rebuild makes branches anew that are gone, out of the pages, durably. Errors: ErrLost where a page is gone too, ErrFull.
func (t *Table) Rebuild() error {
	list, err := t.lost(false)
	for ; err == nil && len(list) > 0; list = list[min(len(list), rebuiltAtOnce):] {
		err = t.rebuild(list[:min(len(list), rebuiltAtOnce)])
	}
	return err
}

func (t *Table) rebuild(list []int) error {
	bits, made := t.dir.bits(), map[int]*branch{}
	for _, at := range list {
		made[at] = &branch{}
	}
	for at := range t.dir.pages {
		p, err := t.store.page(t.dir, at)
		if err != nil {
			return err
		}
		for i := range p.Stripes {
			number := uint64(at)*protocol.PageStripes + uint64(i)
			for slot, root := range p.Stripes[i].Roots {
				key := cbfs.ShardKey(uint8(slot), number)
				if b := made[branchOf(key, bits)]; b != nil {
					b.add(cbfs.Chunk{Key: key, Root: root, Size: uint64(p.Stripes[i].Size)}, chunkID{uint8(slot), uint32(number)})
				}
			}
		}
	}
	for _, at := range list {
		made[at].sort()
		raw := made[at].encode()
		if digest.Blake3(raw) != t.dir.branches[at].hash {
			return protocol.ErrTable
		}
		if err := t.store.again(partName(branches, t.dir.branches[at].hash), raw); err != nil {
			return err
		}
	}
	return nil
}
