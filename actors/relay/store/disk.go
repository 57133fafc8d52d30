package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/direct"
)

// disk is a directory.
type disk struct {
	dir   string
	fsync func(f *os.File) error
	lock  *os.File

	number  atomic.Uint64 // of files that were begun
	buffers chan []byte   // one for each large file that is written at a time; nil for one that was not needed yet
	cached  atomic.Bool   // the file system knows no way past the page cache

	mu   sync.Mutex
	grew map[string]bool // folders that got a folder since they were synced
}

func newDisk(dir string) *disk {
	d := &disk{dir: dir, fsync: (*os.File).Sync, grew: map[string]bool{}, buffers: make(chan []byte, atOnce)}
	for range atOnce {
		d.buffers <- nil
	}
	return d
}

func (d *disk) at(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// open implements place. The lock goes with the process.
func (d *disk) open() error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	lock, err := os.OpenFile(d.at("lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("%w: %s", ErrLocked, d.dir)
	}
	if err == nil {
		err = d.load()
	}
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	d.lock = lock
	return nil
}

func (d *disk) close() error { return d.lock.Close() }

// load makes what is not there, durably, and removes what was half written.
func (d *disk) load() error {
	for _, name := range slices.Concat(folders, []string{"partial"}) {
		if err := os.MkdirAll(d.at(name), 0o700); err != nil {
			return err
		}
		if err := d.syncFile(d.at(name)); err != nil { // it may have got folders before a power cut
			return err
		}
	}
	left, err := os.ReadDir(d.at("partial"))
	for i := 0; err == nil && i < len(left); i++ {
		err = os.Remove(filepath.Join(d.at("partial"), left[i].Name()))
	}
	if err != nil {
		return err
	}
	if _, err = os.Stat(d.at("format")); errors.Is(err, fs.ErrNotExist) {
		err = d.put("format", true, []byte(format))
	}
	if err == nil {
		err = d.syncFile(d.dir)
	}
	if err == nil {
		err = d.check()
	}
	return err
}

// check holds the directory to its format.
func (d *disk) check() error {
	text, err := os.ReadFile(d.at("format"))
	if err != nil {
		return err
	}
	return held(text)
}

// full makes the file system's word for a full disk ours.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return errors.Join(ErrFull, err)
	}
	return err
}

// put implements place: the file is written beside its place and renamed.
func (d *disk) put(name string, durable bool, parts ...[]byte) error {
	to := d.at(name)
	f, err := d.write(parts)
	if err != nil {
		return full(err)
	}
	if durable {
		err = d.fsync(f)
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		if err = os.Rename(f.Name(), to); errors.Is(err, fs.ErrNotExist) { // the first of its folder
			if err = d.makeFolder(filepath.Dir(to)); err == nil {
				err = os.Rename(f.Name(), to)
			}
		}
	}
	if err != nil {
		return full(errors.Join(err, os.Remove(f.Name())))
	}
	if durable {
		err = d.syncFolder(filepath.Dir(to))
	}
	return err
}

// write writes a file in the folder of those that are half written.
func (d *disk) write(parts [][]byte) (*os.File, error) {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	if d.large(uint64(size)) {
		f, err := d.writeDirect(parts)
		if !errors.Is(err, syscall.EINVAL) {
			return f, err
		}
		d.cached.Store(true)
	}
	name := d.partial()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	for i := 0; err == nil && i < len(parts); i++ {
		_, err = f.Write(parts[i])
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(name))
	}
	writeSoon(f) // so that little is left to do when it is synced
	return f, nil
}

// writeDirect writes past the page cache: a chunk is brought once and seldom read soon, and taking pages for it costs more than all else. Parts that lie where
// the kernel wants them are written from there, others from a buffer. Error: EINVAL where the file system does not know this.
func (d *disk) writeDirect(parts [][]byte) (*os.File, error) {
	buffer := <-d.buffers
	defer func() { d.buffers <- buffer }()
	if slices.ContainsFunc(parts, func(part []byte) bool { return !direct.IsAligned(part) }) {
		if buffer == nil {
			buffer = direct.Memory(ChunkRoom)
		}
		size := 0
		for _, part := range parts {
			size += copy(buffer[size:], part)
		}
		parts = [][]byte{buffer[:size]}
	}
	name := d.partial()
	f, err := direct.Create(name)
	if err != nil {
		_ = os.Remove(name) // a file system that refuses may have made it
		return nil, err
	}
	if err = direct.Write(f, parts); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(name))
	}
	return f, nil
}

// partial is a name that no other file has.
func (d *disk) partial() string {
	return filepath.Join(d.at("partial"), strconv.FormatUint(d.number.Add(1), 10))
}

// get implements place.
func (d *disk) get(name string, most int, room []byte, past bool) (part []byte, size uint64, err error) {
	f, err := os.Open(d.at(name))
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	size = uint64(info.Size())
	if past && d.large(size) {
		if part, err = direct.Read(f, room, int(size)); !errors.Is(err, syscall.EINVAL) {
			return part, size, err
		}
		d.cached.Store(true)
	}
	part = within(room, min(uint64(most), size))
	n, err := io.ReadFull(f, part)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // it is shorter by now
	}
	return part[:n], size, err
}

// large reports whether a file of this size is written and read past the page cache: one of a large chunk, as long as the file system has not refused.
func (d *disk) large(size uint64) bool {
	return size >= largeFrom && size%direct.BlockBytes == 0 && size <= ChunkRoom && !d.cached.Load()
}

// size implements place.
func (d *disk) size(name string) (uint64, error) {
	info, err := os.Stat(d.at(name))
	if err != nil {
		return 0, err
	}
	return uint64(info.Size()), nil
}

// remove implements place.
func (d *disk) remove(name string) error { return os.Remove(d.at(name)) }

// settle implements place: the files, and then their folders.
func (d *disk) settle(names []string) ([]bool, error) {
	folders := map[string]bool{}
	absent, err := each(names, func(name string) error { return d.syncFile(d.at(name)) })
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		folders[filepath.Dir(d.at(name))] = true
	}
	for folder := range folders {
		if err := d.syncFolder(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return absent, nil
}

func (d *disk) syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.fsync(f), f.Close())
}

func (d *disk) makeFolder(folder string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.grew[filepath.Dir(folder)] = true
	return os.MkdirAll(folder, 0o700)
}

// syncFolder syncs a folder, and the one it lies in where that got a folder meanwhile.
func (d *disk) syncFolder(folder string) error {
	if err := d.syncFile(folder); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	in := filepath.Dir(folder)
	if !d.grew[in] {
		return nil
	}
	err := d.syncFile(in)
	if err == nil {
		delete(d.grew, in)
	}
	return err
}

// name implements place: it is the time of the file.
func (d *disk) name(table string, at time.Time) error { return os.Chtimes(d.at(table), at, at) }

// walk implements place.
func (d *disk) walk(folder string, visit func(f file) error) error {
	return filepath.WalkDir(d.at(folder), func(at string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went meanwhile
		}
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(d.dir, at)
		if err != nil {
			return err
		}
		return visit(file{path.Clean(filepath.ToSlash(name)), uint64(info.Size()), info.ModTime()})
	})
}
