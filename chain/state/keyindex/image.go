package keyindex

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// ErrLeaf reports bytes that are not a leaf, or leaves that do not follow each
// other.
var ErrLeaf = errors.New("not a leaf of a key index")

// keyMax bounds a key when decoding, in bytes.
const keyMax = 256

// Leaf is a run of neighbouring entries, the unit in which an Index is kept.
type Leaf struct{ leaf *leaf }

// Leaves gives the leaves that an edit stamped above since made, and all others
// too when since is 0; ascending.
func (x Index) Leaves(since uint64) []Leaf {
	var out []Leaf
	x.each(func(l *leaf) {
		if since == 0 || l.stamp > since {
			out = append(out, Leaf{l})
		}
	})
	return out
}

// Lows gives the lowest key of every leaf, ascending.
func (x Index) Lows() []string {
	var out []string
	x.each(func(l *leaf) { out = append(out, string(l.low())) })
	return out
}

func (x Index) each(fn func(*leaf)) {
	var walk func(n *node)
	walk = func(n *node) {
		for _, l := range n.leaves {
			fn(l)
		}
		for _, k := range n.kids {
			walk(k)
		}
	}
	if x.root != nil {
		walk(x.root)
	}
}

// Low is the lowest key.
func (l Leaf) Low() []byte { return l.leaf.low() }

// Append appends the encoding of the leaf: UInt count ‖ UInt prefix length ‖
// prefix ‖ count × (UInt suffix length ‖ suffix) ‖ count × 5-byte location.
func (l Leaf) Append(dst []byte) []byte {
	p := l.leaf.keys
	dst = codec.AppendUint(dst, uint64(p.len()))
	dst = codec.AppendBytes(dst, p.prefix())
	for i := range p.len() {
		dst = codec.AppendBytes(dst, p.suffix(i))
	}
	return append(dst, l.leaf.locs[:p.len()*locationSize]...)
}

func decodeLeaf(data []byte) (*leaf, error) {
	r := codec.NewReader(data)
	n := r.Len(1, leafMax, locationSize+1)
	prefix := r.Bytes(keyMax)
	suffixes := make([][]byte, n)
	for i := range suffixes {
		suffixes[i] = r.Bytes(keyMax - len(prefix))
		if r.Err() == nil && i > 0 && bytes.Compare(suffixes[i-1], suffixes[i]) >= 0 {
			return nil, fmt.Errorf("%w: keys out of order", ErrLeaf)
		}
	}
	locs := r.Fixed(n * locationSize)
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLeaf, err)
	}
	l := &leaf{keys: pack(n, func(i int, dst []byte) []byte { return append(append(dst, prefix...), suffixes[i]...) })}
	if l.keys.prefixLen() != len(prefix) {
		return nil, fmt.Errorf("%w: prefix is not the longest", ErrLeaf)
	}
	copy(l.locs[:], locs)
	return l, nil
}

// Build makes an Index from n encoded leaves, ascending. All its parts carry
// stamp 0.
func Build(n int, encoded func(i int) []byte) (Index, error) {
	leaves := make([]*leaf, n)
	lows := make([][]byte, n)
	for i := range n {
		l, err := decodeLeaf(encoded(i))
		if err != nil {
			return Index{}, err
		}
		lows[i] = l.low()
		if i > 0 && bytes.Compare(leaves[i-1].keys.appendKey(nil, leaves[i-1].len()-1), lows[i]) >= 0 {
			return Index{}, fmt.Errorf("%w: leaves out of order", ErrLeaf)
		}
		leaves[i] = l
	}
	return over(leaves, lows), nil
}

// over builds the inner nodes over ascending leaves, whose lowest keys are given.
func over(leaves []*leaf, lows [][]byte) (x Index) {
	for _, l := range leaves {
		x.len += l.len()
	}
	n := len(leaves)
	if n == 0 {
		return x
	}
	var nodes []*node
	var nodeLows [][]byte
	for at := 0; at < n; at += nodeFill {
		end := min(at+nodeFill, n)
		nodes = append(nodes, &node{seps: packAll(lows[at+1 : end]), leaves: leaves[at:end:end]})
		nodeLows = append(nodeLows, lows[at])
	}
	for len(nodes) > 1 {
		var up []*node
		var upLows [][]byte
		for at := 0; at < len(nodes); at += nodeFill {
			end := min(at+nodeFill, len(nodes))
			up = append(up, &node{seps: packAll(nodeLows[at+1 : end]), kids: nodes[at:end:end]})
			upLows = append(upLows, nodeLows[at])
		}
		nodes, nodeLows = up, upLows
	}
	x.root = nodes[0]
	return x
}

// Sorted makes an Index of n entries that strictly ascend by key. All its parts
// carry stamp 0. Keys out of order are a caller's bug.
func Sorted(n int, entry func(i int) (key string, location uint64)) Index {
	leaves := make([]*leaf, 0, n/leafFill+1)
	var lows [][]byte
	last := ""
	for at := 0; at < n; at += leafFill {
		end := min(at+leafFill, n)
		l := new(leaf)
		l.keys = pack(end-at, func(i int, dst []byte) []byte {
			key, _ := entry(at + i)
			return append(dst, key...)
		})
		for i := at; i < end; i++ {
			key, location := entry(i)
			if i > 0 && key <= last {
				panic("keyindex: keys out of order")
			}
			last = key
			l.setLoc(i-at, location)
		}
		leaves, lows = append(leaves, l), append(lows, l.low())
	}
	return over(leaves, lows)
}

func packAll(keys [][]byte) packed {
	return pack(len(keys), func(i int, dst []byte) []byte { return append(dst, keys[i]...) })
}
