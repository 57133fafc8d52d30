package runner

import (
	"errors"
	"io/fs"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/frame"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

var (
	// ErrJournal reports a journal that is damaged, or of another runner or chain.
	ErrJournal = errors.New("runner: the journal is damaged, or of another runner or chain")
	// ErrNoJournal reports a missing journal: what was committed to is not known.
	ErrNoJournal = errors.New("runner: there is no journal; `cowboy-runner init` begins one")
	// ErrPresent reports that there is a journal already.
	ErrPresent = errors.New("runner: there is a journal already")
)

const (
	titleMark    = "runner"
	rewriteAbove = 4 << 20 // bytes, and twice what is needed
)

var names = frame.Names{File: "jobs", Next: "jobs.next", Lock: "lock"}

// Journal is the kind of file a dispatcher keeps: one frame of title, then a frame of records for each decision.
var Journal = &format.Kind{
	Name: "runner", Now: 1, Older: "drain the runner with the older program, and begin a new journal", Read: frame.VersionOf(titleMark, ErrJournal),
}

// What a record says of its job.
const (
	wasAssigned  uint8 = iota // Bytes specification
	hasResult                 // Bytes output ‖ proof(65) ‖ salt(32)
	isCommitting              // the commitment is sent from now on
	isRevealing               // the reveal is sent from now on
	hasEnded                  // Bytes why; nothing more is done for it
	wasForgotten              // the chain does not list it any more
	wasHanded                 // runner(20) ‖ Bytes output ‖ proof(65) ‖ UInt price: of another of the committee, whom it is promised to post it
	isPosting                 // runner(20): what that one handed over is sent from now on
	isExcusing                // that there is nothing to reveal is sent from now on
	records
)

// record is one decision: what(1) ‖ id(32) ‖ what follows from it.
type record struct {
	what uint8
	id   digest.Hash
	body []byte // specification, output, why
	salt digest.Hash
	sign sig.Signature
	from account.Address // another of the committee
	cost unit.Amount
}

func (r *record) append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendU8(dst, r.what), r.id[:])
	switch r.what {
	case wasAssigned, hasEnded:
		dst = codec.AppendBytes(dst, r.body)
	case hasResult:
		dst = codec.AppendFixed(codec.AppendFixed(codec.AppendBytes(dst, r.body), r.sign[:]), r.salt[:])
	case wasHanded:
		dst = codec.AppendFixed(codec.AppendBytes(codec.AppendFixed(dst, r.from[:]), r.body), r.sign[:])
		dst = codec.AppendUint(dst, uint64(r.cost))
	case isPosting:
		dst = codec.AppendFixed(dst, r.from[:])
	}
	return dst
}

func readRecord(r *codec.Reader) (rec record) {
	rec.what = r.Tag(records)
	r.Into(rec.id[:])
	switch rec.what {
	case wasAssigned:
		rec.body = r.Bytes(job.MaxSpecBytes)
	case hasEnded:
		rec.body = r.Bytes(maxWhy)
	case hasResult:
		rec.body = r.Bytes(verify.MaxOutputBytes)
		r.Into(rec.sign[:])
		r.Into(rec.salt[:])
	case wasHanded:
		r.Into(rec.from[:])
		rec.body = r.Bytes(verify.MaxOutputBytes)
		r.Into(rec.sign[:])
		rec.cost = unit.Amount(r.Uint())
	case isPosting:
		r.Into(rec.from[:])
	}
	return rec
}

// journal is the file behind a book.
type journal struct {
	file  *frame.File
	title frame.Title
	least int64 // size after the last rewriting
}

// titleOf is the title of the journal of a runner on a chain: address(20) ‖ chain(32) behind mark and version.
func titleOf(runner account.Address, chain digest.Hash) frame.Title {
	return frame.Title{Kind: Journal, Mark: titleMark, Owner: append(runner[:], chain[:]...)}
}

// MakeJournal begins the journal of a runner on a chain. ErrPresent if there is one.
func MakeJournal(d disk.Disk, runner account.Address, chain digest.Hash) error {
	return frame.Make(d, names, ErrPresent, titleOf(runner, chain))
}

// openJournal opens the journal of a runner on a chain and gives what it says. Errors: ErrNoJournal, ErrJournal, disk.ErrLocked, *format.Error; any other is
// the disk's.
func openJournal(d disk.Disk, runner account.Address, chain digest.Hash) (*journal, *book, error) {
	f, err := frame.Open(d, names)
	if err != nil {
		return nil, nil, err
	}
	j, b := &journal{file: f, title: titleOf(runner, chain)}, newBook()
	if err = f.ReadOf(j.title, ErrJournal, b.replay); errors.Is(err, fs.ErrNotExist) {
		err = ErrNoJournal
	}
	if err == nil {
		err = j.rewrite(b.needed())
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return j, b, nil
}

// replay takes the records of a frame.
func (b *book) replay(payload []byte) error {
	r := codec.NewReader(payload)
	for r.Remaining() > 0 {
		rec := readRecord(r)
		if err := r.Err(); err != nil {
			return err
		}
		if err := b.take(&rec); err != nil {
			return err
		}
	}
	return nil
}

// add makes records durable, all or none. An error is the last word of this journal.
func (j *journal) add(list []record) error {
	if len(list) == 0 {
		return j.file.Broken()
	}
	return j.file.Append(payloadOf(list))
}

func payloadOf(list []record) (payload []byte) {
	for i := range list {
		payload = list[i].append(payload)
	}
	return payload
}

// trim rewrites a journal that holds much more than is needed.
func (j *journal) trim(b *book) error {
	if j.file.Broken() == nil && j.file.Size() > max(rewriteAbove, 2*j.least) {
		return j.rewrite(b.needed())
	}
	return j.file.Broken()
}

// rewrite replaces the file by one that holds the records.
func (j *journal) rewrite(list []record) error {
	payloads := make([][]byte, len(list))
	for i := range list {
		payloads[i] = list[i].append(nil)
	}
	err := j.file.Rewrite(j.title.Bytes(), payloads...)
	j.least = j.file.Size()
	return err
}
