package replica

import (
	"errors"
	"io/fs"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// CheckJournal reads the journal of a chain and changes nothing. It gives ErrJournal for one that is damaged or of another chain, and nil where there is none.
// Nobody may write it meanwhile.
func CheckJournal(d disk.Disk, chain digest.Hash) error {
	_, err := readJournal(d, chain)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
