package index

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/actors/boltfile"
)

// Check reads a whole index and changes nothing. It gives a *DamagedError, or *boltfile.DamagedError, for a file that is not as it was written; nil where
// there is none. Nobody may have the file open.
func Check(path string) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	f := &file{path: path}
	err := f.guard(func() (err error) {
		o := &bbolt.Options{Timeout: openTimeout, ReadOnly: true}
		o.OpenFile = func(path string, flag int, mode os.FileMode) (*os.File, error) {
			raw, err := boltfile.OpenFile(path, flag, mode)
			f.raw = raw
			return raw, err
		}
		f.db, err = bbolt.Open(path, fileMode, o)
		return err
	})
	if err != nil {
		return errors.Join(err, f.abandon())
	}
	err = f.view(func(t *bbolt.Tx) error {
		for _, name := range buckets {
			b := t.Bucket(name)
			if b == nil {
				return f.damaged(fmt.Sprintf("it has no %s", name))
			}
			err := b.ForEach(func(k, v []byte) error {
				if bytes.Equal(name, metaBucket) && (bytes.Equal(k, chainKey) || bytes.Equal(k, formatKey)) {
					return nil // compared with what they should be when it is opened
				}
				_, err := f.unseal(k, v, max(len(v)-4, 0))
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, f.close())
}
