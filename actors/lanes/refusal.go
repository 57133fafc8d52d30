package lanes

import (
	"maps"
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// otherRefusal is the reason of errors that are no tx.Reject.
const otherRefusal = "other"

// refusals counts transactions that were not taken, by the name of their class. There are as many as there are classes.
type refusals struct {
	mu    sync.Mutex
	count map[string]uint64
}

func (r *refusals) add(results []Result) {
	for _, x := range results {
		if x.Err != nil {
			r.note(x.Err)
		}
	}
}

func (r *refusals) note(err error) {
	name := otherRefusal
	if class, ok := tx.ClassOf(err); ok {
		name = class.Name
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == nil {
		r.count = map[string]uint64{}
	}
	r.count[name]++
}

// Refusals gives how many transactions of clients and peers were not taken since the start, by the names of tx.Reject.
func (h *Handle) Refusals() map[string]uint64 {
	h.refusals.mu.Lock()
	defer h.refusals.mu.Unlock()
	return maps.Clone(h.refusals.count)
}
