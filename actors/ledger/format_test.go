package ledger

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
)

// beforeMarks is the chain of a validator that was alone on chain 77, with epochs of 8 blocks, and was stopped at block 71. Its crossings are in format 1:
// a program that kept them so wrote the same records without their first line, which was cut off here.
const beforeMarks = "testdata/node-crossings-1.tar.gz"

// unpack gives the files of a directory that is kept in testdata, by their names.
func unpack(t *testing.T, path string) map[string][]byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if files[h.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A directory of the format before opens with all it held: its last block, and the way out of every epoch. What changed is told once, and the records are
// those that were there.
func TestOpenDirectoryBeforeMarks(t *testing.T) {
	files := unpack(t, beforeMarks)
	spec, err := genesis.Read(bytes.NewReader(files["genesis.json"]))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range files {
		if filepath.Dir(name) == "chain" {
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	old := files["chain/"+epochProofsName]
	var notes []format.Note
	for range 2 {
		d, err := disk.NewDirectory(dir)
		if err != nil {
			t.Fatal(err)
		}
		l, err := OpenDisk(d, filepath.Join(dir, "image"), spec, store.Options{Told: func(n format.Note) { notes = append(notes, n) }})
		if err != nil {
			t.Fatal(err)
		}
		if h := l.Header(); h.Height != 71 || l.State().Root() != h.StateRoot {
			t.Errorf("block %d, state %v of %v", h.Height, l.State().Root(), h.StateRoot)
		}
		for epoch := range uint64(9) { // 8·9 - 1 = 71 is the last of epoch 8
			if x, err := l.EpochProof(epoch); err != nil || x.Header.Epoch != epoch || uint64(x.Header.Height) != 8*epoch+7 {
				t.Errorf("epoch %d: %+v, %v", epoch, x, err)
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(notes) != 1 || notes[0].From != 1 || notes[0].To != 2 || notes[0].File != epochProofsName {
		t.Errorf("told %v", notes)
	}
	now, err := os.ReadFile(filepath.Join(dir, epochProofsName))
	if err != nil || !bytes.Equal(now, append([]byte("cowboy-crossings 2\n"), old...)) {
		t.Errorf("%d bytes of %d before, %v", len(now), len(old), err)
	}
}

// A machine that stops at any byte of the migration leaves the file before or the file after, and never part of either.
func TestEpochProofsMigrationCrash(t *testing.T) {
	old := unpack(t, beforeMarks)["chain/"+epochProofsName]
	after := append([]byte("cowboy-crossings 2\n"), old...)
	d := disk.NewMemory()
	d.Record = true
	f, err := d.Create(epochProofsName)
	if err == nil {
		_, err = f.WriteAt(old, 0)
	}
	if err == nil {
		err = errors.Join(f.Sync(), d.Sync())
	}
	if err != nil {
		t.Fatal(err)
	}
	begun := d.Clock()
	if err := EpochProofs.Upgrade(d, epochProofsName, nil); err != nil {
		t.Fatal(err)
	}
	for name, keep := range map[string]func(string, int) int{"killed": nil, "power cut": func(string, int) int { return 0 }} {
		t.Run(name, func(t *testing.T) {
			met := [2]int{}
			for instant := begun; instant <= d.Clock(); instant++ {
				if instant > begun+64 && instant < d.Clock()-64 && instant%61 != 0 {
					continue // within one write
				}
				left := d.Until(instant).Crash(keep)
				left.Edit(epochProofsName, func(data []byte) []byte {
					switch {
					case bytes.Equal(data, old):
						met[0]++
					case bytes.Equal(data, after):
						met[1]++
					default:
						t.Fatalf("stopped at %d: %d bytes are neither", instant, len(data))
					}
					return data
				})
				c, err := openEpochProofs(left, nil)
				if err != nil || len(c.places) != 9 {
					t.Fatalf("stopped at %d: %v", instant, err)
				}
			}
			if met[0] == 0 || met[1] == 0 {
				t.Errorf("met the file before %d times, the file after %d times", met[0], met[1])
			}
		})
	}
}

// Files of a later program, and a mark that was damaged, are refused and stay as they are: nothing of them is cut off.
func TestLaterFilesStay(t *testing.T) {
	for name, x := range map[string]struct {
		file, text string
		have       format.Version // 0: damaged
	}{
		"crossings":    {epochProofsName, "cowboy-crossings 3\nrecords", 3},
		"damaged mark": {epochProofsName, "cowboy-crossing! 2\nrecords", 0},
		"generation":   {generationName, "cowboy-generation 2\nseven", 2},
	} {
		t.Run(name, func(t *testing.T) {
			d := disk.NewMemory()
			f, err := d.Create(x.file)
			if err == nil {
				_, err = f.WriteAt([]byte(x.text), 0)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = OpenDisk(d, "", devnet(t), kept)
			var e *format.Error
			var corrupt *store.CorruptError
			if x.have == 0 && !errors.As(err, &corrupt) || x.have != 0 && (!errors.As(err, &e) || e.Have != x.have) {
				t.Errorf("%v", err)
			}
			d.Edit(x.file, func(data []byte) []byte {
				if string(data) != x.text {
					t.Errorf("it is %q", data)
				}
				return data
			})
		})
	}
}
