package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"runtime/debug"
	"syscall"

	"go.etcd.io/bbolt"
)

// DamagedError says that the file is not as it was written. It is made anew from the ledger.
type DamagedError struct {
	Path string
	What string
}

// Error implements error.
func (e *DamagedError) Error() string { return fmt.Sprintf("index: %s is damaged: %s", e.Path, e.What) }

// guard calls do and turns what bbolt does over a damaged file into a *DamagedError: a panic, or a look beyond the file, which is mapped.
func (f *file) guard(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = f.damaged(fmt.Sprint(r))
		}
	}()
	return do()
}

func (f *file) damaged(what string) error { return &DamagedError{f.path, what} }

func (f *file) view(fn func(*bbolt.Tx) error) error {
	return f.guard(func() error {
		f.swap.RLock()
		defer f.swap.RUnlock()
		return f.db.View(fn)
	})
}

func (f *file) update(fn func(*bbolt.Tx) error) error {
	return f.guard(func() error {
		f.writing.Lock()
		defer f.writing.Unlock()
		return f.db.Update(fn)
	})
}

// abandon leaves a damaged file: bbolt's locks may be held for ever by what broke off, and others may still read the mapping, so that it stays until the
// process ends. Only the descriptor, and the lock on the file with it, are given back.
func (f *file) abandon() error {
	if f.raw == nil {
		return nil
	}
	err := syscall.Flock(int(f.raw.Fd()), syscall.LOCK_UN)
	if closed := f.raw.Close(); errors.Is(closed, os.ErrClosed) {
		return nil
	}
	return err
}

// castagnoli is not modified.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal is a value with the checksum of the entry.
func seal(key []byte, value ...byte) []byte {
	return binary.BigEndian.AppendUint32(value[:len(value):len(value)], sum(key, value))
}

func sum(key, value []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, value)
}

// unseal gives the value of an entry, which has so many bytes, or a *DamagedError.
func (f *file) unseal(key, sealed []byte, size int) ([]byte, error) {
	if len(sealed) != size+4 || sum(key, sealed[:size]) != binary.BigEndian.Uint32(sealed[size:]) {
		return nil, f.damaged(fmt.Sprintf("the entry of %x is not what was written", key))
	}
	return sealed[:size:size], nil
}

// seek goes to the first entry from a key on, nil if there is none, and holds that the entry before it lies below the key: a page of keys that is damaged
// may lead elsewhere.
func (f *file) seek(c *bbolt.Cursor, key []byte) (k, v []byte, err error) {
	k, _ = c.Seek(key)
	before, _ := c.Prev()
	if k == nil {
		before, _ = c.Last()
	}
	if k != nil && bytes.Compare(k, key) < 0 || before != nil && bytes.Compare(before, key) >= 0 {
		return nil, nil, f.damaged(fmt.Sprintf("the place of %x is not found", key))
	}
	k, v = c.Seek(key)
	return k, v, nil
}

// number reads an entry of eight bytes; zero if there is none.
func (f *file) number(b *bbolt.Bucket, key []byte) (n uint64, ok bool, err error) {
	sealed := b.Get(key)
	if sealed == nil {
		return 0, false, nil
	}
	value, err := f.unseal(key, sealed, 8)
	if err != nil {
		return 0, false, err
	}
	return binary.BigEndian.Uint64(value), true, nil
}

func putNumber(b *bbolt.Bucket, key []byte, n uint64) error {
	return b.Put(key, seal(key, binary.BigEndian.AppendUint64(nil, n)...))
}
