package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The errors of a store; any other is the file system's.
var (
	// ErrMissing reports a chunk or a table that is not there, or was found rotten.
	ErrMissing = errors.New("store: it is not here")
	// ErrFull reports that there is no room.
	ErrFull = errors.New("store: there is no room")
	// ErrChunk reports bytes that are no chunk: none, or more than a MiB.
	ErrChunk = errors.New("store: a chunk has 1 to 1,048,576 bytes")
	// ErrFormat reports a directory of another program's version.
	ErrFormat = errors.New("store: the directory is of another version")
	// ErrLocked reports a directory that another process has open.
	ErrLocked = errors.New("store: another relay has the directory open")
)

const (
	format     = "1"
	syncAtOnce = 16
)

// Store is a relay's chunks and tables. It is safe for many goroutines.
type Store struct {
	dir      string
	capacity uint64
	lock     *os.File

	mu     sync.Mutex
	used   uint64
	rotten uint64
	chunks uint64
}

// Open opens a store, or makes one. capacity is in bytes. Until Close no other process opens it: two that count and collect in one directory would remove
// what the other one relies on. Errors: ErrLocked, ErrFormat.
func Open(dir string, capacity uint64) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, capacity: capacity, lock: lock}
	if err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("%w: %s", ErrLocked, dir)
	}
	if err == nil {
		err = s.load()
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return s, nil
}

// Close lets others open the directory. The store is not used any more.
func (s *Store) Close() error { return s.lock.Close() }

// load makes what is not there, and counts what is.
func (s *Store) load() error {
	dir := s.dir
	for _, name := range []string{"chunks", "tables", "partial"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			return err
		}
	}
	at := filepath.Join(dir, "format")
	if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(at, []byte(format), 0o600); err != nil {
			return err
		}
	}
	left, err := os.ReadDir(filepath.Join(dir, "partial"))
	for i := 0; err == nil && i < len(left); i++ {
		err = os.Remove(filepath.Join(dir, "partial", left[i].Name()))
	}
	if err == nil {
		err = s.count()
	}
	return err
}

// Look tells what a store holds without opening it, so that a relay that is up is not disturbed. One that is not there yet holds nothing. Error: ErrFormat.
func Look(dir string) (Usage, error) {
	if _, err := os.Stat(filepath.Join(dir, "format")); errors.Is(err, fs.ErrNotExist) {
		return Usage{}, nil
	}
	s := &Store{dir: dir}
	err := s.count()
	return s.Usage(), err
}

// count holds the directory to its format and counts what it has.
func (s *Store) count() error {
	switch text, err := os.ReadFile(filepath.Join(s.dir, "format")); {
	case err != nil:
		return err
	case string(text) != format:
		return fmt.Errorf("%w: %q, and this program reads %q", ErrFormat, text, format)
	}
	return s.walk(func(_ string, info fs.FileInfo, table bool) error {
		s.used += uint64(info.Size())
		if !table {
			s.chunks++
		}
		return nil
	})
}

// walk visits all chunks and tables.
func (s *Store) walk(visit func(path string, info fs.FileInfo, table bool) error) error {
	for _, name := range []string{"chunks", "tables"} {
		err := filepath.WalkDir(filepath.Join(s.dir, name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil // it went meanwhile
			}
			if err != nil {
				return err
			}
			return visit(path, info, name == "tables")
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Usage is what a store holds.
type Usage struct {
	Bytes, Capacity uint64
	Chunks          uint64
	Rotten          uint64 // chunks found rotten since it was opened
}

// Usage tells what the store holds.
func (s *Store) Usage() Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Usage{s.used, s.capacity, s.chunks, s.rotten}
}

func (s *Store) chunkPath(root digest.Hash) string {
	name := root.Hex()
	return filepath.Join(s.dir, "chunks", name[:2], name)
}

// Name names a table: its shard_root, and the volume it was brought for, so that nobody reads a private volume's by the way of another one.
type Name struct{ Volume, Root digest.Hash }

func (s *Store) tablePath(n Name) string {
	return filepath.Join(s.dir, "tables", n.Volume.Hex()+"-"+n.Root.Hex())
}

// take takes room, or tells that there is none.
func (s *Store) take(size uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if size > s.capacity-min(s.used, s.capacity) {
		return ErrFull
	}
	s.used += size
	return nil
}

func (s *Store) give(size, chunks uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used -= min(s.used, size)
	s.chunks -= min(s.chunks, chunks)
}

// full makes the file system's word for a full disk ours.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return errors.Join(ErrFull, err)
	}
	return err
}

// Put keeps a chunk and gives its root; fresh is false where it was there already. It is not synced (Sync). Errors: ErrChunk, ErrFull.
//
// Spec: storage-cbfs §3.3 (PutShard).
func (s *Store) Put(data []byte) (root digest.Hash, fresh bool, err error) {
	if len(data) == 0 || len(data) > cbfs.ChunkBytes {
		return root, false, ErrChunk
	}
	root = cbfs.ChunkRoot(data)
	if s.Has(root) {
		return root, false, nil
	}
	if err := s.take(uint64(len(data))); err != nil {
		return root, false, err
	}
	path := s.chunkPath(root)
	err = os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = s.write(path, data, false)
	}
	if err != nil {
		s.give(uint64(len(data)), 0)
		return root, false, full(err)
	}
	s.mu.Lock()
	s.chunks++
	s.mu.Unlock()
	return root, true, nil
}

// write writes a file beside its place and renames it.
func (s *Store) write(path string, data []byte, synced bool) error {
	f, err := os.CreateTemp(filepath.Join(s.dir, "partial"), "")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && synced {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Has reports whether there is a file for a chunk.
func (s *Store) Has(root digest.Hash) bool {
	_, err := os.Stat(s.chunkPath(root))
	return err == nil
}

// Get reads a chunk and holds it to its root. One that is not what its name says is removed. Error: ErrMissing.
//
// Spec: storage-cbfs §3.3 (GetShard).
func (s *Store) Get(root digest.Hash) ([]byte, error) {
	path := s.chunkPath(root)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	var data []byte
	if info.Size() <= cbfs.ChunkBytes {
		if data, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	if len(data) > 0 && cbfs.ChunkRoot(data) == root {
		return data, nil
	}
	if err := os.Remove(path); err != nil {
		return nil, err
	}
	s.give(uint64(info.Size()), 1)
	s.mu.Lock()
	s.rotten++
	s.mu.Unlock()
	return nil, ErrMissing
}

// Delete removes a chunk. Error: ErrMissing.
func (s *Store) Delete(root digest.Hash) error { return s.remove(s.chunkPath(root), 1) }

func (s *Store) remove(path string, chunks uint64) error {
	info, err := os.Stat(path)
	if err == nil {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return ErrMissing
	}
	if err == nil {
		s.give(uint64(info.Size()), chunks)
	}
	return err
}

// Sync makes chunks durable. It gives those that are not there.
func (s *Store) Sync(roots []digest.Hash) (missing []digest.Hash, err error) {
	var all errgroup.Group
	all.SetLimit(syncAtOnce)
	absent, folders := make([]bool, len(roots)), map[string]bool{}
	for i, root := range roots {
		path := s.chunkPath(root)
		folders[filepath.Dir(path)] = true
		all.Go(func() error {
			err := syncFile(path)
			absent[i] = errors.Is(err, fs.ErrNotExist)
			if absent[i] {
				return nil
			}
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	for folder := range folders {
		if err := syncFile(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	for i, root := range roots {
		if absent[i] {
			missing = append(missing, root)
		}
	}
	return missing, nil
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// PutTable keeps a table of a volume, durably. Errors: protocol.ErrTable, ErrFull.
func (s *Store) PutTable(volume digest.Hash, t *protocol.Table) (Name, error) {
	n, raw := Name{volume, t.Root()}, t.Encode()
	if n.Root.IsZero() {
		return n, protocol.ErrTable
	}
	path := s.tablePath(n)
	if _, err := os.Stat(path); err == nil {
		return n, s.Named(n, time.Now())
	}
	if err := s.take(uint64(len(raw))); err != nil {
		return n, err
	}
	err := s.write(path, raw, true)
	if err == nil {
		err = syncFile(filepath.Dir(path))
	}
	if err != nil {
		s.give(uint64(len(raw)), 0)
	}
	return n, full(err)
}

// Table reads a table and holds it to its root. One that is rotten is removed. Error: ErrMissing.
func (s *Store) Table(n Name) (*protocol.Table, error) {
	raw, err := os.ReadFile(s.tablePath(n))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	if t, err := protocol.DecodeTable(raw); err == nil && t.Root() == n.Root {
		return t, nil
	}
	if err := s.remove(s.tablePath(n), 0); err != nil {
		return nil, err
	}
	return nil, ErrMissing
}

// Part reads a part of an encoded table, as long as most bytes, and gives its whole length. Whoever gets all parts holds them to the root. Error: ErrMissing.
func (s *Store) Part(n Name, offset uint64, most int) (part []byte, total uint64, err error) {
	f, err := os.Open(s.tablePath(n))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, ErrMissing
	}
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	total = uint64(info.Size())
	if offset >= total {
		return nil, total, nil
	}
	part = make([]byte, min(uint64(most), total-offset))
	_, err = f.ReadAt(part, int64(offset))
	return part, total, err
}

// Chunk reads which chunk a slot has of a stripe, without reading the table. Error: ErrMissing.
func (s *Store) Chunk(n Name, slot uint8, number uint64) (root digest.Hash, err error) {
	head, _, err := s.Part(n, 0, protocol.TableHead)
	if err != nil {
		return root, err
	}
	offset, ok := protocol.Entry(head, slot, number)
	if !ok {
		return root, ErrMissing
	}
	part, _, err := s.Part(n, offset, digest.Size)
	if err == nil && copy(root[:], part) != digest.Size {
		err = ErrMissing
	}
	return root, err
}

// Named notes that the chain names a table at a time. Error: ErrMissing.
func (s *Store) Named(n Name, at time.Time) error {
	err := os.Chtimes(s.tablePath(n), at, at)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrMissing
	}
	return err
}

// nameOf reads the name of a table's file.
func nameOf(file string) (n Name, ok bool) {
	volume, root, _ := strings.Cut(file, "-")
	var err, failed error
	n.Volume, err = digest.ParseHash("0x" + volume)
	n.Root, failed = digest.ParseHash("0x" + root)
	return n, err == nil && failed == nil
}

// Collect removes the tables that were last named before a time, and then the chunks that no table names and that came before it. It gives how many of each.
//
// Spec: storage-cbfs §4 (orphan shard), §8 (ORPHAN_SHARD_TTL).
func (s *Store) Collect(before time.Time) (tables, chunks int, err error) {
	live := map[digest.Hash]bool{}
	err = s.walk(func(path string, info fs.FileInfo, table bool) error {
		name, ok := nameOf(filepath.Base(path))
		switch {
		case !table || !ok:
			return nil
		case info.ModTime().Before(before):
			tables++
			return s.remove(path, 0)
		}
		t, err := s.Table(name)
		if errors.Is(err, ErrMissing) {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range t.Stripes {
			for _, one := range t.Stripes[i].Roots {
				live[one] = true
			}
		}
		return nil
	})
	if err != nil {
		return tables, 0, err
	}
	err = s.walk(func(path string, info fs.FileInfo, table bool) error {
		root, failed := digest.ParseHash("0x" + filepath.Base(path))
		if table || failed != nil || live[root] || !info.ModTime().Before(before) {
			return nil
		}
		chunks++
		return s.remove(path, 1)
	})
	return tables, chunks, err
}
