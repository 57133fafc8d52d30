package store

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// createDirect makes a file that is written to past the page cache.
func createDirect(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|unix.O_DIRECT, 0o600)
}

// aligned gives memory that begins where a block may, as the kernel asks for of what is written so.
func aligned(size int) []byte {
	room := make([]byte, size+blockBytes)
	begin := -int(uintptr(unsafe.Pointer(&room[0]))) & (blockBytes - 1)
	return room[begin : begin+size]
}
