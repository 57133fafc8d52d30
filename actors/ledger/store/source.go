package store

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// operationMax is more than any encoded operation needs, in bytes.
const operationMax = state.ValueMax + 2*state.KeyMax + 32

// source reads operations from the log: it is the state.Source of the finalized
// chain. The writer alone adds to it; readers see a table only as far as length
// says.
type source struct {
	config   state.Config
	segments atomic.Pointer[[]*segment]
	table    atomic.Pointer[table]
	length   atomic.Uint64
	boundary atomic.Uint64
	shelved  atomic.Uint64 // what is below and kept is on the archive alone
	archive  archive
	end      atomic.Uint64 // offset after the last operation
	failed   func() error
	cache    subtreeCache
}

// table says where operations are, chunk by chunk, from the shelved ones on.
type table struct {
	first  uint64 // chunk of places[0]
	places []*place
}

// place is where the operations of one chunk are: offsets in the log, five bytes
// each, relative to the first.
type place struct {
	base    uint64
	offsets [state.ChunkBits * 5]byte
	subtree atomic.Pointer[state.Subtree]
}

const placeSize = 8 + state.ChunkBits*5

func (p *place) offset(i uint64) uint64 {
	b := p.offsets[i*5:]
	return p.base + (uint64(b[0])<<32 | uint64(binary.BigEndian.Uint32(b[1:])))
}

func (p *place) set(i, offset uint64) {
	if i == 0 {
		p.base = offset
	}
	offset -= p.base
	b := p.offsets[i*5:]
	b[0] = byte(offset >> 32)
	binary.BigEndian.PutUint32(b[1:], uint32(offset))
}

// Length implements state.Source.
func (s *source) Length() uint64 { return s.length.Load() }

// Boundary implements state.Source.
func (s *source) Boundary() uint64 { return s.boundary.Load() }

// Shelved implements state.Source.
func (s *source) Shelved() uint64 { return max(s.shelved.Load(), s.boundary.Load()) }

// Node implements state.Source.
func (s *source) Node(level int, index uint64) (digest.Hash, error) {
	if err := s.failed(); err != nil {
		return digest.Hash{}, err
	}
	return s.archive.node(level, index)
}

// place gives where the operations of a chunk are.
func (s *source) place(chunk uint64) (*place, error) {
	if p := s.table.Load().place(chunk); p != nil {
		return p, nil
	}
	if (chunk+1)*state.ChunkBits > s.boundary.Load() && chunk*state.ChunkBits < s.shelved.Load() {
		return s.archive.place(chunk)
	}
	return nil, fmt.Errorf("operations of chunk %d: %w", chunk, ErrPruned)
}

// place gives the place of a chunk, or nil.
func (t *table) place(chunk uint64) *place {
	if chunk < t.first || chunk-t.first >= uint64(len(t.places)) {
		return nil
	}
	return t.places[chunk-t.first]
}

func (s *source) offset(location uint64) (uint64, error) {
	if location < s.boundary.Load() {
		return 0, fmt.Errorf("operation %d: %w", location, ErrPruned)
	}
	p, err := s.place(location / state.ChunkBits)
	if err != nil {
		return 0, err
	}
	return p.offset(location % state.ChunkBits), nil
}

// Operation implements state.Source.
func (s *source) Operation(location uint64) ([]byte, error) {
	if err := s.failed(); err != nil {
		return nil, err
	}
	length := s.length.Load()
	if location >= length {
		return nil, fmt.Errorf("operation %d of %d: %w", location, length, ErrUnknown)
	}
	from, err := s.offset(location)
	if err != nil {
		return nil, err
	}
	to := s.end.Load()
	if location+1 < length {
		if to, err = s.offset(location + 1); err != nil {
			return nil, err
		}
	}
	b := make([]byte, min(to-from, operationMax))
	n, err := readAt(*s.segments.Load(), b, from)
	if err != nil {
		return nil, err
	}
	// Between the last operation of a block and the next one lie other
	// sections; an operation says itself where it ends.
	_, rest, err := s.config.SplitOperation(b[:n])
	if err != nil {
		return nil, s.corrupt(from, fmt.Sprintf("operation %d", location), err)
	}
	return b[: n-len(rest) : n-len(rest)], nil
}

func (s *source) corrupt(offset uint64, what string, err error) error {
	c := &CorruptError{File: segmentPrefix, Offset: -1, What: what, Err: err}
	if g := find(*s.segments.Load(), offset); g != nil {
		c.File, c.Offset = g.name, int64(offset-g.start)
	}
	return c
}

// Subtree implements state.Source. Subtrees that are not in memory are hashed
// again from their operations.
func (s *source) Subtree(chunk uint64) (*state.Subtree, error) {
	p, err := s.place(chunk)
	if err != nil {
		return nil, err
	}
	if t := p.subtree.Load(); t != nil {
		return t, nil
	}
	t, err := state.BuildSubtree(s.hash(), chunk, s.Ascending())
	if err != nil {
		return nil, err
	}
	s.cache.add(p, t)
	return t, nil
}

func (s *source) hash() digest.Function {
	if s.config.Hash != nil {
		return s.config.Hash
	}
	return state.Blake3
}

// add records where the operations of a block are. Only the writer calls it; what
// it adds is seen by readers once publish is called.
func (s *source) add(start uint64, ends []int, offset uint64) {
	t := s.table.Load()
	for i := range ends {
		location := start + uint64(i)
		chunk := location / state.ChunkBits
		if len(t.places) == 0 {
			t = &table{first: chunk}
		}
		if chunk == t.first+uint64(len(t.places)) {
			t = &table{first: t.first, places: append(t.places, new(place))}
		}
		at := offset
		if i > 0 {
			at += uint64(ends[i-1])
		}
		t.places[chunk-t.first].set(location%state.ChunkBits, at)
	}
	s.table.Store(t)
}

// publish lets readers see the log up to length; end is the offset after its
// last operation.
func (s *source) publish(length, end uint64) {
	s.end.Store(end)
	s.length.Store(length)
}

// forget drops what is below the boundary, and from memory what is on the archive.
func (s *source) forget(boundary, shelved uint64) {
	s.shelved.Store(shelved)
	s.boundary.Store(boundary)
	t := s.table.Load()
	if drop := shelved / state.ChunkBits; drop > t.first {
		n := min(drop-t.first, uint64(len(t.places)))
		s.table.Store(&table{first: t.first + n, places: append([]*place(nil), t.places[n:]...)})
	}
}
