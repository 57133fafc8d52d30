package replica

import (
	"io"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/replica/frame"
)

// Journal is the file of what a validator decided. A journal of another format is never given up silently: without it the validator might sign twice.
var Journal = &format.Kind{
	Name: "journal", Files: []string{"journal/" + journalName}, Now: 2,
	Older: "remove the directory of the journal; the validator then votes again in the first epoch that begins while it runs",
	Read: func(f io.ReaderAt) (format.Version, error) {
		var head [frame.Head + titleBytes]byte
		n, err := f.ReadAt(head[:], 0)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if n < frame.Head+6 || string(head[frame.Head:frame.Head+5]) != "votes" {
			return 0, ErrJournal
		}
		return format.Version(head[frame.Head+5]), nil
	},
}
