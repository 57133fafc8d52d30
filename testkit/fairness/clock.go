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
	touch()
	return func() {
		debug.SetGCPercent(percent)
		runtime.UnlockOSThread()
	}
}

// touch makes the heap as large as it gets and collects it, so that what is measured finds memory that the system has given already, as in
// a process that has run for a while. Every page is written, also that of the last byte: blocks do not begin where pages do.
func touch() {
	const size, page = 32 << 10, 4 << 10
	var blocks [][]byte
	for range 2 * collectAt / size {
		b := make([]byte, size)
		for i := 0; i < size; i += page {
			b[i] = 1
		}
		b[size-1] = 1
		blocks = append(blocks, b)
	}
	runtime.KeepAlive(blocks)
	runtime.GC()
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
