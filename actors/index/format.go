package index

import (
	"errors"
	"os"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/actors/boltfile"
	"github.com/cowboyinc/cowboy-go/actors/format"
)

// Format is that of the index file. Version 1 had no causes, 2 no checksums, 3 no actors, topics and series, 4 no flows of coins, and no holders and moves of
// tokens; 5 had one list of receipts for all roles of an address, which pages were counted off from its end.
var Format = &format.Kind{
	Name: "index", Files: []string{"index.db"}, Now: 6, Source: "the chain",
	Inspect: func(path string) (v format.Version, err error) {
		f := &file{path: path}
		err = f.guard(func() (err error) {
			f.db, err = bbolt.Open(path, fileMode, &bbolt.Options{ReadOnly: true, Timeout: openTimeout, OpenFile: boltfile.OpenFile})
			return err
		})
		if err != nil {
			return 0, err
		}
		err = f.view(func(t *bbolt.Tx) error {
			meta := t.Bucket(metaBucket)
			if meta == nil {
				return os.ErrNotExist
			}
			v = versionOf(meta)
			return nil
		})
		return v, errors.Join(err, f.guard(f.db.Close))
	},
}

// versionOf reads the version of a file; those of the first did not name it.
func versionOf(meta *bbolt.Bucket) format.Version {
	have := meta.Get(formatKey)
	if len(have) != 1 {
		return 1
	}
	return format.Version(have[0])
}
