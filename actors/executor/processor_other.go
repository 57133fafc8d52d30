//go:build !linux

package executor

import "time"

// Processor is the processor time of the calling thread: this system does not tell.
func Processor() time.Duration { return 0 }
