package ledger

import (
	"io"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
)

// Generation is the file that names the present generation of the store.
var Generation = generationFormat()

func generationFormat() *format.Kind {
	k := &format.Kind{Name: "generation", Files: []string{"chain/" + generationName}, Now: 1}
	k.Read = k.Unmarked
	return k
}

// EpochProofs is the file of the ways out of the epochs.
var EpochProofs = epochProofsFormat()

func epochProofsFormat() *format.Kind {
	k := &format.Kind{Name: "crossings", Files: []string{"chain/" + epochProofsName}, Now: 2}
	k.Read = func(f io.ReaderAt) (format.Version, error) {
		v, err := k.Unmarked(f)
		if err != nil || v > 1 {
			return v, err
		}
		// Records begin with a length below 16 MiB.
		var first [1]byte
		if n, err := f.ReadAt(first[:], 0); n == 0 && err != io.EOF {
			return 0, err
		}
		if first[0] != 0 {
			return 0, &store.CorruptError{File: epochProofsName, Offset: 0, What: "neither a mark nor a record"}
		}
		return 1, nil
	}
	k.Steps = []format.Step{{
		What: "its first line names the format, so that records of another are refused and not cut off as if a crash had torn them",
		Change: func(to io.Writer, old io.Reader) error {
			if _, err := to.Write(k.Mark(2)); err != nil {
				return err
			}
			_, err := io.Copy(to, old)
			return err
		},
	}}
	return k
}

// Formats are the kinds of files of a Disk.
func Formats() []*format.Kind { return append(store.Formats(), Generation, EpochProofs) }
