package store

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Archive is the window that keeps every operation for ever.
const Archive = math.MaxUint64

// WindowMin is the smallest window: readers may hold a state that many blocks
// old while the chain goes on.
const WindowMin = 16

// Options fix what a store is and how much it keeps.
type Options struct {
	Identity

	// Window is the number of blocks before the last one whose states can still
	// be read and proven: at least WindowMin, at most Archive.
	Window uint64

	// Blocks is the number of blocks before the last one that are kept with their
	// receipts, at least Window; 0 keeps all.
	Blocks uint64

	// SegmentSize is the size in bytes at which a segment of the log is closed;
	// 0 means 64 MiB.
	SegmentSize uint64

	// ProofCache bounds the memory of tree nodes kept for proofs, in bytes; 0
	// means 256 MiB, negative none.
	ProofCache int

	// CheckpointEvery is the growth of the log in bytes after which a checkpoint
	// is due; 0 means 64 MiB.
	CheckpointEvery uint64

	// TrustLog leaves the part of the log that a checkpoint covers unread when
	// opening. Otherwise every byte of it is compared with its checksum.
	TrustLog bool

	// Told is told of files whose format changes when the store is opened; it may be nil.
	Told format.Told
	// KeepImage leaves a damaged checkpoint file as it is and answers its
	// CorruptError, for who only looks.
	KeepImage bool

	// State configures hashing; the zero value is the chain's.
	State state.Config

	// unsafeImage spares the syncs of the checkpoint file, for tests whose
	// machine does not really stop.
	unsafeImage bool
}

const (
	segmentSizeDefault = 64 << 20
	proofCacheDefault  = 256 << 20
	checkpointDefault  = 64 << 20
)

func (o Options) withDefaults() Options {
	o.Window = max(o.Window, WindowMin)
	if o.Blocks != 0 {
		o.Blocks = max(o.Blocks, o.Window)
	}
	if o.SegmentSize == 0 {
		o.SegmentSize = segmentSizeDefault
	}
	if o.ProofCache == 0 {
		o.ProofCache = proofCacheDefault
	}
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = checkpointDefault
	}
	return o
}

// Record is a finalized block as the store keeps it. Block and Receipts are
// opaque.
type Record struct {
	Commit       *state.Commit
	Hash         digest.Hash
	Block        []byte
	Receipts     []byte
	Transactions []digest.Hash // in the order of the block
}

// Store is an open database. See the package comment for who may call what at
// the same time.
type Store struct {
	options Options
	disk    disk.Disk
	lock    io.Closer
	source  *source
	ack     acknowledged
	image   *image // nil when nothing is checkpointed
	rebuilt error  // why the checkpoint file was made anew, or nil

	write    sync.Mutex // guards the end of the log
	sequence uint64     // of the next frame
	end      uint64     // offset after the last frame

	first   atomic.Uint64 // lowest height held
	head    atomic.Pointer[Snapshot]
	failure atomic.Pointer[error]
	recent  recent
	past    past

	checkpoint sync.Mutex // one checkpoint at a time
	saved      savedState // guarded by checkpoint
	savedEnd   atomic.Uint64
}

// Head is the chain as of the last appended block. Before the first block its
// state is the empty one and Blocks is 0.
func (s *Store) Head() *Snapshot { return s.head.Load() }

// First is the lowest height whose block is held: 0 for a chain held whole.
func (s *Store) First() unit.Height { return unit.Height(s.first.Load()) }

// Err tells why the store no longer works, or nil.
func (s *Store) Err() error {
	if p := s.failure.Load(); p != nil {
		return *p
	}
	return nil
}

// fail poisons the store and gives the error to answer.
func (s *Store) fail(doing string, err error) error {
	err = fmt.Errorf("%w: %s: %w", ErrPoisoned, doing, err)
	s.failure.CompareAndSwap(nil, &err)
	return s.Err()
}

// Append makes finalized blocks durable, in order, and moves Head to the last of them. Blocks that come together share a sync: a crash in between keeps
// some first ones of them, and nobody was told of any. It answers ErrOrder, and does nothing, when the blocks do not follow the last one and each other;
// any other error poisons the store (disk.ErrFull among them when there is no room).
//
// Spec: commonware §5.10 (one atomic write per block).
func (s *Store) Append(list ...*Record) error {
	s.write.Lock()
	defer s.write.Unlock()
	if err := s.Err(); err != nil {
		return err
	}
	start, sequence := s.source.Length(), s.sequence
	for _, r := range list {
		d := r.Commit.Delta()
		if d == nil || d.Start != start || uint64(d.Height)+1 != sequence {
			return fmt.Errorf("%w: height %d, want %d", ErrOrder, r.Commit.Height(), sequence-1)
		}
		start, sequence = d.End(), sequence+1
	}
	for len(list) > 0 {
		n, err := s.append(list)
		if err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// append writes the next frames, as many as share a sync, and gives how many those are. The first frame of all holds the empty store.
func (s *Store) append(list []*Record) (n int, err error) {
	g := newGroup(s.sequence, list[0])
	last, err := s.room(g.size())
	if err != nil {
		return 0, s.fail("new segment", err)
	}
	for _, r := range list[1:] {
		if !g.add(r, s.options.SegmentSize-min(s.options.SegmentSize, s.end-last.start)) {
			break
		}
	}
	if _, err := last.file.WriteAt(g.bytes(), int64(s.end-last.start)); err != nil {
		return 0, s.fail("write block", err)
	}
	if err := last.file.Sync(); err != nil {
		return 0, s.fail("sync block", err)
	}
	offset := s.end
	s.end += g.size()
	last.end = s.end
	if err := s.ack.write(s.end); err != nil {
		return 0, s.fail("acknowledge block", err)
	}
	for i := range g.headers {
		s.accept(last, offset, &g.headers[i], list[i])
		offset += g.headers[i].size()
	}
	return len(g.headers), nil
}

// room gives the segment to append to.
func (s *Store) room(size uint64) (*segment, error) {
	list := *s.source.segments.Load()
	last := list[len(list)-1]
	if s.end-last.start <= segmentHeader || s.end-last.start+size <= s.options.SegmentSize {
		return last, nil
	}
	next, err := createSegment(s.disk, s.options.Identity, s.end)
	if err != nil {
		return nil, err
	}
	list = append(list[:len(list):len(list)], next)
	s.source.segments.Store(&list)
	s.end = next.end
	return next, nil
}

// accept takes a frame that is durable at offset into memory.
func (s *Store) accept(in *segment, offset uint64, h *header, r *Record) {
	d := r.Commit.Delta()
	in.operations = d.End()
	at, n := h.section(sectionOperations)
	_, ends := d.Bytes()
	s.source.add(d.Start, ends, offset+at)
	s.source.publish(d.End(), offset+at+n)
	first, subtrees := d.Subtrees()
	for i, t := range subtrees {
		s.source.cache.add(s.source.table.Load().place(first+uint64(i)), t)
	}
	if s.sequence > 0 {
		s.recent.add(&blockEntry{
			Height: unit.Height(s.sequence - 1), Offset: offset, Hash: r.Hash,
			Root: d.Root, Floor: d.Floor, Length: d.End(),
		}, r.Transactions)
	}
	s.sequence++
	now := r.Commit.Settled(s.source)
	s.head.Store(&Snapshot{store: s, state: now, blocks: s.sequence - 1})
	if s.sequence > 1 && s.options.Window >= strideBlocks {
		s.past.pass(now)
	}
}

// Due reports whether the log has grown enough for a checkpoint.
func (s *Store) Due() bool {
	s.write.Lock()
	defer s.write.Unlock()
	return s.image != nil && s.end-s.savedEnd.Load() >= s.options.CheckpointEvery
}

// Close releases the directory after the work of other goroutines ended. It does
// not checkpoint.
func (s *Store) Close() error {
	s.checkpoint.Lock()
	defer s.checkpoint.Unlock()
	s.write.Lock()
	defer s.write.Unlock()
	closed := error(ErrClosed)
	if s.Err() == ErrClosed {
		return nil
	}
	s.failure.Store(&closed)
	return s.release()
}

func (s *Store) release() error {
	var errs []error
	if list := s.source.segments.Load(); list != nil {
		for _, g := range *list {
			errs = append(errs, g.file.Close())
		}
	}
	if s.ack.file != nil {
		errs = append(errs, s.ack.file.Close())
	}
	if s.image != nil {
		errs = append(errs, s.image.close())
	}
	return errors.Join(append(errs, s.lock.Close())...)
}
