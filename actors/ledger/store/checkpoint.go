package store

import (
	"errors"
	"sort"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/state/keyindex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"go.etcd.io/bbolt"
)

// saved is what the checkpoint file holds, as far as the next checkpoint needs
// it.
type savedState struct {
	stamp  uint64   // of the state
	length uint64   // of its log
	lows   []string // lowest keys of the leaves of its index
}

// Checkpoint saves the state of the last block, so that opening replays less,
// and gives the operations below the window back to the file system. It may run
// beside Append and readers; an error poisons the store.
//
// Spec: commonware §5.7, §5.10.
func (s *Store) Checkpoint() error {
	s.checkpoint.Lock()
	defer s.checkpoint.Unlock()
	if err := s.Err(); err != nil || s.image == nil {
		return err
	}
	s.write.Lock()
	head := s.Head()
	saved := savedMeta{sequence: s.sequence, end: s.end, opsEnd: s.source.end.Load()}
	segments := *s.source.segments.Load()
	marks := make([]segmentMark, len(segments))
	for i, g := range segments {
		marks[i] = segmentMark{g.start, g.operations}
	}
	s.write.Unlock()

	c := head.State()
	var err error
	if saved.boundary, err = s.lowest(head); err != nil {
		return s.fail("checkpoint", err)
	}
	saved.length, saved.floor, saved.root = c.Length(), c.Floor(), c.Root()
	saved.pinned = c.Pinned(saved.boundary)
	lows := c.Index().Lows()
	entries, transactions := s.recent.below(unit.Height(head.blocks))
	var dropped *beginning
	err = s.image.guard(func() error {
		return s.image.db.Update(func(tx *bbolt.Tx) error {
			w := imageWriter{tx: tx}
			w.index(c.Index(), s.saved, lows)
			w.pages(c, s.saved.stamp, saved.boundary)
			w.places(s.source, s.saved.length, saved.length, saved.boundary)
			w.segments(marks)
			w.blocks(entries, transactions)
			w.put(bucketMeta, []byte("state"), saved.encode())
			if w.err == nil {
				dropped, w.err = s.forgetBlocks(&w, segments, saved.boundary, uint64(head.blocks))
			}
			return w.err
		})
	})
	if err != nil {
		return s.fail("checkpoint", err)
	}
	s.saved = savedState{stamp: c.Stamp(), length: saved.length, lows: lows}
	s.savedEnd.Store(saved.end)
	s.recent.drop(unit.Height(head.blocks))
	s.write.Lock()
	s.source.forget(max(saved.boundary, s.source.Boundary()))
	s.write.Unlock()
	if dropped != nil {
		if err := s.drop(*dropped); err != nil {
			return s.fail("give blocks back", err)
		}
	}
	if err := s.hollow(); err != nil {
		return s.fail("give operations back", err)
	}
	return nil
}

// lowest gives the boundary that the window allows: the lowest floor of the
// states in it, rounded down to a chunk.
//
// Spec: commonware §5.7.
func (s *Store) lowest(head *Snapshot) (uint64, error) {
	if s.options.Window >= head.blocks-min(head.blocks, 1) {
		return s.source.Boundary(), nil // the window reaches back to the genesis
	}
	e, err := s.entry(unit.Height(head.blocks - 1 - s.options.Window))
	if errors.Is(err, ErrPruned) {
		return s.source.Boundary(), nil // the window reaches back to the snapshot
	}
	if err != nil {
		return 0, err
	}
	return max(e.Floor/state.ChunkBits*state.ChunkBits, s.source.Boundary()), nil
}

// imageWriter writes one checkpoint; the first error stays.
type imageWriter struct {
	tx  *bbolt.Tx
	err error
}

func (w *imageWriter) put(bucket string, key, value []byte) {
	if w.err == nil {
		w.err = w.tx.Bucket([]byte(bucket)).Put(key, seal(value))
	}
}

func (w *imageWriter) delete(bucket string, key []byte) {
	if w.err == nil {
		w.err = w.tx.Bucket([]byte(bucket)).Delete(key)
	}
}

func indexKey(low []byte) []byte { return append([]byte{'k'}, low...) }

// index writes the leaves that changed and removes those that are gone.
func (w *imageWriter) index(x keyindex.Index, before savedState, lows []string) {
	for _, l := range x.Leaves(before.stamp) {
		w.put(bucketIndex, indexKey(l.Low()), l.Append(nil))
	}
	for _, low := range before.lows {
		if i := sort.SearchStrings(lows, low); i == len(lows) || lows[i] != low {
			w.delete(bucketIndex, indexKey([]byte(low)))
		}
	}
}

// pages writes the pages of bitmap and nodes that changed, and removes those
// below the boundary.
func (w *imageWriter) pages(c *state.Commit, since, boundary uint64) {
	page := func(bucket string) func(i uint64, values *[state.PageValues]digest.Hash) {
		return func(i uint64, values *[state.PageValues]digest.Hash) {
			b := make([]byte, 0, state.PageValues*digest.Size+4)
			for k := range values {
				b = append(b, values[k][:]...)
			}
			w.put(bucket, be8(i), b)
		}
	}
	c.BitPages(since, page(bucketBits))
	c.NodePages(since, page(bucketNodes))
	lowest := boundary / state.ChunkBits / state.PageValues
	w.trim(bucketBits, lowest)
	w.trim(bucketNodes, lowest)
}

// trim removes the numbered entries below lowest.
func (w *imageWriter) trim(bucket string, lowest uint64) {
	if w.err != nil {
		return
	}
	c := w.tx.Bucket([]byte(bucket)).Cursor()
	end := string(be8(lowest))
	for key, _ := c.First(); key != nil && string(key) < end && w.err == nil; key, _ = c.First() {
		w.err = c.Delete()
	}
}

// places writes where the operations are that were appended since.
func (w *imageWriter) places(s *source, from, to, boundary uint64) {
	for chunk := max(from, boundary) / state.ChunkBits; chunk*state.ChunkBits < to; chunk++ {
		p := s.place(chunk)
		b := append(make([]byte, 0, placeSize+4), be8(p.base)...)
		// Operations of later blocks may be arriving in the same chunk.
		n := min(to-chunk*state.ChunkBits, state.ChunkBits) * 5
		b = append(b, p.offsets[:n]...)
		w.put(bucketPlaces, be8(chunk), b)
	}
	w.trim(bucketPlaces, boundary/state.ChunkBits)
}

func (w *imageWriter) segments(marks []segmentMark) {
	for _, m := range marks {
		w.put(bucketSegments, be8(m.start), be8(m.operations))
	}
}

func (w *imageWriter) blocks(entries []*blockEntry, transactions [][]digest.Hash) {
	type row struct{ key, value []byte }
	var rows []row
	for i, e := range entries {
		w.put(bucketBlocks, be8(uint64(e.Height)), e.encode())
		w.put(bucketHashes, e.Hash[:], be8(uint64(e.Height)))
		for k := range transactions[i] {
			place := append(be8(uint64(e.Height)), byte(k>>24), byte(k>>16), byte(k>>8), byte(k))
			rows = append(rows, row{transactions[i][k][:], place})
		}
	}
	// bbolt writes sorted keys several times faster.
	sort.Slice(rows, func(i, j int) bool { return string(rows[i].key) < string(rows[j].key) })
	for _, r := range rows {
		w.put(bucketTransactions, r.key, r.value)
	}
}

// restore builds the state of a checkpoint.
func (s *Store) restore(saved *savedMeta) (*state.Commit, error) {
	var leaves [][]byte
	bits, nodes := map[uint64][]byte{}, map[uint64][]byte{}
	t := &table{first: saved.boundary / state.ChunkBits}
	list := *s.source.segments.Load()
	numbered := func(tx *bbolt.Tx, bucket string, fn func(i uint64, v []byte) error) error {
		return s.image.each(tx, bucket, func(key, v []byte) error {
			i, err := s.image.number(key)
			if err != nil {
				return err
			}
			return fn(i, v)
		})
	}
	page := func(into map[uint64][]byte) func(i uint64, v []byte) error {
		return func(i uint64, v []byte) error {
			if len(v) != state.PageValues*digest.Size {
				return s.image.broken("page has a wrong size", nil)
			}
			into[i] = append([]byte(nil), v...)
			return nil
		}
	}
	err := s.image.guard(func() error {
		return s.image.db.View(func(tx *bbolt.Tx) error {
			if err := s.image.each(tx, bucketIndex, func(_, v []byte) error {
				leaves = append(leaves, append([]byte(nil), v...))
				return nil
			}); err != nil {
				return err
			}
			if err := numbered(tx, bucketBits, page(bits)); err != nil {
				return err
			}
			if err := numbered(tx, bucketNodes, page(nodes)); err != nil {
				return err
			}
			if err := numbered(tx, bucketPlaces, func(chunk uint64, v []byte) error {
				return s.image.place(t, chunk, v)
			}); err != nil {
				return err
			}
			return numbered(tx, bucketSegments, func(start uint64, v []byte) error {
				g := find(list, start)
				if g == nil || g.start != start || len(v) != 8 {
					return &CorruptError{segmentName(start), -1, "segment is missing", nil}
				}
				g.operations = be8Value(v)
				return nil
			})
		})
	})
	if err != nil {
		return nil, err
	}
	if uint64(len(t.places)) != (saved.length-t.first*state.ChunkBits+state.ChunkBits-1)/state.ChunkBits {
		return nil, s.image.broken("places of operations are missing", nil)
	}
	s.source.table.Store(t)
	s.source.boundary.Store(saved.boundary)
	s.source.publish(saved.length, saved.opsEnd)
	index, err := keyindex.Build(len(leaves), func(i int) []byte { return leaves[i] })
	if err != nil {
		return nil, s.image.broken("key index", err)
	}
	value := func(pages map[uint64][]byte) func(uint64) digest.Hash {
		return func(chunk uint64) (h digest.Hash) {
			if v := pages[chunk/state.PageValues]; v != nil {
				copy(h[:], v[chunk%state.PageValues*digest.Size:])
			}
			return h
		}
	}
	c, err := state.Restore(s.options.State, s.source, state.Image{
		Height: unit.Height(max(saved.sequence, 2) - 2),
		Length: saved.length, Floor: saved.floor, Boundary: saved.boundary,
		Index: index, Pinned: saved.pinned, Bits: value(bits), Nodes: value(nodes),
	})
	if err != nil {
		return nil, err
	}
	if c.Root() != saved.root {
		return nil, s.image.broken("checkpoint does not lead to its root", nil)
	}
	s.saved = savedState{stamp: c.Stamp(), length: saved.length, lows: index.Lows()}
	return c, nil
}

// place adds the places of a chunk to a table.
func (m *image) place(t *table, chunk uint64, v []byte) error {
	if chunk != t.first+uint64(len(t.places)) || len(v) < 8 || len(v) > placeSize {
		return m.broken("places of operations are out of order", nil)
	}
	p := &place{base: be8Value(v)}
	copy(p.offsets[:], v[8:])
	t.places = append(t.places, p)
	return nil
}
