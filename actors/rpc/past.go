package rpc

import (
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// rewindFree is how far back a state may lie for anybody to have it at any time, if no more than changesFree changes of entries have to be taken back.
	rewindFree  unit.Height = 256
	changesFree uint64      = 1 << 18
	// rewindMost is how far back it may lie at all, and changesMost how many changes may lie on the way, a microsecond each.
	rewindMost  unit.Height = 100_000
	changesMost uint64      = 1 << 22
)

// past bounds what strangers can have undone to read old states: one of them at a time, and not without end.
type past struct{ busy sync.Mutex }

// admit says whether the state after the block at a height may be asked for while the chain is at tip, where changes of entries have to be taken back for it.
// The caller calls done when it has it.
func (p *past) admit(tip, height unit.Height, changes uint64) (done func(), err error) {
	recent := height >= tip || tip-height <= rewindFree
	switch {
	case recent && changes <= changesFree:
		return func() {}, nil
	case recent:
	case tip-height > rewindMost:
		return nil, refuse(http.StatusGone, 4010, fmt.Sprintf("the state of block %d lies more than %d blocks back", height, rewindMost))
	case changes > changesMost:
		return nil, refuse(http.StatusGone, 4010, fmt.Sprintf("the state of block %d lies more than %d changes of entries back", height, changesMost))
	}
	if !p.busy.TryLock() {
		return nil, refuse(http.StatusTooManyRequests, 4029, "another old state is being read; ask again, or for one of the last 256 blocks")
	}
	return p.busy.Unlock, nil
}

// stateAt gives the state after the block at a height.
func (n *Node) stateAt(height unit.Height) (*state.Commit, error) {
	done, err := n.past.admit(n.Ledger.Finalized(), height, n.Ledger.Back(height))
	if err != nil {
		return nil, err
	}
	defer done()
	commit, err := n.Ledger.At(height)
	if pruned := (*store.PrunedError)(nil); errors.Is(err, state.ErrPruned) && !errors.As(err, &pruned) {
		return nil, refuse(http.StatusGone, 4010, fmt.Sprintf("the state after block %d is older than the history this node keeps", height))
	}
	if err != nil {
		return nil, refusal(err)
	}
	return commit, nil
}
