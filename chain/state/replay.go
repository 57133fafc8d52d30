package state

import (
	"encoding/binary"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Replay gives the state after a block whose operations are already known, as
// they were logged: end to end, the commit last. It answers ErrOperation when
// they cannot follow this state; whether they lead to the right root is for the
// caller to compare.
//
// Spec: commonware §5.2, §5.7.
func (c *Commit) Replay(height unit.Height, operations []byte) (*Commit, error) {
	b := c.begin(len(operations) / 256)
	for rest := operations; ; {
		op, after, err := c.config.SplitOperation(rest)
		if err != nil {
			return nil, err
		}
		if b.tip() >= LocationMax {
			return nil, fmt.Errorf("%w: location %d", ErrOperation, b.tip())
		}
		switch op.Kind {
		case Delete:
			previous, existed := b.index.Remove(op.Key)
			if !existed {
				return nil, fmt.Errorf("%w: delete of an absent key at %d", ErrOperation, b.tip())
			}
			b.clearBit(previous)
			b.previous = append(b.previous, previous)
		case Update:
			b.place(op.Key)
		case CommitFloor:
			if op.Floor < b.floor || op.Floor > b.tip() || len(after) != 0 {
				return nil, fmt.Errorf("%w: commit with floor %d at %d", ErrOperation, op.Floor, b.tip())
			}
			b.floor = op.Floor
			b.commit(op.Metadata)
			next, err := b.finish()
			if err != nil {
				return nil, err
			}
			next.height, next.delta.Height = height, height
			return next, nil
		}
		b.data = append(b.data, rest[:len(rest)-len(after)]...)
		b.ends = append(b.ends, len(b.data))
		rest = after
	}
}

// Block is a finalized block as its Delta kept it: its operations end to end, and
// the location each took the place of.
type Block struct {
	Operations []byte
	Previous   []uint64
}

// Rewind gives the state as it was blocks blocks ago. block gives the i-th block
// to take back, the latest first; the Source must still hold what was active at
// that time. An error means that the Source or block failed.
//
// Spec: commonware §5.7, §5.10 (historical proofs).
func (c *Commit) Rewind(blocks int, block func(i int) (Block, error)) (*Commit, error) {
	b := c.begin(0)
	length := c.length
	for i := range blocks {
		undo, err := block(i)
		if err != nil {
			return nil, err
		}
		if uint64(len(undo.Previous)) >= length {
			return nil, fmt.Errorf("%w: block of %d operations in a log of %d", ErrSource, len(undo.Previous), length)
		}
		length -= uint64(len(undo.Previous))
		if err := b.takeBack(undo, length); err != nil {
			return nil, err
		}
	}
	return b.rewound(length)
}

// takeBack undoes the operations of one block that starts at location start.
func (b *batch) takeBack(undo Block, start uint64) error {
	ops := make([]Operation, len(undo.Previous))
	rest := undo.Operations
	for i := range ops {
		var err error
		if ops[i], rest, err = b.config.SplitOperation(rest); err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
	}
	for i := len(ops) - 1; i >= 0; i-- {
		op, previous := &ops[i], undo.Previous[i]
		if op.Kind != Delete {
			b.clearBit(start + uint64(i))
		}
		switch {
		case op.Kind == CommitFloor:
		case previous == NoLocation:
			b.index.Remove(op.Key)
		default:
			b.index.Put(op.Key, previous)
		}
		if previous != NoLocation {
			b.setBit(previous)
		}
	}
	return nil
}

// rewound computes the nodes of the shorter log.
func (b *batch) rewound(length uint64) (*Commit, error) {
	base := b.base
	data, err := base.operation(length - 1)
	if err != nil {
		return nil, err
	}
	last, err := b.config.DecodeOperation(data)
	if err != nil || last.Kind != CommitFloor {
		return nil, fmt.Errorf("%w: location %d is no commit", ErrSource, length-1)
	}
	c := &Commit{
		config: b.config,
		source: base.source,
		stamp:  b.stamp,
		length: length,
		floor:  last.Floor,
		index:  b.index.Index(),
		ops:    base.ops,
		tail:   base.tail,
	}
	if len(last.Metadata) == 8 {
		c.height = unit.Height(binary.BigEndian.Uint64(last.Metadata))
	}
	if c.open, err = base.subtree(length / ChunkBits); err != nil {
		return nil, err
	}
	if err := b.recall(c); err != nil {
		return nil, err
	}
	r := rehash{batch: b, next: c, hasher: mmr.NewHasher(b.config.Hash)}
	b.start = length
	r.grafts()
	c.bits = b.bits.column
	c.computeRoots(r.hasher, base)
	return c, nil
}

// recall gives an earlier state, c, and what its nodes are computed from the nodes
// that states no longer hold.
func (b *batch) recall(c *Commit) error {
	known := min(c.source.Shelved(), b.base.floor) / ChunkBits
	chunk := c.floor / ChunkBits
	if chunk >= known || c.source.Shelved() == c.source.Boundary() {
		return nil
	}
	var err error
	if c.ops, err = recalled(c.ops, b.stamp, chunk, known, c.source); err != nil {
		return err
	}
	base := *b.base
	base.graft, err = recalled(base.graft, b.stamp, chunk, known, c.source)
	b.base = &base
	return err
}
