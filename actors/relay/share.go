package relay

import (
	"context"
	"crypto/ed25519"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds of what is told to other relays and not asked for.
const (
	replicateBytes = 4 << 20 // of a change; a holder that lacks more fetches it
	pushAtOnce     = 4       // chunks of a slot
)

var errStill = errors.New("it is not known yet who has the slot")

// sign has a message signed, for this moment.
func (m *Mender) sign(q *protocol.Request, hash func(q *protocol.Request) digest.Hash) *protocol.Request {
	q.Offset = uint64(m.Now().UnixMilli())
	h := hash(q)
	q.Certificate = ed25519.Sign(m.Pool.Key, h[:])
	return q
}

// tell has the other holders of a volume look at the chain, which gave a slot of it to another relay. Who does not hear it looks later.
//
// Spec: storage-cbfs §3.3 (PeerPlacementUpdate).
func (m *Mender) tell(ctx context.Context, v *reach.Volume) {
	var all errgroup.Group
	for i := range v.Slots {
		if v.Slots[i].Relay == m.Self {
			continue
		}
		all.Go(func() error {
			r, err := m.Directory.Relay(ctx, v.Slots[i].Relay)
			if err == nil {
				q := &protocol.Request{Op: protocol.PeerPlacementUpdate, Volume: v.ID, Version: v.Version}
				_, err = m.Pool.Ask(ctx, r, m.sign(q, func(q *protocol.Request) digest.Hash { return protocol.UpdateHash(m.Pool.Node, r.Node, q) }))
			}
			return err
		})
	}
	_ = all.Wait()
}

// announce tells of a repair that this relay asked for.
func (m *Mender) announce(ctx context.Context, a act) error {
	v, err := m.Directory.Volume(ctx, a.held.Volume, true)
	if err == nil && v.Version < a.version {
		err = errStill
	}
	if err == nil {
		m.tell(ctx, v)
	}
	return err
}

// replicate brings the table of a volume's newest commit to a holder that has not confirmed it: as what changes of the one that it has confirmed.
//
// Spec: storage-cbfs §3.3 (ReplicatePlacement).
func (m *Mender) replicate(ctx context.Context, a act) error {
	v, err := m.Directory.Volume(ctx, a.held.Volume, true)
	if err != nil {
		return err
	}
	if v.Root != a.root || v.Version != a.version || int(a.held.Slot) >= len(v.Slots) || v.Slots[a.held.Slot].Root == v.Root {
		return nil
	}
	t, err := m.Store.Table(store.Name{Volume: v.ID, Root: v.Root})
	if err != nil {
		return err
	}
	r, err := m.Directory.Relay(ctx, v.Slots[a.held.Slot].Relay)
	if err != nil {
		return err
	}
	base := store.Name{Volume: v.ID, Root: v.Slots[a.held.Slot].Root}
	if numbers, known := t.Since(base); known {
		if err = m.bring(ctx, v, t, r, base.Root, numbers); !errors.Is(err, protocol.ErrNotFound) {
			return err
		}
	}
	all := make([]uint64, min(t.Outline().Count, replicateBytes))
	for i := range all {
		all[i] = uint64(i)
	}
	return m.bring(ctx, v, t, r, digest.Hash{}, all)
}

// bring sends a relay what a table has at some numbers, as a change of the table with the base's root.
func (m *Mender) bring(ctx context.Context, v *reach.Volume, t *store.Table, r *reach.Relay, base digest.Hash, numbers []uint64) error {
	o := t.Outline()
	c := &protocol.Change{K: o.K, M: o.M, Count: o.Count}
	for _, number := range numbers {
		s, err := t.Stripe(number)
		if err != nil {
			return err
		}
		if c.List = append(c.List, protocol.Numbered{Number: number, Stripe: *s}); c.Size() > replicateBytes {
			return nil
		}
	}
	raw := c.Encode()
	for at := 0; at < len(raw); at += protocol.PartBytes {
		_, err := m.Pool.Ask(ctx, r, &protocol.Request{
			Op: protocol.ReplicatePlacement, Volume: v.ID, Root: v.Root, Version: v.Version, Total: uint64(len(raw)), Offset: uint64(at),
			Hashes: []digest.Hash{base}, Data: raw[at:min(at+protocol.PartBytes, len(raw))],
		})
		if errors.Is(err, protocol.ErrConflict) { // it has the table, or there is another one by now
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// push brings the chunks of a slot that was this relay's to the one that has it now and has not confirmed it: one transfer, where fetching takes k. It begins
// at the end, since whoever fetches begins at the front.
//
// Spec: storage-cbfs §3.3 (PeerRelayPushShard), §4 (repair).
func (m *Mender) push(ctx context.Context, a act) error {
	v, err := m.Directory.Volume(ctx, a.held.Volume, true)
	if errors.Is(err, reach.ErrUnknown) {
		return nil
	}
	if err != nil {
		return err
	}
	switch {
	case v.Root != a.root || int(a.held.Slot) >= len(v.Slots) || v.Slots[a.held.Slot].Root == v.Root && v.Slots[a.held.Slot].Relay != m.Self:
		return nil
	case v.Slots[a.held.Slot].Relay == m.Self: // what is known of the volume is older than what is known of the slot
		return errStill
	}
	r, err := m.Directory.Relay(ctx, v.Slots[a.held.Slot].Relay)
	if err != nil {
		return err
	}
	t, err := m.Store.Table(store.Name{Volume: v.ID, Root: v.Root})
	if err != nil {
		return err
	}
	for at := len(t.Outline().Pages) - 1; at >= 0; at-- {
		page, err := t.Page(at)
		if err == nil {
			err = m.pushPage(ctx, v, r, page, a.held.Slot, uint64(at)*protocol.PageStripes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pushPage brings the chunks of one page that a relay has not.
func (m *Mender) pushPage(ctx context.Context, v *reach.Volume, r *reach.Relay, page *protocol.Table, slot uint8, first uint64) error {
	have := &protocol.Request{Op: protocol.HaveShards, Volume: v.ID}
	for i := range page.Stripes {
		have.Hashes = append(have.Hashes, page.Stripes[i].Roots[slot])
	}
	a, err := m.Pool.Ask(ctx, r, have)
	if err != nil {
		return err
	}
	if len(a.Data) != (len(have.Hashes)+7)/8 {
		return reach.ErrNode
	}
	all, within := errgroup.WithContext(ctx)
	all.SetLimit(pushAtOnce)
	for i, root := range slices.Backward(have.Hashes) {
		if a.Data[i/8]&(1<<(i%8)) != 0 {
			continue
		}
		all.Go(func() error {
			data, err := m.Store.Get(root)
			if errors.Is(err, store.ErrMissing) {
				return nil // it was not whole
			}
			if err != nil {
				return err
			}
			q := &protocol.Request{Op: protocol.PeerRelayPushShard, Volume: v.ID, Root: v.Root, Slot: slot, Number: first + uint64(i), Data: data}
			_, err = m.Pool.Ask(within, r, m.sign(q, func(q *protocol.Request) digest.Hash { return protocol.PushHash(m.Pool.Node, r.Node, q, root) }))
			if errors.Is(err, protocol.ErrConflict) { // it came meanwhile
				return nil
			}
			return err
		})
	}
	return all.Wait()
}
