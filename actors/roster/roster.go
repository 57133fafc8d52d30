package roster

import (
	"bytes"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// RequestsPerSecond bounds what a peer may ask of one subsystem, and so the signatures it may have verified.
const RequestsPerSecond = 64

// FirstDuty is the lowest first byte of a frame for the attendant; lower ones are the replica's.
const FirstDuty = 0x10

// FirstInvitation is the lowest first byte of a frame for package push; what is between is the attendant's.
const FirstInvitation = 0x40

// suffix is the domain of introductions.
const suffix = "_PEER"

// IntroductionPreimage is what a validator signs to introduce the node with a network identity.
// Spec: commonware §3.7.
func IntroductionPreimage(n sig.Namespace, node link.Peer) []byte {
	return n.UnionUnique(suffix, node[:])
}

// Peer is a connected peer.
type Peer[T any] struct {
	ID link.Peer
	// Role is what the subsystem knows of who the peer is.
	Role T

	used    int // requests since the last renewal
	renewed time.Time
}

// Allow counts a request and reports whether it is served. A peer's requests are renewed once a second: a count, in whole numbers, so that a run that is
// simulated again allows the same.
func (p *Peer[T]) Allow(now time.Time) bool {
	if now.Sub(p.renewed) >= time.Second {
		p.used, p.renewed = 0, now
	}
	p.used++
	return p.used <= RequestsPerSecond
}

// Roster holds the connected peers. The zero Roster is empty.
type Roster[T any] struct {
	list  []*Peer[T] // ascending by identity
	asked int        // peers that Next gave
}

func (r *Roster[T]) find(id link.Peer) (at int, known bool) {
	return slices.BinarySearchFunc(r.list, id, func(p *Peer[T], id link.Peer) int { return bytes.Compare(p.ID[:], id[:]) })
}

// Add takes a peer that connects, in a role, and reports whether it was absent.
func (r *Roster[T]) Add(id link.Peer, role T) bool {
	at, known := r.find(id)
	if !known {
		r.list = slices.Insert(r.list, at, &Peer[T]{ID: id, Role: role})
	}
	return !known
}

// Remove takes a peer that goes.
func (r *Roster[T]) Remove(id link.Peer) {
	if at, known := r.find(id); known {
		r.list = slices.Delete(r.list, at, at+1)
	}
}

// Of gives a connected peer, or nil.
func (r *Roster[T]) Of(id link.Peer) *Peer[T] {
	if at, known := r.find(id); known {
		return r.list[at]
	}
	return nil
}

// All lists the peers in ascending order. The slice is the roster's.
func (r *Roster[T]) All() []*Peer[T] { return r.list }

// IDs lists the peers of which suits is true, in ascending order.
func (r *Roster[T]) IDs(suits func(*Peer[T]) bool) (ids []link.Peer) {
	for _, p := range r.list {
		if suits(p) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// Next chooses whom to ask: one after the other of the peers that suit, or of all if none does; nil if there is none. The one asked last is not asked again
// at once while there is another, since what it gave may have been no good.
func (r *Roster[T]) Next(suits func(*Peer[T]) bool) *Peer[T] {
	var list []*Peer[T]
	for _, p := range r.list {
		if suits(p) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		list = r.list
	}
	if len(list) == 0 {
		return nil
	}
	r.asked++
	return list[r.asked%len(list)]
}
