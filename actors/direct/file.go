package direct

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
)

// File is a file several parts of which are written at a time: large aligned ones past the page cache, others through it.
type File struct {
	file    *os.File
	past    *os.File // nil where the file system knows no way
	refused atomic.Bool
}

// largeFrom is from which size on a part is written past the page cache.
const largeFrom = 64 << 10

// Over gives an open file that is to have so many bytes, for which room is kept on the disk. It is closed before the file is. Error: that there is no room.
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
	if f.past != nil && len(part) >= largeFrom && offset%BlockBytes == 0 && IsAligned(part) && !f.refused.Load() {
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
