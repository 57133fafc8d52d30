package runner

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/replica/frame"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
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
	journalName  = "jobs"
	journalNext  = "jobs.next"
	journalLock  = "lock"
	titleMark    = "runner"
	titleBytes   = len(titleMark) + 1 + account.AddressSize + digest.Size
	rewriteAbove = 4 << 20 // bytes, and twice what is needed
)

// Journal is the kind of file a dispatcher keeps: one frame of title, then a frame of records for each decision.
var Journal = &format.Kind{
	Name: "runner", Now: 1, Older: "drain the runner with the older program, and begin a new journal",
	Read: func(f io.ReaderAt) (format.Version, error) {
		var head [frame.Head + titleBytes]byte
		if n, err := f.ReadAt(head[:], 0); n < len(head) {
			return 0, errors.Join(ErrJournal, err)
		}
		if string(head[frame.Head:frame.Head+len(titleMark)]) != titleMark {
			return 0, ErrJournal
		}
		return format.Version(head[frame.Head+len(titleMark)]), nil
	},
}

// What a record says of its job.
const (
	wasAssigned  uint8 = iota // Bytes specification
	hasResult                 // Bytes output ‖ proof(65) ‖ salt(32)
	isCommitting              // the commitment is sent from now on
	isRevealing               // the reveal is sent from now on
	hasEnded                  // Bytes why; nothing more is done for it
	wasForgotten              // the chain does not list it any more
	records
)

// record is one decision: what(1) ‖ id(32) ‖ what follows from it.
type record struct {
	what uint8
	id   digest.Hash
	body []byte // specification, output, why
	salt digest.Hash
	sign sig.Signature
}

func (r *record) append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendU8(dst, r.what), r.id[:])
	switch r.what {
	case wasAssigned, hasEnded:
		dst = codec.AppendBytes(dst, r.body)
	case hasResult:
		dst = codec.AppendFixed(codec.AppendFixed(codec.AppendBytes(dst, r.body), r.sign[:]), r.salt[:])
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
	}
	return rec
}

// journal is the file behind a book.
type journal struct {
	disk   disk.Disk
	file   disk.File
	lock   io.Closer
	title  []byte
	size   int64
	least  int64 // size after the last rewriting
	broken error
}

func titleOf(runner account.Address, chain digest.Hash) []byte {
	dst := append([]byte(titleMark), byte(Journal.Now))
	return append(append(dst, runner[:]...), chain[:]...)
}

// MakeJournal begins the journal of a runner on a chain. ErrPresent if there is one.
func MakeJournal(d disk.Disk, runner account.Address, chain digest.Hash) error {
	f, err := d.Open(journalName)
	if err == nil {
		return errors.Join(ErrPresent, f.Close())
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lock, err := d.Lock(journalLock)
	if err != nil {
		return err
	}
	j := &journal{disk: d, lock: lock, title: titleOf(runner, chain)}
	return errors.Join(j.rewrite(nil), j.close())
}

// openJournal opens the journal of a runner on a chain and gives what it says. Errors: ErrNoJournal, ErrJournal, disk.ErrLocked, *format.Error; any other is
// the disk's.
func openJournal(d disk.Disk, runner account.Address, chain digest.Hash) (*journal, *book, error) {
	lock, err := d.Lock(journalLock)
	if err != nil {
		return nil, nil, err
	}
	j, b := &journal{disk: d, lock: lock, title: titleOf(runner, chain)}, newBook()
	if err = j.read(b); err == nil {
		err = j.rewrite(b.needed())
	}
	if err != nil {
		return nil, nil, errors.Join(err, j.close())
	}
	return j, b, nil
}

func (j *journal) read(b *book) error {
	f, err := j.disk.Open(journalName)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoJournal
	}
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return err
	}
	data := make([]byte, size)
	if n, err := f.ReadAt(data, 0); int64(n) != size {
		return fmt.Errorf("%w: %d of %d bytes: %w", ErrJournal, n, size, err)
	}
	title, rest, err := frame.Cut(data)
	if err != nil || len(title) != titleBytes || string(title[:len(titleMark)]) != titleMark {
		return fmt.Errorf("%w: no title", ErrJournal)
	}
	if err := Journal.Check(journalName, format.Version(title[len(titleMark)])); err != nil {
		return err
	}
	if string(title) != string(j.title) {
		return fmt.Errorf("%w: its title names another", ErrJournal)
	}
	for len(rest) > 0 {
		payload, after, err := frame.Cut(rest)
		if err != nil && !frame.Within(rest[1:]) {
			return nil // torn: nothing it decided left
		}
		for r := codec.NewReader(payload); err == nil && r.Remaining() > 0; {
			rec := readRecord(r)
			if err = r.Err(); err == nil {
				err = b.take(&rec)
			}
		}
		if err != nil {
			return fmt.Errorf("%w: at byte %d: %w", ErrJournal, len(data)-len(rest), err)
		}
		rest = after
	}
	return nil
}

// add makes records durable, all or none. An error is the last word of this journal.
func (j *journal) add(list []record) error {
	if len(list) == 0 || j.broken != nil {
		return j.broken
	}
	data := frame.Append(nil, payloadOf(list))
	_, err := j.file.WriteAt(data, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	j.broken, j.size = err, j.size+int64(len(data))
	return err
}

func payloadOf(list []record) (payload []byte) {
	for i := range list {
		payload = list[i].append(payload)
	}
	return payload
}

// trim rewrites a journal that holds much more than is needed.
func (j *journal) trim(b *book) error {
	if j.broken == nil && j.size > max(rewriteAbove, 2*j.least) {
		j.broken = j.rewrite(b.needed())
	}
	return j.broken
}

// rewrite replaces the file by one that holds the records.
func (j *journal) rewrite(list []record) error {
	data := frame.Append(nil, j.title)
	for i := range list {
		data = frame.Append(data, list[i].append(nil))
	}
	f, err := j.disk.Create(journalNext)
	if err != nil {
		return err
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
		return errors.Join(err, f.Close())
	}
	if j.file != nil {
		err = j.file.Close()
	}
	j.file, j.size, j.least = f, int64(len(data)), int64(len(data))
	return err
}

func (j *journal) close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	return errors.Join(err, j.lock.Close())
}
