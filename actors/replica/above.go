package replica

import (
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Above is the first round above everything that the journal of a chain tells of: whoever signs from there on excludes nothing in it. Nobody may write it
// meanwhile. Errors: ErrJournal, fs.ErrNotExist where there is none; any other is the disk's.
func Above(d disk.Disk, chain digest.Hash) (sig.Round, error) {
	j, err := readJournal(d, chain)
	if err != nil {
		return sig.Round{}, err
	}
	first := sig.Round{Epoch: j.title.epoch}
	for _, r := range j.records {
		first.View = max(first.View, simplex.RoundOf(r).View+1)
	}
	return first, nil
}
