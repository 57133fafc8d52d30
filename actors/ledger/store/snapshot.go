package store

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// recoverSnapshot builds the state out of the snapshot the log begins with and
// leaves s.end behind it.
//
// Spec: commonware §5.7.
func (s *Store) recoverSnapshot(list []*segment) (*state.Commit, error) {
	var r *state.Rebuild
	for sequence, end := uint64(0), list[len(list)-1].end; s.end < end; sequence++ {
		g := find(list, s.end)
		if s.end == g.start {
			s.end += segmentHeader
		}
		frame, h, what, err := s.readFrame(g, s.end)
		if err != nil {
			return nil, err
		}
		p, err := readPiece(frame, &h, what)
		if err == nil && h.kind != frameSeal && h.sequence != sequence || (r == nil) != (h.kind == frameBase) {
			err = fmt.Errorf("frame %d of kind %d is out of place", h.sequence, h.kind)
		}
		if err != nil {
			return nil, &CorruptError{g.name, int64(s.end - g.start), "snapshot", err}
		}
		switch h.kind {
		case frameBase:
			r = state.NewRebuild(s.options.State, p.meta.start, p.nodes)
			s.source.boundary.Store(p.meta.start)
		case framePart:
			if err := s.part(g, r, p, &h); err != nil {
				return nil, &CorruptError{g.name, int64(s.end - g.start), "snapshot", err}
			}
		case frameSeal:
			return s.sealed(g, r, p, &h)
		}
		s.end += h.size()
	}
	last := list[len(list)-1]
	return nil, &CorruptError{last.name, int64(last.end - last.start), "the log ends inside its snapshot", nil}
}

// piece is a decoded frame of a snapshot.
type piece struct {
	meta  meta
	data  []byte // operations
	nodes []digest.Hash
}

// readPiece decodes a frame; what says what is wrong with it.
func readPiece(frame []byte, h *header, what string) (p piece, err error) {
	if what != "" {
		return p, fmt.Errorf("%s", what)
	}
	part := func(which int) []byte {
		at, n := h.section(which)
		return frame[at : at+n]
	}
	var ok bool
	nodes := part(sectionTransactions)
	if p.meta, ok = decodeMeta(part(sectionMeta)); !ok || !h.isPiece() || len(nodes)%digest.Size != 0 {
		return p, fmt.Errorf("frame %d of kind %d is not well-formed", h.sequence, h.kind)
	}
	for ; len(nodes) > 0; nodes = nodes[digest.Size:] {
		p.nodes = append(p.nodes, digest.Hash(nodes[:digest.Size]))
	}
	p.data = part(sectionOperations)
	return p, nil
}

// part takes operations in.
func (s *Store) part(g *segment, r *state.Rebuild, p piece, h *header) error {
	list, err := s.options.State.SplitOperations(p.data, int(p.meta.count))
	if err != nil {
		return err
	}
	if p.meta.start != r.Length() || len(list) != int(p.meta.count) {
		return fmt.Errorf("%d operations at %d, want %d at %d", len(list), p.meta.start, p.meta.count, r.Length())
	}
	ends := make([]int, len(list))
	at := 0
	for i := range list {
		at += len(list[i])
		ends[i] = at
	}
	if err := r.Add(p.data); err != nil {
		return err
	}
	offset, n := h.section(sectionOperations)
	s.source.add(p.meta.start, ends, s.end+offset)
	s.source.publish(r.Length(), s.end+offset+n)
	g.operations = r.Length()
	return nil
}

// sealed makes the state of a complete snapshot the head.
func (s *Store) sealed(g *segment, r *state.Rebuild, p piece, h *header) (*state.Commit, error) {
	c, err := r.Commit(s.source)
	if err == nil && (c.Root() != p.meta.root || c.Length() != p.meta.start || uint64(c.Height())+1 != h.sequence) {
		err = fmt.Errorf("operations lead to root %v of block %d, want %v of block %d", c.Root(), c.Height(), p.meta.root, h.sequence-1)
	}
	if err != nil {
		return nil, &CorruptError{g.name, int64(s.end - g.start), "snapshot", err}
	}
	g.operations = c.Length()
	s.first.Store(uint64(c.Height()))
	s.recent.add(&blockEntry{
		Height: c.Height(), Offset: s.end, Hash: p.meta.hash, Root: c.Root(), Floor: c.Floor(), Length: c.Length(),
	}, nil)
	s.end += h.size()
	s.sequence = h.sequence + 1
	s.head.Store(&Snapshot{store: s, state: c, blocks: h.sequence})
	return c, nil
}

// Seal is the block a snapshot's state belongs to.
type Seal struct {
	Height unit.Height
	Hash   digest.Hash
	Block  []byte // opaque
	Root   digest.Hash
	Floor  uint64
}
