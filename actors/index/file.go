package index

import (
	"bytes"
	"errors"
	"os"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/cowboyinc/cowboy-go/actors/boltfile"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var (
	metaBucket  = []byte("meta")
	entryBucket = []byte("entries") // address(20) ‖ role(1) ‖ number in the list(8) → height(8) ‖ index(4)
	countBucket = []byte("counts")  // address(20) ‖ role(1) → numbers of the first entry that is kept(8) and of the next one(8)
	causeBucket = []byte("causes")  // identity(32) ‖ height(8) ‖ index(4) → link
	buckets     = [][]byte{
		metaBucket, entryBucket, countBucket, causeBucket, actorBucket, topicBucket, seriesBucket, flowBucket, moveBucket, holderBucket, rankBucket,
	}
	heightKey     = []byte("height")
	chainKey      = []byte("chain")
	formatKey     = []byte("format")
	openTimeout   = 2 * time.Second
	fileMode      = os.FileMode(0o644)
	errOtherChain = errors.New("index: file of another chain")
)

// file is the index on disk. Every value ends in the CRC-32C of its key and of what is before it.
type file struct {
	path    string
	writing sync.Mutex   // held by whoever writes, or makes the file anew
	swap    sync.RWMutex // held for reading by readers of db, for writing while a copy takes its place
	raw     *os.File     // under db
	db      *bbolt.DB
}

// openFile opens the index of a chain; a file that is damaged, of another chain or of another format is replaced, and why is told.
func openFile(path string, chain digest.Hash, told func(error)) (*file, error) {
	f, err := tryOpen(path, chain)
	if err == nil || errors.Is(err, bolterrors.ErrTimeout) {
		return f, err
	}
	told(err)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return tryOpen(path, chain)
}

func tryOpen(path string, chain digest.Hash) (*file, error) {
	f := &file{path: path}
	err := f.guard(func() (err error) {
		f.db, err = bbolt.Open(path, fileMode, &bbolt.Options{
			// The list of free pages is written too: without one bbolt reads every page in a goroutine of its own, whose panics end the process.
			Timeout: openTimeout, NoSync: true,
			OpenFile: func(path string, flag int, mode os.FileMode) (raw *os.File, err error) {
				raw, err = boltfile.OpenFile(path, flag, mode)
				f.raw = raw
				return raw, err
			},
		})
		return err
	})
	if err == nil {
		err = f.update(func(t *bbolt.Tx) error { return f.prepare(t, chain) })
	}
	if err != nil {
		return nil, errors.Join(err, f.abandon())
	}
	return f, nil
}

// prepare makes what a new file has. It gives errOtherChain for one that is not of this chain, a *format.Error for one of another format.
func (f *file) prepare(t *bbolt.Tx, chain digest.Hash) error {
	for _, name := range buckets {
		if _, err := t.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	meta := t.Bucket(metaBucket)
	switch have := meta.Get(chainKey); {
	case have == nil:
		if err := meta.Put(formatKey, []byte{byte(Format.Now)}); err != nil {
			return err
		}
		return meta.Put(chainKey, chain[:])
	case !bytes.Equal(have, chain[:]):
		return errOtherChain
	}
	return Format.Check(f.path, versionOf(meta))
}

func (f *file) close() error {
	f.writing.Lock()
	defer f.writing.Unlock()
	err := f.guard(func() error {
		if err := f.db.Sync(); err != nil {
			return errors.Join(err, f.db.Close())
		}
		return f.db.Close()
	})
	var damaged *DamagedError
	if errors.As(err, &damaged) {
		err = errors.Join(err, f.abandon())
	}
	return err
}

// height is the newest indexed block; ok is false before the first.
func (f *file) height() (h unit.Height, ok bool, err error) {
	err = f.view(func(t *bbolt.Tx) error {
		n, found, err := f.number(t.Bucket(metaBucket), heightKey)
		h, ok = unit.Height(n), found
		return err
	})
	return h, ok, err
}

// add indexes blocks in one transaction: receipts[i] are those of height first+i, headers[i] is its header, nil for one that is not held, and sheets[i] what
// became of its coins, nil or missing where nobody knows.
func (f *file) add(first unit.Height, receipts [][]*block.Receipt, headers []*block.Header, sheets ...*flow.Sheet) error {
	if len(receipts) == 0 {
		return nil
	}
	return f.update(func(t *bbolt.Tx) error {
		for i, list := range receipts {
			height := first + unit.Height(i)
			if err := f.putSeries(t, headers[i], list); err != nil {
				return err
			}
			if i < len(sheets) && headers[i] != nil {
				if err := f.putFlows(t, headers[i], sheets[i]); err != nil {
					return err
				}
			}
			for n, x := range list {
				if err := f.putActor(t, x, height, uint32(n)); err != nil {
					return err
				}
				if err := putCauses(t, x, height, uint32(n)); err != nil {
					return err
				}
				if err := f.putMoves(t, x, height, uint32(n)); err != nil {
					return err
				}
				if err := f.putEntries(t, x, Place{height, uint32(n)}); err != nil {
					return err
				}
			}
		}
		last := first + unit.Height(len(receipts)) - 1
		return putNumber(t.Bucket(metaBucket), heightKey, uint64(last))
	})
}
