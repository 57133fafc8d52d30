// Package pagecache tells tests what the kernel keeps of files in memory.
package pagecache

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Has reports whether the first page of a file is in the page cache, by the kernel's word.
//
// Source: mincore(2).
func Has(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	page, err := unix.Mmap(int(f.Fd()), 0, 1, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return false, err
	}
	var resident [1]byte
	_, _, failed := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&page[0])), uintptr(len(page)), uintptr(unsafe.Pointer(&resident[0])))
	if err = unix.Munmap(page); failed != 0 {
		err = errors.Join(failed, err)
	}
	return resident[0]&1 == 1, err
}

// OnDisk reports whether a folder's file system is on a disk, and not in memory, where every file is in the page cache.
func OnDisk(folder string) (bool, error) {
	var s unix.Statfs_t
	err := unix.Statfs(folder, &s)
	return s.Type != unix.TMPFS_MAGIC && s.Type != unix.RAMFS_MAGIC, err
}
