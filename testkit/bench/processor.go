package bench

import (
	"syscall"
	"time"
)

// Processor is the time all threads of this process have used.
func Processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // of this process it cannot fail
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
