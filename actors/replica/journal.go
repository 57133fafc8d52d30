package replica

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/frame"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
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
// The title of the file names the chain, the epoch and the opening: a number that grows with every open. Every later frame has the entries of one add.
//
// Two processes with one journal: the lock keeps the second out, and where locks do not reach the first finds that the opening on disk is no longer
// its own and stops before it signs anything more.
//
// Spec: commonware §3.5.
type journal struct {
	file    *frame.File
	title   title
	fresh   bool // there was none
	records []simplex.Record
	blocks  []journaled
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
	titleMark    = "votes"
	rewriteAbove = 8 << 20 // bytes after which what is not needed any more is dropped
	titleBytes   = len(titleMark) + 1 + digest.Size + 16
)

var names = frame.Names{File: "votes", Next: "votes.next", Lock: "lock"}

// Tags of entries.
const (
	entryRecord = iota
	entryBlock
	entryTags
)

// openJournal opens or creates the journal of a chain and reads what it holds.
func openJournal(d disk.Disk, chain digest.Hash) (*journal, error) {
	f, err := frame.Open(d, names)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f, title: title{chain: chain}}
	err = f.Read(ErrJournal, j.entitled, j.decode)
	if j.fresh = errors.Is(err, fs.ErrNotExist); j.fresh {
		err = nil
	}
	if j.title.opening++; err == nil {
		err = j.rewrite()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// readJournal reads the journal of a chain, which nobody may write meanwhile, and changes nothing. fs.ErrNotExist where there is none.
func readJournal(d disk.Disk, chain digest.Hash) (*journal, error) {
	j := &journal{title: title{chain: chain}}
	return j, frame.ReadFile(d, names, ErrJournal, j.entitled, j.decode)
}

// entitled takes the title of the journal of this chain.
func (j *journal) entitled(data []byte) error {
	t, err := readTitle(data)
	var other *format.Error
	if errors.As(err, &other) {
		return err
	}
	if err != nil || t.chain != j.title.chain {
		return fmt.Errorf("%w: not the journal of this chain", ErrJournal)
	}
	j.title = t
	return nil
}

func (t *title) append(dst []byte) []byte {
	dst = append(append(dst, titleMark...), byte(Journal.Now))
	dst = append(dst, t.chain[:]...)
	return codec.AppendU64(codec.AppendU64(dst, t.epoch), t.opening)
}

func readTitle(data []byte) (title, error) {
	r := codec.NewReader(data)
	var t title
	mark := r.Fixed(len(titleMark) + 1)
	if r.Err() != nil || string(mark[:len(titleMark)]) != titleMark {
		return t, frame.Err
	}
	if err := Journal.Check(names.File, format.Version(mark[len(titleMark)])); err != nil {
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
	if err := j.file.Broken(); err != nil {
		return err
	}
	if err := j.mine(); err != nil {
		return j.file.Fail(err)
	}
	b.blocks = slices.DeleteFunc(slices.Clone(b.blocks), func(x journaled) bool { return j.holds(x.hash) })
	if err := j.file.Append(b.append(nil)); err != nil {
		return err
	}
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
	head, err := j.file.Head(frame.Head + titleBytes)
	if err != nil {
		return err
	}
	payload, _, err := frame.Cut(head)
	if err != nil {
		return fmt.Errorf("%w: its title is gone", ErrJournal)
	}
	if t, err := readTitle(payload); err != nil || t != j.title {
		return ErrTaken
	}
	return nil
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
	if j.file.Size() < rewriteAbove {
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
	return j.file.Rewrite(j.title.append(nil), (&batch{j.records, j.blocks}).append(nil))
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
