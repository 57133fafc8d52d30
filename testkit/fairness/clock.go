package fairness

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"golang.org/x/sys/unix"
)

// collectAt is how many bytes of heap are collected at the next pause between two measurements.
const collectAt = 192 << 20

// Quiet prepares the calling goroutine for measuring: it stays on its thread, and garbage is collected between measurements and not in them.
// The result undoes it.
func Quiet() (restore func()) {
	runtime.LockOSThread()
	percent := debug.SetGCPercent(-1)
	return func() {
		debug.SetGCPercent(percent)
		runtime.UnlockOSThread()
	}
}

// pause collects garbage if there is much of it.
func pause() {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	if heap[0].Value.Uint64() > collectAt {
		runtime.GC()
	}
}

// spent returns the processor time of this thread.
func spent() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // every system this tool runs on has the clock
	}
	return time.Duration(t.Nano())
}
