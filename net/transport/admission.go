package transport

import (
	"net/netip"
	"time"
)

// place is what a connection takes up and how it compares with another to the same peer.
type place struct {
	id       ID
	address  netip.Addr
	inbound  bool
	purpose  Purpose
	instance uint64
}

// source is the part of an address that one party is taken to control.
func source(a netip.Addr) netip.Prefix {
	bits := 32
	if a = a.Unmap(); a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits)
	return p
}

// admission decides who comes in. It is plain data; its owner holds the lock.
type admission struct {
	self    ID
	limits  Limits
	inbound int
	lookups int
	sources map[netip.Prefix]int
	blocked map[ID]time.Time
	friends map[ID]bool // no cap holds for them
}

func newAdmission(self ID, limits Limits, reserved []ID) admission {
	d := admission{self: self, limits: limits, sources: map[netip.Prefix]int{}, blocked: map[ID]time.Time{}, friends: map[ID]bool{}}
	for _, id := range reserved {
		d.friends[id] = true
	}
	return d
}

// capped reports whether the caps hold for a connection: others dialed it, and it is no friend's.
func (d *admission) capped(p place) bool {
	return p.inbound && !(p.purpose == Full && d.friends[p.id])
}

// judge says why a connection is not wanted, or nil. present is the connection that there is to the same peer, if any: the
// newcomer either takes its place or is refused as its duplicate.
func (d *admission) judge(p place, present *place, now time.Time) *Refusal {
	if p.id == d.self {
		return NewRefusal(CodeSelf, "both ends have the same key")
	}
	if until, ok := d.blocked[p.id]; ok {
		if now.Before(until) {
			return NewRefusal(CodeBlocked, "for another %v", until.Sub(now).Round(time.Second))
		}
		delete(d.blocked, p.id)
	}
	if present != nil {
		if !displaces(d.self, p, *present) {
			return NewRefusal(CodeDuplicate, "another connection is kept")
		}
		d.leave(*present)
		defer d.enter(*present)
	}
	if !d.capped(p) {
		return nil
	}
	switch {
	case p.purpose == Full && d.inbound >= d.limits.Inbound, p.purpose == Lookup && d.lookups >= d.limits.Lookups:
		return NewRefusal(CodeFull, "no room for another %v connection", p.purpose)
	case d.sources[source(p.address)] >= d.limits.PerAddress:
		return NewRefusal(CodeCrowded, "%d connections from %v", d.limits.PerAddress, source(p.address))
	}
	return nil
}

// enter counts a connection.
func (d *admission) enter(p place) { d.count(p, 1) }

// leave forgets a connection that was counted.
func (d *admission) leave(p place) { d.count(p, -1) }

func (d *admission) count(p place, by int) {
	if !d.capped(p) {
		return
	}
	if p.purpose == Full {
		d.inbound += by
	} else {
		d.lookups += by
	}
	s := source(p.address)
	if d.sources[s] += by; d.sources[s] <= 0 {
		delete(d.sources, s)
	}
}

// blockedMax bounds the list of refused identities. A stranger can make as many keys as it likes; the caps hold against it anyway.
const blockedMax = 4096

func (d *admission) block(id ID, until, now time.Time) {
	delete(d.blocked, id)
	if !until.After(now) {
		return
	}
	if len(d.blocked) >= blockedMax {
		d.unblockFirst()
	}
	d.blocked[id] = until
}

// unblockFirst forgets the refusal that would end first.
func (d *admission) unblockFirst() {
	var first ID
	var at time.Time
	for id, until := range d.blocked {
		if at.IsZero() || until.Before(at) || until.Equal(at) && id.Compare(first) < 0 {
			first, at = id, until
		}
	}
	delete(d.blocked, first)
}

// displaces reports whether a new connection takes the place of the present one to the same peer. When two nodes dial each other
// at the same time both keep the one dialed by the smaller identity.
func displaces(self ID, fresh, present place) bool {
	switch {
	case fresh.purpose != present.purpose:
		return fresh.purpose == Full
	case fresh.instance != present.instance:
		return true // the peer restarted: the present connection leads nowhere
	case fresh.inbound == present.inbound:
		return true // whoever dialed the present one gave it up
	}
	return fresh.inbound == (fresh.id.Compare(self) < 0)
}
