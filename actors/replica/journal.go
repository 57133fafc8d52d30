package replica

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// journal is the write-ahead log of a validator's own votes and of the blocks it voted for. Whatever add was given is durable when it
// returns.
//
// A file begins with a frame that names the chain. Every later frame is what one add wrote: length(4) ‖ crc32c(4) ‖ entry. A frame is
// written and synced before the next one begins, so only the last can be torn; a torn last frame was never acted on and is cut off. A bad frame with
// a good one anywhere behind it is damage: ErrJournal.
//
// Spec: commonware §3.5.
type journal struct {
	disk    disk.Disk
	file    disk.File
	chain   digest.Hash
	size    int64
	entries []entry
	broken  error
}

// entry is a vote and, for a vote to notarize, its block.
type entry struct {
	vote  vote
	block *block.Block
}

// ErrJournal reports a journal that is damaged or of another chain.
var ErrJournal = errors.New("replica: journal damaged")

const (
	journalName    = "votes"
	journalNext    = "votes.next"
	frameHead      = 8
	frameMax       = params.MaxBlockBytes + 4096
	rewriteAbove   = 8 << 20 // bytes after which what is durable elsewhere is dropped
	journalVersion = 1
)

// openJournal opens or creates the journal of a chain and reads what it holds.
func openJournal(d disk.Disk, chain digest.Hash) (*journal, error) {
	j := &journal{disk: d, chain: chain}
	f, err := d.Open(journalName)
	if errors.Is(err, fs.ErrNotExist) {
		return j, j.rewrite(nil)
	}
	if err != nil {
		return nil, err
	}
	j.file = f
	if err := j.read(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// read decodes the file and cuts a torn tail off.
func (j *journal) read() error {
	size, err := j.file.Size()
	if err != nil {
		return err
	}
	data := make([]byte, size)
	if n, err := j.file.ReadAt(data, 0); int64(n) != size {
		return fmt.Errorf("%w: %d of %d bytes: %w", ErrJournal, n, size, err)
	}
	first, rest, err := cutFrame(data)
	if err != nil || string(first) != string(j.title()) {
		return fmt.Errorf("%w: not the journal of this chain", ErrJournal)
	}
	for len(rest) > 0 {
		payload, after, err := cutFrame(rest)
		if err != nil && !frameWithin(rest[1:]) {
			break
		}
		if err == nil {
			err = j.decode(payload)
		}
		if err != nil {
			return fmt.Errorf("%w: at byte %d: %w", ErrJournal, len(data)-len(rest), err)
		}
		rest = after
	}
	j.size = size - int64(len(rest))
	if len(rest) == 0 {
		return nil
	}
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	return j.file.Sync()
}

var (
	errFrame   = errors.New("no valid frame")
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// cutFrame takes the first frame off data.
func cutFrame(data []byte) (payload, rest []byte, err error) {
	if len(data) < frameHead {
		return nil, nil, errFrame
	}
	length := binary.BigEndian.Uint32(data)
	if length == 0 || length > frameMax || int(length) > len(data)-frameHead {
		return nil, nil, errFrame
	}
	payload, rest = data[frameHead:frameHead+length], data[frameHead+length:]
	if crc32.Checksum(payload, castagnoli) != binary.BigEndian.Uint32(data[4:]) {
		return nil, nil, errFrame
	}
	return payload, rest, nil
}

// frameWithin reports whether a whole frame begins anywhere in data.
func frameWithin(data []byte) bool {
	for ; len(data) > frameHead; data = data[1:] {
		if _, _, err := cutFrame(data); err == nil {
			return true
		}
	}
	return false
}

func appendFrame(dst, payload []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(payload)))
	dst = binary.BigEndian.AppendUint32(dst, crc32.Checksum(payload, castagnoli))
	return append(dst, payload...)
}

func (j *journal) title() []byte {
	return append([]byte{'v', 'o', 't', 'e', 's', journalVersion}, j.chain[:]...)
}

// add makes an entry durable.
func (j *journal) add(e entry) error {
	if j.broken != nil {
		return j.broken
	}
	frame := appendFrame(nil, e.append(nil))
	if _, err := j.file.WriteAt(frame, j.size); err != nil {
		return j.fail(err)
	}
	if err := j.file.Sync(); err != nil {
		return j.fail(err)
	}
	j.size += int64(len(frame))
	j.entries = append(j.entries, e)
	return nil
}

// fail poisons the journal: what is on the disk is unknown until it is opened again.
func (j *journal) fail(err error) error {
	j.broken = err
	return err
}

// forget drops the entries up to a durable height: at once from memory, from the disk when the file has grown.
func (j *journal) forget(height unit.Height) error {
	kept := j.entries[:0]
	for _, e := range j.entries {
		if e.vote.subject.Height > uint64(height) {
			kept = append(kept, e)
		}
	}
	clear(j.entries[len(kept):])
	j.entries = kept
	if j.size < rewriteAbove {
		return nil
	}
	return j.rewrite(kept)
}

// rewrite replaces the file by one that holds the given entries.
func (j *journal) rewrite(entries []entry) error {
	if j.broken != nil {
		return j.broken
	}
	data := appendFrame(nil, j.title())
	for _, e := range entries {
		data = appendFrame(data, e.append(nil))
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

func (j *journal) close() error { return j.file.Close() }

// blocks are the journaled blocks in order of height, each with its votes.
func (j *journal) blocks() []restored {
	var list []restored
	for _, e := range j.entries {
		if e.block != nil {
			list = append(list, restored{block: e.block, votes: []vote{e.vote}})
			continue
		}
		for i := range list {
			if list[i].votes[0].subject == e.vote.subject {
				list[i].votes = append(list[i].votes, e.vote)
			}
		}
	}
	return list
}

func (e *entry) append(dst []byte) []byte {
	v := &e.vote
	dst = codec.AppendU8(dst, uint8(v.kind))
	dst = v.subject.Append(dst)
	dst = codec.AppendUint(dst, uint64(v.signer))
	dst = codec.AppendFixed(dst, v.signature[:])
	dst = codec.AppendUint(dst, uint64(v.partial.Index))
	dst = codec.AppendFixed(dst, v.partial.Signature[:])
	dst = codec.AppendBool(dst, v.half != nil)
	if v.half != nil {
		dst = v.half.parent.Append(dst)
		dst = codec.AppendFixed(dst, v.half.signature[:])
	}
	dst = codec.AppendBool(dst, e.block != nil)
	if e.block != nil {
		dst = e.block.Append(dst)
	}
	return dst
}

func (j *journal) decode(payload []byte) error {
	r := codec.NewReader(payload)
	var e entry
	v := &e.vote
	v.kind = sig.CertificateKind(r.U8())
	v.subject = sig.ReadSubject(r)
	v.signer = r.Uint32()
	r.Into(v.signature[:])
	v.partial.Index = r.Uint32()
	r.Into(v.partial.Signature[:])
	if r.Bool() {
		v.half = &half{parent: sig.ReadSubject(r)}
		r.Into(v.half.signature[:])
	}
	if !r.Bool() {
		j.entries = append(j.entries, e)
		return r.Finish()
	}
	if err := r.Err(); err != nil {
		return err
	}
	b, err := block.Decode(r.Fixed(r.Remaining()))
	if err != nil {
		return err
	}
	e.block = b
	j.entries = append(j.entries, e)
	return nil
}
