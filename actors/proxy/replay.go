package proxy

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The journal of requests that were served: title ‖ records of be8 height ‖ signed request ‖ the first 8 bytes of SHA-256 of both. A record that is cut or
// damaged ends it. It holds requests alone, which are no secret.
const (
	servedFile  = "served.log"
	servedNext  = "served.next"
	servedTitle = "cowboy proxy served 1\n"
	recordSum   = 8
	recordSize  = 8 + cbss.SignedRequestSize + recordSum
	trimAfter   = 10_000 // records that are added before old ones are dropped
)

// answered is a request in the journal.
type answeredRequest struct {
	at  uint64
	raw []byte
}

// replays remembers the requests that were served, so that none is served twice. It is safe for many goroutines.
//
// Spec: secrets-cbss §5 (a request is served once).
type replays struct {
	mu    sync.Mutex
	disk  disk.Disk
	file  disk.File
	end   int64
	added int
	known map[digest.Hash]answeredRequest
}

func openReplays(at disk.Disk) (*replays, error) {
	r := &replays{disk: at, known: map[digest.Hash]answeredRequest{}}
	f, err := at.Open(servedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return r, r.rewrite()
	}
	if err != nil {
		return nil, err
	}
	size, err := f.Size()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	raw := make([]byte, size)
	if _, err = f.ReadAt(raw, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, f.Close())
	}
	for at := len(servedTitle); at+recordSize <= len(raw); at += recordSize {
		record := raw[at : at+recordSize]
		sum := sha256.Sum256(record[:recordSize-recordSum])
		if string(sum[:recordSum]) != string(record[recordSize-recordSum:]) {
			break
		}
		reader := codec.NewReader(record[:recordSize-recordSum])
		height, request := reader.U64(), reader.Fixed(cbss.SignedRequestSize)
		if q, _, err := cbss.ParseRequest(request); err == nil {
			r.known[q.Hash()] = answeredRequest{height, request}
		}
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return r, r.rewrite()
}

// rewrite begins the journal anew with what is known. The caller has the lock, or is alone.
func (r *replays) rewrite() error {
	if r.file != nil {
		if err := r.file.Close(); err != nil {
			return err
		}
		r.file = nil
	}
	f, err := r.disk.Create(servedNext)
	if err != nil {
		return err
	}
	text := []byte(servedTitle)
	for _, id := range sorted(r.known) {
		text = appendRecord(text, r.known[id])
	}
	if _, err = f.WriteAt(text, 0); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := r.disk.Rename(servedNext, servedFile); err != nil {
		return err
	}
	if err := r.disk.Sync(); err != nil {
		return err
	}
	r.file, err = r.disk.Open(servedFile)
	r.end, r.added = int64(len(text)), 0
	return err
}

func appendRecord(dst []byte, a answeredRequest) []byte {
	from := len(dst)
	dst = append(codec.AppendU64(dst, a.at), a.raw...)
	sum := sha256.Sum256(dst[from:])
	return append(dst, sum[:recordSum]...)
}

// add writes a request into the journal, and reports whether it was not there. It returns once the record is on the disk. Requests of blocks before least
// are forgotten: they are too old to be served.
func (r *replays) add(id digest.Hash, raw []byte, at, least uint64) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, there := r.known[id]; there {
		return false, nil
	}
	if r.file == nil {
		return false, errors.New("proxy: the journal is closed")
	}
	a := answeredRequest{at, raw}
	record := appendRecord(nil, a)
	if _, err := r.file.WriteAt(record, r.end); err != nil {
		return false, err
	}
	if err := r.file.Sync(); err != nil {
		return false, err
	}
	r.end += int64(len(record))
	r.known[id] = a
	if r.added++; r.added < trimAfter {
		return true, nil
	}
	for id, a := range r.known { // order-free: each by itself
		if a.at < least {
			delete(r.known, id)
		}
	}
	return true, r.rewrite()
}

// all are the requests that are known.
func (r *replays) all() (list []answeredRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range sorted(r.known) {
		list = append(list, r.known[id])
	}
	return list
}

func (r *replays) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}
