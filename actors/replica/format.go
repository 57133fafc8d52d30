package replica

import (
	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/frame"
)

// Journal is the file of what a validator decided. A journal of another format is never given up silently: without it the validator might sign twice.
var Journal = &format.Kind{
	Name: "journal", Files: []string{"journal/" + names.File}, Now: 2,
	Older: "remove the directory of the journal; the validator then votes again in the first epoch that begins while it runs",
	Read:  frame.VersionOf(titleMark, ErrJournal),
}
