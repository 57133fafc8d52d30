package store

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// agedImage closes a store and gives its checkpoint another format.
func agedImage(t *testing.T, s *Store, version byte) {
	t.Helper()
	old := identityBytes(testIdentity)
	old[0] = version
	if err := s.image.db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(bucketMeta)).Put([]byte("identity"), seal(old))
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A checkpoint of another format, older or newer, is made anew from a log that is whole, and that is told once. What a crash left of the new file
// beside the old one does not matter.
func TestCheckpointAnew(t *testing.T) {
	for name, version := range map[string]byte{"the one before": byte(Checkpoint.Now) - 1, "the first": 1, "the next": byte(Checkpoint.Now) + 1} {
		t.Run(name, func(t *testing.T) {
			dir, o := t.TempDir(), testOptions()
			o.Window = Archive
			c, s := newChain(t, 7), open(t, dir, o)
			for range 20 {
				if err := c.grow(s); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Checkpoint(); err != nil {
				t.Fatal(err)
			}
			agedImage(t, s, version)
			path := filepath.Join(dir, imageName)
			if have, err := Checkpoint.Inspect(path); err != nil || have != format.Version(version) {
				t.Fatalf("version %d, %v", have, err)
			}
			torn, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path+".next", torn[:len(torn)/3], 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			var notes []format.Note
			o.Told = func(n format.Note) { notes = append(notes, n) }
			for range 2 {
				s = open(t, dir, o)
				c.checkState(s.Head().State(), len(c.blocks)-1)
				if err := s.Checkpoint(); err != nil {
					t.Fatal(err)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if len(notes) != 1 || notes[0].From != format.Version(version) || notes[0].To != Checkpoint.Now || notes[0].Source != "the log" {
				t.Errorf("told %v", notes)
			}
			if have, err := Checkpoint.Inspect(path); err != nil || have != Checkpoint.Now {
				t.Errorf("version %d, %v", have, err)
			}
		})
	}
}

// A log that has given operations back cannot replace its checkpoint: the file is refused with both versions and what to do, and stays.
func TestCheckpointOfHollowLog(t *testing.T) {
	dir, o := t.TempDir(), testOptions()
	c, s := newChain(t, 8), open(t, dir, o)
	for hollow := false; !hollow; {
		for range 10 {
			if err := c.grow(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		hollow = (*s.source.segments.Load())[0].hollow
	}
	agedImage(t, s, 2)
	path := filepath.Join(dir, imageName)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(dir, o)
	var e *format.Error
	if !errors.As(err, &e) || e.Have != 2 || e.Now != 3 || !strings.HasSuffix(err.Error(), "or sync into an empty data directory") {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || len(after) != len(before) {
		t.Errorf("%d bytes, were %d, %v", len(after), len(before), err)
	}
}

// A file of a later program is refused by name and number, and nothing is cut off or overwritten.
func TestNewerFiles(t *testing.T) {
	for name, change := range map[string]func(data []byte) []byte{
		segmentName(0): func(data []byte) []byte {
			head := data[:segmentHeader]
			binary.BigEndian.PutUint32(head[4:], 2)
			binary.BigEndian.PutUint32(head[segmentHeader-4:], checksum(head[:segmentHeader-4]))
			return data
		},
		acknowledgedName: func([]byte) []byte { return []byte("cowboy-acknowledged 2\nwhatever") },
	} {
		t.Run(name, func(t *testing.T) {
			d := disk.NewMemory()
			s, err := OpenDisk(d, "", testOptions())
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			var before []byte
			d.Edit(name, func(data []byte) []byte {
				before = change(data)
				return before
			})
			_, err = OpenDisk(d, "", testOptions())
			var e *format.Error
			if !errors.As(err, &e) || e.Have != 2 || e.Now != 1 || !strings.Contains(err.Error(), "start the cowboyd that wrote it, or a newer one") {
				t.Errorf("%v", err)
			}
			d.Edit(name, func(data []byte) []byte {
				if string(data) != string(before) {
					t.Error("the file was changed")
				}
				return data
			})
		})
	}
}
