package relay

import (
	"context"
	"errors"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

var errUnpaid = errors.New("the table has more bytes than the commit says, and pays for")

// weights remembers how many bytes a slot has by the newest table of a volume that was looked at.
type weights struct {
	mu   sync.Mutex
	last map[digest.Hash]weight // by volume
}

type weight struct {
	root  digest.Hash
	bytes uint64
}

func (w *weights) of(volume digest.Hash) weight {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last[volume]
}

func (w *weights) set(volume digest.Hash, one weight) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last == nil {
		w.last = map[digest.Hash]weight{}
	}
	w.last[volume] = one
}

// keep forgets the volumes that are not among these.
func (w *weights) keep(held []Held) {
	w.mu.Lock()
	defer w.mu.Unlock()
	next := make(map[digest.Hash]weight, len(held))
	for _, one := range held {
		if before, ok := w.last[one.Volume]; ok {
			next[one.Volume] = before
		}
	}
	w.last = next
}

// paid holds a table to what the commit says of it: the chain knows no table, and rent is for the bytes that a commit says. A slot has a kth of them; of each
// stripe one byte more may come from rounding, and a place that is free has one. Error: errUnpaid.
//
// Spec: storage-cbfs §6 (rent), §8 (volume size).
func (m *Mender) paid(ctx context.Context, v *reach.Volume, root digest.Hash, t *store.Table) error {
	bytes, err := m.weigh(ctx, v, root, t)
	if err == nil && bytes > (v.Raw+uint64(v.K)-1)/uint64(v.K)+v.Chunks {
		err = errUnpaid
	}
	return err
}

// weigh counts the bytes of a slot by a table. Where the table before was counted, it looks at what differs.
func (m *Mender) weigh(ctx context.Context, v *reach.Volume, root digest.Hash, t *store.Table) (uint64, error) {
	before := m.weights.of(v.ID)
	if before.root == root {
		return before.bytes, nil
	}
	bytes, err := m.reweigh(v, before, t)
	if err != nil {
		if bytes, err = m.weighAll(ctx, v, root, t); err != nil {
			return 0, err
		}
	}
	m.weights.set(v.ID, weight{root, bytes})
	return bytes, nil
}

// reweigh counts from an earlier table of the volume. Error: store.ErrLost, where that is not known any more.
func (m *Mender) reweigh(v *reach.Volume, before weight, t *store.Table) (uint64, error) {
	base := store.Name{Volume: v.ID, Root: before.root}
	numbers, known := t.Since(base)
	if before.root.IsZero() || !known {
		return 0, store.ErrLost
	}
	earlier, err := m.Store.Table(base)
	if err != nil {
		return 0, err
	}
	if earlier.Outline().Count > t.Outline().Count {
		return 0, store.ErrLost
	}
	bytes := before.bytes
	for _, number := range numbers {
		if number < earlier.Outline().Count {
			old, err := earlier.Stripe(number)
			if err != nil {
				return 0, err
			}
			bytes -= uint64(old.Size)
		}
		now, err := t.Stripe(number)
		if err != nil {
			return 0, err
		}
		bytes += uint64(now.Size)
	}
	return bytes, nil
}

// weighAll counts from the pages of a table.
func (m *Mender) weighAll(ctx context.Context, v *reach.Volume, root digest.Hash, t *store.Table) (bytes uint64, err error) {
	for at := range t.Outline().Pages {
		var page *protocol.Table
		if page, err = m.page(ctx, v, root, t, at); err != nil {
			return 0, err
		}
		for i := range page.Stripes {
			bytes += uint64(page.Stripes[i].Size)
		}
	}
	return bytes, nil
}
