package store

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/state/keyindex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"go.etcd.io/bbolt"
)

// pageSize is a page of the bitmap, in bytes.
const pageSize = state.PageValues * digest.Size

// loading is what is read of a checkpoint when a store is opened: what a state
// needs, not what its history does.
type loading struct {
	image  *image
	leaves [][]byte
	bits   map[uint64][]byte
	nodes  []digest.Hash // of height 8, from the shelved chunks on
	table  *table
}

// restore builds the state of a checkpoint.
//
// Spec: commonware §5.7.
func (s *Store) restore(saved *savedMeta) (*state.Commit, error) {
	first := saved.shelved / state.ChunkBits
	l := &loading{image: s.image, bits: map[uint64][]byte{}, table: &table{first: first}}
	list := *s.source.segments.Load()
	err := s.image.guard(func() error {
		return s.image.db.View(func(tx *bbolt.Tx) error {
			if err := l.read(tx, first); err != nil {
				return err
			}
			return l.numbered(tx, bucketSegments, 0, func(start uint64, v []byte) error {
				g := find(list, start)
				if g == nil || g.start != start || len(v) != 8 {
					return s.image.broken("it tells of "+segmentName(start)+", which is missing", nil)
				}
				g.operations = be8Value(v)
				return nil
			})
		})
	})
	if err != nil {
		return nil, err
	}
	if first+uint64(len(l.table.places)) != (saved.length+state.ChunkBits-1)/state.ChunkBits {
		return nil, s.image.broken("places of operations are missing", nil)
	}
	if first+uint64(len(l.nodes)) != saved.length/state.ChunkBits {
		return nil, s.image.broken("nodes are missing", nil)
	}
	s.source.table.Store(l.table)
	s.source.boundary.Store(saved.boundary)
	s.source.shelved.Store(saved.shelved)
	s.source.publish(saved.length, saved.opsEnd)
	index, err := keyindex.Build(len(l.leaves), func(i int) []byte { return l.leaves[i] })
	if err != nil {
		return nil, s.image.broken("key index", err)
	}
	c, err := state.Restore(s.options.State, s.source, state.Image{
		Height: unit.Height(max(saved.sequence, 2) - 2),
		Length: saved.length, Floor: saved.floor, Boundary: saved.shelved,
		Index: index, Pinned: saved.pinned, Bits: l.chunk,
		Nodes: func(chunk uint64) digest.Hash { return l.nodes[chunk-first] },
	})
	if err != nil {
		return nil, s.image.broken("checkpoint is no state", err)
	}
	if c.Root() != saved.root {
		return nil, s.image.broken("checkpoint does not lead to its root", nil)
	}
	s.saved = savedState{stamp: c.Stamp(), length: saved.length, segment: find(list, saved.end-1).start, lows: index.Lows()}
	return c, nil
}

// read reads what lies from a chunk on.
func (l *loading) read(tx *bbolt.Tx, first uint64) error {
	err := l.image.each(tx, bucketIndex, nil, func(_, v []byte) error {
		l.leaves = append(l.leaves, append([]byte(nil), v...))
		return nil
	})
	if err == nil {
		err = l.numbered(tx, bucketBits, first/state.PageValues, l.page)
	}
	if err == nil {
		err = l.image.each(tx, bucketNodes, nodeKey(0, first), l.node)
	}
	if err == nil {
		err = l.numbered(tx, bucketPlaces, first, l.place)
	}
	return err
}

// numbered hands the values of a bucket with keys be8 from i on to fn.
func (l *loading) numbered(tx *bbolt.Tx, bucket string, i uint64, fn func(i uint64, v []byte) error) error {
	return l.image.each(tx, bucket, be8(i), func(key, v []byte) error {
		i, err := l.image.number(key)
		if err != nil {
			return err
		}
		return fn(i, v)
	})
}

func (l *loading) page(i uint64, v []byte) error {
	if len(v) != pageSize {
		return l.image.broken("page has a wrong size", nil)
	}
	l.bits[i] = append([]byte(nil), v...)
	return nil
}

// chunk gives the activity bits of a chunk.
func (l *loading) chunk(i uint64) (h digest.Hash) {
	if v := l.bits[i/state.PageValues]; v != nil {
		copy(h[:], v[i%state.PageValues*digest.Size:])
	}
	return h
}

// node takes the next node of height 8; those of other heights are computed.
func (l *loading) node(key, v []byte) error {
	if len(key) != 9 || key[0] != 0 {
		return errEnough
	}
	if be8Value(key[1:]) != l.table.first+uint64(len(l.nodes)) || len(v) != digest.Size {
		return l.image.broken("nodes are out of order", nil)
	}
	l.nodes = append(l.nodes, digest.Hash(v))
	return nil
}

func (l *loading) place(chunk uint64, v []byte) error {
	if chunk != l.table.first+uint64(len(l.table.places)) {
		return l.image.broken("places of operations are out of order", nil)
	}
	p, err := l.image.place(v)
	l.table.places = append(l.table.places, p)
	return err
}

// place decodes the places of the operations of a chunk.
func (m *image) place(v []byte) (*place, error) {
	if len(v) < 8 || len(v) > placeSize {
		return nil, m.broken("place of operations has a wrong size", nil)
	}
	p := &place{base: be8Value(v)}
	copy(p.offsets[:], v[8:])
	return p, nil
}
