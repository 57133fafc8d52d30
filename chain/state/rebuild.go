package state

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/keyindex"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Rebuild makes a state out of the operations of its log from a boundary on, at or
// below its floor. It belongs to one goroutine.
//
// Spec: commonware §5.7 (the bitmap is rebuilt by replay).
type Rebuild struct {
	config   *Config
	boundary uint64
	pinned   []digest.Hash
	length   uint64
	height   unit.Height
	floor    uint64

	places map[string]uint64 // where each key's present operation is
	bits   []digest.Hash     // activity bits by chunk from the boundary on
	nodes  []digest.Hash     // of height 8, of the complete chunks from the boundary on
	open   [][]byte          // operations of the incomplete last chunk
	commit uint64            // location of the latest commit, or NoLocation
	ended  bool              // the last operation is the commit of a block
}

// heightSize is the size of a block's metadata.
//
// Spec: commonware §5.10.
const heightSize = 8

// NewRebuild starts at a boundary, a multiple of 256, with the nodes below it.
func NewRebuild(config Config, boundary uint64, pinned []digest.Hash) *Rebuild {
	return &Rebuild{
		config: config.withDefaults(), boundary: boundary, pinned: pinned, length: boundary,
		places: map[string]uint64{}, commit: NoLocation,
	}
}

// Length is the location of the next operation.
func (r *Rebuild) Length() uint64 { return r.length }

// Add takes the next operations, end to end, and keeps references to them until
// their chunk is complete. The error wraps ErrOperation. Nothing is known about
// keys whose operations lie below the boundary, so a delete of an absent key is
// taken.
//
// Spec: commonware §5.2, §5.7.
func (r *Rebuild) Add(operations []byte) error {
	for rest := operations; len(rest) > 0; {
		op, after, err := r.config.SplitOperation(rest)
		if err != nil {
			return err
		}
		if r.length >= LocationMax {
			return fmt.Errorf("%w: location %d", ErrOperation, r.length)
		}
		if err := r.apply(&op); err != nil {
			return err
		}
		r.open = append(r.open, rest[:len(rest)-len(after)])
		r.length++
		rest = after
	}
	r.hash()
	return nil
}

func (r *Rebuild) apply(op *Operation) error {
	r.ended = op.Kind == CommitFloor && len(op.Metadata) == heightSize
	switch op.Kind {
	case Delete:
		if previous, existed := r.places[string(op.Key)]; existed {
			r.clear(previous)
			delete(r.places, string(op.Key))
		}
		r.reach(r.length)
	case Update:
		if previous, existed := r.places[string(op.Key)]; existed {
			r.clear(previous)
		}
		r.places[string(op.Key)] = r.length
		r.set(r.length)
	case CommitFloor:
		if op.Floor > r.length {
			return fmt.Errorf("%w: commit with floor %d at %d", ErrOperation, op.Floor, r.length)
		}
		if r.commit != NoLocation {
			r.clear(r.commit)
		}
		r.set(r.length)
		r.commit, r.floor = r.length, op.Floor
		if r.ended {
			r.height = unit.Height(binary.BigEndian.Uint64(op.Metadata))
		}
	}
	return nil
}

// reach makes room for the bits of a location.
func (r *Rebuild) reach(location uint64) *digest.Hash {
	chunk := (location - r.boundary) / ChunkBits
	for uint64(len(r.bits)) <= chunk {
		r.bits = append(r.bits, digest.Hash{})
	}
	return &r.bits[chunk]
}

func (r *Rebuild) set(location uint64) {
	r.reach(location)[location%ChunkBits/8] |= 1 << (location % 8)
}

func (r *Rebuild) clear(location uint64) {
	r.reach(location)[location%ChunkBits/8] &^= 1 << (location % 8)
}

// hash computes the nodes over the chunks that became complete.
//
// Spec: commonware §5.4.
func (r *Rebuild) hash() {
	complete := len(r.open) / ChunkBits
	first := r.boundary/ChunkBits + uint64(len(r.nodes))
	fresh := make([]digest.Hash, complete)
	r.config.Spread(complete, func(piece int) {
		h := mmr.NewHasher(r.config.Hash)
		fresh[piece] = chunkNode(h, first+uint64(piece), r.open[piece*ChunkBits:(piece+1)*ChunkBits])
	})
	r.nodes = append(r.nodes, fresh...)
	r.open = append([][]byte(nil), r.open[complete*ChunkBits:]...)
}

// chunkNode hashes the operations of a complete chunk.
func chunkNode(h *mmr.Hasher, chunk uint64, operations [][]byte) digest.Hash {
	var level [ChunkBits]digest.Hash
	for i := range level {
		level[i] = h.Leaf(mmr.LeafPosition(chunk*ChunkBits+uint64(i)), operations[i])
	}
	for height := uint8(1); height <= ChunkHeight; height++ {
		for i := range uint64(ChunkBits) >> height {
			n := mmr.Node{Start: chunk*ChunkBits + i<<height, Height: height}
			level[i] = h.Node(n.Position(), &level[2*i], &level[2*i+1])
		}
	}
	return level[0]
}

// sorted is the index of the keys that are present.
func (r *Rebuild) sorted() keyindex.Index {
	keys := make([]string, 0, len(r.places))
	for key := range r.places { // order-free: sorted below
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keyindex.Sorted(len(keys), func(i int) (string, uint64) { return keys[i], r.places[keys[i]] })
}

// Commit gives the state after the operations, whose last one must be a block's
// commit. source holds the operations from the boundary on. The roots are for the
// caller to compare. The error wraps ErrOperation, or means that the Source failed.
// The Rebuild must not be used after it.
//
// Spec: commonware §5.7.
func (r *Rebuild) Commit(source Source) (*Commit, error) {
	if !r.ended || r.floor < r.boundary {
		return nil, fmt.Errorf("%w: %d operations from %d on do not end a block with a floor above", ErrOperation, r.length, r.boundary)
	}
	first := r.boundary / ChunkBits
	return Restore(*r.config, source, Image{
		Height: r.height, Length: r.length, Floor: r.floor, Boundary: r.boundary,
		Index: r.sorted(), Pinned: r.pinned,
		Bits: func(chunk uint64) (bits digest.Hash) {
			if i := chunk - first; i < uint64(len(r.bits)) {
				bits = r.bits[i]
			}
			return bits
		},
		Nodes: func(chunk uint64) digest.Hash { return r.nodes[chunk-first] },
	})
}
