package store

import (
	"os"
	"runtime"
	"sync"
)

// overlapped is how many more threads run Go than there are processors.
const overlapped = 2

// Overlap has two threads more run Go in this process than there are processors, once, unless the environment sets GOMAXPROCS. A goroutine that waits for the
// disk in a call of the system keeps others from its thread's place until the runtime looks for such places, which takes longer than the disk does; with two
// processors both places are taken so for a good part of the time. The number no longer follows a limit of a container that changes.
//
// Source: golang/go#29734 for the cause; Erigon #23843 does the same, by the same number.
func Overlap() { overlap() }

var overlap = sync.OnceFunc(func() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + overlapped)
	}
})
