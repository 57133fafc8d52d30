package volume

import "golang.org/x/sys/unix"

// mapRoom gives memory of the system's, in large pages where it has them.
func mapRoom(size int) ([]byte, error) {
	const large = 2 << 20
	bytes, err := unix.Mmap(-1, 0, (size+large-1)/large*large, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err == nil {
		_ = unix.Madvise(bytes, unix.MADV_HUGEPAGE) // a hint
	}
	return bytes, err
}

func unmapRoom(bytes []byte) { _ = unix.Munmap(bytes) }
