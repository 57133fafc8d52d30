package discovery

import (
	"net/netip"
	"slices"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// public reports whether an address means the same machine to everybody.
func public(at netip.AddrPort) bool {
	_, counted := network(at.Addr().Unmap())
	return counted
}

// connected lists the peers in the order of their identities.
func (f *Finder) connected() []transport.ID {
	list := make([]transport.ID, 0, len(f.peers))
	for id := range f.peers { // order-free: sorted
		list = append(list, id)
	}
	slices.SortFunc(list, transport.ID.Compare)
	return list
}

// tell says to a peer where it can be dialed as seen from here: where it was dialed, or its own IP with the port it says it listens at.
func (f *Finder) tell(p transport.Peer) {
	at := p.Address
	if p.Inbound {
		var ok bool
		if at, ok = p.Dialable(); !ok {
			return
		}
	}
	if p.Version < seenVersion || !at.IsValid() || at.Port() == 0 {
		return
	}
	f.send(p.ID, message{kind: kindSeen, address: netip.AddrPortFrom(at.Addr().Unmap(), at.Port())})
}

// seen takes a peer's word of where this node is. It is of use to a node that was told no address and listens at all of its machine's. Only the first word
// of a connection counts, and only of those this node dialed or its operator named: strangers can come in any number.
func (f *Finder) seen(p transport.Peer, at netip.AddrPort) {
	configured := f.config.Address.IsValid() && !f.config.Address.Addr().IsUnspecified()
	_, spoke := f.words[p.ID]
	if configured || spoke || f.config.Listen == 0 || p.Inbound && !slices.Contains(f.config.Own, p.ID) || !p.Inbound && at.Port() != f.config.Listen {
		return
	}
	f.words[p.ID] = at
	place := f.place()
	if f.own != nil && f.own.Address == place {
		return
	}
	if f.own != nil {
		f.config.Seq++
	}
	r := Sign(f.config.Key, f.config.Network, f.config.Seq, place)
	f.own = &r
	for _, id := range f.connected() {
		f.send(id, message{kind: kindAdvert, records: []Record{r}})
	}
}

// place is what most peers say, public addresses before private ones; among equals the present one stays, else the lowest is taken.
func (f *Finder) place() netip.AddrPort {
	count := map[netip.AddrPort]int{}
	var all []netip.AddrPort
	for _, at := range f.words { // order-free: sorted
		if count[at]++; count[at] == 1 {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, func(a, b netip.AddrPort) int {
		x, y := public(a), public(b)
		present := f.own != nil && f.own.Address == a
		switch {
		case x != y && x:
			return -1
		case x != y:
			return 1
		case count[a] != count[b]:
			return count[b] - count[a]
		case present:
			return -1
		case f.own != nil && f.own.Address == b:
			return 1
		}
		return a.Compare(b)
	})
	return all[0]
}
