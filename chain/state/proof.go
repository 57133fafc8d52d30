package state

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

// ErrProof reports a proof that does not show what it is asked to show.
var ErrProof = mmr.ErrProof

// ErrPresent and ErrAbsent answer a request for the wrong kind of proof.
var (
	ErrPresent = errors.New("key is present")
	ErrAbsent  = errors.New("key is absent")
)

// RangeProof links grafted leaves to a state root.
//
// Spec: commonware §5.6.
type RangeProof struct {
	mmr.Proof
	Partial *digest.Hash // digest of the incomplete last chunk, if there is one
	OpsRoot digest.Hash
}

// OperationProof shows that the operation at Location is active.
//
// Spec: commonware §5.6.
type OperationProof struct {
	Location uint64
	Chunk    digest.Hash // activity bits of the location's chunk
	Range    RangeProof
}

// KeyValueProof shows the present value of a key.
//
// Spec: commonware §5.6.
type KeyValueProof struct {
	Operation OperationProof
	Next      []byte // the key that follows
}

// ExclusionProof shows that a key is absent: either by the update whose key is
// the next one below, or by the latest commit of an empty store.
//
// Spec: commonware §5.6.
type ExclusionProof struct {
	Operation OperationProof
	Empty     bool

	Key, Value, Next []byte // of the update, unless Empty
	Metadata         []byte // of the commit, if Empty; nil means none
}

// Append appends the encoding: Proof ‖ Option<partial> ‖ ops_root.
//
// Spec: commonware §5.6.
func (p *RangeProof) Append(dst []byte) []byte {
	dst = p.Proof.Append(dst)
	dst = codec.AppendBool(dst, p.Partial != nil)
	if p.Partial != nil {
		dst = append(dst, p.Partial[:]...)
	}
	return append(dst, p.OpsRoot[:]...)
}

func readRangeProof(r *codec.Reader, elements int) (p RangeProof) {
	p.Proof = mmr.ReadProof(r, elements)
	if r.Option() {
		p.Partial = new(digest.Hash)
		r.Into(p.Partial[:])
	}
	r.Into(p.OpsRoot[:])
	return p
}

// Append appends the encoding: UInt location ‖ chunk ‖ RangeProof.
//
// Spec: commonware §5.6.
func (p *OperationProof) Append(dst []byte) []byte {
	dst = codec.AppendUint(dst, p.Location)
	dst = append(dst, p.Chunk[:]...)
	return p.Range.Append(dst)
}

func readOperationProof(r *codec.Reader) (p OperationProof) {
	p.Location = r.Uint()
	r.Into(p.Chunk[:])
	p.Range = readRangeProof(r, 1)
	return p
}

// EncodeOperationProof gives the encoding of p.
//
// Spec: commonware §5.6.
func (c Config) EncodeOperationProof(p *OperationProof) []byte { return p.Append(nil) }

// DecodeOperationProof reads exactly one proof. Errors are those of codec.
//
// Spec: commonware §5.6.
func (c Config) DecodeOperationProof(data []byte) (OperationProof, error) {
	r := codec.NewReader(data)
	p := readOperationProof(r)
	return p, r.Finish()
}

// EncodeKeyValueProof gives the encoding: OperationProof ‖ next_key.
//
// Spec: commonware §5.6.
func (c Config) EncodeKeyValueProof(p *KeyValueProof) []byte {
	return appendPart(p.Operation.Append(nil), p.Next, c.KeySize)
}

// DecodeKeyValueProof reads exactly one proof. Errors are those of codec.
//
// Spec: commonware §5.6.
func (c Config) DecodeKeyValueProof(data []byte) (KeyValueProof, error) {
	r := codec.NewReader(data)
	p := KeyValueProof{Operation: readOperationProof(r), Next: readPart(r, c.KeySize, KeyMax)}
	return p, r.Finish()
}

// EncodeExclusionProof gives the encoding: 00 ‖ OperationProof ‖ key ‖ value ‖
// next_key, or 01 ‖ OperationProof ‖ Option metadata.
//
// Spec: commonware §5.6.
func (c Config) EncodeExclusionProof(p *ExclusionProof) []byte {
	dst := p.Operation.Append(codec.AppendBool(nil, p.Empty))
	if !p.Empty {
		dst = appendPart(dst, p.Key, c.KeySize)
		dst = appendPart(dst, p.Value, c.ValueSize)
		return appendPart(dst, p.Next, c.KeySize)
	}
	dst = codec.AppendBool(dst, p.Metadata != nil)
	if p.Metadata != nil {
		dst = appendPart(dst, p.Metadata, c.ValueSize)
	}
	return dst
}

// DecodeExclusionProof reads exactly one proof. Errors are those of codec.
//
// Spec: commonware §5.6.
func (c Config) DecodeExclusionProof(data []byte) (ExclusionProof, error) {
	r := codec.NewReader(data)
	p := ExclusionProof{Empty: r.Tag(2) == 1}
	p.Operation = readOperationProof(r)
	switch {
	case !p.Empty:
		p.Key = readPart(r, c.KeySize, KeyMax)
		p.Value = readPart(r, c.ValueSize, ValueMax)
		p.Next = readPart(r, c.KeySize, KeyMax)
	case r.Option():
		p.Metadata = readPart(r, c.ValueSize, ValueMax)
	}
	return p, r.Finish()
}

func readPart(r *codec.Reader, size, limit int) []byte {
	if size != 0 {
		return r.Fixed(size)
	}
	part := r.Bytes(limit)
	if part == nil && r.Err() == nil {
		part = []byte{}
	}
	return part
}

// ProveOperation proves that the operation at location is active. It answers
// ErrAbsent when it is not; another error means that the Source failed.
//
// Spec: commonware §5.6.
func (c *Commit) ProveOperation(location uint64) (OperationProof, error) {
	chunk := location / ChunkBits
	p := OperationProof{Location: location, Chunk: c.chunk(chunk)}
	if location >= c.length || p.Chunk[location%ChunkBits/8]>>(location%8)&1 == 0 {
		return OperationProof{}, fmt.Errorf("operation %d: %w", location, ErrAbsent)
	}
	inside, err := c.subtree(chunk)
	if err != nil {
		return OperationProof{}, err
	}
	p.Range.Proof, err = c.peaks.Prove(location, location+1, func(n mmr.Node) (digest.Hash, error) {
		if n.Height >= ChunkHeight {
			return *c.grafted(n), nil
		}
		return *inside.Node(n.Height, n.Start%ChunkBits>>n.Height), nil
	})
	p.Range.Partial, p.Range.OpsRoot = c.partial, c.roots.Ops
	return p, err
}

// ProveKey proves the present value of key. It answers ErrAbsent when there is
// none; another error means that the Source failed.
//
// Spec: commonware §5.6.
func (c *Commit) ProveKey(key []byte) (KeyValueProof, error) {
	at := c.index.Seek(key)
	var buf [KeyMax]byte
	if !at.Valid() || string(at.AppendKey(buf[:0])) != string(key) {
		return KeyValueProof{}, ErrAbsent
	}
	p := KeyValueProof{}
	location := at.Location()
	if at.Next(); !at.Valid() {
		at = c.index.First()
	}
	p.Next = at.AppendKey(nil)
	var err error
	p.Operation, err = c.ProveOperation(location)
	return p, err
}

// ProveAbsent proves that key has no value. It answers ErrPresent when it has
// one; another error means that the Source failed.
//
// Spec: commonware §5.6.
func (c *Commit) ProveAbsent(key []byte) (ExclusionProof, error) {
	if _, ok := c.index.Find(key); ok {
		return ExclusionProof{}, ErrPresent
	}
	p := ExclusionProof{Empty: c.index.Len() == 0}
	location := c.length - 1
	if p.Empty {
		data, err := c.operation(location)
		if err != nil {
			return ExclusionProof{}, err
		}
		op, err := c.config.DecodeOperation(data)
		if err != nil || op.Kind != CommitFloor {
			return ExclusionProof{}, fmt.Errorf("%w: location %d is no commit", ErrSource, location)
		}
		p.Metadata = op.Metadata
	} else {
		below := c.index.Before(key)
		if !below.Valid() {
			below = c.index.Last()
		}
		location = below.Location()
		op, err := c.update(location)
		if err != nil {
			return ExclusionProof{}, err
		}
		p.Key, p.Value, p.Next = op.Key, op.Value, op.Next
	}
	var err error
	p.Operation, err = c.ProveOperation(location)
	return p, err
}

// ProveRange proves, against the ops root of the state whose log had length
// operations, that the log holds what it holds at [from, to): the history of the
// store. length must be the end of a block, otherwise the answer is ErrAbsent; it
// is ErrPruned where what it takes is no longer kept; another error means that the
// Source failed.
//
// Spec: commonware §5.6 (operations range), §5.7.
func (c *Commit) ProveRange(length, from, to uint64) (mmr.Proof, error) {
	if from >= to || to > length || length > c.length {
		return mmr.Proof{}, fmt.Errorf("operations [%d, %d) of %d: %w", from, to, length, ErrAbsent)
	}
	data, err := c.operation(length - 1)
	if err != nil {
		return mmr.Proof{}, err
	}
	op, err := c.config.DecodeOperation(data)
	if err != nil || op.Kind != CommitFloor {
		return mmr.Proof{}, fmt.Errorf("no block ends at %d: %w", length, ErrAbsent)
	}
	node := c.nodes()
	peaks := make([]digest.Hash, mmr.PeaksOf(length).Len())
	for i, p := range mmr.PeaksOf(length).All {
		if peaks[i], err = node(p); err != nil {
			return mmr.Proof{}, err
		}
	}
	r := mmr.NewRange(mmr.NewHasher(c.config.Hash), length, mmr.Inactive(length, op.Floor, 0), peaks)
	return r.Prove(from, to, node)
}
