package state

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

// Source holds the finalized part of the operation log. Its methods may be
// called by several goroutines at once. An error means that our machine failed.
type Source interface {
	// Length is the number of operations the Source holds: the locations in
	// [Boundary, Length) can be read. It never shrinks.
	Length() uint64

	// Boundary is the lowest location that is still kept, a multiple of 256. It
	// never shrinks and is at most the floor of the latest finalized block.
	Boundary() uint64

	// Shelved is the location below which the Source also keeps the plain nodes of
	// height 8 and above, so that states forget theirs: a multiple of 256 that never
	// shrinks, at least Boundary, at most the floor of the latest finalized block.
	// Where it is Boundary the Source keeps none.
	Shelved() uint64

	// Node gives a plain node over operations below Shelved: node index of the level
	// of height 8 + level. It answers ErrPruned for one that lies below Boundary and
	// is not one of the largest there.
	Node(level int, index uint64) (digest.Hash, error)

	// Operation gives the encoded operation at location. The caller does not
	// modify it.
	Operation(location uint64) ([]byte, error)

	// Ascending gives a function that reads operations at ascending locations,
	// for one goroutine. What it gives is valid until it is called again.
	Ascending() func(location uint64) ([]byte, error)

	// Subtree gives the nodes over the operations [256 chunk, 256 chunk + 256),
	// all of which the Source holds.
	Subtree(chunk uint64) (*Subtree, error)
}

// Memory is a Source that keeps everything in memory: for tests, tools and the
// construction of a genesis. It is filled from one goroutine.
type Memory struct {
	config   *Config
	ops      [][]byte
	boundary uint64
}

// NewMemory gives an empty Memory.
func NewMemory(config Config) *Memory { return &Memory{config: config.withDefaults()} }

// Add appends the operations of a finalized Commit, which must follow the ones
// already held.
func (m *Memory) Add(delta *Delta) error {
	if delta.Start != uint64(len(m.ops)) {
		return fmt.Errorf("%w: delta starts at %d, %d operations held", ErrSource, delta.Start, len(m.ops))
	}
	for i := range delta.Len() {
		m.ops = append(m.ops, delta.Operation(i))
	}
	return nil
}

// Fork gives a Memory that holds the first length operations of m and grows on
// its own. It takes constant time; m stays as it is.
func (m *Memory) Fork(length uint64) *Memory {
	return &Memory{config: m.config, ops: m.ops[:length:length], boundary: m.boundary}
}

// Prune forgets the operations below the boundary, which the caller took from a
// finalized Commit.
func (m *Memory) Prune(boundary uint64) {
	for i := m.boundary; i < boundary; i++ {
		m.ops[i] = nil
	}
	m.boundary = max(m.boundary, boundary)
}

// Length implements [Source].
func (m *Memory) Length() uint64 { return uint64(len(m.ops)) }

// Boundary implements [Source].
func (m *Memory) Boundary() uint64 { return m.boundary }

// Shelved implements [Source]: a Memory keeps no nodes.
func (m *Memory) Shelved() uint64 { return m.boundary }

// Node implements [Source].
func (m *Memory) Node(level int, index uint64) (digest.Hash, error) {
	return digest.Hash{}, fmt.Errorf("node %d of level %d: %w", index, level, ErrPruned)
}

// Operation implements [Source].
func (m *Memory) Operation(location uint64) ([]byte, error) {
	if location < m.boundary || location >= uint64(len(m.ops)) {
		return nil, fmt.Errorf("%w: location %d is not in [%d, %d)", ErrSource, location, m.boundary, len(m.ops))
	}
	return m.ops[location], nil
}

// Ascending implements [Source].
func (m *Memory) Ascending() func(location uint64) ([]byte, error) { return m.Operation }

// Subtree implements [Source].
func (m *Memory) Subtree(chunk uint64) (*Subtree, error) {
	return BuildSubtree(m.config.Hash, chunk, m.Operation)
}

// BuildSubtree hashes the complete subtree over one chunk of operations.
//
// Spec: commonware §5.4.
func BuildSubtree(sum digest.Function, chunk uint64, operation func(location uint64) ([]byte, error)) (*Subtree, error) {
	s := (*Subtree)(nil).extended(0, ChunkBits)
	h := mmr.NewHasher(sum)
	for i := range uint64(ChunkBits) {
		op, err := operation(chunk*ChunkBits + i)
		if err != nil {
			return nil, err
		}
		s.setLeaf(h, chunk, i, op)
	}
	s.grow(h, chunk, 0, ChunkBits)
	return s, nil
}
