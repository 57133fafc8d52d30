package store

import (
	"os"
	"runtime"
	"sync"
)

// overlapped is by how much GOMAXPROCS exceeds the number of processors.
const overlapped = 2

// Overlap raises GOMAXPROCS of this process by two, once, unless the environment sets it. A goroutine that is blocked in a disk call holds one of the
// GOMAXPROCS slots until the runtime takes the slot back, which it looks for each 20 µs to 10 ms; a disk is often faster than that. With two slots for two
// processors, both were held so for a good part of a put, and nothing ran. From then on GOMAXPROCS no longer follows a container's limit that changes.
//
// Source: golang/go#29734 for the cause; Erigon #23843 does the same, by the same number.
func Overlap() { overlap() }

var overlap = sync.OnceFunc(func() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + overlapped)
	}
})
