package keyfile

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/cowboyinc/cowboy-go/actors/format"
)

// Format is that of EIP-2335, whose version 4 is the first that was published. The field "version" of a file names it.
var Format = &format.Kind{
	Name: "keys", Files: []string{"keys/vote.json", "keys/share.json", "keys/account.json"}, Now: 4,
	Older: "export the key anew by the program that made it",
	Read: func(f io.ReaderAt) (format.Version, error) {
		var d struct {
			Version uint32 `json:"version"`
		}
		if err := json.NewDecoder(io.NewSectionReader(f, 0, maxFile)).Decode(&d); err != nil {
			return 0, fmt.Errorf("%w: %w", ErrFormat, err)
		}
		return format.Version(d.Version), nil
	},
}
