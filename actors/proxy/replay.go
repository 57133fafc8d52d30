package proxy

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/frame"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// ErrServed reports a damaged journal of requests that were served.
var ErrServed = errors.New("proxy: the journal of requests that were served is damaged; once the newest of them is too old to be served, it may be removed")

const (
	servedTitle = "cowboy proxy served 2"
	recordSize  = 8 + cbss.SignedRequestSize
	trimAfter   = 10_000 // records that are added before old ones are dropped
)

var served = frame.Names{File: "served.log", Next: "served.next", Lock: "served.lock"}

// answeredRequest is a request in the journal: be8 height ‖ signed request. A request is no secret.
type answeredRequest struct {
	at  uint64
	raw []byte
}

// replays remembers the requests that were served, by their releases: a release is served once, however its request is worded. It is safe for many goroutines.
//
// Spec: secrets-cbss §5 (a request is served once), §10 (4).
type replays struct {
	mu    sync.Mutex
	file  *frame.File
	added int
	known map[digest.Hash]answeredRequest
}

func openReplays(at disk.Disk) (*replays, error) {
	f, err := frame.Open(at, served)
	if err != nil {
		return nil, err
	}
	r := &replays{file: f, known: map[digest.Hash]answeredRequest{}}
	if err = f.Read(ErrServed, entitled, r.replay); err == nil || errors.Is(err, fs.ErrNotExist) {
		err = r.rewrite()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

func entitled(title []byte) error {
	if string(title) != servedTitle {
		return fmt.Errorf("%w: its title is %q", ErrServed, title)
	}
	return nil
}

func (r *replays) replay(record []byte) error {
	reader := codec.NewReader(record)
	height, request := reader.U64(), reader.Fixed(cbss.SignedRequestSize)
	if err := reader.Finish(); err != nil {
		return err
	}
	q, _, err := cbss.ParseRequest(request)
	if err == nil {
		r.known[q.Release()] = answeredRequest{height, request}
	}
	return err
}

// rewrite begins the journal anew with what is known. The caller has the lock, or is alone.
func (r *replays) rewrite() error {
	r.added = 0
	var records [][]byte
	for _, id := range sorted(r.known) {
		records = append(records, recordOf(r.known[id]))
	}
	return r.file.Rewrite([]byte(servedTitle), records...)
}

func recordOf(a answeredRequest) []byte {
	return append(codec.AppendU64(make([]byte, 0, recordSize), a.at), a.raw...)
}

// add writes a request into the journal, and reports whether it was not there. It returns once the record is on the disk. Requests of blocks before least
// are forgotten: they are too old to be served.
func (r *replays) add(id digest.Hash, raw []byte, at, least uint64) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, there := r.known[id]; there {
		return false, nil
	}
	a := answeredRequest{at, raw}
	if err := r.file.Append(recordOf(a)); err != nil {
		return false, err
	}
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
	return r.file.Close()
}
