package frame

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// Names are those of a File, of the one that replaces it, and of its lock, in their directory.
type Names struct{ File, Next, Lock string }

// File is a file of frames that one process at a time has open. The first frame is its title; each later one is what one Append made durable. A frame is
// synced before the next one begins, and the whole file is replaced by Rewrite, so that only the last frame can be torn.
//
// After an error of Append or Rewrite what is on the disk is unknown until the file is read again: every later call gives that error.
type File struct {
	names  Names
	disk   disk.Disk
	lock   io.Closer
	file   disk.File
	size   int64
	broken error
}

// Open takes the lock of a file and nothing else: Rewrite has to follow before Append. Error: disk.ErrLocked, or the disk's.
func Open(d disk.Disk, names Names) (*File, error) {
	lock, err := d.Lock(names.Lock)
	if err != nil {
		return nil, err
	}
	return &File{names: names, disk: d, lock: lock}, nil
}

// Present reports whether there is such a file.
func Present(d disk.Disk, names Names) (bool, error) {
	f, err := d.Open(names.File)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, f.Close()
}

// Read is ReadFile of the file as it is on the disk. fs.ErrNotExist where there is none.
func (f *File) Read(damaged error, title, each func(payload []byte) error) error {
	return ReadFile(f.disk, f.names, damaged, title, each)
}

// ReadFile gives the payload of the title to title, then every other to each, in order; nobody may write meanwhile. A torn last frame is left out. An error
// of title is given as it is. Errors: fs.ErrNotExist where there is no file; damaged, with the place, for a bad frame that has a good one behind it and
// for an error of each; any other is the disk's.
func ReadFile(d disk.Disk, names Names, damaged error, title, each func(payload []byte) error) error {
	data, err := whole(d, names, damaged)
	if err != nil {
		return err
	}
	payload, rest, err := Cut(data)
	if err != nil {
		return fmt.Errorf("%w: no title", damaged)
	}
	if err := title(payload); err != nil {
		return err
	}
	for len(rest) > 0 {
		payload, after, err := Cut(rest)
		if err != nil && !Within(rest[1:]) {
			return nil
		}
		if err == nil {
			err = each(payload)
		}
		if err != nil {
			return fmt.Errorf("%w: at byte %d: %w", damaged, len(data)-len(rest), err)
		}
		rest = after
	}
	return nil
}

func whole(d disk.Disk, names Names, damaged error) (data []byte, err error) {
	file, err := d.Open(names.File)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	size, err := file.Size()
	if err != nil {
		return nil, err
	}
	data = make([]byte, size)
	if n, err := file.ReadAt(data, 0); int64(n) != size {
		return nil, fmt.Errorf("%w: %d of %d bytes: %w", damaged, n, size, err)
	}
	return data, nil
}

// Head gives the first n bytes on the disk as they are now, or fewer: another process may have replaced the file where locks do not reach.
func (f *File) Head(n int) ([]byte, error) {
	file, err := f.disk.Open(f.names.File)
	if err != nil {
		return nil, err
	}
	head := make([]byte, n)
	n, err = file.ReadAt(head, 0)
	if err == io.EOF {
		err = nil
	}
	return head[:n], errors.Join(err, file.Close())
}

// Append makes a payload durable.
func (f *File) Append(payload []byte) error {
	if f.broken != nil {
		return f.broken
	}
	data := Append(nil, payload)
	_, err := f.file.WriteAt(data, f.size)
	if err == nil {
		err = f.file.Sync()
	}
	f.broken, f.size = err, f.size+int64(len(data))
	return err
}

// Rewrite replaces the file by one of a title and other payloads. Empty ones are left out.
func (f *File) Rewrite(title []byte, payloads ...[]byte) error {
	if f.broken == nil {
		f.broken = f.replace(title, payloads)
	}
	return f.broken
}

func (f *File) replace(title []byte, payloads [][]byte) error {
	data := Append(nil, title)
	for _, p := range payloads {
		if len(p) > 0 {
			data = Append(data, p)
		}
	}
	next, err := disk.Replace(f.disk, f.names.File, f.names.Next, func(next disk.File) error {
		_, err := next.WriteAt(data, 0)
		return err
	})
	if err != nil {
		return err
	}
	if f.file != nil {
		err = f.file.Close()
	}
	f.file, f.size = next, int64(len(data))
	return err
}

// Fail makes err what every later call gives.
func (f *File) Fail(err error) error {
	f.broken = err
	return err
}

// Broken is the error that ended the use of the file, nil while there is none.
func (f *File) Broken() error { return f.broken }

// Size is the length of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Close releases file and lock, once; every later call of another method gives fs.ErrClosed.
func (f *File) Close() error {
	if errors.Is(f.broken, fs.ErrClosed) {
		return nil
	}
	f.broken = fs.ErrClosed
	var err error
	if f.file != nil {
		err = f.file.Close()
	}
	return errors.Join(err, f.lock.Close())
}

// VersionOf reads the version behind the mark that a title begins with, for a format.Kind. Error: damaged for anything else.
func VersionOf(mark string, damaged error) func(io.ReaderAt) (format.Version, error) {
	return func(r io.ReaderAt) (format.Version, error) {
		head := make([]byte, Head+len(mark)+1)
		n, err := r.ReadAt(head, 0)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if n < len(head) || string(head[Head:Head+len(mark)]) != mark {
			return 0, damaged
		}
		return format.Version(head[Head+len(mark)]), nil
	}
}
