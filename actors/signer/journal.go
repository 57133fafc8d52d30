package signer

import (
	"errors"
	"io/fs"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/frame"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
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
	titleMark    = "signed"
	rewriteAbove = 4 << 20 // bytes
)

var names = frame.Names{File: "signed", Next: "signed.next", Lock: "lock"}

// Journal is the kind of file a signer keeps: one frame of title, then a frame for each request's decisions.
var Journal = &format.Kind{
	Name: "signer", Now: 1, Older: "begin a new one by `cowboyd signer recover`", Read: frame.VersionOf(titleMark, ErrJournal),
}

// journal is the guard with its file.
type journal struct {
	guard
	file  *frame.File
	title frame.Title
}

// titleOf is the title of the journal of a key on a chain: key(48) ‖ chain(32) behind mark and version.
func titleOf(key sig.BLSPublicKey, chain digest.Hash) frame.Title {
	return frame.Title{Kind: Journal, Mark: titleMark, Owner: append(key[:], chain[:]...)}
}

// MakeJournal begins the journal of a key on a chain: nothing is signed below the first round. ErrPresent if there is one.
func MakeJournal(d disk.Disk, key sig.BLSPublicKey, chain digest.Hash, first sig.Round) error {
	floor := decision{floored, sig.Subject{Round: first}}
	return frame.Make(d, names, ErrPresent, titleOf(key, chain), floor.append(nil))
}

// openJournal opens the journal of a key on a chain. Errors: ErrNoJournal, ErrJournal, disk.ErrLocked, *format.Error; any other is the disk's.
func openJournal(d disk.Disk, key sig.BLSPublicKey, chain digest.Hash) (*journal, error) {
	f, err := frame.Open(d, names)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f, title: titleOf(key, chain)}
	if err = f.ReadOf(j.title, ErrJournal, j.replay); errors.Is(err, fs.ErrNotExist) {
		err = ErrNoJournal
	}
	if err == nil {
		err = j.rewrite()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
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
	if err := j.file.Broken(); err != nil {
		return err
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
	if err := j.file.Append(payload); err != nil {
		return err
	}
	for _, d := range list {
		j.take(d)
	}
	if j.file.Size() > rewriteAbove {
		return j.rewrite()
	}
	return nil
}

// rewrite replaces the file by one that holds what is needed.
func (j *journal) rewrite() error {
	var payload []byte
	for _, d := range j.decided() {
		payload = d.append(payload)
	}
	return j.file.Rewrite(j.title.Bytes(), payload)
}
