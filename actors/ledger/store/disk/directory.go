package disk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// Directory is a Disk in a directory of the operating system. Where there are no descriptors left it waits for one.
type Directory struct{ path string }

// NewDirectory makes the directory if it is missing.
func NewDirectory(path string) (*Directory, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, full(err)
	}
	return &Directory{path}, nil
}

// Path is the path of a file of the directory.
func (d *Directory) Path(name string) string { return filepath.Join(d.path, name) }

// Create implements [Disk].
func (d *Directory) Create(name string) (File, error) {
	return d.open(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
}

// Open implements [Disk].
func (d *Directory) Open(name string) (File, error) { return d.open(name, os.O_RDWR) }

func (d *Directory) open(name string, flag int) (File, error) {
	f, err := Patiently(func() (*os.File, error) { return os.OpenFile(d.Path(name), flag, 0o644) })
	if err != nil {
		return nil, full(err)
	}
	return file{f}, nil
}

// Rename implements [Disk].
func (d *Directory) Rename(from, to string) error {
	return full(os.Rename(d.Path(from), d.Path(to)))
}

// Remove implements [Disk].
func (d *Directory) Remove(name string) error { return os.Remove(d.Path(name)) }

// List implements [Disk].
func (d *Directory) List() ([]string, error) {
	entries, err := Patiently(func() ([]os.DirEntry, error) { return os.ReadDir(d.path) })
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Sync implements [Disk].
func (d *Directory) Sync() error {
	f, err := Patiently(func() (*os.File, error) { return os.Open(d.path) })
	if err != nil {
		return err
	}
	err = f.Sync()
	return errors.Join(err, f.Close())
}

// Lock implements [Disk]. The lock goes when the process ends, however it ends.
func (d *Directory) Lock(name string) (io.Closer, error) {
	f, err := Patiently(func() (*os.File, error) { return os.OpenFile(d.Path(name), os.O_RDWR|os.O_CREATE, 0o644) })
	if err != nil {
		return nil, full(err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("%w: %s", ErrLocked, d.path)
	}
	return nil, errors.Join(err, f.Close())
}

// file adds what *os.File lacks.
type file struct{ *os.File }

func (f file) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.File.WriteAt(p, off)
	return n, full(err)
}

func (f file) Sync() error { return full(f.File.Sync()) }

func (f file) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// full marks the errors that mean a full disk.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}
