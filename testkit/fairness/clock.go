package fairness

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
	"unsafe"

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
// a process that has run for a while.
func touch() {
	const size = 8 << 10
	var list *[size / 8]*byte
	for range 2 * collectAt / size {
		next := new([size / 8]*byte)
		next[0], next[size/16] = (*byte)(unsafe.Pointer(list)), nil
		list = next
	}
	runtime.KeepAlive(list)
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
