package mount

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// item is a path that is open, or that differs from what is committed.
type item struct {
	system *System
	path   string
	kind   cbfs.EntryKind
	target string

	// Below system.mu.
	handles int
	from    *volume.Snapshot // that object is of
	object  *cbfs.Object     // what is committed; nil for none
	there   volume.Size      // what that takes
	floor   volume.Size      // the same, or of what is being committed, where that is less

	mu         sync.RWMutex // taken after system.mu
	staged     *os.File     // the bytes, where they are not those of object
	size       uint64       // of staged
	generation uint64       // of the bytes, or of a folder or link that was made
	committed  uint64       // the generation that is committed
	modified   time.Time
}

// measure tells the size, and when it changed.
func (i *item) measure() (uint64, time.Time) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	if i.staged == nil && i.object != nil {
		return i.object.Size, i.modified
	}
	return i.size, i.modified
}

func (i *item) dirty() bool { return i.generation != i.committed }

// File is an open file.
type File struct {
	item                   *item
	reads, writes, appends bool

	mu   sync.Mutex
	body *os.File // what is committed, once it was fetched
}

// Open opens a file. flags are those of open(2).
//
// Spec: storage-cbfs §3.5 (EACCES).
func (s *System) Open(ctx context.Context, path string, flags int) (f *File, err error) {
	err = s.with(ctx, func(v *view) (err error) {
		f, err = s.open(v, path, flags)
		return err
	})
	return f, err
}

// open is Open. Who holds mu calls it.
func (s *System) open(v *view, path string, flags int) (*File, error) {
	e, err := s.look(v, path)
	switch {
	case err != nil:
		return nil, err
	case e.Kind == cbfs.Directory:
		return nil, syscall.EISDIR
	case e.Kind == cbfs.Symlink:
		return nil, syscall.ELOOP
	}
	f, err := s.allowed(path, flags)
	if err != nil {
		return nil, err
	}
	f.item = s.local[path]
	if f.item == nil {
		found, err := v.find(path)
		if err != nil {
			return nil, err
		}
		takes := v.from.SizeOf(found.entry)
		f.item = &item{system: s, path: path, from: v.from, object: found.entry.Object, there: takes, floor: takes, modified: s.begun}
		s.local[path] = f.item
	}
	f.item.handles++
	if flags&os.O_TRUNC != 0 && f.writes {
		if err := f.item.truncate(0); err != nil {
			s.release(f.item)
			return nil, err
		}
	}
	return f, nil
}

// allowed holds an opening to the account's rights.
func (s *System) allowed(path string, flags int) (*File, error) {
	access := flags & syscall.O_ACCMODE
	f := &File{reads: access != os.O_WRONLY, writes: access != os.O_RDONLY, appends: flags&os.O_APPEND != 0}
	if f.reads && !s.rights.Reads || f.writes && !s.rights.Writes || !cbfs.Within(path, s.rights.Prefix) {
		return nil, syscall.EACCES
	}
	return f, nil
}

// Create makes an empty file and opens it.
func (s *System) Create(ctx context.Context, folder, name string, flags int) (f *File, err error) {
	path, err := child(folder, name)
	if err != nil {
		return nil, err
	}
	err = s.with(ctx, func(v *view) (err error) {
		err = s.mayMake(v, path)
		if err == syscall.EEXIST && flags&os.O_EXCL == 0 {
			f, err = s.open(v, path, flags)
			return err
		}
		if err == nil {
			f, err = s.create(path, flags)
		}
		return err
	})
	return f, err
}

// create makes an empty file where there is none. Who holds mu calls it.
func (s *System) create(path string, flags int) (*File, error) {
	f, err := s.allowed(path, flags)
	if err != nil {
		return nil, err
	}
	f.item = &item{system: s, path: path, modified: s.now()}
	if err := f.item.truncate(0); err != nil {
		return nil, err
	}
	f.item.handles++
	s.local[path] = f.item
	return f, nil
}

// count counts an item with so many bytes among what differs, unless the account may not write as much: the chain counts what the volume grows by, which is the
// bytes of files and the pages of the manifest. What shrinks gives others no room before it is committed. Who holds both mu calls it. Error: ENOSPC.
//
// Spec: storage-cbfs §2.5 (max_bytes), §3.5 (over quota: ENOSPC).
func (s *System) count(i *item, size uint64) error {
	before := s.tally.Bytes()
	s.tally.Set(i.path, s.takes(i, size), i.floor)
	if after := s.tally.Bytes(); after > before && after > s.rights.Left {
		s.recount(i)
		return syscall.ENOSPC
	}
	return nil
}

// recount counts an item as it is. Who holds both mu calls it.
func (s *System) recount(i *item) {
	if i.dirty() {
		s.tally.Set(i.path, s.takes(i, i.size), i.floor)
	} else {
		s.tally.Drop(i.path)
	}
}

// takes is what an item takes with so many bytes.
func (s *System) takes(i *item, size uint64) volume.Size {
	return s.snapshot.Measure(&volume.Change{Path: i.path, Kind: i.kind, Target: i.target, Size: size})
}

// grow notes another size. Who holds system.mu and i.mu calls it. Errors: ENOSPC, EIO.
//
// Spec: storage-cbfs §3.5 (over quota: ENOSPC).
func (i *item) grow(size uint64) error {
	switch {
	case i.system.closed:
		return syscall.EIO
	case size > i.size && size > maxFileBytes:
		return syscall.ENOSPC
	}
	if err := i.system.count(i, size); err != nil {
		return err
	}
	i.size = size
	return nil
}

// begin gives an item bytes of its own. Who holds system.mu and i.mu calls it.
func (i *item) begin(from io.Reader, size uint64) error {
	if i.system.closed {
		return syscall.EIO
	}
	f, err := os.CreateTemp(i.system.dir, "write-")
	if err != nil {
		return errnoOf(err)
	}
	if from != nil {
		if _, err := io.Copy(f, from); err != nil {
			return errnoOf(errors.Join(err, f.Close(), os.Remove(f.Name())))
		}
	}
	i.staged, i.size = f, size
	return nil
}

// truncate cuts or lengthens the bytes. Nothing of what is committed is fetched where nothing of it stays. Who holds system.mu calls it.
func (i *item) truncate(size uint64) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.staged == nil && i.object != nil {
		i.size = i.object.Size
	}
	if err := i.grow(size); err != nil {
		return err
	}
	if i.staged == nil {
		if err := i.begin(nil, size); err != nil {
			i.system.recount(i)
			return err
		}
	}
	if err := i.staged.Truncate(int64(size)); err != nil {
		i.system.recount(i)
		return errnoOf(err)
	}
	i.generation++
	i.modified = i.system.now()
	return nil
}

// stage fetches what is committed, and lets it be written over.
func (f *File) stage(ctx context.Context) error {
	i := f.item
	i.mu.RLock()
	there := i.staged != nil
	i.mu.RUnlock()
	if there {
		return nil
	}
	body, err := f.fetched(ctx, true)
	if err != nil {
		return err
	}
	s := i.system
	s.mu.Lock()
	defer s.mu.Unlock()
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.staged != nil {
		return nil
	}
	return i.begin(io.NewSectionReader(body, 0, maxFileBytes), i.object.Size)
}

// fetched gives the bytes that are committed. Who may not read writes over nothing but what this mount has at hand.
func (f *File) fetched(ctx context.Context, toWrite bool) (*os.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.body != nil {
		return f.body, nil
	}
	i, s := f.item, f.item.system
	s.mu.Lock()
	object, from, reads := i.object, i.from, s.rights.Reads
	s.mu.Unlock()
	if object == nil {
		return nil, syscall.EIO
	}
	if toWrite && !reads {
		if f.body = s.cache.look(keyOf(object)); f.body == nil {
			return nil, syscall.EACCES
		}
		return f.body, nil
	}
	body, err := s.cache.open(ctx, object, func(ctx context.Context, f *os.File) error { return from.Save(ctx, i.path, f) })
	if err != nil {
		return nil, errnoOf(err)
	}
	f.body = body
	return body, nil
}

// ReadAt reads at a place; at the end of the file it gives less than asked for, and no error.
func (f *File) ReadAt(ctx context.Context, data []byte, at int64) (int, error) {
	if !f.reads {
		return 0, syscall.EBADF
	}
	n, staged, err := f.item.read(data, at)
	if !staged {
		var body *os.File
		if body, err = f.fetched(ctx, false); err != nil {
			return 0, err
		}
		n, err = body.ReadAt(data, at)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err != nil {
		return n, errnoOf(err)
	}
	return n, nil
}

func (i *item) read(data []byte, at int64) (n int, staged bool, err error) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	if i.staged == nil {
		return 0, false, nil
	}
	n, err = i.staged.ReadAt(data, at)
	return n, true, err
}

// WriteAt writes at a place, or at the end where the file was opened to append.
func (f *File) WriteAt(ctx context.Context, data []byte, at int64) (int, error) {
	if !f.writes {
		return 0, syscall.EBADF
	}
	if err := f.stage(ctx); err != nil {
		return 0, err
	}
	i, s := f.item, f.item.system
	s.mu.Lock()
	i.mu.Lock()
	defer i.mu.Unlock()
	if f.appends {
		at = int64(i.size)
	}
	err := i.grow(max(i.size, uint64(at)+uint64(len(data))))
	s.mu.Unlock()
	if err != nil {
		return 0, err
	}
	n, err := i.staged.WriteAt(data, at)
	i.generation++
	i.modified = s.now()
	if err != nil {
		return n, errnoOf(err)
	}
	return n, nil
}

// Truncate cuts or lengthens the file.
func (f *File) Truncate(ctx context.Context, size uint64) error {
	if !f.writes {
		return syscall.EBADF
	}
	if size > 0 {
		if err := f.stage(ctx); err != nil {
			return err
		}
	}
	f.item.system.mu.Lock()
	defer f.item.system.mu.Unlock()
	return f.item.truncate(size)
}

// Truncate cuts or lengthens the file of a path.
func (s *System) Truncate(ctx context.Context, path string, size uint64) error {
	f, err := s.Open(ctx, path, os.O_WRONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Truncate(ctx, size)
}

// Stat tells what the file is now, whatever its path leads to.
func (f *File) Stat() Entry {
	size, modified := f.item.measure()
	return Entry{Kind: cbfs.File, Size: size, Modified: modified}
}

// Close gives the file up. What was written is committed later.
func (f *File) Close() {
	f.mu.Lock()
	if f.body != nil {
		_ = f.body.Close() // nothing was written to it
		f.body = nil
	}
	f.mu.Unlock()
	s := f.item.system
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release(f.item)
}

// release takes a handle off, and forgets what nobody needs. Who holds mu calls it.
func (s *System) release(i *item) {
	i.handles--
	s.forget(i)
}

// forget drops an item that is closed and committed. Its bytes go to the cache. Who holds mu calls it.
func (s *System) forget(i *item) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.handles > 0 || i.dirty() {
		return
	}
	if i.staged != nil {
		_ = i.staged.Close() // what was written is committed
		if s.cache.keep(keyOf(i.object), i.staged.Name(), i.size) != nil {
			_ = os.Remove(i.staged.Name()) // it goes with the folder at last
		}
		i.staged = nil
	}
	if s.local[i.path] == i {
		delete(s.local, i.path)
	}
}
