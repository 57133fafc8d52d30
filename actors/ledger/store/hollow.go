package store

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// segmentMark is what a checkpoint remembers of a segment.
type segmentMark struct{ start, operations uint64 }

func be8Value(b []byte) uint64 { return binary.BigEndian.Uint64(b) }

// hollow rewrites the segments whose operations all lie below the boundary
// without them. Blocks and receipts stay at their offsets: the new file is
// sparse where operations were.
//
// Spec: commonware §5.7.
func (s *Store) hollow() error {
	list := *s.source.segments.Load()
	for i, g := range list[:len(list)-1] {
		if g.hollow || g.pieces || g.operations > s.source.Boundary() {
			continue
		}
		file, err := s.hollowed(g, list[i+1].start)
		if err != nil {
			return err
		}
		fresh := &segment{name: g.name, start: g.start, end: g.end, operations: g.operations, file: file, hollow: true}
		s.write.Lock()
		now := append([]*segment(nil), *s.source.segments.Load()...)
		now[i] = fresh
		s.source.segments.Store(&now)
		s.write.Unlock()
		// The old file is not closed: readers may be in it. It goes with the
		// last reference.
	}
	return nil
}

// hollowed writes the file that takes the place of a segment.
func (s *Store) hollowed(g *segment, end uint64) (disk.File, error) {
	name := g.name + temporary
	out, err := s.disk.Create(name)
	if err != nil {
		return nil, err
	}
	if _, err := out.WriteAt(encodeSegmentHeader(s.options.Identity, g.start), 0); err != nil {
		return nil, err
	}
	for offset := g.start + segmentHeader; offset < end; {
		frame, h, what, err := s.readFrame(g, offset)
		if err != nil {
			return nil, err
		}
		if what != "" {
			return nil, &CorruptError{g.name, int64(offset - g.start), what, nil}
		}
		h.kind = frameHollow
		copy(frame, h.encode())
		operations, _ := h.section(sectionOperations)
		rest, _ := h.section(sectionBlock)
		at := int64(offset - g.start)
		if _, err := out.WriteAt(frame[:operations], at); err != nil {
			return nil, err
		}
		if _, err := out.WriteAt(frame[rest:], at+int64(rest)); err != nil {
			return nil, err
		}
		offset += h.size()
	}
	if err := out.Truncate(int64(end - g.start)); err != nil {
		return nil, err
	}
	if err := out.Sync(); err != nil {
		return nil, err
	}
	if err := s.disk.Rename(name, g.name); err != nil {
		return nil, err
	}
	return out, s.disk.Sync()
}
