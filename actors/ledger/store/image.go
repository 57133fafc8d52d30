package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/boltfile"
	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"go.etcd.io/bbolt"
)

// The buckets of the checkpoint file. Every value ends in the CRC-32C of the
// bytes before it.
var buckets = [...]string{bucketMeta, bucketIndex, bucketBits, bucketNodes, bucketPlaces, bucketSegments, bucketBlocks, bucketHashes, bucketTransactions}

const (
	bucketMeta         = "meta"
	bucketIndex        = "index"        // 'k' ‖ lowest key → leaf of the key index
	bucketBits         = "bits"         // be8 page → 64 chunks of the bitmap
	bucketNodes        = "nodes"        // level ‖ be8 index → node of height 8 + level
	bucketPlaces       = "places"       // be8 chunk → offsets of its operations
	bucketSegments     = "segments"     // be8 start → location after its last operation
	bucketBlocks       = "blocks"       // be8 height → blockEntry
	bucketHashes       = "hashes"       // block hash → be8 height
	bucketTransactions = "transactions" // transaction hash → be8 height ‖ be4 index
)

// lockTimeout is how long bbolt waits for its own lock; ours is held already.
const lockTimeout = 2 * time.Second

// image is the checkpoint file.
type image struct {
	path    string
	options bbolt.Options
	swap    sync.RWMutex // held for reading by readers of db, for writing while a copy takes its place
	db      *bbolt.DB
}

// savedMeta is the fixed part of a checkpoint.
type savedMeta struct {
	sequence uint64 // of the next frame
	end      uint64 // offset after the last frame
	opsEnd   uint64 // offset after the last operation
	length   uint64
	floor    uint64
	boundary uint64 // lowest operation that is kept
	shelved  uint64 // what is below is not loaded when opening
	root     digest.Hash
	pinned   []digest.Hash // at shelved
}

func openImage(path string, id Identity, unsafe bool) (m *image, err error) {
	m = &image{path: path}
	var file *os.File
	o := &bbolt.Options{Timeout: lockTimeout, FreelistType: bbolt.FreelistMapType, NoSync: unsafe}
	o.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		file, err = boltfile.OpenFile(name, flag, mode)
		return file, err
	}
	m.options = bbolt.Options{Timeout: lockTimeout, FreelistType: bbolt.FreelistMapType, NoSync: unsafe}
	err = m.guard(func() error {
		m.db, err = bbolt.Open(path, 0o644, o)
		return err
	})
	if err != nil {
		// A panic leaves the file open and mapped, and with it bbolt's lock.
		if file != nil {
			err = errors.Join(err, unlock(file))
		}
		return nil, m.broken("cannot be opened", err)
	}
	want := identityBytes(id)
	err = m.guard(func() error {
		return m.db.Update(func(tx *bbolt.Tx) error {
			for _, name := range buckets {
				if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
					return err
				}
			}
			b := tx.Bucket([]byte(bucketMeta))
			have, err := m.value(b, []byte("identity"))
			if err != nil {
				return err
			}
			if have == nil {
				return b.Put([]byte("identity"), seal(want))
			}
			if len(have) == 0 {
				return m.broken("identity is not well-formed", nil)
			}
			if err := Checkpoint.Check(path, format.Version(have[0])); err != nil {
				return err
			}
			if len(have) != len(want) {
				return m.broken("identity is not well-formed", nil)
			}
			if string(have) != string(want) {
				return &ForeignError{Want: id, Have: Identity{binary.BigEndian.Uint64(have[1:]), digest.Hash(have[9:])}}
			}
			return nil
		})
	})
	if err != nil {
		return nil, errors.Join(err, m.close())
	}
	return m, nil
}

// unlock gives bbolt's lock on a file back and closes it; a file that bbolt
// closed itself is left alone.
func unlock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	if closed := file.Close(); errors.Is(closed, os.ErrClosed) {
		return nil
	}
	return err
}

func identityBytes(id Identity) []byte {
	return append(binary.BigEndian.AppendUint64([]byte{byte(Checkpoint.Now)}, id.ChainID), id.Genesis[:]...)
}

func (m *image) close() error { return m.guard(m.db.Close) }

// guard turns what bbolt does over a file that was damaged after it was checked,
// a panic or a fault in the memory it maps, into a CorruptError.
func (m *image) guard(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = m.broken(fmt.Sprint(r), nil)
		}
	}()
	return do()
}

func (m *image) broken(what string, err error) error {
	return &CorruptError{File: m.path, Offset: -1, What: what, Err: err}
}

// seal appends the checksum of a value.
func seal(b []byte) []byte { return binary.BigEndian.AppendUint32(b, checksum(b)) }

// value reads a sealed value; nil means that there is none.
func (m *image) value(b *bbolt.Bucket, key []byte) ([]byte, error) {
	return m.unseal(b.Get(key), key)
}

func (m *image) unseal(v, key []byte) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	if len(v) < 4 || checksum(v[:len(v)-4]) != binary.BigEndian.Uint32(v[len(v)-4:]) {
		return nil, m.broken(fmt.Sprintf("value of key %x fails its checksum", key), nil)
	}
	return v[: len(v)-4 : len(v)-4], nil
}

// view reads one value and hands it to fn, which must not keep it; ok is false
// when there is none.
func (m *image) view(bucket string, key []byte, fn func(v []byte) error) (ok bool, err error) {
	err = m.guard(func() error {
		m.swap.RLock()
		defer m.swap.RUnlock()
		return m.db.View(func(tx *bbolt.Tx) error {
			v, err := m.value(tx.Bucket([]byte(bucket)), key)
			if err != nil || v == nil {
				return err
			}
			ok = true
			return fn(v)
		})
	})
	return ok, err
}

// errEnough ends each.
var errEnough = errors.New("no more is wanted")

// each hands every value of a bucket, from a key on, to fn, which must not keep it.
func (m *image) each(tx *bbolt.Tx, bucket string, from []byte, fn func(key, v []byte) error) error {
	c := tx.Bucket([]byte(bucket)).Cursor()
	for key, sealed := c.Seek(from); key != nil; key, sealed = c.Next() {
		v, err := m.unseal(sealed, key)
		if err == nil {
			err = fn(key, v)
		}
		if err == errEnough {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *savedMeta) encode() []byte {
	var b []byte
	for _, v := range []uint64{s.sequence, s.end, s.opsEnd, s.length, s.floor, s.boundary, s.shelved} {
		b = codec.AppendU64(b, v)
	}
	b = append(b, s.root[:]...)
	for i := range s.pinned {
		b = append(b, s.pinned[i][:]...)
	}
	return b
}

// meta reads the fixed part of the checkpoint, nil when there is none.
func (m *image) meta() (saved *savedMeta, err error) {
	_, err = m.view(bucketMeta, []byte("state"), func(v []byte) error {
		saved = new(savedMeta)
		r := codec.NewReader(v)
		for _, p := range []*uint64{&saved.sequence, &saved.end, &saved.opsEnd, &saved.length, &saved.floor, &saved.boundary, &saved.shelved} {
			*p = r.U64()
		}
		r.Into(saved.root[:])
		for r.Err() == nil && r.Remaining() > 0 {
			var h digest.Hash
			r.Into(h[:])
			saved.pinned = append(saved.pinned, h)
		}
		if err := r.Finish(); err != nil || saved.sequence == 0 {
			return m.broken("checkpoint is not well-formed", err)
		}
		return nil
	})
	return saved, err
}

func (e *blockEntry) encode() []byte {
	b := codec.AppendU64(nil, e.Offset)
	b = append(append(b, e.Hash[:]...), e.Root[:]...)
	return codec.AppendU64(codec.AppendU64(b, e.Floor), e.Length)
}

// entry reads where a block is.
func (m *image) entry(height unit.Height) (*blockEntry, error) {
	e := &blockEntry{Height: height}
	ok, err := m.view(bucketBlocks, be8(uint64(height)), func(v []byte) error {
		r := codec.NewReader(v)
		e.Offset = r.U64()
		r.Into(e.Hash[:])
		r.Into(e.Root[:])
		e.Floor, e.Length = r.U64(), r.U64()
		if err := r.Finish(); err != nil {
			return m.broken(fmt.Sprintf("entry of block %d is not well-formed", height), err)
		}
		return nil
	})
	if err == nil && !ok {
		err = fmt.Errorf("block %d: %w", height, ErrUnknown)
	}
	return e, err
}

func (m *image) hash(h digest.Hash) (height unit.Height, ok bool, err error) {
	ok, err = m.view(bucketHashes, h[:], func(v []byte) error {
		r := codec.NewReader(v)
		height = unit.Height(r.U64())
		return r.Finish()
	})
	return height, ok, err
}

func (m *image) transaction(h digest.Hash) (p Place, ok bool, err error) {
	ok, err = m.view(bucketTransactions, h[:], func(v []byte) error {
		r := codec.NewReader(v)
		p = Place{unit.Height(r.U64()), r.U32()}
		return r.Finish()
	})
	return p, ok, err
}

func be8(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }

// number reads a be8 key.
func (m *image) number(key []byte) (uint64, error) {
	if len(key) != 8 {
		return math.MaxUint64, m.broken(fmt.Sprintf("key %x is not a number", key), nil)
	}
	return binary.BigEndian.Uint64(key), nil
}
