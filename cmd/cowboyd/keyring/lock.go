package keyring

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ErrInUse: another process votes with the keys.
var ErrInUse = errors.New("another process votes with these keys")

// Lock keeps every other process from voting with the keys until the file is closed or this process ends. ErrInUse if one does.
func (r Ring) Lock() (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(r.Dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = file.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = ErrInUse
		}
		return nil, err
	}
	return file, nil
}
