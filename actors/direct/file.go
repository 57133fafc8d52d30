package direct

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
)

// File is a file several parts of which are written at the same time: aligned ones past the page cache, others through it.
type File struct {
	file    *os.File
	past    *os.File // nil where the file system knows no way
	refused atomic.Bool
}

// Over wraps an open file that will have so many bytes, and reserves the disk space for them. The File is closed before the file is. Error: that there is no
// space.
func Over(f *os.File, size int64) (*File, error) {
	if err := allocate(f, size); err != nil {
		return nil, err
	}
	past, err := again(f)
	if err != nil {
		past = nil
	}
	return &File{file: f, past: past}, nil
}

// WriteAt implements io.WriterAt.
func (f *File) WriteAt(part []byte, offset int64) (int, error) {
	if f.past != nil && offset%BlockBytes == 0 && IsAligned(part) && !f.refused.Load() {
		n, err := f.past.WriteAt(part, offset)
		if !errors.Is(err, syscall.EINVAL) {
			return n, err
		}
		f.refused.Store(true)
	}
	return f.file.WriteAt(part, offset)
}

// Close ends the writing, and leaves the file open.
func (f *File) Close() error {
	if f.past == nil {
		return nil
	}
	return f.past.Close()
}
