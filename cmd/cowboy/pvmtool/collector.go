package pvmtool

import "runtime/debug"

// besideHeap is what the process may use beside the memory limit of the program:
// Go's own view of the program's objects, garbage that waits for the next
// collection, the compiler. The process stays within the limit and 64 MiB.
const besideHeap = 38 << 20

// TuneCollector lets Go's collector work when the process nears what a program
// limited to so many bytes needs, and not before: what a program drops costs
// nothing until the room is used up. The result undoes it.
func TuneCollector(limit int64) (restore func()) {
	percent := debug.SetGCPercent(-1)
	most := debug.SetMemoryLimit(limit + besideHeap)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(most)
	}
}
