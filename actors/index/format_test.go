package index

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"go.etcd.io/bbolt"
)

// An index of another format, and one that names none as the first did, is made anew from the chain; that is told once, with both versions.
func TestIndexOfOtherFormat(t *testing.T) {
	whom := account.Address{9, 1}
	var blocks source
	for h := range 5 {
		blocks = append(blocks, []*block.Receipt{{Kind: block.Transaction, ID: digest.Hash{byte(h), 1}, Sender: whom, Target: account.Address{9, 2}}})
	}
	for name, x := range map[string]struct {
		mark []byte // nil: none
		have format.Version
	}{
		"first": {nil, 1}, "before": {[]byte{5}, 5}, "next": {[]byte{7}, 7},
	} {
		t.Run(name, func(t *testing.T) {
			var told []error
			s := &Subsystem{
				Path: filepath.Join(t.TempDir(), "index.db"), Source: blocks, Handle: NewHandle(), Damaged: func(err error) { told = append(told, err) },
			}
			s.open()
			if err := s.file.update(func(tx *bbolt.Tx) error {
				meta := tx.Bucket(metaBucket)
				if x.mark == nil {
					return meta.Delete(formatKey)
				}
				return meta.Put(formatKey, x.mark)
			}); err != nil {
				t.Fatal(err)
			}
			s.close()
			if have, err := Format.Inspect(s.Path); err != nil || have != x.have {
				t.Errorf("version %d, %v", have, err)
			}
			for range 2 {
				s.open()
				if list, total, err := s.file.newest(whom, Signer, 0, 10); err != nil || total != 5 || len(list) != 5 {
					t.Errorf("%d of %d entries, %v", len(list), total, err)
				}
				s.close()
			}
			var e *format.Error
			if len(told) != 1 || !errors.As(told[0], &e) || e.Have != x.have || e.Now != 6 {
				t.Errorf("told %v", told)
			}
			if have, err := Format.Inspect(s.Path); err != nil || have != 6 {
				t.Errorf("version %d, %v", have, err)
			}
		})
	}
}
