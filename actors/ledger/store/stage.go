package store

import (
	"errors"
	"io"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Stage is the log of a store that is to begin with a snapshot, while the snapshot
// is on its way. It keeps what it was told is durable over any interruption, and
// once it is sealed the disk can be opened as a Store. One goroutine uses it. The
// caller has proven what it appends; nothing here judges it.
//
// After any error but disk.ErrFull on Append the Stage must be closed and opened
// again; disk.ErrFull leaves it as it was before.
//
// Spec: commonware §5.7.
type Stage struct {
	options  Options
	disk     disk.Disk
	lock     io.Closer
	last     *segment
	end      uint64 // offset after the last frame
	sequence uint64 // of the next frame
	boundary uint64
	pinned   []digest.Hash
	length   uint64 // operations up to here are held; 0 before Begin
	sealed   bool
}

// OpenStage opens the stage on a disk, as far as it had come. What was written and
// is not whole is cut off. It answers disk.ErrLocked, a *ForeignError, or a
// *CorruptError when the beginning is of no use; Reset starts anew.
func OpenStage(d disk.Disk, o Options) (*Stage, error) {
	lock, err := d.Lock(lockName)
	if err != nil {
		return nil, err
	}
	s := &Stage{options: o.withDefaults(), disk: d, lock: lock}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stage) open() error {
	list, err := openSegments(s.disk)
	if err != nil {
		return err
	}
	for i, g := range list {
		err := checkSegmentHeader(g, s.options.Identity)
		if err == nil {
			continue
		}
		var foreign *ForeignError
		if errors.As(err, &foreign) || i == 0 {
			return errors.Join(err, closeAll(list))
		}
		if err := s.cut(list, i); err != nil {
			return err
		}
		list = list[:i]
		break
	}
	for i, g := range list {
		kept := i
		if i == 0 || s.end == g.start {
			whole, err := s.read(g)
			if err != nil {
				return errors.Join(err, closeAll(list))
			}
			if whole {
				continue
			}
			kept = i + 1
		}
		if err := s.cut(list, kept); err != nil {
			return err
		}
		list = list[:kept]
		break
	}
	if len(list) == 0 {
		return nil
	}
	s.last = list[len(list)-1]
	return closeAll(list[:len(list)-1])
}

// cut removes the segments from the i-th on.
func (s *Stage) cut(list []*segment, i int) error {
	var errs []error
	for _, g := range list[i:] {
		errs = append(errs, g.file.Close(), s.disk.Remove(g.name))
	}
	return errors.Join(append(errs, s.disk.Sync())...)
}

func closeAll(list []*segment) error {
	var errs []error
	for _, g := range list {
		errs = append(errs, g.file.Close())
	}
	return errors.Join(errs...)
}

// read takes the whole frames of a segment and cuts off what follows them.
func (s *Stage) read(g *segment) (whole bool, err error) {
	reader := Store{}
	for s.end = g.start + segmentHeader; s.end < g.end; {
		frame, h, what, err := reader.readFrame(g, s.end)
		if err != nil {
			return false, err
		}
		p, bad := readPiece(frame, &h, what)
		if bad != nil || s.sealed || !s.take(&h, p) {
			end := s.end
			g.end = end
			if err := g.file.Truncate(int64(end - g.start)); err != nil {
				return false, err
			}
			return false, g.file.Sync()
		}
		s.end += h.size()
	}
	return true, nil
}

// take follows one frame; it answers false for one that is out of place.
func (s *Stage) take(h *header, p piece) bool {
	switch {
	case h.kind == frameBase && s.sequence == 0:
		s.boundary, s.pinned, s.length = p.meta.start, p.nodes, p.meta.start
	case h.kind == framePart && s.sequence > 0 && h.sequence == s.sequence && p.meta.start == s.length:
		s.length += uint64(p.meta.count)
	case h.kind == frameSeal && s.sequence > 0 && p.meta.start == s.length:
		s.sealed = true
	default:
		return false
	}
	s.sequence++
	return true
}

// Begun reports whether there is anything, with the boundary it began at, and how
// many operations of the log are held.
func (s *Stage) Begun() (boundary, length uint64, ok bool) {
	return s.boundary, s.length, s.sequence > 0
}

// Pinned are the nodes below the boundary.
func (s *Stage) Pinned() []digest.Hash { return s.pinned }

// Sealed reports whether the snapshot is complete.
func (s *Stage) Sealed() bool { return s.sealed }

// Reset throws away what is there.
func (s *Stage) Reset() error {
	if s.last != nil {
		if err := s.last.file.Close(); err != nil {
			return err
		}
	}
	*s = Stage{options: s.options, disk: s.disk, lock: s.lock}
	return Wipe(s.disk)
}

// Wipe removes what a Store or a Stage made on a disk.
func Wipe(d disk.Disk) error {
	names, err := d.List()
	if err != nil {
		return err
	}
	gone := false
	for _, name := range names {
		if !strings.HasPrefix(name, segmentPrefix) && name != acknowledgedName {
			continue
		}
		if err := d.Remove(name); err != nil {
			return err
		}
		gone = true
	}
	if !gone {
		return nil
	}
	return d.Sync()
}

// Begin starts at a boundary with the nodes below it, and is durable at once.
// Nothing may be there.
func (s *Stage) Begin(boundary uint64, pinned []digest.Hash) error {
	if s.sequence > 0 {
		return ErrOrder
	}
	var err error
	if s.last == nil {
		if s.last, err = createSegment(s.disk, s.options.Identity, 0); err != nil {
			return err
		}
		s.end = s.last.end
	}
	nodes := make([]byte, 0, len(pinned)*digest.Size)
	for i := range pinned {
		nodes = append(nodes, pinned[i][:]...)
	}
	m := meta{start: boundary}
	if err := s.put(encodePiece(frameBase, 0, &m, nil, nil, nodes)); err != nil {
		return err
	}
	s.boundary, s.pinned, s.length, s.sequence = boundary, pinned, boundary, 1
	return s.Sync()
}

// Append writes the next count operations. They are durable after the next Sync.
func (s *Stage) Append(operations []byte, count uint64) error {
	if s.sequence == 0 || s.sealed {
		return ErrOrder
	}
	m := meta{start: s.length, count: uint32(count)}
	if err := s.put(encodePiece(framePart, s.sequence, &m, operations, nil, nil)); err != nil {
		return err
	}
	s.sequence++
	s.length += count
	return nil
}

// put writes a frame behind the last one. A full disk leaves nothing behind.
func (s *Stage) put(frame []byte) error {
	if s.end-s.last.start > segmentHeader && s.end-s.last.start+uint64(len(frame)) > s.options.SegmentSize {
		if err := s.last.file.Sync(); err != nil {
			return err
		}
		next, err := createSegment(s.disk, s.options.Identity, s.end)
		if err != nil {
			return err
		}
		if err := s.last.file.Close(); err != nil {
			return err
		}
		s.last, s.end = next, next.end
	}
	if _, err := s.last.file.WriteAt(frame, int64(s.end-s.last.start)); err != nil {
		return errors.Join(err, s.last.file.Truncate(int64(s.end-s.last.start)))
	}
	s.end += uint64(len(frame))
	return nil
}

// Sync makes what was appended durable.
func (s *Stage) Sync() error { return s.last.file.Sync() }

// Seal ends the snapshot with the block it is of, durably. Whether the operations
// lead to the root is seen when the disk is opened as a Store.
func (s *Stage) Seal(b *Seal) error {
	if s.sequence == 0 || s.sealed {
		return ErrOrder
	}
	m := meta{start: s.length, floor: b.Floor, root: b.Root, hash: b.Hash}
	if err := s.put(encodePiece(frameSeal, uint64(b.Height)+1, &m, nil, b.Block, nil)); err != nil {
		return err
	}
	if err := s.Sync(); err != nil {
		return err
	}
	s.sealed = true
	return nil
}

// Close releases the disk.
func (s *Stage) Close() error {
	var err error
	if s.last != nil {
		err = s.last.file.Close()
	}
	return errors.Join(err, s.lock.Close())
}

// Config configures hashing.
func (s *Stage) Config() state.Config { return s.options.State }
