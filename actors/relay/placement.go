package relay

import (
	"context"
	"net/netip"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// upload names a change that is on its way.
type upload struct {
	from mutual.Key
	base digest.Hash
	name store.Name
}

// parts is what came of it.
type parts struct {
	data   []byte
	total  uint64
	since  time.Time      // it began, however often it starts over
	last   time.Time      // a part came
	places [2]*door.Place // of the volume's, and of all
}

// putPlacement takes a part of a change. The version is compared with the chain's; with the last part the table that it makes is kept, and the chunks of this
// relay's slots that it changes are durable: those it has not are listed, and Total says how many. One that was durable before and rotted since is found by the
// mending that follows.
//
// Spec: storage-cbfs §3.1 (step one), §3.3 (PutPlacement, expected_version).
func (d *Responder) putPlacement(ctx context.Context, from *mutual.Peer, q *protocol.Request, v *reach.Volume) *protocol.Answer {
	if q.Version != v.Version {
		fresh, err := d.Directory.Volume(ctx, v.ID, true)
		if err != nil || q.Version != fresh.Version {
			return refuse(protocol.ErrConflict)
		}
		v = fresh
	}
	if len(v.Holds(d.Self)) == 0 || len(q.Hashes) > 1 { // no table is kept of what is not to be kept
		return refuse(protocol.ErrInvalid)
	}
	base := store.Name{Volume: v.ID}
	if len(q.Hashes) == 1 {
		base.Root = q.Hashes[0]
	}
	if q.Offset == 0 && !base.Root.IsZero() {
		if _, err := d.Store.Table(base); err != nil {
			return refuse(failed(d.lost(base, v, err)))
		}
	}
	raw, status := d.assemble(from, q)
	if status != protocol.Ok || raw == nil {
		return refuse(status)
	}
	if d.changes.Acquire(ctx, int64(len(raw))) != nil {
		return refuse(protocol.ErrCapacity)
	}
	defer d.changes.Release(int64(len(raw)))
	change, err := protocol.DecodeChange(raw)
	if err != nil || change.K != v.K || change.M != v.M {
		return refuse(protocol.ErrInvalid)
	}
	if err := d.apply(base, q.Root, change); err != nil {
		return refuse(failed(d.lost(base, v, err)))
	}
	a := &protocol.Answer{Version: v.Version}
	for _, slot := range v.Holds(d.Self) {
		roots := make([]digest.Hash, len(change.List))
		for i := range roots {
			roots[i] = change.List[i].Roots[slot]
		}
		missing, err := d.Store.Sync(roots)
		if err != nil {
			return refuse(failed(err))
		}
		a.Total += uint64(len(missing))
		a.Hashes = append(a.Hashes, missing[:min(len(missing), protocol.MaxHashes-len(a.Hashes))]...)
	}
	return a
}

// apply makes a change to a table that is here, and keeps what comes of it if it has the root. What it writes takes of the room for what is not committed.
func (d *Responder) apply(base store.Name, root digest.Hash, change *protocol.Change) error {
	draft, err := d.Store.Draft(base, func(size int) bool { return d.claim(base.Volume, size) != nil })
	if err != nil {
		return err
	}
	defer draft.Close()
	if err = draft.Apply(change); err == nil && draft.Root() != root {
		err = protocol.ErrTable
	}
	if err == nil {
		_, err = draft.Keep()
	}
	for part, size := range draft.Claimed() { // order-free: each by itself
		if err != nil {
			d.unclaim(base.Volume, size)
		} else {
			d.came(base.Volume, part, size)
		}
	}
	return err
}

// assemble adds a part to those that came; it gives the whole with the last one, and nothing before. Every part but the last one is as long as a part may be,
// so that nobody holds a place with a few bytes. What comes in one part takes no place.
func (d *Responder) assemble(from *mutual.Peer, q *protocol.Request) ([]byte, protocol.Status) {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := upload{from: from.Key, name: store.Name{Volume: q.Volume, Root: q.Root}}
	if len(q.Hashes) > 0 {
		name.base = q.Hashes[0]
	}
	one, now := d.tables[name], d.Now()
	switch {
	case q.Total > protocol.MaxChange || q.Offset >= q.Total || uint64(len(q.Data)) != min(protocol.PartBytes, q.Total-q.Offset):
		return nil, protocol.ErrInvalid
	case q.Offset == 0:
		if one != nil && (uint64(len(q.Data)) == q.Total || now.Sub(one.last) > partWithin) {
			d.drop(name)
			one = nil
		}
		if uint64(len(q.Data)) == q.Total {
			return q.Data, protocol.Ok
		}
		if one == nil {
			one = d.begin(name, door.Source(from.Address))
		}
		if one == nil {
			return nil, protocol.ErrCapacity
		}
		one.data, one.total = nil, q.Total // one that starts over has no more time for it
	case one == nil || one.total != q.Total || q.Offset != uint64(len(one.data)):
		return nil, protocol.ErrInvalid
	}
	one.last = now
	if one.data = append(one.data, q.Data...); uint64(len(one.data)) < one.total {
		return nil, protocol.Ok
	}
	d.drop(name)
	return one.data, protocol.Ok
}

// begin takes the places of a table that is to come in parts, or gives nil where there are none. Tables of which nothing came for long make room, and a source
// that holds most gives way to one that holds less. The lock is held, here and below.
func (d *Responder) begin(name upload, source netip.Addr) *parts {
	now, volume := d.Now(), name.name.Volume
	ofVolume := d.ofVolume[volume]
	full, crowded := d.placing.Taken() >= tablesAtOnce, ofVolume != nil && ofVolume.Taken() >= tablesOfVolume
	for other, one := range d.tables { // order-free: each by itself
		wanted := full || crowded && other.name.Volume == volume
		if now.Sub(one.since) > tableWithin || wanted && now.Sub(one.last) > partWithin {
			d.drop(other)
		}
	}
	if ofVolume = d.ofVolume[volume]; ofVolume == nil {
		ofVolume = door.NewShares(tablesOfVolume, 0)
		d.ofVolume[volume] = ofVolume
	}
	one := &parts{since: now}
	for i, shares := range []*door.Shares{ofVolume, d.placing} { // whoever gives way in the volume leaves a place of all
		var ok bool
		if one.places[i], ok = shares.Try(source, func() { d.drop(name) }); !ok {
			d.leave(volume, one)
			return nil
		}
	}
	d.tables[name] = one
	return one
}

// drop forgets a table that is on its way.
func (d *Responder) drop(name upload) {
	one := d.tables[name]
	delete(d.tables, name)
	d.leave(name.name.Volume, one)
}

// leave gives the places of a table back.
func (d *Responder) leave(volume digest.Hash, one *parts) {
	for _, place := range one.places {
		if place != nil {
			place.Leave()
		}
	}
	if d.ofVolume[volume].Taken() == 0 {
		delete(d.ofVolume, volume)
	}
}
