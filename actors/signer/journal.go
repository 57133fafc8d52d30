package signer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/replica/frame"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

var (
	// ErrNoJournal reports that the journal is missing: what was signed is not known.
	ErrNoJournal = errors.New("signer: there is no journal of what was signed")
	// ErrJournal reports a journal that is damaged, or of another key or chain.
	ErrJournal = errors.New("signer: the journal is damaged, or of another key or chain")
	// ErrPresent reports that there is a journal already.
	ErrPresent = errors.New("signer: there is a journal of what was signed already")
)

const (
	journalName  = "signed"
	journalNext  = "signed.next"
	journalLock  = "lock"
	titleMark    = "signed"
	titleBytes   = len(titleMark) + 1 + sig.BLSPublicKeySize + digest.Size
	rewriteAbove = 4 << 20 // bytes
)

// Journal is the kind of file a signer keeps: one frame of title, then a frame for each request's decisions.
var Journal = &format.Kind{
	Name: "signer", Now: 1, Older: "begin a new one by `cowboyd signer recover`",
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

// journal is the guard with its file.
type journal struct {
	guard
	disk   disk.Disk
	file   disk.File
	lock   io.Closer
	title  []byte
	size   int64
	broken error
}

func titleOf(key sig.BLSPublicKey, chain digest.Hash) []byte {
	dst := append([]byte(titleMark), byte(Journal.Now))
	return append(append(dst, key[:]...), chain[:]...)
}

// MakeJournal begins the journal of a key on a chain: nothing is signed below the first round. ErrPresent if there is one.
func MakeJournal(d disk.Disk, key sig.BLSPublicKey, chain digest.Hash, first sig.Round) error {
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
	j := &journal{disk: d, lock: lock, title: titleOf(key, chain)}
	j.take(decision{floored, sig.Subject{Round: first}})
	return errors.Join(j.rewrite(), j.close())
}

// openJournal opens the journal of a key on a chain. Errors: ErrNoJournal, ErrJournal, disk.ErrLocked, *format.Error; any other is the disk's.
func openJournal(d disk.Disk, key sig.BLSPublicKey, chain digest.Hash) (*journal, error) {
	lock, err := d.Lock(journalLock)
	if err != nil {
		return nil, err
	}
	j := &journal{disk: d, lock: lock, title: titleOf(key, chain)}
	if err = j.read(); err == nil {
		err = j.rewrite()
	}
	if err != nil {
		return nil, errors.Join(err, j.close())
	}
	return j, nil
}

func (j *journal) read() error {
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
			return nil // torn: its signature never left
		}
		if err == nil {
			err = j.replay(payload)
		}
		if err != nil {
			return fmt.Errorf("%w: at byte %d: %w", ErrJournal, len(data)-len(rest), err)
		}
		rest = after
	}
	return nil
}

func (j *journal) replay(payload []byte) error {
	r := codec.NewReader(payload)
	for r.Remaining() > 0 {
		d := readDecision(r)
		if err := r.Err(); err != nil {
			return err
		}
		if err := j.allow(d); err != nil {
			return err
		}
		j.take(d)
	}
	return nil
}

// decide makes decisions durable, all or none. Errors: a *Conflict, after which nothing has changed; any other is the disk's, and the last word of
// this journal.
func (j *journal) decide(list ...decision) error {
	if j.broken != nil {
		return j.broken
	}
	var payload []byte
	for i, d := range list {
		if err := j.allow(d); err != nil {
			return err
		}
		for _, other := range list[:i] {
			if other.subject.Round.Epoch != d.subject.Round.Epoch || other.what == d.what && other.subject.Round == d.subject.Round {
				return &Conflict{d.subject.Round, "the request contradicts itself"}
			}
		}
		if !j.known(d) {
			payload = d.append(payload)
		}
	}
	if len(payload) == 0 {
		return nil
	}
	data := frame.Append(nil, payload)
	_, err := j.file.WriteAt(data, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		j.broken = err
		return err
	}
	j.size += int64(len(data))
	for _, d := range list {
		j.take(d)
	}
	if j.size > rewriteAbove {
		j.broken = j.rewrite()
	}
	return j.broken
}

// rewrite replaces the file by one that holds what is needed.
func (j *journal) rewrite() error {
	data := frame.Append(nil, j.title)
	var payload []byte
	for _, d := range j.decided() {
		payload = d.append(payload)
	}
	data = frame.Append(data, payload)
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
	j.file, j.size = f, int64(len(data))
	return err
}

func (j *journal) close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	return errors.Join(err, j.lock.Close())
}
