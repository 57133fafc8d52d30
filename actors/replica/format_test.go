package replica

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/frame"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// A journal of another format is refused with both versions and what to do, and no byte of it changes: it may hold the only record of a vote.
func TestJournalOfOtherFormat(t *testing.T) {
	for name, x := range map[string]struct {
		version byte
		want    string
	}{
		"before": {1, "votes has format 1 of journal, this program reads format 2: remove the directory of the journal; " +
			"the validator then votes again in the first epoch that begins while it runs"},
		"next": {3, "votes has format 3 of journal, this program reads format 2: start the cowboyd that wrote it, or a newer one"},
	} {
		t.Run(name, func(t *testing.T) {
			d := disk.NewMemory()
			j := opens(t, d)
			add(t, j, votesOn(1))
			if err := j.file.Close(); err != nil {
				t.Fatal(err)
			}
			var before []byte
			d.Edit(names.File, func(data []byte) []byte {
				payload, rest, err := frame.Cut(data)
				if err != nil {
					t.Fatal(err)
				}
				payload[5] = x.version
				before = append(frame.Append(nil, payload), rest...)
				return before
			})
			if f, err := d.Open(names.File); err != nil {
				t.Fatal(err)
			} else if have, err := Journal.Read(f); err != nil || have != format.Version(x.version) {
				t.Errorf("version %d, %v", have, err)
			}
			_, err := openJournal(d, chainHash)
			var e *format.Error
			if !errors.As(err, &e) || err.Error() != x.want {
				t.Errorf("%v, want %s", err, x.want)
			}
			d.Edit(names.File, func(data []byte) []byte {
				if string(data) != string(before) {
					t.Error("the file was changed")
				}
				return data
			})
		})
	}
}
