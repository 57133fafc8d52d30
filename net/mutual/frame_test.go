package mutual

import (
	"fmt"
	"testing"
	"unsafe"
)

// A large body ends where a page does, so that a chunk at its end begins where one does; nothing lies behind it.
func TestWhereBodiesEnd(t *testing.T) {
	for _, size := range []int{small + 1, 1 << 20, 1<<20 + 137, MaxBody} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			body := Take(size)
			defer body.Free()
			end := uintptr(unsafe.Pointer(unsafe.SliceData(body.Bytes))) + uintptr(size)
			if len(body.Bytes) != size || cap(body.Bytes) != size || end%4096 != 0 {
				t.Errorf("%d bytes of %d, which end at %x", len(body.Bytes), cap(body.Bytes), end)
			}
		})
	}
}
