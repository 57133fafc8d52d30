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
	stamp   uint64   // of the state
	length  uint64   // of its log
	segment uint64   // start of the last segment then; those before have not changed since
	lows    []string // lowest keys of the leaves of its index
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
	var marks []segmentMark
	for i := len(segments) - 1; i >= 0 && segments[i].start >= s.saved.segment; i-- {
		marks = append(marks, segmentMark{segments[i].start, segments[i].operations})
	}
	s.write.Unlock()

	c := head.State()
	var err error
	if saved.boundary, err = s.lowest(head, s.options.Window); err != nil {
		return s.fail("checkpoint", err)
	}
	if saved.shelved, err = s.lowest(head, WindowMin); err != nil {
		return s.fail("checkpoint", err)
	}
	saved.shelved = max(saved.shelved, s.source.Shelved())
	saved.length, saved.floor, saved.root = c.Length(), c.Floor(), c.Root()
	saved.pinned = c.Pinned(saved.shelved)
	lows := c.Index().Lows()
	entries, transactions := s.recent.below(unit.Height(head.blocks))
	var dropped *beginning
	err = s.image.guard(func() error {
		return s.image.db.Update(func(tx *bbolt.Tx) error {
			w := imageWriter{tx: tx}
			w.index(c.Index(), s.saved, lows)
			w.bits(c, s.saved.stamp, saved.shelved)
			w.nodes(c, s.saved.length, saved.boundary)
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
	s.saved = savedState{stamp: c.Stamp(), length: saved.length, segment: marks[0].start, lows: lows}
	s.savedEnd.Store(saved.end)
	s.recent.drop(unit.Height(head.blocks))
	s.write.Lock()
	s.source.forget(saved.boundary, saved.shelved)
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

// lowest gives the boundary that a window allows: the lowest floor of the
// states in it, rounded down to a chunk.
//
// Spec: commonware §5.7.
func (s *Store) lowest(head *Snapshot, window uint64) (uint64, error) {
	if window >= head.blocks-min(head.blocks, 1) {
		return s.source.Boundary(), nil // the window reaches back to the genesis
	}
	e, err := s.entry(unit.Height(head.blocks - 1 - window))
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

// bits writes the pages of the bitmap that changed, and removes those below a
// location, where no bit is set.
func (w *imageWriter) bits(c *state.Commit, since, location uint64) {
	c.BitPages(since, func(i uint64, values *[state.PageValues]digest.Hash) {
		b := make([]byte, 0, pageSize+4)
		for k := range values {
			b = append(b, values[k][:]...)
		}
		w.put(bucketBits, be8(i), b)
	})
	w.trim(bucketBits, nil, be8(location/state.ChunkBits/state.PageValues))
}

// trim removes the entries from a key on that lie below another.
func (w *imageWriter) trim(bucket string, from, end []byte) {
	if w.err != nil {
		return
	}
	c := w.tx.Bucket([]byte(bucket)).Cursor()
	for key, _ := c.Seek(from); key != nil && string(key) < string(end) && w.err == nil; key, _ = c.Seek(from) {
		w.err = c.Delete()
	}
}

// places writes where the operations are that were appended since.
func (w *imageWriter) places(s *source, from, to, boundary uint64) {
	for chunk := max(from, boundary) / state.ChunkBits; chunk*state.ChunkBits < to; chunk++ {
		p := s.table.Load().place(chunk)
		b := append(make([]byte, 0, placeSize+4), be8(p.base)...)
		// Operations of later blocks may be arriving in the same chunk.
		n := min(to-chunk*state.ChunkBits, state.ChunkBits) * 5
		b = append(b, p.offsets[:n]...)
		w.put(bucketPlaces, be8(chunk), b)
	}
	w.trim(bucketPlaces, nil, be8(boundary/state.ChunkBits))
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
