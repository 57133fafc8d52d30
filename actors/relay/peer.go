package relay

import (
	"context"
	"crypto/ed25519"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// known reports whether the connection is that of a relay.
func known(from *mutual.Peer) bool { _, ok := from.Note.Load().(account.Address); return ok }

// peer answers what one relay says to another.
//
// Spec: storage-cbfs §3.3.
func (d *Responder) peer(ctx context.Context, from *mutual.Peer, q *protocol.Request) *protocol.Answer {
	if !known(from) {
		return refuse(protocol.ErrAuth)
	}
	if q.Op == protocol.ReplicatePlacement {
		return d.replicated(ctx, from, q)
	}
	now := d.network().NowMs
	r, err := d.Directory.Relay(ctx, from.Note.Load().(account.Address))
	switch {
	case len(q.Certificate) != ed25519.SignatureSize:
		return refuse(protocol.ErrInvalid)
	case q.Offset+protocol.PeerSkewMs < now || q.Offset > now+protocol.PeerSkewMs, err != nil:
		return refuse(protocol.ErrAuth)
	case q.Op == protocol.PeerRelayPushShard:
		return d.pushed(ctx, r, q)
	}
	return d.told(ctx, r, q)
}

// signed reports whether a relay has signed a message, by the key that the chain has for it.
func signed(r *reach.Relay, hash digest.Hash, q *protocol.Request) bool {
	return ed25519.Verify(r.Key[:], hash[:], q.Certificate)
}

// pushed takes a chunk that another relay has and this one is to have: of a slot that the chain gives to it, and as the table of the newest commit says. What
// is here already is not taken again.
//
// Spec: storage-cbfs §3.3 (PeerRelayPushShard).
func (d *Responder) pushed(ctx context.Context, r *reach.Relay, q *protocol.Request) *protocol.Answer {
	v, status := d.volume(ctx, q)
	switch {
	case status != protocol.Ok:
		return refuse(status)
	case !v.Readable():
		return refuse(protocol.ErrNotFound)
	case q.Root.IsZero() || !d.holds(ctx, v, q.Slot):
		return refuse(protocol.ErrInvalid)
	case !d.newest(ctx, q, v):
		return refuse(protocol.ErrConflict)
	}
	n := store.Name{Volume: v.ID, Root: q.Root}
	t, err := d.Store.Table(n)
	if err != nil {
		return refuse(failed(d.lost(n, v, err)))
	}
	s, err := t.Stripe(q.Number)
	if err != nil {
		return refuse(failed(d.lost(n, v, err)))
	}
	if int(q.Slot) >= len(s.Roots) {
		return refuse(protocol.ErrInvalid)
	}
	root := s.Roots[q.Slot]
	switch {
	case !signed(r, protocol.PushHash(r.Node, d.Node, q, root), q):
		return refuse(protocol.ErrAuth)
	case d.Store.Has(root):
		return refuse(protocol.ErrConflict)
	case uint32(len(q.Data)) != s.Size || cbfs.ChunkRoot(q.Data) != root:
		return refuse(protocol.ErrInvalid)
	}
	if _, err := d.Store.Keep(root, q.Data); err != nil {
		return refuse(failed(err))
	}
	return &protocol.Answer{Hashes: []digest.Hash{root}}
}

// replicated takes the table of the newest commit from a relay that holds a slot of the volume too, as PutPlacement takes any table from a client.
//
// Spec: storage-cbfs §3.3 (ReplicatePlacement).
func (d *Responder) replicated(ctx context.Context, from *mutual.Peer, q *protocol.Request) *protocol.Answer {
	v, status := d.volume(ctx, q)
	switch {
	case status != protocol.Ok:
		return refuse(status)
	case !v.Readable():
		return refuse(protocol.ErrNotFound)
	case !d.holder(ctx, from, v):
		return refuse(protocol.ErrAuth)
	case q.Root.IsZero() || !d.newest(ctx, q, v):
		return refuse(protocol.ErrConflict)
	}
	if _, err := d.Store.Table(store.Name{Volume: v.ID, Root: q.Root}); err == nil {
		return refuse(protocol.ErrConflict)
	}
	return d.putPlacement(ctx, from, q, v)
}

// told hears that a placement has another version. That is looked up, once, and what the chain says is believed.
//
// Spec: storage-cbfs §3.3 (PeerPlacementUpdate).
func (d *Responder) told(ctx context.Context, r *reach.Relay, q *protocol.Request) *protocol.Answer {
	if !signed(r, protocol.UpdateHash(r.Node, d.Node, q), q) {
		return refuse(protocol.ErrAuth)
	}
	v, status := d.volume(ctx, q)
	if status != protocol.Ok {
		return refuse(status)
	}
	if v.Version < q.Version {
		fresh, err := d.Directory.Volume(ctx, v.ID, true)
		if err != nil {
			return refuse(protocol.ErrCapacity)
		}
		v = fresh
	}
	if v.Version >= q.Version && len(v.Holds(d.Self)) > 0 && d.Hinted != nil {
		d.Hinted(v.ID, v.Version)
	}
	return &protocol.Answer{Version: v.Version}
}

// peers lists the relays that this one spoke with, to whoever asks: all of them stand on the chain.
//
// Spec: storage-cbfs §3.3 (SyncPeers).
func (d *Responder) peers(q *protocol.Request) *protocol.Answer {
	var after account.Address
	if len(q.Hashes) > 1 {
		return refuse(protocol.ErrInvalid)
	}
	if len(q.Hashes) == 1 {
		after = account.Address(q.Hashes[0][digest.Size-account.AddressSize:])
	}
	list, total := d.Peers.After(after, protocol.MaxPeers)
	return &protocol.Answer{Total: uint64(total), Data: protocol.EncodePeers(list)}
}
