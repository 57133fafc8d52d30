package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Role says how a receipt concerns an address.
type Role uint8

// The roles, as bits.
const (
	Sender Role = 1 << iota
	Target
	Emitter // the address emitted an event in it
	Signer  // the receipt is of a transaction the address signed
)

// Entry is one receipt that concerns an address.
type Entry struct {
	Height unit.Height
	Index  uint32 // of the receipt in its block
	Role   Role
}

// MaxOffset bounds how far a page may lie from the newest entry: skipping costs a step each.
const MaxOffset = 1_000_000

// ErrOffset reports a page beyond MaxOffset.
var ErrOffset = errors.New("index: offset too large")

var (
	metaBucket    = []byte("meta")
	entryBucket   = []byte("entries") // address(20) ‖ height(8) ‖ index(4) → role
	countBucket   = []byte("counts")  // address(20) → sender and target entries(8)
	causeBucket   = []byte("causes")  // identity(32) ‖ height(8) ‖ index(4) → link
	heightKey     = []byte("height")
	chainKey      = []byte("chain")
	formatKey     = []byte("format")
	format        = []byte{2}
	entryKeySize  = account.AddressSize + 12
	openTimeout   = 2 * time.Second
	fileMode      = os.FileMode(0o644)
	errOtherChain = errors.New("index: file of another chain or format")
)

// file is the index on disk.
type file struct {
	db *bbolt.DB
}

// openFile opens the index of a chain; a file that is damaged or of another chain is replaced.
func openFile(path string, chain digest.Hash) (*file, error) {
	f, err := tryOpen(path, chain)
	if err == nil || errors.Is(err, bbolt.ErrTimeout) {
		return f, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return tryOpen(path, chain)
}

func openPatiently(path string, flag int, mode os.FileMode) (*os.File, error) {
	return disk.Patiently(func() (*os.File, error) { return os.OpenFile(path, flag, mode) })
}

func tryOpen(path string, chain digest.Hash) (f *file, err error) {
	defer func() {
		if p := recover(); p != nil { // bbolt panics on some damaged files
			f, err = nil, fmt.Errorf("index: %v", p)
		}
	}()
	db, err := bbolt.Open(path, fileMode, &bbolt.Options{Timeout: openTimeout, NoSync: true, NoFreelistSync: true, OpenFile: openPatiently})
	if err != nil {
		return nil, err
	}
	err = db.Update(func(t *bbolt.Tx) error {
		for _, name := range [][]byte{metaBucket, entryBucket, countBucket, causeBucket} {
			if _, err := t.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		meta := t.Bucket(metaBucket)
		switch have := meta.Get(chainKey); {
		case have == nil:
			if err := meta.Put(formatKey, format); err != nil {
				return err
			}
			return meta.Put(chainKey, chain[:])
		case digest.Hash(have) != chain, !bytes.Equal(meta.Get(formatKey), format):
			return errOtherChain
		}
		return nil
	})
	if err != nil {
		db.Close()
		return nil, err
	}
	return &file{db}, nil
}

func (f *file) close() error {
	if err := f.db.Sync(); err != nil {
		f.db.Close()
		return err
	}
	return f.db.Close()
}

// height is the newest indexed block; ok is false before the first.
func (f *file) height() (h unit.Height, ok bool) {
	_ = f.db.View(func(t *bbolt.Tx) error {
		if v := t.Bucket(metaBucket).Get(heightKey); len(v) == 8 {
			h, ok = unit.Height(binary.BigEndian.Uint64(v)), true
		}
		return nil
	})
	return h, ok
}

func entryKey(addr account.Address, h unit.Height, index uint32) []byte {
	key := make([]byte, 0, entryKeySize)
	key = append(key, addr[:]...)
	key = binary.BigEndian.AppendUint64(key, uint64(h))
	return binary.BigEndian.AppendUint32(key, index)
}

// roles gives the addresses a receipt concerns, in a fixed order.
func roles(x *block.Receipt) ([]account.Address, []Role) {
	var addrs []account.Address
	var how []Role
	add := func(a account.Address, r Role) {
		for i := range addrs {
			if addrs[i] == a {
				how[i] |= r
				return
			}
		}
		addrs, how = append(addrs, a), append(how, r)
	}
	if x.Kind == block.Transaction {
		add(x.Sender, Sender|Signer)
	} else {
		add(x.Sender, Sender)
	}
	if x.Target != (account.Address{}) {
		add(x.Target, Target)
	}
	if x.Created != nil {
		add(*x.Created, Target)
	}
	for i := range x.Events {
		add(x.Events[i].Actor, Emitter)
	}
	return addrs, how
}

// add indexes blocks in one transaction: receipts[i] are those of height first+i.
func (f *file) add(first unit.Height, receipts [][]*block.Receipt) error {
	if len(receipts) == 0 {
		return nil
	}
	return f.db.Update(func(t *bbolt.Tx) error {
		entries, counts := t.Bucket(entryBucket), t.Bucket(countBucket)
		for i, list := range receipts {
			height := first + unit.Height(i)
			for n, x := range list {
				if err := putCauses(t, x, height, uint32(n)); err != nil {
					return err
				}
				addrs, how := roles(x)
				for k, addr := range addrs {
					if err := entries.Put(entryKey(addr, height, uint32(n)), []byte{byte(how[k])}); err != nil {
						return err
					}
					count := uint64(1)
					if v := counts.Get(addr[:]); len(v) == 8 {
						count += binary.BigEndian.Uint64(v)
					}
					if err := counts.Put(addr[:], binary.BigEndian.AppendUint64(nil, count)); err != nil {
						return err
					}
				}
			}
		}
		last := first + unit.Height(len(receipts)) - 1
		return t.Bucket(metaBucket).Put(heightKey, binary.BigEndian.AppendUint64(nil, uint64(last)))
	})
}

// newest gives entries with any of the roles, newest first, and how many entries of any role the address has.
func (f *file) newest(addr account.Address, role Role, offset, limit uint64) (list []Entry, total uint64, err error) {
	if offset > MaxOffset {
		return nil, 0, ErrOffset
	}
	err = f.db.View(func(t *bbolt.Tx) error {
		if v := t.Bucket(countBucket).Get(addr[:]); len(v) == 8 {
			total = binary.BigEndian.Uint64(v)
		}
		c := t.Bucket(entryBucket).Cursor()
		c.Seek(after(addr))
		key, value := c.Prev()
		if key == nil {
			key, value = c.Last()
		}
		for ; key != nil && len(key) == entryKeySize && account.Address(key[:account.AddressSize]) == addr && uint64(len(list)) < limit; key, value = c.Prev() {
			if Role(value[0])&role == 0 {
				continue
			}
			if offset > 0 {
				offset--
				continue
			}
			list = append(list, decodeEntry(key, value))
		}
		return nil
	})
	return list, total, err
}

// from gives entries with any of the roles from a place on, oldest first.
func (f *file) from(addr account.Address, role Role, height unit.Height, index uint32, limit uint64) (list []Entry, err error) {
	err = f.db.View(func(t *bbolt.Tx) error {
		c := t.Bucket(entryBucket).Cursor()
		for key, value := c.Seek(entryKey(addr, height, index)); key != nil && account.Address(key[:account.AddressSize]) == addr && uint64(len(list)) < limit; key, value = c.Next() {
			if Role(value[0])&role != 0 {
				list = append(list, decodeEntry(key, value))
			}
		}
		return nil
	})
	return list, err
}

func decodeEntry(key, value []byte) Entry {
	rest := key[account.AddressSize:]
	return Entry{unit.Height(binary.BigEndian.Uint64(rest)), binary.BigEndian.Uint32(rest[8:]), Role(value[0])}
}

// after is the least key beyond all of an address's entries.
func after(addr account.Address) []byte {
	key := entryKey(addr, unit.Height(^uint64(0)), ^uint32(0))
	return append(key, 0)
}
