package state

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ErrPruned reports operations or nodes that are no longer kept.
var ErrPruned = errors.New("older than the history this node keeps")

// commitMax bounds the encoded commit operation of a block: context byte, flag,
// eight bytes of metadata with their length, a floor.
const commitMax = 32

// Target names a state to be fetched from others: what its root stands for, and
// the commit operation that ends its log.
//
// Spec: commonware §5.7 (sync target).
type Target struct {
	OpsRoot digest.Hash
	Witness OpsWitness
	Commit  []byte    // the encoded last operation
	Proof   mmr.Proof // of the last operation, against the ops root
}

// Target describes this state to somebody who wants to fetch it. An error means
// that the Source failed.
//
// Spec: commonware §5.7.
func (c *Commit) Target() (*Target, error) {
	t := &Target{OpsRoot: c.roots.Ops, Witness: c.Witness()}
	var err error
	if t.Commit, err = c.operation(c.length - 1); err != nil {
		return nil, err
	}
	t.Proof, err = c.ProveRange(c.length, c.length-1, c.length)
	return t, err
}

// Append appends the encoding: ops_root ‖ grafted_root ‖ UInt length ‖
// Option<partial> ‖ Bytes commit ‖ Proof.
func (t *Target) Append(dst []byte) []byte {
	dst = append(append(dst, t.OpsRoot[:]...), t.Witness.Grafted[:]...)
	dst = codec.AppendUint(dst, t.Witness.Length)
	dst = codec.AppendBool(dst, t.Witness.Partial != nil)
	if t.Witness.Partial != nil {
		dst = append(dst, t.Witness.Partial[:]...)
	}
	return t.Proof.Append(codec.AppendBytes(dst, t.Commit))
}

// ReadTarget reads what Append wrote; errors stay in r. The bytes alias the input.
func ReadTarget(r *codec.Reader) *Target {
	t := new(Target)
	r.Into(t.OpsRoot[:])
	r.Into(t.Witness.Grafted[:])
	t.Witness.Length = r.Uint()
	if r.Option() {
		t.Witness.Partial = new(digest.Hash)
		r.Into(t.Witness.Partial[:])
	}
	t.Commit = r.Bytes(commitMax)
	t.Proof = mmr.ReadProof(r, 1)
	return t
}

// Extent is what a verified Target says about the log of its state.
type Extent struct {
	Height  unit.Height
	Length  uint64 // operations in the log
	Floor   uint64 // operations below are inactive
	OpsRoot digest.Hash
}

// Boundary is the location from which the log has to be fetched, a multiple of
// 256.
//
// Spec: commonware §5.7.
func (e *Extent) Boundary() uint64 { return e.Floor / ChunkBits * ChunkBits }

// inactive counts the peaks below the floor.
func (e *Extent) inactive() int { return mmr.Inactive(e.Length, e.Floor, 0) }

// VerifyTarget checks that a target is of the state with a root. The error is nil
// or wraps ErrProof.
//
// Spec: commonware §5.6 (OpsRootWitness, operations range), §5.7.
func (c Config) VerifyTarget(root digest.Hash, t *Target) (*Extent, error) {
	length := t.Witness.Length
	if length == 0 || length > LocationMax || t.Proof.Leaves != length {
		return nil, fmt.Errorf("%w: target of %d operations", ErrProof, length)
	}
	if err := c.VerifyWitness(root, t.OpsRoot, &t.Witness); err != nil {
		return nil, err
	}
	if err := c.VerifyRange(t.OpsRoot, length-1, [][]byte{t.Commit}, &t.Proof); err != nil {
		return nil, err
	}
	op, err := c.DecodeOperation(t.Commit)
	if err != nil || op.Kind != CommitFloor || len(op.Metadata) != 8 || op.Floor >= length {
		return nil, fmt.Errorf("%w: the log does not end in a block's commit", ErrProof)
	}
	e := &Extent{
		Height: unit.Height(binary.BigEndian.Uint64(op.Metadata)), Length: length, Floor: op.Floor, OpsRoot: t.OpsRoot,
	}
	if t.Proof.Inactive != uint64(e.inactive()) {
		return nil, fmt.Errorf("%w: inactive peaks", ErrProof)
	}
	return e, nil
}

// Foundation is what a log is continued from when it is not kept from its
// beginning: the nodes below a boundary, and those above that tie them to the ops
// root.
//
// Spec: commonware §5.7 (pinned nodes).
type Foundation struct {
	Pinned []digest.Hash // as in Image: lowest height first
	Rest   []digest.Hash // the largest subtrees from the boundary on, left to right
}

// nodesMax bounds the nodes on either side of a boundary.
const nodesMax = 128

// Append appends the encoding: Vec<digest> ‖ Vec<digest>.
func (f *Foundation) Append(dst []byte) []byte {
	for _, list := range [][]digest.Hash{f.Pinned, f.Rest} {
		dst = codec.AppendLen(dst, len(list))
		for i := range list {
			dst = append(dst, list[i][:]...)
		}
	}
	return dst
}

// ReadFoundation reads what Append wrote; errors stay in r.
func ReadFoundation(r *codec.Reader) *Foundation {
	f := new(Foundation)
	for _, list := range []*[]digest.Hash{&f.Pinned, &f.Rest} {
		*list = make([]digest.Hash, r.Len(0, nodesMax, digest.Size))
		for i := range *list {
			r.Into((*list)[i][:])
		}
	}
	return f
}

// Foundation gives the nodes around a boundary in the log as it was when it had
// length operations. It answers ErrPruned when they are no longer kept and
// ErrAbsent when there is no such boundary; any other error means that the Source
// failed.
//
// Spec: commonware §5.7.
func (c *Commit) Foundation(length, boundary uint64) (*Foundation, error) {
	if length > c.length || boundary > length || boundary%ChunkBits != 0 {
		return nil, fmt.Errorf("boundary %d of %d operations: %w", boundary, length, ErrAbsent)
	}
	nodes := c.nodes()
	f := new(Foundation)
	w := around{boundary: boundary}
	var failed error
	read := func(into *[]digest.Hash) func(n mmr.Node) digest.Hash {
		return func(n mmr.Node) digest.Hash {
			d, err := nodes(n)
			if failed == nil {
				failed = err
			}
			*into = append(*into, d)
			return d
		}
	}
	w.below, w.above = read(&f.Pinned), read(&f.Rest)
	for _, p := range mmr.PeaksOf(length).All {
		w.visit(p)
	}
	reverse(f.Pinned)
	return f, failed
}

// VerifyFoundation checks the nodes around a boundary of the log that a target
// ends. The answer is nil or ErrProof.
//
// Spec: commonware §5.7.
func (c Config) VerifyFoundation(e *Extent, boundary uint64, f *Foundation) error {
	if boundary > e.Length || boundary%ChunkBits != 0 {
		return ErrProof
	}
	h := mmr.NewHasher(c.withDefaults().Hash)
	w := around{boundary: boundary, hasher: h}
	short := false
	take := func(list *[]digest.Hash) func(mmr.Node) digest.Hash {
		return func(mmr.Node) (d digest.Hash) {
			if len(*list) == 0 {
				short = true
				return d
			}
			d, *list = (*list)[0], (*list)[1:]
			return d
		}
	}
	pinned, rest := append([]digest.Hash(nil), f.Pinned...), f.Rest
	reverse(pinned)
	w.below, w.above = take(&pinned), take(&rest)
	peaks := make([]digest.Hash, mmr.PeaksOf(e.Length).Len())
	for i, p := range mmr.PeaksOf(e.Length).All {
		peaks[i] = w.visit(p)
	}
	if short || len(pinned)+len(rest) != 0 {
		return ErrProof
	}
	got := mmr.NewRange(h, e.Length, e.inactive(), peaks)
	if got.Root() != e.OpsRoot {
		return ErrProof
	}
	return nil
}

// around walks the largest nodes on either side of a boundary.
type around struct {
	boundary     uint64
	below, above func(mmr.Node) digest.Hash
	hasher       *mmr.Hasher // nil: what is visited is not hashed
}

func (w *around) visit(n mmr.Node) (d digest.Hash) {
	switch {
	case n.End() <= w.boundary:
		return w.below(n)
	case n.Start >= w.boundary:
		return w.above(n)
	}
	left := w.visit(n.Left())
	right := w.visit(n.Right())
	if w.hasher != nil {
		d = w.hasher.Node(n.Position(), &left, &right)
	}
	return d
}

func reverse(list []digest.Hash) {
	for i, k := 0, len(list)-1; i < k; i, k = i+1, k-1 {
		list[i], list[k] = list[k], list[i]
	}
}

// Operations gives the encoded operations from a location on, end to end: at most
// count of them, and no more bytes than limit unless the first alone has more. It
// answers ErrPruned below what is kept; any other error means that the Source
// failed.
func (c *Commit) Operations(from, count uint64, limit int) (data []byte, n uint64, err error) {
	read := c.source.Ascending()
	for n < count && from+n < c.length {
		op, err := c.operationBy(from+n, read)
		if err != nil {
			return nil, 0, err
		}
		if n > 0 && len(data)+len(op) > limit {
			break
		}
		data = append(data, op...)
		n++
	}
	return data, n, nil
}

// SplitOperations cuts operations that lie end to end into at most most ones, or
// gives an error that wraps ErrOperation.
func (c *Config) SplitOperations(data []byte, most int) ([][]byte, error) {
	var list [][]byte
	for len(data) > 0 {
		if len(list) == most {
			return nil, fmt.Errorf("%w: more than %d", ErrOperation, most)
		}
		_, rest, err := c.SplitOperation(data)
		if err != nil {
			return nil, err
		}
		list = append(list, data[:len(data)-len(rest):len(data)-len(rest)])
		data = rest
	}
	return list, nil
}

// nodes gives a function that reads plain nodes of the log, for one goroutine. It
// answers ErrPruned for a node that is no longer kept; any other error means that
// the Source failed.
func (c *Commit) nodes() func(mmr.Node) (digest.Hash, error) {
	var cached *Subtree
	var at uint64
	boundary, shelved := c.source.Boundary(), c.source.Shelved()
	return func(n mmr.Node) (digest.Hash, error) {
		if n.End() <= boundary && !pinnedAt(boundary, n) {
			return digest.Hash{}, fmt.Errorf("node over [%d, %d): %w", n.Start, n.End(), ErrPruned)
		}
		switch {
		case n.Height < ChunkHeight:
		case n.End() <= shelved && shelved > boundary:
			return c.source.Node(int(n.Height-ChunkHeight), n.Index())
		default:
			return *c.plain(n), nil
		}
		if chunk := n.Start / ChunkBits; cached == nil || chunk != at {
			s, err := c.subtree(chunk)
			if err != nil {
				return digest.Hash{}, err
			}
			cached, at = s, chunk
		}
		return *cached.Node(n.Height, n.Start%ChunkBits>>n.Height), nil
	}
}

// pinnedAt reports whether a node is one of the largest below a boundary: those
// alone are kept there.
//
// Spec: commonware §5.7.
func pinnedAt(boundary uint64, n mmr.Node) bool {
	count := boundary >> n.Height
	return count&1 == 1 && n.Index() == count-1
}
