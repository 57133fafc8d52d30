package disk

import (
	"errors"
	"io"
)

var (
	// ErrFull reports that the disk has no room left.
	ErrFull = errors.New("disk is full")
	// ErrLocked reports that another process uses the directory.
	ErrLocked = errors.New("directory is in use by another process")
)

// Disk is a flat directory of files.
type Disk interface {
	// Create makes a new empty file for reading and writing, replacing an older
	// one of the same name.
	Create(name string) (File, error)
	// Open opens an existing file for reading and writing; the error matches
	// fs.ErrNotExist when there is none.
	Open(name string) (File, error)
	// Rename gives a file a new name, replacing an older one of that name.
	Rename(from, to string) error
	Remove(name string) error
	// List gives the names of all files, ascending.
	List() ([]string, error)
	// Sync makes creations, renames and removals durable.
	Sync() error
	// Lock keeps other processes out until the Closer is closed, or answers
	// ErrLocked.
	Lock(name string) (io.Closer, error)
}

// File is an open file. Reads may run beside one writer.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Sync makes all bytes written before durable. After an error the bytes are
	// lost for all one knows, and the file must not be used again.
	Sync() error
	Truncate(size int64) error
	Size() (int64, error)
}
