package relay

import (
	"context"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// turn waits for one of the places in which answers are made out of the tree of shards: a source has one at a time. leave gives it back.
func (d *Responder) turn(ctx context.Context, from *mutual.Peer) (leave func(), ok bool) {
	place, ok := d.proving.Try(door.Source(from.Address), func() {})
	if !ok {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, proofWithin)
	defer cancel()
	if d.proofs.Acquire(ctx, 1) != nil {
		place.Leave()
		return nil, false
	}
	return func() { d.proofs.Release(1); place.Leave() }, true
}

// prove makes a proof of retrievability for whoever may read.
//
// Spec: storage-cbfs §3.3 (ProveShard), §6.
func (d *Responder) prove(ctx context.Context, from *mutual.Peer, q *protocol.Request, v *reach.Volume, room []byte) *protocol.Answer {
	leave, ok := d.turn(ctx, from)
	if !ok {
		return refuse(protocol.ErrCapacity)
	}
	defer leave()
	n := d.name(q, v)
	data, err := d.chunk(n, v, q.Slot, q.Number, room)
	if err != nil {
		return refuse(failed(err))
	}
	table, err := d.Store.Table(n)
	if err != nil {
		return refuse(failed(d.lost(n, v, err)))
	}
	p, err := proof(table, data, cbfs.Ask{Root: n.Root, Slot: q.Slot, Ordinal: q.Number, Draw: q.Offset})
	if err != nil {
		_ = d.lost(n, v, err)
		return refuse(protocol.ErrNotFound)
	}
	return &protocol.Answer{Data: p.Append(nil)}
}

// paths tells what stands at some numbers of a table, in all slots. A number beyond the table has nothing.
//
// Spec: storage-cbfs §2.2 (shard_root), §3.3 (GetPlacement).
func (d *Responder) paths(ctx context.Context, from *mutual.Peer, q *protocol.Request, v *reach.Volume) *protocol.Answer {
	numbers, err := protocol.DecodeNumbers(q.Data)
	slots := int(v.K) + int(v.M)
	if err != nil || len(numbers) > protocol.PathNumbers(slots) || numbers[len(numbers)-1] >= protocol.MaxStripes {
		return refuse(protocol.ErrInvalid)
	}
	leave, ok := d.turn(ctx, from)
	if !ok {
		return refuse(protocol.ErrCapacity)
	}
	defer leave()
	n := d.name(q, v)
	table, err := d.Store.Table(n)
	if err != nil {
		return refuse(failed(d.lost(n, v, err)))
	}
	p, err := table.Paths(protocol.Keys(slots, numbers))
	if err != nil {
		return refuse(failed(d.lost(n, v, err)))
	}
	return &protocol.Answer{Version: v.Version, Total: table.Outline().Count, Data: p.Append(nil)}
}

// page gives a page of a table.
//
// Spec: storage-cbfs §3.3 (GetPlacement).
func (d *Responder) page(q *protocol.Request, v *reach.Volume) *protocol.Answer {
	n := d.name(q, v)
	table, err := d.Store.Table(n)
	if err != nil {
		return refuse(failed(d.lost(n, v, err)))
	}
	if q.Number >= uint64(len(table.Outline().Pages)) {
		return refuse(protocol.ErrInvalid)
	}
	page, err := table.Page(int(q.Number))
	if err != nil {
		return refuse(failed(d.lost(n, v, err)))
	}
	return &protocol.Answer{Data: page.Page(0)}
}

// getPlacement gives the outline of a table, and who holds the slots.
//
// Spec: storage-cbfs §3.3 (GetPlacement).
func (d *Responder) getPlacement(ctx context.Context, q *protocol.Request, v *reach.Volume) *protocol.Answer {
	n := d.name(q, v)
	table, err := d.Store.Table(n)
	if err != nil {
		return refuse(failed(d.lost(n, v, err)))
	}
	o := table.Outline()
	a := &protocol.Answer{Version: v.Version, Total: o.Count, Data: o.Encode()}
	for i := range v.Slots {
		var node digest.Hash // zero for a relay that is gone
		if r, err := d.Directory.Relay(ctx, v.Slots[i].Relay); err == nil {
			node = r.Node
		}
		a.Holders = append(a.Holders, node)
	}
	return a
}
