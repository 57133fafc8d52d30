package disk

import (
	"errors"
	"syscall"
	"time"
)

const (
	// patienceFirst and patienceMost bound the pause before a file is opened again for which there was no descriptor.
	patienceFirst = time.Millisecond
	patienceMost  = 100 * time.Millisecond
)

// Short reports whether an error says that this process, or the whole machine, has as many files open as it may. Nothing is wrong with the file.
func Short(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// Patiently calls open until there is a descriptor for what it opens. A shortage passes: others close their connections, and those of this process are bounded
// below its limit. So the caller waits as for a slow disk.
func Patiently[T any](open func() (T, error)) (T, error) {
	for pause := patienceFirst; ; pause = min(2*pause, patienceMost) {
		x, err := open()
		if !Short(err) {
			return x, err
		}
		time.Sleep(pause)
	}
}
