package store

import "encoding/binary"

// Where a header cannot be read, what follows it is searched for frames. Those of the group that was being written when the power went may be there, whole or
// not; a frame that no group could hold beside the unreadable one was written after it, so the log is damaged and not torn. What a client wrote into a
// transaction may look like a frame: then a log that is torn in just that block counts as damaged, which loses nothing.

// searchStep is how much of the log is read at a time.
const searchStep = 1 << 20

// foreign reports whether frames lie behind an offset of a segment that cannot be of the group that a frame of the given sequence is in. last is the sequence
// of the group's last frame, or 0 if that is not known.
func (s *Store) foreign(g *segment, offset, sequence, last uint64) (bool, error) {
	found := false
	err := g.search(offset, func(h *header) bool {
		end := h.sequence + uint64(h.follow)
		switch {
		case h.sequence <= sequence: // the likeness of an older frame
		case last == 0 && end < sequence+groupMax:
			last = end
		case end != last:
			found = true
		}
		return !found
	})
	return found, err
}

// search gives each header that can be read behind an offset of a segment, until visit says false.
func (g *segment) search(offset uint64, visit func(*header) bool) error {
	var magic [4]byte
	binary.BigEndian.PutUint32(magic[:], frameMagic)
	buffer := make([]byte, min(searchStep+headerSize, g.end-min(offset, g.end)))
	for at := offset; at < g.end; at += searchStep {
		chunk := buffer[:min(uint64(len(buffer)), g.end-at)]
		if _, err := g.file.ReadAt(chunk, int64(at-g.start)); err != nil {
			return err
		}
		for i := 0; i+headerSize <= len(chunk) && i < searchStep; i++ {
			if [4]byte(chunk[i:i+4]) != magic {
				continue
			}
			if h, what := decodeHeader(chunk[i:], g.end-at-uint64(i)); what == "" && !visit(&h) {
				return nil
			}
		}
	}
	return nil
}
