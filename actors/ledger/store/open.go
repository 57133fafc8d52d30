package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	lockName  = "lock"
	imageName = "checkpoint.db"
)

// Open opens the store in a directory, or makes one there. It answers
// disk.ErrLocked when another process has it, a *ForeignError when it holds
// another chain, a *format.Error when it is of another program, and a
// *CorruptError when it is damaged.
func Open(path string, o Options) (*Store, error) {
	d, err := disk.NewDirectory(path)
	if err != nil {
		return nil, err
	}
	return OpenDisk(d, d.Path(imageName), o)
}

// OpenDisk opens the store on a disk. imagePath is the bbolt file of its
// checkpoints; without one nothing is ever checkpointed and opening replays the
// whole log. A checkpoint file that is damaged is made anew from the log, where
// the log still holds all of it; Rebuilt then says why.
func OpenDisk(d disk.Disk, imagePath string, o Options) (*Store, error) {
	s, err := openDisk(d, imagePath, o, 0)
	var damage *CorruptError
	if err == nil || o.KeepImage || imagePath == "" || !errors.As(err, &damage) || damage.File != imagePath {
		return s, err
	}
	return rebuild(d, imagePath, o, damage)
}

// openDisk opens the store as it is. safe is an offset up to which frames are
// known to have been acknowledged, beside what the disk says.
func openDisk(d disk.Disk, imagePath string, o Options, safe uint64) (*Store, error) {
	lock, err := d.Lock(lockName)
	if err != nil {
		return nil, err
	}
	s := &Store{options: o.withDefaults(), disk: d, lock: lock, source: &source{config: o.State}}
	s.source.failed = s.Err
	s.source.cache.limit = max(s.options.ProofCache, 0) / subtreeSize
	s.source.table.Store(&table{})
	if err := s.open(imagePath, safe); err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

func (s *Store) open(imagePath string, known uint64) error {
	if err := s.sweep(); err != nil {
		return err
	}
	list, err := openSegments(s.disk)
	s.source.segments.Store(&list)
	if err != nil {
		return err
	}
	for _, g := range list {
		if err := checkSegmentHeader(g, s.options.Identity); err != nil {
			return err
		}
	}
	ack, safe, err := openAcknowledged(s.disk)
	if err != nil {
		return err
	}
	s.ack, safe = ack, max(safe, known)
	saved, err := s.openImage(imagePath)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		if saved != nil || safe > 0 {
			return &CorruptError{segmentName(0), -1, "the log is missing", nil}
		}
		first, err := createSegment(s.disk, s.options.Identity, 0)
		if err != nil {
			return err
		}
		list = []*segment{first}
		s.source.segments.Store(&list)
	}
	if list, err = s.begin(list); err != nil {
		return err
	}
	s.source.segments.Store(&list)
	if err := contiguous(list); err != nil {
		return err
	}
	base, err := s.base(saved)
	if err != nil {
		return err
	}
	if err := s.recover(base, safe); err != nil {
		return err
	}
	if s.sequence == 0 {
		_, err := s.append([]*Record{{Commit: state.New(s.options.State, s.source)}})
		return err
	}
	// A frame found whole may be in the memory of the system alone.
	list = *s.source.segments.Load()
	if err := list[len(list)-1].file.Sync(); err != nil {
		return err
	}
	return s.ack.write(s.end)
}

// sweep removes files that were never finished.
func (s *Store) sweep() error {
	names, err := s.disk.List()
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasPrefix(name, segmentPrefix) && strings.HasSuffix(name, temporary) {
			if err := s.disk.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// openImage opens the checkpoint file; saved is nil when it holds none.
func (s *Store) openImage(path string) (saved *savedMeta, err error) {
	if path == "" {
		return nil, nil
	}
	s.image, err = openImage(path, s.options.Identity, s.options.unsafeImage)
	var old *format.Error
	if errors.As(err, &old) {
		s.image, err = s.imageAnew(path, old)
	}
	if err != nil {
		return nil, err
	}
	s.source.archive.image = s.image
	return s.image.meta()
}

// imageAnew puts an empty checkpoint file in the place of one of another format, if the log leads to its state from the beginning: what was given back to
// the file system, or dropped, a checkpoint alone replaces.
func (s *Store) imageAnew(path string, old *format.Error) (*image, error) {
	for i, g := range *s.source.segments.Load() {
		if g.hollow || i == 0 && g.start > 0 {
			old.Do = "the log is no longer whole, so nothing can be made anew from it: start the cowboyd that wrote it, or sync into an empty data directory"
			return nil, old
		}
	}
	beside := path + ".next"
	if err := os.Remove(beside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	m, err := openImage(beside, s.options.Identity, s.options.unsafeImage)
	if err != nil {
		return nil, err
	}
	if err := m.close(); err != nil {
		return nil, err
	}
	if err := os.Rename(beside, path); err != nil {
		return nil, err
	}
	if err := syncDirectory(filepath.Dir(path)); err != nil {
		return nil, err
	}
	s.options.Told.Tell(Checkpoint.Made(path, old.Have))
	return openImage(path, s.options.Identity, s.options.unsafeImage)
}

// syncDirectory makes a renaming durable.
func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// contiguous checks that no segment is missing or cut after the first.
func contiguous(list []*segment) error {
	for i, g := range list[1:] {
		if before := list[i]; before.end != g.start {
			return &CorruptError{before.name, int64(before.end - before.start), fmt.Sprintf("segment should end at byte %d", g.start-before.start), nil}
		}
	}
	return nil
}

// base gives the state that the frames from s.end on are replayed on.
func (s *Store) base(saved *savedMeta) (*state.Commit, error) {
	list := *s.source.segments.Load()
	s.end = list[0].start + segmentHeader
	if saved == nil {
		return nil, nil
	}
	if log := list[len(list)-1]; saved.end > log.end {
		return nil, &CorruptError{log.name, int64(log.end - log.start), fmt.Sprintf("the log ends here, a checkpoint covers it up to offset %d", saved.end),
			nil}
	}
	base, err := s.restore(saved)
	if err != nil {
		return nil, err
	}
	if !s.options.TrustLog {
		if err := s.image.check(); err != nil {
			return nil, err
		}
		if err := s.verify(saved.end); err != nil {
			return nil, err
		}
	}
	s.sequence, s.end = saved.sequence, saved.end
	s.savedEnd.Store(saved.end)
	s.head.Store(&Snapshot{store: s, state: base, blocks: saved.sequence - 1})
	return base, nil
}

// recover replays the frames from s.end on and cuts an incomplete last one off.
// safe is the offset up to which frames were acknowledged.
func (s *Store) recover(base *state.Commit, safe uint64) error {
	list := *s.source.segments.Load()
	end := list[len(list)-1].end
	if list[0].pieces && base == nil {
		var err error
		if base, err = s.recoverSnapshot(list); err != nil {
			return err
		}
	}
	for s.end < end {
		g := find(list, s.end)
		if s.end == g.start { // the segment before is full
			s.end += segmentHeader
			continue
		}
		frame, h, what, err := s.readFrame(g, s.end)
		if err != nil {
			return err
		}
		if what != "" {
			return s.tear(g, what, &h, safe)
		}
		next, r, err := s.replay(g, base, frame, &h)
		if err != nil {
			return err
		}
		s.accept(g, s.end, &h, r)
		s.end += h.size()
		base = next.Settled(s.source)
	}
	if s.end < safe {
		last := list[len(list)-1]
		return &CorruptError{last.name, int64(last.end - last.start), fmt.Sprintf("the log ends here, blocks were acknowledged up to offset %d", safe), nil}
	}
	return nil
}

// readFrame reads the frame at an offset of a segment; what says what is wrong
// with it. The header is zero when it cannot be read.
func (s *Store) readFrame(g *segment, offset uint64) (frame []byte, h header, what string, err error) {
	room := g.end - offset
	head := make([]byte, min(headerSize, room))
	if _, err = g.file.ReadAt(head, int64(offset-g.start)); err != nil {
		return nil, h, "", err
	}
	h, what = decodeHeader(head, room)
	if what != "" {
		return nil, header{}, what, nil
	}
	frame = make([]byte, h.size())
	if _, err = g.file.ReadAt(frame, int64(offset-g.start)); err != nil {
		return nil, h, "", err
	}
	for i := range sections {
		if h.kind == frameHollow && (i == sectionOperations || i == sectionPrevious) {
			continue
		}
		at, n := h.section(i)
		if err := h.check(i, frame[at:at+n]); err != nil {
			return nil, h, err.Error(), nil
		}
	}
	return frame, h, "", nil
}

// tear cuts the damaged frame at s.end off, with those that were written along
// with it, if nothing was written after them and nobody was told that it is safe;
// otherwise it answers a CorruptError.
func (s *Store) tear(g *segment, what string, h *header, safe uint64) error {
	list := *s.source.segments.Load()
	end, err := s.groupEnd(g, h)
	if err != nil {
		return err
	}
	switch {
	case s.end < safe:
		what += ", and the block had been acknowledged"
	case g != list[len(list)-1]:
		what += ", and more segments follow"
	case end < g.end:
		what += ", and more frames follow"
	default:
		g.end = s.end
		if err := g.file.Truncate(int64(s.end - g.start)); err != nil {
			return err
		}
		return g.file.Sync()
	}
	return &CorruptError{g.name, int64(s.end - g.start), what, nil}
}

// groupEnd gives the offset up to which the segment holds frames that were
// written along with the damaged one at s.end, whose header is zero when it
// cannot be read.
func (s *Store) groupEnd(g *segment, h *header) (uint64, error) {
	at, last := s.end, uint64(0)
	for follow := int(h.follow); ; follow-- {
		if h.sequence == 0 && h.lengths[sectionMeta] == 0 { // what follows an unreadable header is searched for
			if more, err := s.foreign(g, at, s.sequence, last); more || err != nil {
				return at, err
			}
			return g.end, nil
		}
		last = h.sequence + uint64(h.follow)
		if at += h.size(); follow == 0 || at >= g.end {
			return at, nil
		}
		head := make([]byte, min(headerSize, g.end-at))
		if _, err := g.file.ReadAt(head, int64(at-g.start)); err != nil {
			return at, err
		}
		next, what := decodeHeader(head, g.end-at)
		if what != "" {
			next = header{}
		}
		h = &next
	}
}

// replay gives the state after a frame and the record it holds.
func (s *Store) replay(g *segment, base *state.Commit, frame []byte, h *header) (*state.Commit, *Record, error) {
	corrupt := func(what string, err error) error {
		return &CorruptError{g.name, int64(s.end - g.start), what, err}
	}
	if h.sequence != s.sequence {
		return nil, nil, corrupt(fmt.Sprintf("frame has sequence %d, want %d", h.sequence, s.sequence), nil)
	}
	part := func(which int) []byte {
		at, n := h.section(which)
		return frame[at : at+n]
	}
	m, ok := decodeMeta(part(sectionMeta))
	if !ok || h.kind != frameWhole || h.lengths[sectionTransactions]%digest.Size != 0 {
		return nil, nil, corrupt("frame is not well-formed", nil)
	}
	var next *state.Commit
	if s.sequence == 0 {
		next = state.New(s.options.State, s.source)
	} else {
		var err error
		if next, err = base.Replay(unit.Height(h.sequence-1), part(sectionOperations)); err != nil {
			return nil, nil, corrupt("operations do not follow", err)
		}
	}
	d := next.Delta()
	if d.Start != m.start || uint32(d.Len()) != m.count || d.Floor != m.floor || next.Root() != m.root {
		return nil, nil, corrupt(fmt.Sprintf("operations lead to root %v, want %v", next.Root(), m.root), nil)
	}
	r := &Record{Commit: next, Hash: m.hash}
	for hashes := part(sectionTransactions); len(hashes) > 0; hashes = hashes[digest.Size:] {
		r.Transactions = append(r.Transactions, digest.Hash(hashes[:digest.Size]))
	}
	return next, r, nil
}

// verify compares every frame below an offset with its checksums, and what the
// checkpoint says of its block with the frame.
func (s *Store) verify(below uint64) error {
	list := *s.source.segments.Load()
	sequence := uint64(s.First())
	if sequence > 0 {
		sequence++ // the genesis is not the first frame
	}
	for offset := list[0].start + segmentHeader; offset < below; sequence++ {
		g := find(list, offset)
		if offset == g.start {
			offset += segmentHeader
			sequence--
			continue
		}
		frame, h, what, err := s.readFrame(g, offset)
		if err != nil {
			return err
		}
		if h.isPiece() {
			sequence = h.sequence // checked when the snapshot was taken
		}
		if what == "" && h.sequence != sequence {
			what = fmt.Sprintf("frame has sequence %d, want %d", h.sequence, sequence)
		}
		if what != "" {
			return &CorruptError{g.name, int64(offset - g.start), what, nil}
		}
		if err := s.listed(frame, &h, offset); err != nil {
			return err
		}
		offset += h.size()
	}
	return nil
}
