package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"sync"
)

// ErrInjected is the failure a Memory was told to produce.
var ErrInjected = errors.New("injected disk failure")

// Memory is a Disk in memory that can fail and crash. All its methods may be
// called by several goroutines.
type Memory struct {
	mu     sync.Mutex
	files  map[string]*inode
	synced map[string]*inode // the directory as last synced
	locked map[string]bool
	inodes []*inode
	clock  int64
	events []event

	// Capacity, when above 0, is the size of the disk in bytes.
	Capacity int64
	// FailSync, when set, is asked before every sync of a file whether it fails.
	FailSync func(name string) bool
	// Record keeps what happens, for Until.
	Record bool
}

// inode is a file: its bytes as the machine sees them, and the writes that were
// not synced yet.
type inode struct {
	number  int
	name    string // at creation
	data    []byte
	durable []byte
	pending []pendingWrite
}

// pendingWrite is a write or, with negative off, a truncation.
type pendingWrite struct {
	off  int64
	data []byte
	size int64
}

// event is one step of a recorded Memory.
type event struct {
	kind     byte // one of the e constants
	inode    int
	from, to string
	write    pendingWrite
}

const (
	eCreate = iota
	eWrite
	eTruncate
	eSync
	eRename
	eRemove
	eSyncDirectory
)

// NewMemory gives an empty disk.
func NewMemory() *Memory {
	return &Memory{files: map[string]*inode{}, synced: map[string]*inode{}, locked: map[string]bool{}}
}

// Clock counts the bytes written, and one for every sync, creation, renaming,
// removal and truncation: the instants at which a machine may stop.
func (m *Memory) Clock() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.clock
}

// Until gives the disk as it was when the clock stood at the given instant: a
// write under way then is cut at that byte. The disk must have been recorded
// from its creation.
func (m *Memory) Until(instant int64) *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	past := NewMemory()
	for i := range m.events {
		e := m.events[i]
		left := instant - past.clock
		if left <= 0 {
			break
		}
		if e.kind == eWrite {
			e.write.data = e.write.data[:min(int64(len(e.write.data)), left)]
		}
		past.happen(e)
	}
	return past
}

// happen applies an event that succeeds.
func (m *Memory) happen(e event) {
	if m.Record {
		m.events = append(m.events, e)
	}
	m.clock += max(1, int64(len(e.write.data)))
	switch e.kind {
	case eCreate:
		f := &inode{number: len(m.inodes), name: e.to}
		m.inodes = append(m.inodes, f)
		m.files[e.to] = f
	case eWrite, eTruncate:
		f := m.inodes[e.inode]
		f.data = e.write.apply(f.data, len(e.write.data))
		f.pending = append(f.pending, e.write)
	case eSync:
		f := m.inodes[e.inode]
		for _, w := range f.pending { // a copy of all of it would cost the square of its length
			f.durable = w.apply(f.durable, len(w.data))
		}
		f.pending = nil
	case eRename:
		m.files[e.to] = m.files[e.from]
		delete(m.files, e.from)
	case eRemove:
		delete(m.files, e.from)
	case eSyncDirectory:
		m.synced = map[string]*inode{}
		for name, f := range m.files {
			m.synced[name] = f
		}
	}
}

// Crash gives the disk as the next start of the machine finds it. keep decides,
// for every write that was not synced, how many of its bytes made it: writes are
// asked about in order, file by file, and a later write may survive an earlier
// one. A nil keep keeps everything, which is what killing the process does.
func (m *Memory) Crash(keep func(name string, length int) int) *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := NewMemory()
	next.Capacity = m.Capacity
	directory := m.synced
	if keep == nil {
		directory = m.files
	}
	names := make([]string, 0, len(directory))
	for name := range directory {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		old := directory[name]
		data := append([]byte(nil), old.data...)
		if keep != nil {
			data = append([]byte(nil), old.durable...)
			for _, w := range old.pending {
				data = w.apply(data, keep(name, len(w.data)))
			}
		}
		n := &inode{number: len(next.inodes), name: name, data: data, durable: append([]byte(nil), data...)}
		next.inodes = append(next.inodes, n)
		next.files[name], next.synced[name] = n, n
	}
	return next
}

func (w pendingWrite) apply(data []byte, kept int) []byte {
	if w.off < 0 {
		if int64(len(data)) > w.size {
			data = data[:w.size]
		}
		return append(data, make([]byte, w.size-int64(len(data)))...)
	}
	if kept = min(kept, len(w.data)); kept == 0 {
		return data
	}
	if end := int(w.off) + kept; len(data) < end {
		data = append(data, make([]byte, end-len(data))...)
	}
	copy(data[w.off:], w.data[:kept])
	return data
}

// Edit changes the bytes of a file behind the ledger's back, as a failing disk
// would.
func (m *Memory) Edit(name string, change func(data []byte) []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[name]
	f.data = change(f.data)
	f.durable, f.pending = append([]byte(nil), f.data...), nil
}

// Create implements [Disk].
func (m *Memory) Create(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.happen(event{kind: eCreate, to: name})
	return &handle{m, m.files[name]}, nil
}

// Open implements [Disk].
func (m *Memory) Open(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[name]
	if f == nil {
		return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	return &handle{m, f}, nil
}

// Rename implements [Disk].
func (m *Memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[from] == nil {
		return fmt.Errorf("rename %s: %w", from, fs.ErrNotExist)
	}
	m.happen(event{kind: eRename, from: from, to: to})
	return nil
}

// Remove implements [Disk].
func (m *Memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[name] == nil {
		return fmt.Errorf("remove %s: %w", name, fs.ErrNotExist)
	}
	m.happen(event{kind: eRemove, from: name})
	return nil
}

// List implements [Disk].
func (m *Memory) List() ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for name := range m.files {
		names = append(names, name)
	}
	sort.Strings(names)
	return names, nil
}

// Sync implements [Disk].
func (m *Memory) Sync() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.happen(event{kind: eSyncDirectory})
	return nil
}

// Lock implements [Disk].
func (m *Memory) Lock(name string) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.locked[name] {
		return nil, ErrLocked
	}
	m.locked[name] = true
	return closer(func() error {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.locked, name)
		return nil
	}), nil
}

type closer func() error

func (c closer) Close() error { return c() }

// handle is an open file of a Memory.
type handle struct {
	disk *Memory
	file *inode
}

func (h *handle) ReadAt(p []byte, off int64) (int, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if off >= int64(len(h.file.data)) {
		return 0, io.EOF
	}
	n := copy(p, h.file.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (h *handle) WriteAt(p []byte, off int64) (int, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	n, err := int64(len(p)), error(nil)
	if h.disk.Capacity > 0 {
		used := int64(0)
		for _, f := range h.disk.files {
			used += int64(len(f.data))
		}
		grow := max(off+n-int64(len(h.file.data)), 0)
		if free := h.disk.Capacity - used; grow > free {
			n, err = max(n-(grow-free), 0), fmt.Errorf("write %s: %w", h.file.name, ErrFull)
		}
	}
	if n > 0 {
		w := pendingWrite{off: off, data: append([]byte(nil), p[:n]...)}
		h.disk.happen(event{kind: eWrite, inode: h.file.number, write: w})
	}
	return int(n), err
}

func (h *handle) Truncate(size int64) error {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	h.disk.happen(event{kind: eTruncate, inode: h.file.number, write: pendingWrite{off: -1, size: size}})
	return nil
}

func (h *handle) Sync() error {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if h.disk.FailSync != nil && h.disk.FailSync(h.file.name) {
		return fmt.Errorf("sync %s: %w", h.file.name, ErrInjected)
	}
	h.disk.happen(event{kind: eSync, inode: h.file.number})
	return nil
}

func (h *handle) Size() (int64, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	return int64(len(h.file.data)), nil
}

func (h *handle) Close() error { return nil }
