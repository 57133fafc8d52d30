package proxy

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// maxLocks bounds the time locks that are remembered; what a poll tells of is less.
const maxLocks = 1_024

// waitingLock is a time lock that wants this proxy's partial, or a SealRequest that wants its receipt. Nothing of it is kept on the disk: after a restart the
// chain tells of it again.
type waitingLock struct {
	since uint64 // the height it was first seen at
	sent  uint64 // the height; 0 for not yet
	seen  uint64 // the height of the last poll that told of it
	told  bool   // the operator, that it cannot be signed
}

// wanted is what is remembered of something that the chain tells of, from now on if it is new; nil where there is no room for it.
func wanted[K comparable](d *state, all map[K]*waitingLock, id K, most int) *waitingLock {
	w := all[id]
	if w == nil {
		if len(all) >= most {
			return nil
		}
		w = &waitingLock{since: d.height}
		all[id] = w
	}
	w.seen = d.height
	return w
}

// forget drops what the last poll did not tell of.
func forget[K comparable](d *state, all map[K]*waitingLock) {
	for id, w := range all { // order-free: each by itself
		if w.seen < d.height {
			delete(all, id)
		}
	}
}

// rests says whether a member does nothing in a block: it has sent its part lately, or the others of its committee come first.
func (w *waitingLock) rests(height uint64, asked byte, members, quorum int, place uint32) bool {
	return w.sent > 0 && height < w.sent+lookAfter || height < w.since+standsBy(asked, members, quorum, place)
}

// unlock gives the partials that time locks want. As many members as it takes do so at once, which ones follows from the lock; the others wait for some
// blocks, so that they pay for no transaction that comes too late.
//
// Spec: secrets-cbss §3, §4 (153).
func (d *state) unlock(locks []Lock) {
	for i := range locks {
		l := &locks[i]
		w := wanted(d, d.locks, l.ID, maxLocks)
		if w == nil {
			continue
		}
		share := d.held(l.Scope, l.Epoch)
		if share != nil && w.rests(d.height, l.ID[0], l.Members, l.Quorum, share.Place) {
			continue
		}
		partial, err := signed(share, l.Data)
		if err != nil {
			if !w.told {
				w.told = true
				d.tell("unsigned", l.Scope, fmt.Errorf("time lock %s, epoch %d: %w", l.ID.Hex(), l.Epoch, err))
			}
			continue
		}
		w.sent = max(d.height, 1)
		d.send(&tx.SubmitTlockRelease{Lock: l.ID, Proxy: d.self.ID, Epoch: l.Epoch, Partial: partial})
	}
	forget(d, d.locks)
}

// signed is a share's partial of an identity's associated data. Errors: errShare where there is no share, those of data that is no identity.
func signed(share *Share, data []byte) (cbss.Point, error) {
	if share == nil {
		return cbss.Point{}, errShare
	}
	return cbss.SignBytes(share.Secret, data)
}

// standsBy is how many blocks the member at a place waits for the others, by what is asked of them.
func standsBy(asked byte, members, quorum int, place uint32) uint64 {
	if (uint32(asked)+place)%uint32(max(members, 1)) < uint32(quorum) {
		return 0
	}
	return lookAfter
}
