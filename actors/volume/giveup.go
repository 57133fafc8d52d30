package volume

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// giveUpWithin is how long relays are waited for when an upload is given up.
const giveUpWithin = 10 * time.Second

// goesOn reports whether what was sent may be of use: the chain was told of it, or the journal lets the same upload go on.
func (u *uploader) goesOn() bool {
	return u.final || u.snapshot.key != nil && u.snapshot.client.Journal != ""
}

// giveUp has relays remove what they took of an upload that came to nothing, so that its room is free at once. What they do not remove goes by itself, a day
// later; nothing is done beside other uploads of the client, which may be of the same chunks.
//
// Spec: storage-cbfs §3.3 (DeleteShard), §4 (orphan shard).
func (u *uploader) giveUp(ctx context.Context) (chunks int) {
	c := u.snapshot.client
	if c.Wallet == nil || c.Wallet.Address() != u.snapshot.Volume.Owner || !c.uploads.TryLock() {
		return 0
	}
	defer c.uploads.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveUpWithin)
	defer cancel()
	var all sync.WaitGroup
	var mu sync.Mutex
	for slot, roots := range u.sent {
		all.Go(func() {
			for part := range slices.Chunk(roots, protocol.MaxHashes) {
				a, err := u.ask(ctx, slot, &protocol.Request{Op: protocol.DeleteShard, Hashes: part})
				if err != nil && !errors.Is(err, protocol.ErrConflict) {
					return
				}
				mu.Lock()
				for i := range part {
					if i/8 < len(a.Data) && a.Data[i/8]&(1<<(i%8)) != 0 {
						chunks++
					}
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return chunks
}

// GiveUp takes back what an earlier Apply of the same changes sent and did not commit, also that of another process, and forgets what the journal has of it. It
// gives how many of the files' chunks relays have not, or no longer. Errors: ErrToken for whoever is not the owner, ErrKey, those of Open.
//
// Spec: storage-cbfs §3.3 (DeleteShard).
func (c *Client) GiveUp(ctx context.Context, id digest.Hash, changes []Change) (chunks int, err error) {
	s, err := c.Open(ctx, id)
	if err != nil {
		return 0, err
	}
	if c.Wallet == nil || c.Wallet.Address() != s.Volume.Owner {
		return 0, ErrToken
	}
	u := newUploader(s, changes)
	u.dry = true
	for i := range changes {
		if one := &changes[i]; !one.Remove && one.Kind == cbfs.File {
			p, err := u.file(ctx, one)
			if err != nil {
				return 0, fmt.Errorf("%q: %w", one.Path, err)
			}
			c.Journal.forget(id, one.Path, p.object.ContentHash)
		}
	}
	return u.giveUp(ctx), nil
}
