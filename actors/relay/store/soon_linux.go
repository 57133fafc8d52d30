package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// writeSoon has the kernel begin to write what is in a file, and does not wait for it.
func writeSoon(f *os.File) {
	_ = unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) // a hint: what it does not do, syncing does
}
