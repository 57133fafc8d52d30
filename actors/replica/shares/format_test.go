package shares

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// Files that a later program marked are refused with both versions, and are not taken for a torn frame of this one, which would be cut off.
func TestFilesOfLaterFormat(t *testing.T) {
	for _, name := range []string{"share-8", "deals-9", "charges"} {
		t.Run(name, func(t *testing.T) {
			d := disk.NewMemory()
			f, err := d.Create(name)
			if err == nil {
				_, err = f.WriteAt([]byte("cowboy-shares 2\nsealed"), 0)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = Open(d, chain, secret(t, "vote", 0))
			var e *format.Error
			if !errors.As(err, &e) || e.Have != 2 || e.Now != 1 || e.File != name {
				t.Errorf("%v", err)
			}
			if size, err := f.Size(); err != nil || size != 22 {
				t.Errorf("%d bytes, %v", size, err)
			}
		})
	}
}
