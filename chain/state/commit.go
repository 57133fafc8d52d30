package state

import (
	"bytes"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/keyindex"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Commit is the immutable state after one block. It may be read by any number of
// goroutines and stays valid as long as it is kept, provided its Source still
// holds the operations above its floor.
type Commit struct {
	config *Config
	source Source
	stamp  uint64 // above that of every shared node this state reaches

	height unit.Height
	length uint64 // operations in the log
	floor  uint64

	index keyindex.Index
	bits  column   // activity bitmap, one value per chunk
	ops   []column // plain nodes of height 8 and above
	graft []column // grafted nodes of height 8 and above, complete chunks only
	open  *Subtree // nodes over the incomplete last chunk

	plainPeaks mmr.Range    // the peaks over the operations and their folds
	peaks      mmr.Range    // the grafted tree's
	partial    *digest.Hash // digest of the incomplete last chunk, if there is one

	delta *Delta
	tail  []*Delta // operations that may not be in the Source yet, oldest first

	roots Roots
}

// Roots are the three digests of a state.
//
// Spec: commonware §5.4, §5.5.
type Roots struct {
	Ops     digest.Hash // over the operations: the root of an Any store
	Grafted digest.Hash // over the operations and the bitmap's complete chunks
	State   digest.Hash // over both and the incomplete chunk: the state root
}

// New gives the state of an empty store: its log holds one commit without
// metadata and floor 0. The Source must be empty.
//
// Spec: commonware §5.2.
func New(config Config, source Source) *Commit {
	c := &Commit{config: config.withDefaults(), source: source}
	b := c.begin(0)
	b.commit(nil)
	next, err := b.finish()
	if err != nil {
		panic(err) // nothing was read from the source
	}
	return next
}

// Height is the block the state belongs to.
func (c *Commit) Height() unit.Height { return c.height }

// Root is the state root.
//
// Spec: commonware §5.5.
func (c *Commit) Root() digest.Hash { return c.roots.State }

// Roots are the state root and the two roots it is made of.
func (c *Commit) Roots() Roots { return c.roots }

// Length is the number of operations in the log.
func (c *Commit) Length() uint64 { return c.length }

// Floor is the inactivity floor: no operation below it is active.
func (c *Commit) Floor() uint64 { return c.floor }

// Len is the number of keys.
func (c *Commit) Len() int { return c.index.Len() }

// Delta is what the block appended.
func (c *Commit) Delta() *Delta { return c.delta }

// Config is the configuration the state was made with.
func (c *Commit) Config() *Config { return c.config }

// Index is the ordered index from keys to locations.
func (c *Commit) Index() keyindex.Index { return c.index }

// Overlay starts a block on top of this state.
func (c *Commit) Overlay() *Overlay { return newOverlay(c) }

// Stamp grows from each state to the one made from it; parts of a state that
// carry a higher stamp than an earlier state's were changed since.
func (c *Commit) Stamp() uint64 { return c.stamp }

// Settled gives the same state with its operations read from source alone, which
// must hold them.
func (c *Commit) Settled(source Source) *Commit {
	s := *c
	s.source, s.tail, s.delta = source, nil, nil
	return &s
}

// Lookup implements [Reader].
func (c *Commit) Lookup(key []byte) (value []byte, ok bool, err error) {
	location, ok := c.index.Find(key)
	if !ok {
		return nil, false, nil
	}
	value, err = c.value(key, location)
	return value, err == nil, err
}

// Scan implements [Reader].
func (c *Commit) Scan(prefix, after []byte, limit int, fn func(key, value []byte) (more bool)) error {
	cursor := seek(c.index, prefix, after)
	for n := 0; cursor.Valid() && (limit <= 0 || n < limit); n++ {
		key := cursor.AppendKey(nil)
		if !bytes.HasPrefix(key, prefix) {
			return nil
		}
		value, err := c.value(key, cursor.Location())
		if err != nil || !fn(key, value) {
			return err
		}
		cursor.Next()
	}
	return nil
}

// value reads the value of key from the update at location.
func (c *Commit) value(key []byte, location uint64) ([]byte, error) {
	op, err := c.update(location)
	if err == nil && !bytes.Equal(op.Key, key) {
		err = fmt.Errorf("%w: location %d holds another key", ErrSource, location)
	}
	return op.Value, err
}

// update reads and decodes the update at location.
func (c *Commit) update(location uint64) (Operation, error) {
	data, err := c.operation(location)
	if err != nil {
		return Operation{}, err
	}
	op, err := c.config.DecodeOperation(data)
	if err != nil || op.Kind != Update {
		return Operation{}, fmt.Errorf("%w: location %d is no update", ErrSource, location)
	}
	return op, nil
}

// operation reads the encoding of the operation at location.
func (c *Commit) operation(location uint64) ([]byte, error) {
	return c.operationBy(location, c.source.Operation)
}

// operationBy is operation with another way of reading from the Source.
func (c *Commit) operationBy(location uint64, read func(uint64) ([]byte, error)) ([]byte, error) {
	for i := len(c.tail) - 1; i >= 0; i-- {
		if d := c.tail[i]; location >= d.Start {
			if location >= d.End() {
				return nil, fmt.Errorf("%w: location %d past the end %d", ErrSource, location, d.End())
			}
			return d.Operation(int(location - d.Start)), nil
		}
	}
	return read(location)
}

// subtree gives the nodes over one chunk, complete or not.
func (c *Commit) subtree(chunk uint64) (*Subtree, error) {
	if chunk == c.length/ChunkBits {
		return c.open, nil
	}
	for i := len(c.tail) - 1; i >= 0; i-- {
		if s := c.tail[i].subtree(chunk); s != nil {
			return s, nil
		}
	}
	if (chunk+1)*ChunkBits > c.source.Length() {
		return BuildSubtree(c.config.Hash, chunk, c.operation)
	}
	return c.source.Subtree(chunk)
}

// chunk gives the activity bits of the locations of one chunk.
func (c *Commit) chunk(i uint64) digest.Hash {
	if i < c.bits.start() || i >= c.bits.len {
		return digest.Hash{}
	}
	return *c.bits.at(i)
}

// plain gives a plain node of height 8 or above that the state itself holds.
func (c *Commit) plain(n mmr.Node) *digest.Hash { return c.ops[n.Height-ChunkHeight].at(n.Index()) }

// grafted gives a grafted node of height 8 or above.
func (c *Commit) grafted(n mmr.Node) *digest.Hash { return c.graft[n.Height-ChunkHeight].at(n.Index()) }

// tailNode gives a node inside the incomplete last chunk.
func (c *Commit) tailNode(n mmr.Node) *digest.Hash {
	return c.open.Node(n.Height, n.Start%ChunkBits>>n.Height)
}
