package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// cached asks the kernel whether the first block of a file is in the page cache.
func cached(t *testing.T, name string) bool {
	t.Helper()
	f, err := os.Open(name)
	check(t, err)
	defer f.Close()
	block, err := unix.Mmap(int(f.Fd()), 0, 1, unix.PROT_READ, unix.MAP_SHARED)
	check(t, err)
	var resident [1]byte
	_, _, failed := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&block[0])), uintptr(len(block)), uintptr(unsafe.Pointer(&resident[0])))
	check(t, unix.Munmap(block))
	if failed != 0 {
		t.Fatal(failed)
	}
	return resident[0]&1 == 1
}

// A large chunk that is brought is not in the page cache before somebody reads it. A small one is.
func TestPageCache(t *testing.T) {
	f, err := createDirect(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Skip("the file system knows no writing past the page cache: ", err)
	}
	check(t, f.Close())
	d := newDisk(t.TempDir())
	s, err := begin(d, 1<<22)
	check(t, err)
	defer s.Close()
	large, small := put(t, s, bytes.Repeat([]byte{1}, cbfs.ChunkBytes)), put(t, s, []byte("small"))
	if cached(t, d.at(chunkName(large))) || !cached(t, d.at(chunkName(small))) {
		t.Error("the large chunk is cached, or the small one is not")
	}
	if _, err := s.Get(large); err != nil || !cached(t, d.at(chunkName(large))) {
		t.Error("it is not cached though it was read: ", err)
	}
}
