package replica

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/replica/frame"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// journal is the write-ahead log of what a validator decided in one epoch, and of the blocks it voted for. Whatever add was given is durable when
// it returns.
//
// The file begins with a frame that names the chain, the epoch and the opening: a number that grows with every open. Every later frame is what
// one add wrote: length(4) ‖ crc32c(4) ‖ entries. A frame is written and synced before the next one begins, so only the last can be torn; a torn
// last frame was never acted on and is cut off. A bad frame with a good one anywhere behind it is damage: ErrJournal.
//
// Two processes with one journal: the lock keeps the second out, and where locks do not reach the first finds that the opening on disk is no longer
// its own and stops before it signs anything more.
//
// Spec: commonware §3.5.
type journal struct {
	disk    disk.Disk
	lock    io.Closer
	file    disk.File
	title   title
	fresh   bool // there was none
	size    int64
	records []simplex.Record
	blocks  []journaled
	broken  error
}

// title says what a journal is of.
type title struct {
	chain   digest.Hash
	epoch   uint64
	opening uint64
}

// journaled is a block this validator voted for.
type journaled struct {
	hash   digest.Hash
	height unit.Height
	raw    []byte
}

var (
	// ErrJournal reports a journal that is damaged or of another chain.
	ErrJournal = errors.New("replica: journal damaged")
	// ErrTaken reports a journal that another process has opened since.
	ErrTaken = errors.New("replica: another process has opened the journal of this key")
)

const (
	journalName  = "votes"
	journalNext  = "votes.next"
	journalLock  = "lock"
	rewriteAbove = 8 << 20 // bytes after which what is not needed any more is dropped
	titleBytes   = 6 + digest.Size + 16
)

// Tags of entries.
const (
	entryRecord = iota
	entryBlock
	entryTags
)

// openJournal opens or creates the journal of a chain and reads what it holds.
func openJournal(d disk.Disk, chain digest.Hash) (*journal, error) {
	lock, err := d.Lock(journalLock)
	if err != nil {
		return nil, err
	}
	j := &journal{disk: d, lock: lock, title: title{chain: chain}}
	if err := j.open(); err != nil {
		return nil, errors.Join(err, j.close())
	}
	return j, nil
}

func (j *journal) open() error {
	f, err := j.disk.Open(journalName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		j.fresh = true
	case err != nil:
		return err
	default:
		err := j.read(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	j.title.opening++
	return j.rewrite()
}

// read decodes the file. A torn tail is left out.
func (j *journal) read(f disk.File) error {
	size, err := f.Size()
	if err != nil {
		return err
	}
	data := make([]byte, size)
	if n, err := f.ReadAt(data, 0); int64(n) != size {
		return fmt.Errorf("%w: %d of %d bytes: %w", ErrJournal, n, size, err)
	}
	first, rest, err := frame.Cut(data)
	if err != nil {
		return fmt.Errorf("%w: no title", ErrJournal)
	}
	t, err := readTitle(first)
	var other *format.Error
	if errors.As(err, &other) {
		return err
	}
	if err != nil || t.chain != j.title.chain {
		return fmt.Errorf("%w: not the journal of this chain", ErrJournal)
	}
	j.title = t
	for len(rest) > 0 {
		payload, after, err := frame.Cut(rest)
		if err != nil && !frame.Within(rest[1:]) {
			return nil
		}
		if err == nil {
			err = j.decode(payload)
		}
		if err != nil {
			return fmt.Errorf("%w: at byte %d: %w", ErrJournal, len(data)-len(rest), err)
		}
		rest = after
	}
	return nil
}

func (t *title) append(dst []byte) []byte {
	dst = append(dst, 'v', 'o', 't', 'e', 's', byte(Journal.Now))
	dst = append(dst, t.chain[:]...)
	return codec.AppendU64(codec.AppendU64(dst, t.epoch), t.opening)
}

func readTitle(data []byte) (title, error) {
	r := codec.NewReader(data)
	var t title
	mark := r.Fixed(6)
	if len(mark) != 6 || string(mark[:5]) != "votes" {
		return t, frame.Err
	}
	if err := Journal.Check(journalName, format.Version(mark[5])); err != nil {
		return t, err
	}
	r.Into(t.chain[:])
	t.epoch, t.opening = r.U64(), r.U64()
	return t, r.Finish()
}

// batch is what one add makes durable.
type batch struct {
	records []simplex.Record
	blocks  []journaled
}

func (b *batch) empty() bool { return len(b.records) == 0 && len(b.blocks) == 0 }

func (b *batch) append(dst []byte) []byte {
	for _, x := range b.blocks {
		dst = codec.AppendBytes(codec.AppendU8(dst, entryBlock), x.raw)
	}
	for _, r := range b.records {
		dst = codec.AppendBytes(codec.AppendU8(dst, entryRecord), simplex.EncodeRecord(r))
	}
	return dst
}

// add makes a batch durable. A block that the journal holds is not written again.
func (j *journal) add(b *batch) error {
	if j.broken != nil {
		return j.broken
	}
	if err := j.mine(); err != nil {
		return j.fail(err)
	}
	b.blocks = slices.DeleteFunc(slices.Clone(b.blocks), func(x journaled) bool { return j.holds(x.hash) })
	data := frame.Append(nil, b.append(nil))
	if _, err := j.file.WriteAt(data, j.size); err != nil {
		return j.fail(err)
	}
	if err := j.file.Sync(); err != nil {
		return j.fail(err)
	}
	j.size += int64(len(data))
	j.records = append(j.records, b.records...)
	j.blocks = append(j.blocks, b.blocks...)
	return nil
}

// holds reports whether a block is in the journal.
func (j *journal) holds(hash digest.Hash) bool {
	return slices.ContainsFunc(j.blocks, func(b journaled) bool { return b.hash == hash })
}

// mine gives ErrTaken unless the journal on disk is the one that was opened here.
func (j *journal) mine() error {
	f, err := j.disk.Open(journalName)
	if err != nil {
		return err
	}
	var head [frame.Head + titleBytes]byte
	n, err := f.ReadAt(head[:], 0)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	payload, _, err := frame.Cut(head[:n])
	if err != nil {
		return fmt.Errorf("%w: its title is gone", ErrJournal)
	}
	if t, err := readTitle(payload); err != nil || t != j.title {
		return ErrTaken
	}
	return nil
}

// fail poisons the journal: what is on the disk is unknown until it is opened again.
func (j *journal) fail(err error) error {
	j.broken = err
	return err
}

// forget drops the records of views below view: at once from memory, from the disk when the file has grown.
func (j *journal) forget(view uint64) {
	kept := j.records[:0]
	for _, r := range j.records {
		if simplex.RoundOf(r).View >= view {
			kept = append(kept, r)
		}
	}
	clear(j.records[len(kept):])
	j.records = kept
}

// settle drops the blocks up to a durable height, and rewrites the file if it has grown.
func (j *journal) settle(durable unit.Height) error {
	kept := j.blocks[:0]
	for _, b := range j.blocks {
		if b.height > durable {
			kept = append(kept, b)
		}
	}
	clear(j.blocks[len(kept):])
	j.blocks = kept
	if j.size < rewriteAbove {
		return nil
	}
	return j.rewrite()
}

// turn begins the journal of a later epoch: what was decided before cannot matter there.
func (j *journal) turn(epoch uint64) error {
	j.title.epoch, j.records, j.blocks = epoch, nil, nil
	return j.rewrite()
}

// rewrite replaces the file by one that holds what is needed.
func (j *journal) rewrite() error {
	if j.broken != nil {
		return j.broken
	}
	data := frame.Append(nil, j.title.append(nil))
	if b := (batch{j.records, j.blocks}); !b.empty() {
		data = frame.Append(data, b.append(nil))
	}
	f, err := j.disk.Create(journalNext)
	if err != nil {
		return j.fail(err)
	}
	if _, err = f.WriteAt(data, 0); err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = j.disk.Rename(journalNext, journalName)
	}
	if err == nil {
		err = j.disk.Sync()
	}
	if err != nil {
		return j.fail(errors.Join(err, f.Close()))
	}
	if j.file != nil {
		err = j.file.Close()
	}
	j.file, j.size = f, int64(len(data))
	return err
}

// close releases file and lock.
func (j *journal) close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	return errors.Join(err, j.lock.Close())
}

func (j *journal) decode(payload []byte) error {
	r := codec.NewReader(payload)
	for r.Remaining() > 0 {
		tag := r.Tag(entryTags)
		raw := r.Bytes(frame.Max)
		if err := r.Err(); err != nil {
			return err
		}
		if tag == entryRecord {
			record, err := simplex.DecodeRecord(raw)
			if err != nil {
				return err
			}
			j.records = append(j.records, record)
			continue
		}
		b, err := block.Decode(raw)
		if err != nil || len(raw) > params.MaxBlockBytes {
			return fmt.Errorf("%w: %w", ErrJournal, err)
		}
		j.blocks = append(j.blocks, journaled{b.Hash(), b.Header.Height, raw})
	}
	return r.Finish()
}
