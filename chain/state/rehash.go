package state

import (
	"math/bits"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

// rehash computes the nodes a batch made new or changed. Work inside one step is
// cut into independent pieces for Config.Spread.
type rehash struct {
	batch  *batch
	next   *Commit
	hasher *mmr.Hasher
}

// subtrees hashes the new operations and the nodes of the chunks they are in.
//
// Spec: commonware §5.4.
func (r *rehash) subtrees() {
	b, c := r.batch, r.next
	first, last := b.start/ChunkBits, c.length/ChunkBits
	built := make([]*Subtree, last-first+1)
	b.config.Spread(len(built), func(piece int) {
		chunk := first + uint64(piece)
		low := max(b.start, chunk*ChunkBits)
		high := min(c.length, (chunk+1)*ChunkBits)
		s := b.base.open.extended(low-chunk*ChunkBits, high-chunk*ChunkBits)
		h := r.hasherOf(len(built))
		for location := low; location < high; location++ {
			s.setLeaf(h, chunk, location-chunk*ChunkBits, b.own(location-b.start))
		}
		s.grow(h, chunk, low-chunk*ChunkBits, high-chunk*ChunkBits)
		built[piece] = s
	})
	complete := len(built) - 1
	c.delta.first, c.delta.subtrees = first, built[:complete:complete]
	c.open = built[complete]
}

// upper appends the plain nodes of height 8 and above.
//
// Spec: commonware §5.4.
func (r *rehash) upper() {
	d := r.next.delta
	if len(d.subtrees) == 0 {
		r.next.ops = r.batch.base.ops
		return
	}
	levels := editLevels(r.batch.base.ops, r.batch.stamp)
	for i, s := range d.subtrees {
		index := d.first + uint64(i)
		levels.set(0, index, *s.Root())
		for k := 1; index&1 == 1; k++ {
			index >>= 1
			levels.set(k, index, parent(r.hasher, &levels, k, index))
		}
	}
	r.next.ops = levels.done()
}

// parent hashes node index of level k, whose height is 8 + k, from its children.
func parent(h *mmr.Hasher, levels *levelsEdit, k int, index uint64) hash {
	n := mmr.Node{Start: index << (ChunkHeight + k), Height: uint8(ChunkHeight + k)}
	return h.Node(n.Position(), levels.at(k-1, 2*index), levels.at(k-1, 2*index+1))
}

// grafts recomputes the grafted nodes over changed complete chunks.
//
// Spec: commonware §5.5.
func (r *rehash) grafts() {
	b, c := r.batch, r.next
	complete := c.length / ChunkBits
	for i := b.start / ChunkBits; i < complete; i++ {
		b.dirty.add(i)
	}
	dirty := b.dirty.below(complete)
	if len(dirty) == 0 {
		c.graft = b.base.graft
		return
	}
	levels := editLevels(b.base.graft, b.stamp)
	room := make([]hash, len(dirty))
	for k := 0; len(dirty) > 0; k++ {
		fresh := room[:len(dirty)]
		r.pieces(len(dirty), func(h *mmr.Hasher, i int) {
			index := dirty[i]
			if k == 0 {
				fresh[i] = graftLeaf(h, b.bits.at(index), c.ops[0].at(index))
				return
			}
			fresh[i] = parent(h, &levels, k, index)
		})
		for i, index := range dirty {
			levels.set(k, index, fresh[i])
		}
		dirty = parents(dirty, complete>>(k+1))
	}
	c.graft = levels.done()
}

// graftLeaf mixes a complete chunk of the bitmap into the node over its
// operations; a chunk without an active operation leaves the node as it is.
//
// Spec: commonware §5.5.
func graftLeaf(h *mmr.Hasher, chunk, node *hash) hash {
	if *chunk == (hash{}) {
		return *node
	}
	return h.Fold(chunk, node)
}

// parents gives the indices one level up, ascending, that lie below count.
func parents(indices []uint64, count uint64) []uint64 {
	out := indices[:0]
	for _, i := range indices {
		if p := i / 2; p < count && (len(out) == 0 || out[len(out)-1] != p) {
			out = append(out, p)
		}
	}
	return out
}

const hashesPerPiece = 512

// pieces runs do for every i below n, in pieces large enough to be worth
// handing out.
func (r *rehash) pieces(n int, do func(h *mmr.Hasher, i int)) {
	count := (n + hashesPerPiece - 1) / hashesPerPiece
	r.batch.config.Spread(count, func(piece int) {
		h := r.hasherOf(count)
		for i := piece * hashesPerPiece; i < min(n, (piece+1)*hashesPerPiece); i++ {
			do(h, i)
		}
	})
}

// hasherOf gives the hasher of one of so many pieces, which may run at once.
func (r *rehash) hasherOf(pieces int) *mmr.Hasher {
	if pieces == 1 {
		return r.hasher
	}
	return mmr.NewHasher(r.batch.config.Hash)
}

// forget drops what lies below the boundary of the Source, except the roots of
// the largest subtrees there, which later nodes are computed from.
//
// Spec: commonware §5.7.
func (r *rehash) forget(boundary uint64) {
	c := r.next
	chunk := min(boundary, c.floor) / ChunkBits
	r.batch.bits.forget(chunk)
	c.ops, c.graft = forgotten(c.ops, chunk), forgotten(c.graft, chunk)
}

// forgotten drops the pages below the page of the last node that lies left of a chunk, at every height. The columns given stay as they are.
func forgotten(levels []column, chunk uint64) []column {
	copied := false
	for k, c := range levels {
		index := chunk >> k
		if index == 0 || (index-1)/columnPage <= c.first {
			continue
		}
		if !copied {
			levels, copied = slices.Clone(levels), true
		}
		e := c.edit(0)
		e.forget(index - 1)
		levels[k] = e.column
	}
	return levels
}

// recalled gives levels that reach down to a chunk again. What they miss up to the
// chunk known lies below the floor of the state they are of, where plain and
// grafted nodes are the same; the Source has it.
func recalled(levels []column, stamp, chunk, known uint64, source Source) ([]column, error) {
	e := editLevels(levels, stamp)
	for k := range levels {
		for i := chunk >> k &^ 1; i < known>>k; i++ { // from a left sibling on
			node, err := source.Node(k, i)
			if err != nil {
				return nil, err
			}
			e.set(k, i, node)
		}
	}
	return e.done(), nil
}

// levelsEdit edits the columns of nodes by height.
type levelsEdit struct {
	stamp   uint64
	columns []columnEdit
}

func editLevels(columns []column, stamp uint64) levelsEdit {
	l := levelsEdit{stamp, make([]columnEdit, len(columns), len(columns)+4)}
	for k, c := range columns {
		l.columns[k] = c.edit(stamp)
	}
	return l
}

func (l *levelsEdit) at(k int, index uint64) *hash { return l.columns[k].at(index) }

func (l *levelsEdit) set(k int, index uint64, h hash) {
	for k >= len(l.columns) {
		l.columns = append(l.columns, column{}.edit(l.stamp))
	}
	l.columns[k].set(index, h)
}

func (l *levelsEdit) done() []column {
	out := make([]column, len(l.columns))
	for k := range l.columns {
		out[k] = l.columns[k].column
	}
	return out
}

// below gives the members under end, ascending.
func (s *dirtySet) below(end uint64) []uint64 {
	var out []uint64
	for w, word := range s.words {
		for ; word != 0; word &= word - 1 {
			if i := s.first + uint64(w*64+bits.TrailingZeros64(word)); i < end {
				out = append(out, i)
			}
		}
	}
	return out
}
