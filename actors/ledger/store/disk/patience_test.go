package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// A file for which there is no descriptor is opened when there is one; what else goes wrong is told at once.
func TestPatiently(t *testing.T) {
	asked := 0
	got, err := Patiently(func() (int, error) {
		asked++
		switch asked {
		case 1, 2:
			return 0, &fs.PathError{Op: "open", Path: "journal", Err: syscall.EMFILE}
		case 3:
			return 0, os.NewSyscallError("accept4", syscall.ENFILE)
		}
		return 7, nil
	})
	if got != 7 || err != nil || asked != 4 {
		t.Errorf("%d, %v after %d times", got, err, asked)
	}
	for _, want := range []error{fs.ErrNotExist, syscall.ENOSPC, syscall.EIO} {
		asked = 0
		if _, err := Patiently(func() (int, error) { asked++; return 0, want }); !errors.Is(err, want) || asked != 1 {
			t.Errorf("%v: %v after %d times", want, err, asked)
		}
	}
}
