package direct

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Memory gives memory that begins where a block may.
func Memory(size int) []byte {
	room := make([]byte, size+BlockBytes)
	begin := -int(uintptr(unsafe.Pointer(&room[0]))) & (BlockBytes - 1)
	return room[begin : begin+size : begin+size]
}

// IsAligned reports whether a part begins and ends where blocks may.
func IsAligned(part []byte) bool {
	return (uintptr(unsafe.Pointer(unsafe.SliceData(part)))|uintptr(len(part)))&(BlockBytes-1) == 0
}

// Create makes a file, which is not there yet, for Write.
func Create(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|unix.O_DIRECT, 0o600)
}

// Write writes aligned parts one after another, by one call if it can.
func Write(f *os.File, parts [][]byte) error {
	for len(parts) > 0 {
		n, err := unix.Writev(int(f.Fd()), parts)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return err
		case n == 0:
			return io.ErrShortWrite
		}
		for len(parts) > 0 && n >= len(parts[0]) {
			n -= len(parts[0])
			parts = parts[1:]
		}
		if n > 0 {
			parts = slices.Concat([][]byte{parts[0][n:]}, parts[1:])
		}
	}
	return nil
}

// Read reads a file of so many bytes, whole blocks: into the room, if it is large enough and aligned, or into memory of its own. It gives fewer bytes where the
// file is shorter. After an error the file is read the usual way.
func Read(f *os.File, room []byte, size int) ([]byte, error) {
	if len(room) < size || !IsAligned(room[:size]) {
		room = Memory(size)
	}
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETFL, unix.O_DIRECT); err != nil {
		return nil, err
	}
	n, err := f.ReadAt(room[:size], 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err != nil {
		_, _ = unix.FcntlInt(f.Fd(), unix.F_SETFL, 0)
	}
	return room[:n], err
}

// allocate has the file system keep room for a file, so that parts of it are written beside each other. Error: that there is none.
func allocate(f *os.File, size int64) error {
	for {
		err := unix.Fallocate(int(f.Fd()), 0, 0, size)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT), errors.Is(err, unix.EFBIG):
			return &os.PathError{Op: "fallocate", Path: f.Name(), Err: err}
		}
		return nil // a file system that cannot writes all the same
	}
}

// again opens a file once more, for writing past the page cache.
func again(f *os.File) (*os.File, error) {
	return os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), os.O_WRONLY|unix.O_DIRECT, 0)
}
