package store

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// beginning is where the log begins once its first segments were dropped.
type beginning struct {
	first unit.Height // lowest height held
	start uint64      // offset of the first segment
}

var beginningKey = []byte("beginning")

func (b beginning) encode() []byte { return codec.AppendU64(be8(uint64(b.first)), b.start) }

// beginning reads where the log begins; nil when no checkpoint says.
func (m *image) beginning() (b *beginning, err error) {
	_, err = m.view(bucketMeta, beginningKey, func(v []byte) error {
		r := codec.NewReader(v)
		b = &beginning{unit.Height(r.U64()), r.U64()}
		if err := r.Finish(); err != nil {
			return m.broken("beginning of the log is not well-formed", err)
		}
		return nil
	})
	return b, err
}

// begin finds where the log begins and finishes a removal that was interrupted.
func (s *Store) begin(list []*segment) ([]*segment, error) {
	b := &beginning{}
	if s.image != nil {
		saved, err := s.image.beginning()
		if err != nil {
			return list, err
		}
		if saved != nil {
			b = saved
		}
	}
	s.first.Store(uint64(b.first))
	for list[0].start < b.start {
		if len(list) == 1 {
			return list, &CorruptError{segmentName(b.start), -1, "segment is missing", nil}
		}
		if err := list[0].file.Close(); err != nil {
			return list, err
		}
		if err := s.disk.Remove(list[0].name); err != nil {
			return list, err
		}
		list = list[1:]
	}
	if list[0].start != b.start {
		return list, &CorruptError{segmentName(b.start), -1, "segment is missing", nil}
	}
	return list, nil
}

// forgetBlocks takes the blocks out of the indexes that lie in segments which are
// to be dropped, and says where the log begins then: nil when nothing is dropped.
func (s *Store) forgetBlocks(w *imageWriter, list []*segment, boundary, blocks uint64) (*beginning, error) {
	now := beginning{s.First(), list[0].start}
	next, count, err := s.after(now, list, boundary, blocks)
	if err != nil {
		return nil, err
	}
	for i := range count {
		if err := s.forgetSegment(w, list[i], list[i+1].start); err != nil {
			return nil, err
		}
	}
	w.put(bucketMeta, beginningKey, next.encode())
	if count == 0 {
		return nil, w.err
	}
	return &next, w.err
}

// after gives the beginning behind all segments whose operations lie below the
// boundary and whose blocks are not to be kept, and the number of these segments.
func (s *Store) after(now beginning, list []*segment, boundary, blocks uint64) (next beginning, count int, err error) {
	if s.options.Blocks == 0 || s.options.Window == Archive || blocks-min(blocks, 1) <= s.options.Blocks {
		return now, 0, nil
	}
	lowest := unit.Height(blocks - 1 - s.options.Blocks)
	for i, g := range list[:len(list)-1] {
		if g.operations > boundary {
			break
		}
		h, _, err := s.headerAt(list[i+1], segmentHeader)
		if err != nil {
			return now, 0, err
		}
		next := beginning{now.first, list[i+1].start}
		if h.kind != framePart {
			next.first = unit.Height(h.sequence - 1)
		}
		if next.first > lowest {
			break
		}
		now, count = next, i+1
	}
	return now, count, nil
}

// headerAt reads the header of the frame at an offset of a segment.
func (s *Store) headerAt(g *segment, offset uint64) (h header, size uint64, err error) {
	b := make([]byte, headerSize)
	if _, err := g.file.ReadAt(b, int64(offset)); err != nil {
		return h, 0, err
	}
	h, what := decodeHeader(b, frameMax)
	if what != "" {
		return h, 0, &CorruptError{g.name, int64(offset), what, nil}
	}
	return h, h.size(), nil
}

// forgetSegment takes the blocks of one segment out of the indexes.
func (s *Store) forgetSegment(w *imageWriter, g *segment, end uint64) error {
	for offset := uint64(segmentHeader); g.start+offset < end; {
		h, size, err := s.headerAt(g, offset)
		if err != nil {
			return err
		}
		if h.sequence > 0 && h.kind != framePart && h.kind != frameBase {
			if err := s.forgetBlock(w, g.start+offset, &h); err != nil {
				return err
			}
		}
		offset += size
	}
	w.delete(bucketSegments, be8(g.start))
	return w.err
}

func (s *Store) forgetBlock(w *imageWriter, offset uint64, h *header) error {
	height := be8(h.sequence - 1)
	part := func(which int) ([]byte, error) {
		at, n := h.section(which)
		b := make([]byte, n)
		if _, err := readAt(*s.source.segments.Load(), b, offset+at); err != nil {
			return nil, err
		}
		if err := h.check(which, b); err != nil {
			return nil, s.source.corrupt(offset+at, err.Error(), nil)
		}
		return b, nil
	}
	raw, err := part(sectionMeta)
	if err != nil {
		return err
	}
	m, ok := decodeMeta(raw)
	if !ok {
		return s.source.corrupt(offset, fmt.Sprintf("frame %d is not well-formed", h.sequence), nil)
	}
	w.delete(bucketBlocks, height)
	w.deleteIf(bucketHashes, m.hash[:], height)
	ids, err := part(sectionTransactions)
	if err != nil {
		return err
	}
	for ; len(ids) >= digest.Size; ids = ids[digest.Size:] {
		w.deleteIf(bucketTransactions, ids[:digest.Size], height)
	}
	return w.err
}

// deleteIf removes an entry whose value begins as given.
func (w *imageWriter) deleteIf(bucket string, key, begins []byte) {
	if w.err != nil {
		return
	}
	v := w.tx.Bucket([]byte(bucket)).Get(key)
	if len(v) >= len(begins) && string(v[:len(begins)]) == string(begins) {
		w.delete(bucket, key)
	}
}

// drop removes the segments before a beginning that is durable.
func (s *Store) drop(b beginning) error {
	s.first.Store(uint64(b.first))
	s.write.Lock()
	list := *s.source.segments.Load()
	count := 0
	for list[count].start < b.start {
		count++
	}
	kept := append([]*segment(nil), list[count:]...)
	s.source.segments.Store(&kept)
	s.write.Unlock()
	for _, g := range list[:count] {
		// The file is not closed: readers may be in it. It goes with the last
		// reference.
		if err := s.disk.Remove(g.name); err != nil {
			return err
		}
	}
	return s.disk.Sync()
}
