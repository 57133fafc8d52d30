package boltfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"os"
	"syscall"
	"time"

	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// What bbolt writes. Sizes in bytes.
const (
	magic         = 0xED0CDAED
	version       = 2
	pageHeader    = 16 // number(8) ‖ flags(2) ‖ elements(2) ‖ further pages(4)
	elementHeader = 16 // of a branch: offset(4) ‖ key size(4) ‖ page(8); of a leaf: flags(4) ‖ offset(4) ‖ key size(4) ‖ value size(4)
	bucketHeader  = 16 // root page(8) ‖ sequence(8)
	metaSize      = 64

	branchPage   = 0x01
	leafPage     = 0x02
	metaPage     = 0x04
	freelistPage = 0x10
	bucketFlag   = 0x01

	noFreelist   = 1<<64 - 1
	manyFree     = 0xFFFF // the count of free pages is then their first number
	smallestPage = 1 << 10
	largestPage  = 1 << 24
	deepest      = 64 // pages from a root to a leaf, through buckets
)

// DamagedError says that a file is not what bbolt wrote.
type DamagedError struct {
	Path string
	Page uint64
	What string
}

// Error implements error.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged: page %d: %s", e.Path, e.Page, e.What)
}

// lockTimeout is how long OpenFile waits for another process to let go of the file.
const lockTimeout = 2 * time.Second

// OpenFile opens a file for bbolt (it is an Options.OpenFile), takes bbolt's lock on it, or gives bbolt's ErrTimeout if another process keeps the file, and
// checks it.
func OpenFile(path string, flag int, mode os.FileMode) (*os.File, error) {
	f, err := disk.Patiently(func() (*os.File, error) { return os.OpenFile(path, flag, mode) })
	if err != nil {
		return nil, err
	}
	if err = lock(f, lockTimeout); err == nil {
		err = Check(f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func lock(f *os.File, patience time.Duration) error {
	for begun := time.Now(); ; time.Sleep(patience / 40) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil || err != syscall.EWOULDBLOCK {
			return err
		}
		if time.Since(begun) >= patience {
			return bolterrors.ErrTimeout
		}
	}
}

// Check reads a whole file and gives a *DamagedError if a page, an element or a key is out of place. A file that is empty passes: bbolt fills it.
func Check(f *os.File) error {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	c := &checker{path: f.Name(), file: f, size: uint64(info.Size())}
	m, err := c.meta()
	if err != nil {
		return err
	}
	c.pageSize, c.end = m.pageSize, m.end
	if high, all := bits.Mul64(c.end, c.pageSize); high != 0 || all > c.size || c.end < 2 {
		return c.damaged(0, "the file is shorter than its pages")
	}
	for id := range uint64(2) {
		head, err := c.read(id*c.pageSize, pageHeader)
		if err != nil {
			return err
		}
		if binary.NativeEndian.Uint64(head) != id || binary.NativeEndian.Uint16(head[8:]) != metaPage {
			return c.damaged(id, "is not a head")
		}
	}
	c.seen = make([]uint64, c.end/64+1)
	if err := c.freelist(m.freelist); err != nil {
		return err
	}
	return c.tree(m.root, nil, nil, 1)
}

// checker is one reading of a file.
type checker struct {
	path     string
	file     *os.File
	size     uint64 // bytes
	pageSize uint64
	end      uint64   // pages
	seen     []uint64 // a bit for each page that has a place
}

func (c *checker) damaged(page uint64, what string) error { return &DamagedError{c.path, page, what} }

type meta struct {
	pageSize, root, freelist, end, transaction uint64
}

// meta gives the newer of the two heads that are whole, as bbolt takes it.
func (c *checker) meta() (newest *meta, err error) {
	consider := func(at uint64) error {
		m, err := c.readMeta(at)
		if err == nil && m != nil && (newest == nil || m.transaction > newest.transaction) {
			newest = m
		}
		return err
	}
	if err := consider(0); err != nil {
		return nil, err
	}
	if newest != nil {
		if err := consider(newest.pageSize); err != nil {
			return nil, err
		}
		return newest, nil
	}
	for at := uint64(smallestPage); at <= largestPage && newest == nil; at *= 2 { // the first head is lost, and with it the page size
		if err := consider(at); err != nil {
			return nil, err
		}
		if newest != nil && newest.pageSize != at {
			newest = nil
		}
	}
	if newest == nil {
		return nil, c.damaged(0, "both heads are lost")
	}
	return newest, nil
}

// readMeta gives nil for a head that is not whole.
func (c *checker) readMeta(at uint64) (*meta, error) {
	if at+pageHeader+metaSize > c.size {
		return nil, nil
	}
	b, err := c.read(at+pageHeader, metaSize)
	if err != nil {
		return nil, err
	}
	order := binary.NativeEndian
	sum := fnv.New64a()
	sum.Write(b[:metaSize-8])
	m := &meta{uint64(order.Uint32(b[8:])), order.Uint64(b[16:]), order.Uint64(b[32:]), order.Uint64(b[40:]), order.Uint64(b[48:])}
	whole := order.Uint32(b) == magic && order.Uint32(b[4:]) == version && order.Uint64(b[56:]) == sum.Sum64() &&
		m.pageSize >= smallestPage && m.pageSize <= largestPage && bits.OnesCount64(m.pageSize) == 1
	if !whole {
		return nil, nil
	}
	return m, nil
}

func (c *checker) read(at, size uint64) ([]byte, error) {
	b := make([]byte, size)
	_, err := c.file.ReadAt(b, int64(at))
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// page gives a page with what continues it, and holds that nothing else lies there.
func (c *checker) page(id uint64) ([]byte, error) {
	if id < 2 || id >= c.end {
		return nil, c.damaged(id, "beyond the file")
	}
	b, err := c.read(id*c.pageSize, c.pageSize)
	if err != nil {
		return nil, err
	}
	if binary.NativeEndian.Uint64(b) != id {
		return nil, c.damaged(id, "has the number of another")
	}
	further := uint64(binary.NativeEndian.Uint32(b[12:]))
	if further >= c.end-id {
		return nil, c.damaged(id, "goes on beyond the file")
	}
	for i := id; i <= id+further; i++ {
		if err := c.mark(i); err != nil {
			return nil, err
		}
	}
	if further > 0 {
		return c.read(id*c.pageSize, (further+1)*c.pageSize)
	}
	return b, nil
}

func (c *checker) mark(id uint64) error {
	if c.seen[id/64]&(1<<(id%64)) != 0 {
		return c.damaged(id, "has two places")
	}
	c.seen[id/64] |= 1 << (id % 64)
	return nil
}

// freelist reads the numbers of the pages that are free.
func (c *checker) freelist(id uint64) error {
	if id == noFreelist {
		return nil
	}
	b, err := c.page(id)
	if err != nil {
		return err
	}
	if binary.NativeEndian.Uint16(b[8:]) != freelistPage {
		return c.damaged(id, "is not the list of free pages")
	}
	count, at := uint64(binary.NativeEndian.Uint16(b[10:])), uint64(pageHeader)
	if count == manyFree {
		count, at = binary.NativeEndian.Uint64(b[at:]), at+8
	}
	if count > (uint64(len(b))-at)/8 {
		return c.damaged(id, "has more free pages than room")
	}
	before := uint64(1)
	for ; count > 0; count, at = count-1, at+8 {
		free := binary.NativeEndian.Uint64(b[at:])
		if free <= before || free >= c.end {
			return c.damaged(id, "has a free page out of place")
		}
		if err := c.mark(free); err != nil {
			return err
		}
		before = free
	}
	return nil
}

// tree reads a page and what is below it; its keys are from low on, below high. nil is no bound.
func (c *checker) tree(id uint64, low, high []byte, depth int) error {
	if depth > deepest {
		return c.damaged(id, "too deep")
	}
	b, err := c.page(id)
	if err != nil {
		return err
	}
	switch binary.NativeEndian.Uint16(b[8:]) {
	case branchPage:
		return c.branch(id, b, low, high, depth)
	case leafPage:
		return c.leaf(id, b, low, high, depth, true)
	}
	return c.damaged(id, "neither branch nor leaf")
}

// element gives the key and the value that a page has at an offset from an element's header.
func element(b []byte, header, offset, keySize, valueSize uint64) (key, value []byte, ok bool) {
	at := header + offset
	if offset < elementHeader || keySize == 0 || at+keySize+valueSize > uint64(len(b)) {
		return nil, nil, false
	}
	return b[at : at+keySize], b[at+keySize : at+keySize+valueSize], true
}

func (c *checker) branch(id uint64, b, low, high []byte, depth int) error {
	count := uint64(binary.NativeEndian.Uint16(b[10:]))
	if count == 0 || pageHeader+count*elementHeader > uint64(len(b)) {
		return c.damaged(id, "has no branches, or more than room")
	}
	keys, pages := make([][]byte, count), make([]uint64, count)
	for i := range count {
		header := pageHeader + i*elementHeader
		e := b[header:]
		key, _, ok := element(b, header, uint64(binary.NativeEndian.Uint32(e)), uint64(binary.NativeEndian.Uint32(e[4:])), 0)
		if !ok || !follows(key, low, high, i == 0) {
			return c.damaged(id, fmt.Sprintf("branch %d is out of place", i))
		}
		keys[i], pages[i], low = key, binary.NativeEndian.Uint64(e[8:]), key
	}
	for i := range count {
		below := high
		if i+1 < count {
			below = keys[i+1]
		}
		if err := c.tree(pages[i], keys[i], below, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// leaf reads a leaf, which may lie in the value of another; such a leaf has no buckets.
func (c *checker) leaf(id uint64, b, low, high []byte, depth int, buckets bool) error {
	count := uint64(binary.NativeEndian.Uint16(b[10:]))
	if pageHeader+count*elementHeader > uint64(len(b)) {
		return c.damaged(id, "has more entries than room")
	}
	for i := range count {
		header := pageHeader + i*elementHeader
		e := b[header:]
		offset, keySize, valueSize := binary.NativeEndian.Uint32(e[4:]), binary.NativeEndian.Uint32(e[8:]), binary.NativeEndian.Uint32(e[12:])
		key, value, ok := element(b, header, uint64(offset), uint64(keySize), uint64(valueSize))
		if !ok || !follows(key, low, high, i == 0) {
			return c.damaged(id, fmt.Sprintf("entry %d is out of place", i))
		}
		low = key
		switch flags := binary.NativeEndian.Uint32(e); {
		case flags == 0:
		case flags == bucketFlag && buckets:
			if err := c.bucket(id, value, depth); err != nil {
				return err
			}
		default:
			return c.damaged(id, fmt.Sprintf("entry %d is of no kind", i))
		}
	}
	return nil
}

// follows says whether a key is where it belongs: above the key before it, or for the first of a page not below the least one.
func follows(key, low, high []byte, first bool) bool {
	if high != nil && bytes.Compare(key, high) >= 0 {
		return false
	}
	order := bytes.Compare(key, low)
	return low == nil || order > 0 || first && order == 0
}

// bucket reads the bucket of an entry: a tree of its own, or a leaf in the value.
func (c *checker) bucket(id uint64, value []byte, depth int) error {
	if len(value) < bucketHeader {
		return c.damaged(id, "has a bucket without its header")
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return c.tree(root, nil, nil, depth+1)
	}
	inline := value[bucketHeader:]
	if len(inline) < pageHeader || binary.NativeEndian.Uint16(inline[8:]) != leafPage {
		return c.damaged(id, "has a bucket without a page")
	}
	return c.leaf(id, inline, nil, nil, depth, false)
}
