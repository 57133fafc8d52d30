package store

import (
	"fmt"
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Snapshot is the chain as of one block. It never changes; many goroutines may
// use it. Its state can be read as long as the block is within the window.
type Snapshot struct {
	store  *Store
	state  *state.Commit
	blocks uint64
}

// State is the state after the last block.
func (v *Snapshot) State() *state.Commit { return v.state }

// Blocks is the number of blocks: their heights are below it.
func (v *Snapshot) Blocks() uint64 { return v.blocks }

// Height is the height of the last block; ok is false when there is none.
func (v *Snapshot) Height() (height unit.Height, ok bool) {
	return unit.Height(max(v.blocks, 1) - 1), v.blocks > 0
}

// blockEntry says where a block is and what it led to.
type blockEntry struct {
	Height unit.Height
	Offset uint64 // of its frame in the log
	Hash   digest.Hash
	Root   digest.Hash // state root after it
	Floor  uint64
	Length uint64 // operations in the log after it
}

// Place is where a transaction is.
type Place struct {
	Height unit.Height
	Index  uint32
}

// recent holds the entries of the blocks since the last checkpoint.
type recent struct {
	mu           sync.RWMutex
	first        unit.Height
	entries      []*blockEntry
	transactions [][]digest.Hash
	hashes       map[digest.Hash]unit.Height
	places       map[digest.Hash]Place
}

func (r *recent) add(e *blockEntry, transactions []digest.Hash) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.entries) == 0 {
		r.first = e.Height
	}
	if r.hashes == nil {
		r.hashes, r.places = map[digest.Hash]unit.Height{}, map[digest.Hash]Place{}
	}
	r.entries = append(r.entries, e)
	r.transactions = append(r.transactions, transactions)
	r.index(e, transactions)
}

func (r *recent) index(e *blockEntry, transactions []digest.Hash) {
	r.hashes[e.Hash] = e.Height
	for i, t := range transactions {
		r.places[t] = Place{e.Height, uint32(i)}
	}
}

// drop forgets the blocks below height.
func (r *recent) drop(height unit.Height) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.entries) == 0 || height <= r.first {
		return
	}
	n := min(uint64(height-r.first), uint64(len(r.entries)))
	r.entries = append([]*blockEntry(nil), r.entries[n:]...)
	r.transactions = append([][]digest.Hash(nil), r.transactions[n:]...)
	r.first += unit.Height(n)
	r.hashes, r.places = map[digest.Hash]unit.Height{}, map[digest.Hash]Place{}
	for i, e := range r.entries {
		r.index(e, r.transactions[i])
	}
}

// below gives the entries below height, with their transactions.
func (r *recent) below(height unit.Height) ([]*blockEntry, [][]digest.Hash) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.entries) == 0 || height <= r.first {
		return nil, nil
	}
	n := min(uint64(height-r.first), uint64(len(r.entries)))
	return r.entries[:n:n], r.transactions[:n:n]
}

func (r *recent) entry(height unit.Height) *blockEntry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if height < r.first || uint64(height-r.first) >= uint64(len(r.entries)) {
		return nil
	}
	return r.entries[height-r.first]
}

func (r *recent) hash(h digest.Hash) (unit.Height, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	height, ok := r.hashes[h]
	return height, ok
}

func (r *recent) transaction(h digest.Hash) (Place, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	p, ok := r.places[h]
	return p, ok
}

// entry finds a block of the chain.
func (s *Store) entry(height unit.Height) (*blockEntry, error) {
	if err := s.Err(); err != nil {
		return nil, err
	}
	if first := s.First(); height < first {
		return nil, &PrunedError{Height: height, First: first}
	}
	if e := s.recent.entry(height); e != nil {
		return e, nil
	}
	if s.image == nil {
		return nil, fmt.Errorf("block %d: %w", height, ErrUnknown)
	}
	return s.image.entry(height)
}

func (v *Snapshot) entry(height unit.Height) (*blockEntry, error) {
	if uint64(height) >= v.blocks {
		return nil, fmt.Errorf("block %d: %w", height, ErrUnknown)
	}
	return v.store.entry(height)
}

// Block gives the bytes of the block at a height. It answers ErrUnknown above the
// last one and a *PrunedError below the first one held.
func (v *Snapshot) Block(height unit.Height) ([]byte, error) {
	return v.section(height, sectionBlock)
}

// Receipts gives the bytes of the receipts of the block at a height.
func (v *Snapshot) Receipts(height unit.Height) ([]byte, error) {
	return v.section(height, sectionReceipts)
}

// BlockHash gives the hash of the block at a height.
func (v *Snapshot) BlockHash(height unit.Height) (digest.Hash, error) {
	e, err := v.entry(height)
	if err != nil {
		return digest.Hash{}, err
	}
	return e.Hash, nil
}

// Root gives the state root after the block at a height.
func (v *Snapshot) Root(height unit.Height) (digest.Hash, error) {
	e, err := v.entry(height)
	if err != nil {
		return digest.Hash{}, err
	}
	return e.Root, nil
}

// Find gives the height of the block with a hash.
func (v *Snapshot) Find(hash digest.Hash) (unit.Height, error) {
	height, ok := v.store.recent.hash(hash)
	if !ok && v.store.image != nil {
		var err error
		if height, ok, err = v.store.image.hash(hash); err != nil {
			return 0, err
		}
	}
	if !ok || uint64(height) >= v.blocks {
		return 0, fmt.Errorf("block %v: %w", hash, ErrUnknown)
	}
	return height, nil
}

// Transaction gives the place of the transaction with a hash.
func (v *Snapshot) Transaction(hash digest.Hash) (Place, error) {
	p, ok := v.store.recent.transaction(hash)
	if !ok && v.store.image != nil {
		var err error
		if p, ok, err = v.store.image.transaction(hash); err != nil {
			return Place{}, err
		}
	}
	if !ok || uint64(p.Height) >= v.blocks {
		return Place{}, fmt.Errorf("transaction %v: %w", hash, ErrUnknown)
	}
	return p, nil
}

// section reads a section of a block's frame.
func (v *Snapshot) section(height unit.Height, which int) ([]byte, error) {
	e, err := v.entry(height)
	if err != nil {
		return nil, err
	}
	h, err := v.store.header(e)
	if err == nil {
		var data []byte
		if data, err = v.store.source.section(e.Offset, h, which); err == nil {
			return data, nil
		}
	}
	if first := v.store.First(); height < first { // dropped meanwhile
		err = &PrunedError{Height: height, First: first}
	}
	return nil, err
}

// header reads the header of a block's frame.
func (s *Store) header(e *blockEntry) (*header, error) {
	list := *s.source.segments.Load()
	b := make([]byte, headerSize)
	n, err := readAt(list, b, e.Offset)
	if err != nil {
		return nil, err
	}
	h, what := decodeHeader(b[:n], frameMax)
	if what == "" && h.sequence != uint64(e.Height)+1 {
		what = fmt.Sprintf("frame has sequence %d", h.sequence)
	}
	if what != "" {
		return nil, s.source.corrupt(e.Offset, fmt.Sprintf("block %d: %s", e.Height, what), nil)
	}
	return &h, nil
}

// section reads a section of the frame at an offset and compares its checksum.
func (s *source) section(offset uint64, h *header, which int) ([]byte, error) {
	if h.kind == frameHollow && (which == sectionOperations || which == sectionPrevious) {
		return nil, fmt.Errorf("operations of frame %d: %w", h.sequence, ErrPruned)
	}
	if h.kind == frameSeal && which != sectionBlock {
		return nil, &PrunedError{Height: unit.Height(h.sequence - 1), First: unit.Height(h.sequence)}
	}
	at, length := h.section(which)
	b := make([]byte, length)
	n, err := readAt(*s.segments.Load(), b, offset+at)
	if err != nil {
		return nil, err
	}
	if err := h.check(which, b[:n]); err != nil {
		return nil, s.corrupt(offset+at, err.Error(), nil)
	}
	return b, nil
}
