package store

import (
	"encoding/binary"
	"io"
	"os"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/actors/boltfile"
	"github.com/cowboyinc/cowboy-go/actors/format"
)

// Segments are the files of the log.
var Segments = &format.Kind{
	Name: "log", Files: []string{"chain/log-*", "chain/g*-log-*"}, Now: 1,
	Older: "sync into an empty data directory",
	Read: func(f io.ReaderAt) (format.Version, error) {
		head := make([]byte, segmentHeader)
		if _, err := f.ReadAt(head, 0); err != nil {
			return 0, err
		}
		if checksum(head[:segmentHeader-4]) != binary.BigEndian.Uint32(head[segmentHeader-4:]) || binary.BigEndian.Uint32(head) != segmentMagic {
			return 0, &CorruptError{"segment", 0, "segment header fails its checksum", nil}
		}
		return format.Version(binary.BigEndian.Uint32(head[4:])), nil
	},
}

// Checkpoint is the file of checkpoints. Version 1 kept every entry of the key index by itself, 2 pages of sixteen, 3 keeps leaves of the index and the
// archive.
var Checkpoint = &format.Kind{
	Name: "checkpoint", Files: []string{"chain/image", "chain/image.[0-9]*"}, Now: 3, Source: "the log",
	Inspect: func(path string) (format.Version, error) {
		db, err := bbolt.Open(path, 0o644, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout, OpenFile: boltfile.OpenFile})
		if err != nil {
			return 0, err
		}
		m := &image{path: path, db: db}
		var have []byte
		err = m.guard(func() error {
			return db.View(func(tx *bbolt.Tx) error {
				b := tx.Bucket([]byte(bucketMeta))
				if b == nil {
					return os.ErrNotExist
				}
				v, err := m.value(b, []byte("identity"))
				have = append(have, v...)
				return err
			})
		})
		if err == nil && len(have) == 0 {
			err = m.broken("identity is not well-formed", nil)
		}
		if err != nil {
			return 0, err
		}
		return format.Version(have[0]), m.close()
	},
}

// Acknowledged is the file of the offset up to which callers were told that their blocks are safe.
var Acknowledged = acknowledgedFormat()

func acknowledgedFormat() *format.Kind {
	k := &format.Kind{Name: acknowledgedName, Files: []string{"chain/" + acknowledgedName, "chain/g*-" + acknowledgedName}, Now: 1}
	k.Read = k.Unmarked
	return k
}

// Formats are the kinds of files of a Store.
func Formats() []*format.Kind { return []*format.Kind{Segments, Checkpoint, Acknowledged} }
